"""Fonts of pictures: which characters they have, and how wide a line of text is.

Fonts with Latin, Greek and Cyrillic letters are shipped. Other scripts (Chinese, Japanese, Korean,
...) come from further fonts: those of the setting ``FONTS``, otherwise the first of `KNOWN` that
the machine has.
"""

import os
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from fontTools.ttLib import TTFont

from domain.text.joiners import truncate

FOLDER = Path(__file__).parent / "font_files"
PLAIN, BOLD = FOLDER / "NotoSans-Regular.ttf", FOLDER / "NotoSans-Bold.ttf"
SERIF = FOLDER / "NotoSerif-Bold.ttf"
SHIPPED = (PLAIN, BOLD, SERIF)
KNOWN = (
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
PLACES = (
    "/usr/share/fonts",
    "/usr/share/fonts-droid-fallback",
    "/usr/local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
LONGEST = 200
"""Maximum number of characters of a line that are measured; no picture has room for more."""


def further(setting: str) -> tuple[Path, ...]:
    """Return the fonts in addition to the shipped ones.

    ``setting``: files, separated by ":" (";" on Windows); "none" for none; "" for the best known
    font of the machine, if there is one. Raises OSError or ValueError when a named file cannot be
    read.
    """
    if setting == "none":
        return ()
    if setting:
        return checked([Path(each) for each in setting.split(os.pathsep)])
    found = {path.name: path for place in PLACES for path in Path(place).rglob("*.[to]t[fc]")}
    return tuple(found[name] for name in KNOWN if name in found)[:1]


class Face:
    """The widths of one font's characters, as fractions of the font size."""

    def __init__(self, path: Path) -> None:
        font = TTFont(path, fontNumber=0, lazy=True)
        self._names: dict[int, str] = font.getBestCmap() or {}
        self._wide = font["hmtx"]
        self._unit = font["head"].unitsPerEm

    def width(self, letter: str) -> float | None:
        """Return the width of a character, or None if the font does not have it."""
        name = self._names.get(ord(letter))
        return None if name is None else self._wide[name][0] / self._unit


class Lettering:
    """Text measurement with the shipped fonts and further ones."""

    def __init__(self, more: Iterable[Path] = ()) -> None:
        self.files = (*SHIPPED, *more)
        self._faces: dict[Path, Face] = {}
        self._letter = lru_cache(maxsize=8_192)(self._measured)
        self.fitted = lru_cache(maxsize=4_096)(self._fitted)

    def drawable(self, text: str, instead: str) -> str:
        """Return the characters of a name that the fonts have; ``instead`` if they are too few.

        Too few are half of the characters or less.
        """
        whole = " ".join(unicodedata.normalize("NFC", text[:LONGEST]).split())
        kept = "".join(c for c in whole if self._letter(c, False) is not None).strip()
        return kept if kept and 2 * len(kept) > len(whole) else instead

    def length(self, text: str, size: float, bold: bool = False) -> float:
        """Return the maximum width of a line in pixels; kerning is ignored."""
        return sum(self._letter(c, bold) or 0.0 for c in text) * size

    def title_size(self, text: str, most: float, width: float) -> float:
        """Return the largest size up to ``most`` at which a title fits into ``width`` pixels."""
        if SERIF not in self._faces:
            self._faces[SERIF] = Face(SERIF)
        serif = self._faces[SERIF]
        long = sum(serif.width(c) or self._letter(c, True) or 0.0 for c in text)
        return min(most, width / long) if long else most

    def _fitted(self, text: str, size: float, width: float, bold: bool = False) -> str:
        """Return the text, shortened with an ellipsis if it is wider than ``width`` pixels."""
        if len(text) <= LONGEST and self.length(text, size, bold) <= width:
            return text
        text = text[:LONGEST]
        # Binary search: finds the longest prefix that fits in eight measurements for any text.
        wide = bisect_right(
            range(1, len(text) + 1), width, key=lambda n: self.length(_cut(text, n), size, bold)
        )
        return _cut(text, wide)

    def _measured(self, letter: str, bold: bool) -> float | None:
        """Return the width of a character as a fraction of the size; None when no font has it."""
        if letter == " ":
            letter = "\u00a0"
        first = (BOLD, PLAIN) if bold else (PLAIN, BOLD)
        for path in (*first, *self.files[len(SHIPPED) :]):
            if path not in self._faces:
                self._faces[path] = Face(path)
            wide = self._faces[path].width(letter)
            if wide is not None:
                return wide
        return None


def _cut(text: str, letters: int) -> str:
    return truncate(text, letters).rstrip() + "…"


def checked(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the fonts; raises OSError or ValueError when one cannot be read."""
    for path in paths:
        try:
            Face(path)
        except OSError:
            raise
        except Exception as problem:
            raise ValueError(f"{path} is no font: {problem}") from problem
    return tuple(paths)
