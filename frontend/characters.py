"""The generator of the character sets in `domain`: ``python -m frontend.characters``.

The sets come from one version of Unicode, whichever Python runs the service: that of the pinned
package `regex`, which only this script imports. They are shipped to the browser. A set is a
text of ranges in order, in hexadecimal numbers: the distance of the first character from the
last one of the previous range and, after a comma, how many characters of the range follow the
first.
"""

from collections.abc import Iterable
from pathlib import Path

import regex

UNICODE_VERSION = "17.0"
REGEX_VERSION = "2026.11.19"
"""The version of `regex` that contains this version of Unicode; another may contain another."""
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
"""The sets that decide whether a joiner shapes its neighbours, and where a character ends."""
CHARACTERS = {"HIDDEN": r"\p{C}"}
"""The set of characters that are invisible."""


def format_ranges(pattern: str) -> str:
    """Return the characters that a pattern matches, as a text of ranges."""
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
    """Yield the text as the lines of a Python string."""
    line = ""
    for part in text.split():
        if len(line) + len(part) >= _MAX_LINE_CHARS:
            yield f'    "{line} "'
            line = part
        else:
            line = f"{line} {part}".lstrip()
    yield f'    "{line}"'


def module(about: str, sets: dict[str, str]) -> str:
    """Return the source of a module with these sets; ``about``: the start of its docstring."""
    written = [
        f'"""{about}, Unicode {UNICODE_VERSION}; written by `frontend/characters.py`."""',
        "",
    ]
    for name, pattern in sets.items():
        written += [f"{name} = (", *string_lines(format_ranges(pattern)), ")"]
    return "\n".join(written) + "\n"


def modules() -> dict[str, str]:
    """Return the sources of the modules, by file name."""
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
