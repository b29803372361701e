"""The JavaScript that Python code calls: the files of `shim/native`, which share one scope."""

import re
from pathlib import Path

from frontend.plain import CannotShip

NATIVE_FOLDER = Path(__file__).parent / "shim" / "native"
_DEFINES = re.compile(
    r"^(?:(?:async )?function\*?\s*|class )([\w$]+)|^(?:const|let|var) (.+)$", re.MULTILINE
)
_INSIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|\"[^\"]*\"|'[^']*'|`[^`]*`")


def native_source(folder: Path = NATIVE_FOLDER) -> str:
    """Return the files of a folder, concatenated; each of them exports its own functions.

    Raises `CannotShip` if two of them define the same name: in one scope the later function would
    silently replace the earlier.
    """
    home: dict[str, str] = {}
    parts = []
    for path in sorted(folder.glob("*.js")):
        source = path.read_text()
        parts.append(source)
        for name in defined_names(source):
            first = home.setdefault(name, path.name)
            if first != path.name:
                raise CannotShip(f"shim/native: {first} and {path.name} both define {name}")
    return "\n".join(parts)


def defined_names(source: str) -> set[str]:
    """Return the names that a script defines at its top level, where lines are not indented."""
    found: set[str] = set()
    for name, declared in _DEFINES.findall(source):
        found |= {name} if name else _declared_names(declared)
    return found


def _declared_names(line: str) -> set[str]:
    """Return the names of a ``const``, ``let`` or ``var`` line.

    Several are allowed, and destructuring too: ``a = 1, b``, ``{ c, d: e } = thing``.
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
