"""Joiners: invisible characters that change how their neighbours are rendered.

The zero width joiner, the non-joiner and flag tags are needed to write some words and emoji.
Elsewhere they would let different strings look identical. Ships to the browser.

Sources: Unicode Standard Annex 31, rules A1, A2 and B (Arabic and Indic scripts); Unicode Technical
Standard 51 (emoji sequences). The characters that those rules name are in
`domain.text.joiner_sets`.
"""

from domain.text import joiner_sets

NON_JOINER, JOINER = "\u200c", "\u200d"
FLAG = "\U0001f3f4"
"""The black flag, base character of flags written with tag characters."""
FLAG_TAGS = ("gbeng", "gbsct", "gbwls")
"""Tag sequences of the subdivision flags recommended for general interchange."""
_LETTERS_OF_FLAGS = "".join([chr(code) for code in range(0x1F1E6, 0x1F200)])
"""Regional indicator letters; a pair of them forms a country's flag."""
_TAG_END = "\U000e007f"
_EMOJI_PRESENTATION = "\ufe0f"
_TAGS = 0xE0000


class CharacterSet:
    """A set of characters, decoded on first use.

    ``ranges``: space-separated ``gap[,more]`` in hex, as `frontend/characters.py` writes them:
    ``gap`` is the distance from the last character of the previous range to the first of this one,
    ``more`` the number of characters after the first.
    """

    def __init__(self, ranges: str) -> None:
        self._ranges = ranges
        self._firsts: list[int] = []
        self._lasts: list[int] = []

    def has(self, c: str) -> bool:
        """Return whether the set contains a character; False for ""."""
        if c == "":
            return False
        if not self._firsts:
            self._decode_ranges()
        low, high, code = 0, len(self._firsts), ord(c)
        while low < high:
            middle = (low + high) // 2
            if self._lasts[middle] < code:
                low = middle + 1
            else:
                high = middle
        return low < len(self._firsts) and self._firsts[low] <= code

    def _decode_ranges(self) -> None:
        at = 0
        for part in self._ranges.split():
            gap, _, more = part.partition(",")
            self._firsts.append(at + int(gap, 16))
            at = self._firsts[-1] + (int(more, 16) if more else 0)
            self._lasts.append(at)


_PICTURES = CharacterSet(joiner_sets.PICTURES)
_BESIDE = CharacterSet(joiner_sets.BESIDE)
_VIRAMAS = CharacterSet(joiner_sets.VIRAMAS)
_CONJOINED = CharacterSet(joiner_sets.CONJOINED)
_ABOVE_OR_BELOW = CharacterSet(joiner_sets.ABOVE_OR_BELOW)
_JOINED_AFTER = CharacterSet(joiner_sets.JOINED_AFTER)
_JOINED_BEFORE = CharacterSet(joiner_sets.JOINED_BEFORE)


def is_joiner(c: str) -> bool:
    """Return whether a character is a joiner, a non-joiner or a flag tag."""
    return c in (NON_JOINER, JOINER) or _TAGS < ord(c) <= ord(_TAG_END)


def is_mark(c: str) -> bool:
    """Return whether a character is a combining mark above or below another."""
    return _ABOVE_OR_BELOW.has(c)


def is_skin_tone(c: str) -> bool:
    """Return whether a character is an emoji skin tone modifier."""
    return "\U0001f3fb" <= c <= "\U0001f3ff"


def effective_joiners(text: str) -> set[int]:
    """Return the indexes of the joiners and flag tags that affect how the text is rendered."""
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


def _previous_base(text: str, at: int) -> int:
    """Return the index of the nearest character before ``at`` that is not a mark; -1 if none."""
    at -= 1
    while at >= 0 and is_mark(text[at]):
        at -= 1
    return at


def _joins_pictures(text: str, at: int) -> bool:
    before = at - 1
    if before > 0 and (text[before] == _EMOJI_PRESENTATION or is_skin_tone(text[before])):
        before -= 1
    return before >= 0 and _PICTURES.has(text[before]) and _PICTURES.has(text[at + 1 : at + 2])


def _has_virama(text: str, at: int) -> bool:
    """Return whether a conjoinable letter and its virama directly precede an index."""
    if at < 1 or not _VIRAMAS.has(text[at - 1]):
        return False
    before = _previous_base(text, at - 1)
    return before >= 0 and _CONJOINED.has(text[before])


def _conjoins(text: str, at: int) -> bool:
    """Return whether a joiner affects a conjunct: after a virama, or before one.

    The latter occurs in Bengali ra with ya.
    """
    if _has_virama(text, at):
        return True
    before = _previous_base(text, at)
    later = _VIRAMAS.has(text[at + 1 : at + 2]) and _CONJOINED.has(text[at + 2 : at + 3])
    return later and before >= 0 and _CONJOINED.has(text[before])


def _parts_conjoined(text: str, at: int) -> bool:
    return _has_virama(text, at) and _CONJOINED.has(text[at + 1 : at + 2])


def _parts_joined(text: str, at: int) -> bool:
    before, after = _previous_base(text, at), at + 1
    while after < len(text) and is_mark(text[after]):
        after += 1
    joined = before >= 0 and after < len(text) and _JOINED_AFTER.has(text[before])
    return joined and _JOINED_BEFORE.has(text[after])


def _tags(text: str, at: int) -> list[int]:
    """Return the indexes of the tags after the black flag at an index.

    The list is empty if the tags are not one of `FLAG_TAGS`.
    """
    for name in FLAG_TAGS:
        tags = "".join([chr(_TAGS + ord(c)) for c in name]) + _TAG_END
        if text.startswith(tags, at + 1):
            return list(range(at + 1, at + 1 + len(tags)))
    return []


def first_characters(text: str, max_characters: int) -> str:
    """Return at most the first ``max_characters`` user-perceived characters of a text."""
    end = 0
    for _ in range(max_characters):
        end += 1
        while end < len(text) and _continues_character(text, end):
            end += 1
    return text[:end]


def truncate(text: str, max_code_points: int) -> str:
    """Truncate a text to at most ``max_code_points`` code points.

    A user-perceived character is not split, unless the first one alone is longer than
    ``max_code_points``.
    """
    if len(text) <= max_code_points:
        return text
    end = max_code_points
    while end > 0 and _continues_character(text, end):
        end -= 1
    return text[: end or max_code_points]


def _continues_character(text: str, at: int) -> bool:
    """Return whether the code point at an index continues the preceding user-perceived character.

    ``at`` is at least 1.
    """
    c, before = text[at], text[at - 1]
    if before == JOINER or is_mark(c) or is_skin_tone(c) or is_joiner(c) or _BESIDE.has(c):
        return True
    if c not in _LETTERS_OF_FLAGS:
        return False
    flags = len(text[:at]) - len(text[:at].rstrip(_LETTERS_OF_FLAGS))
    return flags % 2 == 1
