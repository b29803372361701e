"""The app's own JavaScript: patches of Brython and the DOM helpers that Python code calls.

All files in `shim/brython` and `shim/native` share one scope.
"""

import re
from pathlib import Path

from frontend.strip_module import CannotShip

SHIM = Path(__file__).parent / "shim"
SCRIPT_FOLDERS = (SHIM / "brython", SHIM / "native")
_DEFINES = re.compile(
    r"^(?:(?:async )?function\*?\s*|class )([\w$]+)|^(?:const|let|var) (.+)$", re.MULTILINE
)
_COMMENT_LINE = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_INSIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|\"[^\"]*\"|'[^']*'|`[^`]*`")


def native_source(*folders: Path) -> str:
    """Return the concatenated scripts of the folders, by default `SCRIPT_FOLDERS`.

    Lines that hold only a comment do not ship. Raises `CannotShip` if two scripts define the same
    name, because in a shared scope the later function would silently replace the earlier one.
    """
    home: dict[str, str] = {}
    parts = []
    paths = [path for each in folders or SCRIPT_FOLDERS for path in sorted(each.glob("*.js"))]
    for path in paths:
        source = path.read_text()
        parts.append(_COMMENT_LINE.sub("", source))
        for name in defined_names(source):
            first = home.setdefault(name, path.name)
            if first != path.name:
                raise CannotShip(f"shim: {first} and {path.name} both define {name}")
    return "\n".join(parts)


def defined_names(source: str) -> set[str]:
    """Return the names that a script defines at top level, that is, on unindented lines."""
    found: set[str] = set()
    for name, declared in _DEFINES.findall(source):
        found |= {name} if name else _declared_names(declared)
    return found


def _declared_names(line: str) -> set[str]:
    """Return the names declared by a line, without its leading ``const``, ``let`` or ``var``.

    Handles several declarations and destructuring: ``a = 1, b``, ``{ c, d: e } = thing``.
    """
    taken = re.match(r"[{\[](.*?)[}\]]\s*=", line)
    if taken:
        names = [each.split(":")[-1].split("=")[0] for each in taken[1].split(",")]
    else:
        flat, before = line, ""
        while flat != before:
            flat, before = _INSIDE.sub("", flat), flat
        names = [each.split("=")[0] for each in flat.split(",")]
    return {name.strip(" .;") for name in names if re.fullmatch(r"[\s.]*[\w$]+[\s;]*", name)}
