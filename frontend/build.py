"""Builds the PWA: ``python -m frontend.build`` writes ``frontend/build/``.

The app's modules and the domain modules they import are made plain (see `frontend.plain`) and
translated to JavaScript ahead of time by Brython itself, in V8. What is imported is what is
shipped; a module that is neither ours nor a stand-in stops the build, because Brython's standard
library costs seconds at each start. Does nothing when no input has changed.
"""

import hashlib
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from fcntl import LOCK_EX, flock
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import brotli
from py_mini_racer import MiniRacer

from domain.markup import SPACE, symbol_markup
from domain.register import TITLES, part_of
from domain.scene import SYMBOLS
from frontend.plain import CannotShip, plain

_UNSEEN = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
ROOT = Path(__file__).parent.parent
FRONTEND = ROOT / "frontend"
GAMES = FRONTEND / "app" / "games"
BUILD = FRONTEND / "build"
ENTRY = "frontend.app.main"
# Pages that the entry imports when they are opened: they and the kernel come with them.
LATER = ("frontend.app.match_page", "frontend.app.review")
IN_BRYTHON = frozenset({"browser", "javascript"})
OURS = ("domain", "frontend")
SHIMS = ("msgspec", "msgspec.structs")

# What brython.js expects of a page when it is loaded only to translate.
PAGE = """
var self = globalThis, window = globalThis
var console = {log() {}, info() {}, warn() {}, error() {}, debug() {}}
class URL {
  constructor(url) {
    this.pathname = String(url).replace(/^[a-z]+:..[^/]*/, "")
    this.search = this.hash = ""
  }
}
globalThis.URL = URL
globalThis.addEventListener = () => {}
Math.random = () => 0.5  // names in the result stay the same from build to build
Date.now = () => 0
"""
TRANSLATE = """
function translate(name, source) {
  __BRYTHON__.url2name[name] = name
  try {
    return [true, __BRYTHON__.py2js({src: source, filename: name}, name, name).to_js()]
  } catch (error) {
    return [false, String(error) + " " + JSON.stringify(error.args || "") + error.stack]
  }
}
"""
# Endings of what is kept packed too, for browsers that know brotli.
PACKED = (".js", ".css", ".svg")
# The parts of the style, later ones above earlier ones.
STYLE = ("tokens", "page", "game", "results", "screens", "secrets")

# Round the parts of `shim/native`.
NATIVE = """
(function ($B) {
"use strict"
const _b_ = $B.builtins
const native = {}
$B.nativeModule = () => native

%s
})(__BRYTHON__)
"""


def brython_js() -> str:
    """Brython's runtime, as its package has it."""
    return (files("brython") / "data" / "brython.js").read_text()


class Translator:
    """Brython's translator, running in V8."""

    def __enter__(self) -> "Translator":
        self._v8 = MiniRacer()
        self._v8.eval(PAGE)
        self._v8.eval(brython_js())
        self._v8.eval(TRANSLATE)
        return self

    def __exit__(self, *_: object) -> None:
        self._v8.close()

    def __call__(self, name: str, source: str) -> str:
        """The JavaScript of a module; `CannotShip` when Brython refuses it."""
        call = f"JSON.stringify(translate({json.dumps(name)}, {json.dumps(source)}))"
        done, result = json.loads(str(self._v8.eval(call)))
        if not done:
            raise CannotShip(f"{name}: {result}")
        return lighter(result)


def lighter(js: str) -> str:
    """Translated code without the bookkeeping of line numbers, which nobody reads here.

    Brython notes the line at each statement and the columns at each call, for tracebacks.
    """
    js = re.sub(r"^\s*\$B\.set_lineno\(frame, \d+(, '\w+')?\)\n", "", js, flags=re.M)
    js = re.sub(r"^\s*frame\.positions = \[.*\]\n", "", js, flags=re.M)
    js = re.sub(r"\$B\.set_lineno\(frame, \d+\) && ", "", js)
    return re.sub(r"^ +", "", js, flags=re.M)


def native() -> str:
    """What Python code calls in JavaScript: the parts in one scope, each offers its own."""
    parts = [path.read_text() for path in sorted((FRONTEND / "shim" / "native").glob("*.js"))]
    return NATIVE % "\n".join(parts)


def style() -> str:
    """The style of every page: one asset."""
    return "".join((FRONTEND / "static" / "style" / f"{part}.css").read_text() for part in STYLE)


def file_of(name: str) -> Path | None:
    """The source of a module of ours or of a stand-in; None when there is no such module."""
    base = FRONTEND / "shim" if name in SHIMS else ROOT
    path = base.joinpath(*name.split("."))
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


def parents(name: str) -> Iterable[str]:
    """The packages a module lies in, outermost first."""
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def rooms() -> list[Path]:
    """The modules of the games' folders: the app asks for them by name, no import leads there."""
    return sorted(path for path in GAMES.glob("*/*.py") if path.stem != "__init__")


def looks() -> dict[str, dict[str, str]]:
    """By game, its look: a style sheet (``css``), and symbols (``svg``): those of its pictures in
    `domain`, and those that only the page has."""
    found = {}
    for folder in sorted(GAMES.iterdir()):
        css, own = sorted(folder.glob("*.css")), folder / "symbols.svg"
        drawn = part_of(folder.name, "picture") if folder.name in TITLES else None
        symbols = "".join(symbol_markup(each) for each in getattr(drawn, "SYMBOLS", ()))
        symbols += own.read_text() if own.is_file() else ""
        look = {"css": "".join([path.read_text() for path in css])} if css else {}
        if symbols:
            look["svg"] = f'<svg xmlns="{SPACE}" {_UNSEEN}>{symbols}</svg>'
        if look:
            found[folder.name] = look
    return found


class Module(NamedTuple):
    """A module that ships: its plain source, and the names that it may need."""

    source: str
    is_package: bool
    needs: tuple[str, ...]


def modules() -> dict[str, Module]:
    """All that ships by name, in a fixed order.

    Starts at the entry and the games' rooms and follows imports. Raises `CannotShip` for an
    import of anything that is not ours, a stand-in or built into Brython.
    """
    waiting = [ENTRY, *(name for names in _rooms_by_game().values() for name in names)]
    found: dict[str, Module] = {}
    while waiting:
        name = waiting.pop()
        path = file_of(name)
        if name in found or path is None:
            continue
        is_package = path.name == "__init__.py"
        shipped = plain(path.read_text(), name, is_package)
        for needed in sorted(shipped.imports):
            _check(name, needed)
        found[name] = Module(shipped.source, is_package, (*sorted(shipped.imports), *parents(name)))
        waiting.extend(found[name].needs)
    return dict(sorted(found.items()))


def _rooms_by_game() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in rooms():
        name = f"frontend.app.games.{path.parent.name}.{path.stem}"
        found.setdefault(path.parent.name, []).append(name)
    return found


def parts(shipped: dict[str, Module]) -> dict[str, list[str]]:
    """Which modules lie in which script: ``app`` is there from the start, ``table`` comes with the
    first match and holds what more than one game needs, ``game-GAME`` comes with a game."""

    def closure(entries: Iterable[str], without: Iterable[str]) -> set[str]:
        seen, waiting = set(without), [*entries]
        found = set()
        while waiting:
            name = waiting.pop()
            if name in shipped and name not in seen:
                seen.add(name)
                found.add(name)
                waiting.extend(shipped[name].needs)
        return found

    app = closure([ENTRY], LATER)
    table = closure(LATER, app)
    games = {game: closure(names, app | table) for game, names in sorted(_rooms_by_game().items())}
    count = Counter(name for names in games.values() for name in names)
    table |= {name for name, times in count.items() if times > 1}
    found = {"app": app, "table": table}
    found |= {f"game-{game}": names - table for game, names in games.items()}
    return {part: sorted(names) for part, names in found.items()}


def _check(name: str, needed: str) -> None:
    top = needed.split(".")[0]
    if top in IN_BRYTHON or top == "_native":
        return
    if top == "msgspec" and (needed in SHIMS or needed.split(".")[-1] in ("Struct", "replace")):
        return
    if top not in OURS:
        raise CannotShip(f"{name} imports {needed}, which does not exist in the browser")


def script(translate: Translator, shipped: dict[str, Module], names: Iterable[str]) -> str:
    """A script that hands modules to Brython, translated."""
    known, code = [], []
    for name in names:
        module = shipped[name]
        known.append(f'{json.dumps(name)}: [".py", "", [], {json.dumps(module.is_package)}],')
        js = json.dumps(translate(name, module.source), ensure_ascii=False)
        code.append(f"{json.dumps(name)}: {f'[{js}]' if module.is_package else js},")
    return "\n".join(
        [
            "__BRYTHON__.VFS = Object.assign(__BRYTHON__.VFS || {}, {",
            *known,
            "})",
            "Object.assign(__BRYTHON__.precompiled, {",
            *code,
            "})",
            "",
        ]
    )


def beginning(out: "Output") -> str:
    """What the first script says before its modules: the native one, and where the rest is."""
    module = (FRONTEND / "shim" / "_native.js").read_text()
    houses = {
        game: [path.stem for path in rooms() if path.parent.name == game]
        for game in _rooms_by_game()
    }
    return "\n".join(
        [
            f'__BRYTHON__.VFS = {{"_native": [".js", {json.dumps(module)}, [], false]}}',
            f"__BRYTHON__.looks = {json.dumps(out.looks)}",
            f"__BRYTHON__.parts = {json.dumps(out.parts)}",
            f"__BRYTHON__.houses = {json.dumps(houses)}",
            "__BRYTHON__.use_VFS = true",
            "",
        ]
    )


def inputs() -> list[Path]:
    """Every file the result depends on."""
    sources = [
        path
        for folder in (ROOT / "domain", ROOT / "service" / "po", FRONTEND)
        for path in folder.rglob("*")
        if path.is_file() and BUILD not in path.parents and "__pycache__" not in path.parts
    ]
    return sorted(sources)


def fingerprint() -> str:
    """A hash over all inputs and the version of Brython."""
    digest = hashlib.sha256(version("brython").encode())
    for path in inputs():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def compiled_words(folder: Path) -> dict[str, list[str]]:
    """Puts the complete languages into a folder; the rooms of each."""
    if not [*ROOT.glob("*/po/*.po"), *ROOT.glob("domain/*/po/*.po")]:
        return {}
    from frontend import catalogue  # needs Babel, which English does not

    try:
        return catalogue.build(folder)
    except catalogue.WrongWords as problem:
        raise CannotShip(f"translations to be mended:\n{problem}") from None


class Output:
    """A folder being filled; assets get the hash of their content into their names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "assets").mkdir(parents=True)
        self.assets: dict[str, str] = {}
        self.words: dict[str, list[str]] = {}
        self.looks: dict[str, dict[str, str]] = {}
        self.parts: dict[str, str] = {}

    def asset(self, name: str, content: str | bytes) -> str:
        """Writes an asset; gives its address."""
        data = content.encode() if isinstance(content, str) else content
        stem, dot, ending = name.rpartition(".")
        hashed = f"{stem}.{hashlib.sha256(data).hexdigest()[:10]}{dot}{ending}"
        path = self.folder / "assets" / hashed
        path.write_bytes(data)
        if path.suffix in PACKED:
            packed, earlier = path.with_name(hashed + ".br"), BUILD / "assets" / f"{hashed}.br"
            # The best packing takes seconds, and what has the same name has the same content.
            known = earlier.read_bytes() if earlier.is_file() else brotli.compress(data)
            packed.write_bytes(known)
        self.assets[name] = f"/assets/{hashed}"
        return self.assets[name]

    def page(self, name: str, template: str) -> None:
        """A file with a fixed name in which ``{{asset name}}`` becomes an address."""
        text = re.sub(r"\{\{([\w.-]+)\}\}", lambda found: self._value(found[1]), template)
        (self.folder / name).write_text(text)

    def _value(self, name: str) -> str:
        if name == "words":
            return json.dumps(self.words)
        if name == "assets":
            return json.dumps(sorted(self.assets.values()))
        if name == "symbols":
            return "".join(symbol_markup(each) for each in SYMBOLS)
        if name == "version":
            return hashlib.sha256(json.dumps(self.assets).encode()).hexdigest()[:10]
        return self.assets[name]


def build() -> bool:
    """Writes the PWA; False when it was up to date. One build at a time: who comes meanwhile waits
    for it."""
    with (ROOT / ".building").open("w") as lock:
        flock(lock, LOCK_EX)
        return _build()


def _build() -> bool:
    stamp = BUILD / "fingerprint"
    wanted = fingerprint()
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    fresh = BUILD.with_name("build.new")
    out = Output(fresh)
    out.looks = {
        game: {kind: out.asset(f"look-{game}.{kind}", content) for kind, content in look.items()}
        for game, look in looks().items()
    }
    shipped = modules()
    with Translator() as translate:
        code = {part: script(translate, shipped, names) for part, names in parts(shipped).items()}
    out.parts = {part: out.asset(f"{part}.js", code[part]) for part in code if part != "app"}
    out.asset("app.js", beginning(out) + code["app"])
    out.asset("brython.js", brython_js() + native())
    out.words = compiled_words(fresh / "words")
    out.asset("style.css", style())
    pages = {}
    for path in sorted((FRONTEND / "static").glob("*.*")):
        if path.suffix in (".html", ".webmanifest") or path.name == "sw.js":
            pages[path.name] = path.read_text()
        else:
            out.asset(path.name, path.read_bytes())
    for name, template in pages.items():
        out.page(name, template)
    (fresh / "fingerprint").write_text(wanted)
    shutil.rmtree(BUILD, ignore_errors=True)
    fresh.rename(BUILD)
    return True


def main() -> int:
    try:
        changed = build()
    except CannotShip as problem:
        print(f"frontend: {problem}", file=sys.stderr)
        return 1
    print("frontend: built" if changed else "frontend: up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
