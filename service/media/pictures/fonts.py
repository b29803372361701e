"""The fonts of pictures: which characters they contain, and how wide text is.

The shipped fonts contain Latin, Greek and Cyrillic letters. Other scripts (Chinese, Japanese,
Korean, ...) need additional fonts: those of the setting ``FONTS`` or, by default, the first of
`CJK_FONT_NAMES` that is installed on the machine.
"""

import os
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from fontTools.ttLib import TTFont

from domain.text.joiners import truncate

FONT_FOLDER = Path(__file__).parent / "font_files"
REGULAR_FONT, BOLD_FONT = FONT_FOLDER / "NotoSans-Regular.ttf", FONT_FOLDER / "NotoSans-Bold.ttf"
SERIF_FONT = FONT_FOLDER / "NotoSerif-Bold.ttf"
SHIPPED_FONTS = (REGULAR_FONT, BOLD_FONT, SERIF_FONT)
CJK_FONT_NAMES = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "SourceHanSans-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "Hiragino Sans GB.ttc",
    "Arial Unicode.ttf",
    "msyh.ttc",
)
"""Names of font files with Chinese, Japanese and Korean characters, in order of preference."""
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/share/fonts-droid-fallback",
    "/usr/local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
MAX_LINE_CHARS = 200
"""Maximum number of characters of a line to measure; no picture has room for more."""


def find_extra_fonts(setting: str) -> tuple[Path, ...]:
    """Return the font files to use in addition to the shipped ones.

    ``setting``: file names separated by ":" (";" on Windows), "none" for no additional fonts, or ""
    for the first of `CJK_FONT_NAMES` that is installed. Raises OSError or ValueError if a file
    cannot be read as a font.
    """
    if setting == "none":
        return ()
    if setting:
        return check_fonts([Path(each) for each in setting.split(os.pathsep)])
    found = {path.name: path for place in FONT_FOLDERS for path in Path(place).rglob("*.[to]t[fc]")}
    return tuple(found[name] for name in CJK_FONT_NAMES if name in found)[:1]


class FontFace:
    """One font file, with the widths of its characters as fractions of the font size."""

    def __init__(self, path: Path) -> None:
        font = TTFont(path, fontNumber=0, lazy=True)
        self._names: dict[int, str] = font.getBestCmap() or {}
        self._advances = font["hmtx"]
        self._units_per_em = font["head"].unitsPerEm

    def width(self, letter: str) -> float | None:
        """Return the width of a character, or None if the font does not contain it."""
        name = self._names.get(ord(letter))
        return None if name is None else self._advances[name][0] / self._units_per_em


class FontSet:
    """The shipped and additional fonts, with methods for measuring and shortening text."""

    def __init__(self, extra_fonts: Iterable[Path] = ()) -> None:
        self.files = (*SHIPPED_FONTS, *extra_fonts)
        self._faces: dict[Path, FontFace] = {}
        self._letter_width = lru_cache(maxsize=8_192)(self._measure_letter)
        self.fit_text = lru_cache(maxsize=4_096)(self._fit_text)

    def supported_text(self, text: str, fallback: str) -> str:
        """Return a text reduced to the characters that the fonts contain.

        Returns ``fallback`` if these are half of the characters or fewer.
        """
        whole = " ".join(unicodedata.normalize("NFC", text[:MAX_LINE_CHARS]).split())
        kept = "".join(c for c in whole if self._letter_width(c, False) is not None).strip()
        return kept if kept and 2 * len(kept) > len(whole) else fallback

    def text_width(self, text: str, size: float, bold: bool = False) -> float:
        """Return a line's width in pixels, ignoring kerning; ``size``: the font size in pixels."""
        return sum(self._letter_width(c, bold) or 0.0 for c in text) * size

    def title_size(self, text: str, max_size: float, width: float) -> float:
        """Return the largest font size, up to ``max_size``, at which a title fits in ``width``."""
        if SERIF_FONT not in self._faces:
            self._faces[SERIF_FONT] = FontFace(SERIF_FONT)
        serif = self._faces[SERIF_FONT]
        long = sum(serif.width(c) or self._letter_width(c, True) or 0.0 for c in text)
        return min(max_size, width / long) if long else max_size

    def _fit_text(self, text: str, size: float, width: float, bold: bool = False) -> str:
        """Return the text, shortened with an ellipsis if it is wider than ``width`` pixels.

        Called through the cached attribute ``fit_text``.
        """
        if len(text) <= MAX_LINE_CHARS and self.text_width(text, size, bold) <= width:
            return text
        text = text[:MAX_LINE_CHARS]
        # A binary search finds the longest prefix that fits with at most eight measurements.
        wide = bisect_right(
            range(1, len(text) + 1),
            width,
            key=lambda n: self.text_width(_shorten(text, n), size, bold),
        )
        return _shorten(text, wide)

    def _measure_letter(self, letter: str, bold: bool) -> float | None:
        """Return a character's width as a fraction of the font size; None if no font has it."""
        if letter == " ":
            letter = "\u00a0"
        first = (BOLD_FONT, REGULAR_FONT) if bold else (REGULAR_FONT, BOLD_FONT)
        for path in (*first, *self.files[len(SHIPPED_FONTS) :]):
            if path not in self._faces:
                self._faces[path] = FontFace(path)
            wide = self._faces[path].width(letter)
            if wide is not None:
                return wide
        return None


def _shorten(text: str, letters: int) -> str:
    return truncate(text, letters).rstrip() + "…"


def check_fonts(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the paths; raise OSError or ValueError if one cannot be read as a font."""
    for path in paths:
        try:
            FontFace(path)
        except OSError:
            raise
        except Exception as problem:
            raise ValueError(f"{path} is no font: {problem}") from problem
    return tuple(paths)
