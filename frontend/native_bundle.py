"""The app's own JavaScript: the ES modules in ``shim/``, joined into one script.

Each module becomes a function that takes what it imports from earlier modules and returns what it
exports. Browsers cannot load the modules themselves, because they need Brython's runtime, which
runs in slices after the first paint (see ``static/boot.js``).
"""

import re
from pathlib import Path

from frontend.strip_module import CannotShip

SHIM = Path(__file__).parent / "shim"
ENTRY = SHIM / "index.js"
IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)"\n', re.M)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*? ?|class |const )([\w$]+))", re.M)
_OTHER_STATEMENT = re.compile(r"^(?:import|export)\b.*", re.M)
_COMMENT_LINE = re.compile(r"^[ \t]*//.*\n", re.M)


def native_source(entry: Path = ENTRY) -> str:
    """Return a script that runs the entry module after all modules that it imports.

    Raises `CannotShip` for a missing file or export, for a cycle of imports, and for other forms of
    import and export than ``import { a, b as c } from "./file.js"``, ``import "./file.js"`` and
    ``export`` before a function, class or constant.
    """
    bundle = _Bundle()
    bundle.add(entry.resolve())
    return "\n".join(bundle.parts)


def strip_comment_lines(js: str) -> str:
    """Return a script without the lines that hold only a ``//`` comment."""
    return _COMMENT_LINE.sub("", js)


class _Bundle:
    """``parts``: the code of the modules added so far; ``exports``: their names, by file.

    The exports of a module whose imports are still being added are None.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.exports: dict[Path, list[str] | None] = {}

    def add(self, path: Path) -> None:
        """Add a module, after the modules that it imports."""
        if not path.is_file():
            raise CannotShip(f"shim: there is no {path.name}")
        source = path.read_text()
        self.exports[path] = None
        lines = [self._import(path, *found.groups()) for found in IMPORT.finditer(source)]
        exports = EXPORT.findall(source)
        body = EXPORT.sub("", IMPORT.sub("", strip_comment_lines(source)))
        if other := _OTHER_STATEMENT.search(body):
            raise CannotShip(f"shim: {path.name} has an unknown form of {other[0]!r}")
        lines += [body.strip(), f"return {{ {', '.join(exports)} }}"]
        self.exports[path] = exports
        code = "\n".join(line for line in lines if line)
        self.parts.append(f"const {_variable(path)} = (() => {{\n{code}\n}})()\n")

    def _import(self, importer: Path, names: str | None, address: str) -> str:
        """Add an imported module; return the statement that binds the imported names."""
        path = (importer.parent / address).resolve()
        if path not in self.exports:
            self.add(path)
        exports = self.exports[path]
        if exports is None:
            raise CannotShip(f"shim: {importer.name} and {path.name} import each other")
        wanted = [name.strip() for name in (names or "").split(",") if name.strip()]
        for name in wanted:
            if name.split(" as ")[0] not in exports:
                raise CannotShip(f"shim: {path.name} does not export {name}, see {importer.name}")
        bound = ", ".join(name.replace(" as ", ": ") for name in wanted)
        return f"const {{ {bound} }} = {_variable(path)}" if wanted else ""


def _variable(path: Path) -> str:
    """Return the name of the variable that holds the exports of a module."""
    return f"{path.parent.name}_{path.stem}"
