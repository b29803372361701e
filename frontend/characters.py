"""The generator of the character sets in `domain`: ``python -m frontend.characters``.

The sets use the Unicode version of the pinned package `regex`, whichever Python runs the service;
only this script imports `regex`. The sets are shipped to the browser. A set is a string of ordered
ranges. Each range consists of hexadecimal numbers: the distance from the last character of the
previous range to its first one and, after a comma, the number of further characters if there are
any.
"""

from collections.abc import Iterable
from pathlib import Path

import regex

UNICODE_VERSION = "17.0"
REGEX_VERSION = "2026.11.19"
"""The version of `regex` that implements `UNICODE_VERSION`."""
TEXT = Path(__file__).parent.parent / "domain" / "text"
_MAX_LINE_CHARS = 90
_ALL = "".join(map(chr, range(0x110000)))
JOINERS = {
    "PICTURES": r"\p{Extended_Pictographic}",
    "VIRAMAS": r"\p{ccc=9}",
    "CONJOINED": r"[\p{InSC=Consonant}\p{InSC=Vowel_Independent}]",
    "ABOVE_OR_BELOW": r"[\p{Mn}\p{Me}]",
    "BESIDE": r"\p{Mc}",
    "JOINED_AFTER": r"[\p{Joining_Type=D}\p{Joining_Type=L}]",
    "JOINED_BEFORE": r"[\p{Joining_Type=D}\p{Joining_Type=R}]",
}
"""The sets that determine whether a joiner affects its neighbours, and where a character ends."""
CHARACTERS = {"HIDDEN": r"\p{C}"}
"""The set of characters that are invisible."""


def format_ranges(pattern: str) -> str:
    """Return the characters that a pattern matches, as a string of ranges."""
    found: list[list[int]] = []
    for c in regex.findall(pattern, _ALL):
        if found and found[-1][1] + 1 == ord(c):
            found[-1][1] = ord(c)
        else:
            found.append([ord(c), ord(c)])
    before, parts = 0, []
    for first, last in found:
        parts.append(f"{first - before:x}" + (f",{last - first:x}" if last > first else ""))
        before = last
    return " ".join(parts)


def string_lines(text: str) -> Iterable[str]:
    """Yield ``text`` split into the lines of a Python string literal."""
    line = ""
    for part in text.split():
        if len(line) + len(part) >= _MAX_LINE_CHARS:
            yield f'    "{line} "'
            line = part
        else:
            line = f"{line} {part}".lstrip()
    yield f'    "{line}"'


def module(about: str, sets: dict[str, str]) -> str:
    """Return the source of a module that defines sets; ``about`` is the start of its docstring."""
    written = [
        f'"""{about}, Unicode {UNICODE_VERSION}; written by `frontend/characters.py`."""',
        "",
    ]
    for name, pattern in sets.items():
        written += [f"{name} = (", *string_lines(format_ranges(pattern)), ")"]
    return "\n".join(written) + "\n"


def modules() -> dict[str, str]:
    """Return the source of each generated module, by file name."""
    return {
        "joiner_sets.py": module("Characters that may be next to joiners", JOINERS),
        "character_sets.py": module("Character classes", CHARACTERS),
    }


def main() -> None:
    if regex.__version__ != REGEX_VERSION:
        raise SystemExit(
            f"regex {REGEX_VERSION} is needed for Unicode {UNICODE_VERSION}, "
            f"not {regex.__version__}"
        )
    for name, source in modules().items():
        (TEXT / name).write_text(source)


if __name__ == "__main__":
    main()
