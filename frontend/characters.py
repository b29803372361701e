"""Writes the sets of characters that `domain` reads: ``python -m frontend.characters``.

They come from one version of Unicode, whatever Python runs the service: that of the pinned package
`regex`, which only this script imports. They ship to the browser. Each set is a text of ranges in
order, as hexadecimal numbers: how many characters lie between it and the one before, and after a
comma how many follow the first of it.
"""

from collections.abc import Iterable
from pathlib import Path

import regex

UNICODE = "17.0"
REGEX = "2026.11.19"
"""The version of `regex` that knows this version of Unicode; another one may know another."""
DOMAIN = Path(__file__).parent.parent / "domain"
_LINE = 90
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
"""What decides whether a joiner shapes what stands beside it, and where a character ends."""
CHARACTERS = {"HIDDEN": r"\p{C}"}
"""What is not to be seen."""


def ranges(pattern: str) -> str:
    """The characters that a pattern matches, as a text."""
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


def lines(text: str) -> Iterable[str]:
    """The text as the lines of a Python string."""
    line = ""
    for part in text.split():
        if len(line) + len(part) >= _LINE:
            yield f'    "{line} "'
            line = part
        else:
            line = f"{line} {part}".lstrip()
    yield f'    "{line}"'


def module(about: str, sets: dict[str, str]) -> str:
    """The source of a module with these sets."""
    written = [f'"""{about} of Unicode {UNICODE}; written by `frontend/characters.py`."""', ""]
    for name, pattern in sets.items():
        written += [f"{name} = (", *lines(ranges(pattern)), ")"]
    return "\n".join(written) + "\n"


def modules() -> dict[str, str]:
    """The sources by the name of the file."""
    return {
        "joiner_sets.py": module("What stands beside joiners", JOINERS),
        "character_sets.py": module("Kinds of characters", CHARACTERS),
    }


def main() -> None:
    if regex.__version__ != REGEX:
        raise SystemExit(f"regex {REGEX} is wanted for Unicode {UNICODE}, not {regex.__version__}")
    for name, source in modules().items():
        (DOMAIN / name).write_text(source)


if __name__ == "__main__":
    main()
