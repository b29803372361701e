"""Fonts of pictures: which characters they have, and how wide a line of text is.

Fonts with Latin, Greek and Cyrillic letters are shipped. Other scripts (Chinese, Japanese, Korean,
...) come from further fonts: those of the setting ``FONTS``, otherwise the first of
`CJK_FONT_NAMES` that the machine has.
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
"""Font files with Chinese, Japanese and Korean letters, the best first."""
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/share/fonts-droid-fallback",
    "/usr/local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
MAX_LINE_CHARS = 200
"""Maximum number of characters of a line that are measured; no picture can show more."""


def find_extra_fonts(setting: str) -> tuple[Path, ...]:
    """Return the fonts in addition to the shipped ones.

    ``setting``: files, separated by ":" (";" on Windows); "none" for none; "" for the best known
    font of the machine, if there is one. Raises OSError or ValueError when a named file cannot be
    read.
    """
    if setting == "none":
        return ()
    if setting:
        return check_fonts([Path(each) for each in setting.split(os.pathsep)])
    found = {path.name: path for place in FONT_FOLDERS for path in Path(place).rglob("*.[to]t[fc]")}
    return tuple(found[name] for name in CJK_FONT_NAMES if name in found)[:1]


class FontFace:
    """The widths of one font's characters, as fractions of the font size."""

    def __init__(self, path: Path) -> None:
        font = TTFont(path, fontNumber=0, lazy=True)
        self._names: dict[int, str] = font.getBestCmap() or {}
        self._advances = font["hmtx"]
        self._units_per_em = font["head"].unitsPerEm

    def width(self, letter: str) -> float | None:
        """Return the width of a character, or None if the font does not have it."""
        name = self._names.get(ord(letter))
        return None if name is None else self._advances[name][0] / self._units_per_em


class FontSet:
    """Text measurement with the shipped fonts and further ones."""

    def __init__(self, extra_fonts: Iterable[Path] = ()) -> None:
        self.files = (*SHIPPED_FONTS, *extra_fonts)
        self._faces: dict[Path, FontFace] = {}
        self._letter_width = lru_cache(maxsize=8_192)(self._measure_letter)
        self.fit_text = lru_cache(maxsize=4_096)(self._fit_text)

    def supported_text(self, text: str, fallback: str) -> str:
        """Return the characters of a name that the fonts have; ``fallback`` if they are too few.

        Too few are half of the characters or less.
        """
        whole = " ".join(unicodedata.normalize("NFC", text[:MAX_LINE_CHARS]).split())
        kept = "".join(c for c in whole if self._letter_width(c, False) is not None).strip()
        return kept if kept and 2 * len(kept) > len(whole) else fallback

    def text_width(self, text: str, size: float, bold: bool = False) -> float:
        """Return the maximum width of a line in pixels; kerning is ignored."""
        return sum(self._letter_width(c, bold) or 0.0 for c in text) * size

    def title_size(self, text: str, max_size: float, width: float) -> float:
        """Return the largest size, up to ``max_size``, at which a title fits ``width`` pixels."""
        if SERIF_FONT not in self._faces:
            self._faces[SERIF_FONT] = FontFace(SERIF_FONT)
        serif = self._faces[SERIF_FONT]
        long = sum(serif.width(c) or self._letter_width(c, True) or 0.0 for c in text)
        return min(max_size, width / long) if long else max_size

    def _fit_text(self, text: str, size: float, width: float, bold: bool = False) -> str:
        """Return the text, shortened with an ellipsis if it is wider than ``width`` pixels."""
        if len(text) <= MAX_LINE_CHARS and self.text_width(text, size, bold) <= width:
            return text
        text = text[:MAX_LINE_CHARS]
        # Binary search: finds the longest prefix that fits in eight measurements for any text.
        wide = bisect_right(
            range(1, len(text) + 1),
            width,
            key=lambda n: self.text_width(_shorten(text, n), size, bold),
        )
        return _shorten(text, wide)

    def _measure_letter(self, letter: str, bold: bool) -> float | None:
        """Return the width of a character as a fraction of the size; None when no font has it."""
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
    """Return the fonts; raises OSError or ValueError when one cannot be read."""
    for path in paths:
        try:
            FontFace(path)
        except OSError:
            raise
        except Exception as problem:
            raise ValueError(f"{path} is no font: {problem}") from problem
    return tuple(paths)
