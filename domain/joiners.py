"""Characters that show nothing themselves but shape what stands beside them.

The zero width joiner and non-joiner and the tags of flags belong to how some words and emoji are
written, and anywhere else they make two texts look like one. Ships to the browser.

Sources: Unicode Standard Annex 31, rules A1, A2 and B (Arabic and Indic scripts); Unicode Technical
Standard 51 (sequences of emoji). Which characters those rules name is in `domain.joiner_sets`.
"""

from domain import joiner_sets

NON_JOINER, JOINER = "\u200c", "\u200d"
FLAG = "\U0001f3f4"
"""The black flag, with which flags that are written in tags begin."""
TAGGED = ("gbeng", "gbsct", "gbwls")
"""The parts of countries whose flags are recommended for general interchange."""
_LETTERS_OF_FLAGS = "".join([chr(code) for code in range(0x1F1E6, 0x1F200)])
"""Two of them make the flag of a country."""
_END = "\U000e007f"
_AS_PICTURE = "\ufe0f"
_TAGS = 0xE0000


class Characters:
    """A set of characters as `frontend/characters.py` writes it, read when it is first asked."""

    def __init__(self, ranges: str) -> None:
        self._ranges = ranges
        self._firsts: list[int] = []
        self._lasts: list[int] = []

    def has(self, c: str) -> bool:
        """Whether it has a character; it never has none, ""."""
        if c == "":
            return False
        if not self._firsts:
            self._read()
        low, high, code = 0, len(self._firsts), ord(c)
        while low < high:
            middle = (low + high) // 2
            if self._lasts[middle] < code:
                low = middle + 1
            else:
                high = middle
        return low < len(self._firsts) and self._firsts[low] <= code

    def _read(self) -> None:
        at = 0
        for part in self._ranges.split():
            gap, _, more = part.partition(",")
            self._firsts.append(at + int(gap, 16))
            at = self._firsts[-1] + (int(more, 16) if more else 0)
            self._lasts.append(at)


_PICTURES = Characters(joiner_sets.PICTURES)
_BESIDE = Characters(joiner_sets.BESIDE)
_VIRAMAS = Characters(joiner_sets.VIRAMAS)
_CONJOINED = Characters(joiner_sets.CONJOINED)
_ABOVE_OR_BELOW = Characters(joiner_sets.ABOVE_OR_BELOW)
_JOINED_AFTER = Characters(joiner_sets.JOINED_AFTER)
_JOINED_BEFORE = Characters(joiner_sets.JOINED_BEFORE)


def is_joiner(c: str) -> bool:
    """Whether a character may be one that shapes what stands beside it."""
    return c in (NON_JOINER, JOINER) or _TAGS < ord(c) <= ord(_END)


def is_mark(c: str) -> bool:
    """Whether a character stands upon or under another."""
    return _ABOVE_OR_BELOW.has(c)


def is_skin(c: str) -> bool:
    """Whether a character gives the emoji before it a colour of skin."""
    return "\U0001f3fb" <= c <= "\U0001f3ff"


def needed(text: str) -> set[int]:
    """Where in the text joiners stand that shape something."""
    found: set[int] = set()
    for at, c in enumerate(text):
        if c == JOINER:
            wanted = _joins_pictures(text, at) or _conjoins(text, at)
        elif c == NON_JOINER:
            wanted = _parts_conjoined(text, at) or _parts_joined(text, at)
        else:
            wanted = False
            if c == FLAG:
                found.update(_tags(text, at))
        if wanted:
            found.add(at)
    return found


def _before(text: str, at: int) -> int:
    """Where the character before a place is, marks left out; -1 where there is none."""
    at -= 1
    while at >= 0 and is_mark(text[at]):
        at -= 1
    return at


def _joins_pictures(text: str, at: int) -> bool:
    before = at - 1
    if before > 0 and (text[before] == _AS_PICTURE or is_skin(text[before])):
        before -= 1
    return before >= 0 and _PICTURES.has(text[before]) and _PICTURES.has(text[at + 1 : at + 2])


def _has_virama(text: str, at: int) -> bool:
    """Whether a letter that can be joined stands before a place, and its virama."""
    if at < 1 or not _VIRAMAS.has(text[at - 1]):
        return False
    before = _before(text, at - 1)
    return before >= 0 and _CONJOINED.has(text[before])


def _conjoins(text: str, at: int) -> bool:
    """After a virama; or before one, as Bengali writes ra and ya."""
    if _has_virama(text, at):
        return True
    before = _before(text, at)
    later = _VIRAMAS.has(text[at + 1 : at + 2]) and _CONJOINED.has(text[at + 2 : at + 3])
    return later and before >= 0 and _CONJOINED.has(text[before])


def _parts_conjoined(text: str, at: int) -> bool:
    return _has_virama(text, at) and _CONJOINED.has(text[at + 1 : at + 2])


def _parts_joined(text: str, at: int) -> bool:
    before, after = _before(text, at), at + 1
    while after < len(text) and is_mark(text[after]):
        after += 1
    joined = before >= 0 and after < len(text) and _JOINED_AFTER.has(text[before])
    return joined and _JOINED_BEFORE.has(text[after])


def _tags(text: str, at: int) -> list[int]:
    """The places of the tags that make a flag of the one at a place."""
    for name in TAGGED:
        tags = "".join([chr(_TAGS + ord(c)) for c in name]) + _END
        if text.startswith(tags, at + 1):
            return list(range(at + 1, at + 1 + len(tags)))
    return []


def characters(text: str, most: int) -> str:
    """The first of what is read as one character each, so many at most."""
    end = 0
    for _ in range(most):
        end += 1
        while end < len(text) and _goes_on(text, end):
            end += 1
    return text[:end]


def shortened(text: str, most: int) -> str:
    """The beginning of a text, of so many characters at most: what is read as one character is
    taken whole or not at all, unless it alone is too long."""
    if len(text) <= most:
        return text
    end = most
    while end > 0 and _goes_on(text, end):
        end -= 1
    return text[: end or most]


def _goes_on(text: str, at: int) -> bool:
    """Whether the character at a place belongs to what stands before it."""
    c, before = text[at], text[at - 1]
    if before == JOINER or is_mark(c) or is_skin(c) or is_joiner(c) or _BESIDE.has(c):
        return True
    if c not in _LETTERS_OF_FLAGS:
        return False
    flags = len(text[:at]) - len(text[:at].rstrip(_LETTERS_OF_FLAGS))
    return flags % 2 == 1
