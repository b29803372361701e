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
from pathlib import Path
from typing import NamedTuple

import brotli

from domain.markup import SPACE, symbol_markup
from domain.register import TITLES, part_of
from domain.scene import SYMBOLS
from frontend.plain import CannotShip, plain
from frontend.runtime import pieces
from frontend.translator import Translator

_UNSEEN = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
ROOT = Path(__file__).parent.parent
FRONTEND = ROOT / "frontend"
GAMES = FRONTEND / "app" / "games"
BUILD = FRONTEND / "build"
ENTRY = "frontend.app.main"
# Pages that the entry imports when they are opened: they and the kernel come with them.
LATER = ("frontend.app.match_page", "frontend.app.review")
# What plays matches on the phone itself, without the service; comes with the first such match.
PHONE = (
    "frontend.app.phone.house",
    "frontend.app.phone.shelf",
    "frontend.app.phone.portraits",
    "frontend.app.phone.at_once",
)
# What such a match needs of its game, besides its screen.
PLAYED = ("", ".rules", ".bots", ".review")
TAUGHT = "frontend.app.lesson"  # a first game in which one learns, likewise
TOLD = "frontend.app.guide"  # shows the rules in words, when somebody asks for them
IN_BRYTHON = frozenset({"browser", "javascript"})
OURS = ("domain", "frontend")
SHIMS = ("msgspec", "msgspec.json", "msgspec.structs", "hashlib", "hmac", "domain.register")
# What there is of msgspec.
OF_MSGSPEC = ("Struct", "replace", "field", "to_builtins", "UNSET", "UnsetType")

# Endings of what is kept packed too, for browsers that know brotli.
PACKED = (".js", ".css", ".svg")
# The parts of the style, later ones above earlier ones.
STYLE = ("tokens", "page", "game", "results", "screens", "secrets")

START = 'slices.push(() => __BRYTHON__.inTurn("app"))\n'
# Ahead of the runtime: it asks where its file lies, which it cannot see from within a slice.
BEFORE = """
globalThis.__BRYTHON__ = {brython_path: location.origin + "/assets/"}
""".strip()
# Behind it: what it starts with when there are no scripts in Python in the page.
NATIVE = """
__BRYTHON__.$options = __BRYTHON__.parse_options({debug: 0, indexeddb: false});
// The parts of `shim/native`.
(function ($B) {
"use strict"
const _b_ = $B.builtins
const native = {}
$B.nativeModule = () => native

%s
})(__BRYTHON__)
"""


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
    return sorted(path for path in GAMES.glob("*/*.py") if path.stem not in ("__init__", "lesson"))


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
    """A module that ships: its plain source, the names that it may need, and those that it needs
    to be run at all."""

    source: str
    is_package: bool
    needs: tuple[str, ...]
    first: tuple[str, ...]


def modules() -> dict[str, Module]:
    """All that ships by name, in a fixed order.

    Starts at the entry and the games' rooms and follows imports. Raises `CannotShip` for an
    import of anything that is not ours, a stand-in or built into Brython.
    """
    waiting = [ENTRY, TOLD, TAUGHT, *PHONE, *guides().values()]
    waiting += [name for names in lessons().values() for name in names]
    waiting += [name for names in _rooms_by_game().values() for name in names]
    waiting += [name for names in _played_by_game().values() for name in names]
    found: dict[str, Module] = {}
    while waiting:
        name = waiting.pop()
        path = file_of(name)
        if name in found or path is None:
            continue
        is_package = path.name == "__init__.py"
        shipped = plain(path.read_text(), name)
        for needed in sorted(shipped.imports):
            _check(name, needed)
        above = tuple(parents(name))
        needs, first = (*sorted(shipped.imports), *above), (*above, *shipped.first)
        found[name] = Module(shipped.source, is_package, needs, first)
        waiting.extend(found[name].needs)
    return dict(sorted(found.items()))


def _rooms_by_game() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in rooms():
        name = f"frontend.app.games.{path.parent.name}.{path.stem}"
        found.setdefault(path.parent.name, []).append(name)
    return found


def _played_by_game() -> dict[str, list[str]]:
    """By game, the modules with which it is played on a phone."""
    names = {game: [f"domain.{game}{part}" for part in PLAYED] for game in TITLES}
    return {game: [name for name in found if file_of(name)] for game, found in names.items()}


def guides() -> dict[str, str]:
    """The modules that tell the rules of games in words, by slug, in the order of the lobby."""
    return {slug: f"domain.{slug}.guide" for slug in TITLES if part_of(slug, "guide")}


def lessons() -> dict[str, list[str]]:
    """The modules of games' lessons: what is done in them, and where that is tapped."""
    rooms = ("domain.{}.lesson", "frontend.app.games.{}.lesson")
    return {
        slug: [room.format(slug) for room in rooms] for slug in TITLES if part_of(slug, "lesson")
    }


def parts(shipped: dict[str, Module]) -> dict[str, list[str]]:
    """Which modules lie in which script: ``app`` is there from the start, ``table`` comes with the
    first match and holds what more than one game needs, ``game-GAME`` comes with a game. ``phone``
    and ``rules-GAME`` come with a match that is played on the phone, likewise; ``guide`` and
    ``guide-GAME`` with the rules of a game in words, ``lesson`` and ``lesson-GAME`` with a lesson.
    """

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

    app = closure([ENTRY], (*LATER, *PHONE, TOLD, TAUGHT))
    table = closure(LATER, app | {*PHONE, TOLD, TAUGHT})
    games = {game: closure(names, app | table) for game, names in sorted(_rooms_by_game().items())}
    table |= _shared(games.values())
    phone = closure(PHONE, app | table)
    played = {
        game: closure(names, app | table | phone | games.get(game, set()))
        for game, names in sorted(_played_by_game().items())
    }
    phone |= _shared(played.values())
    # What the screen of one game needs and the rules of another.
    table |= set().union(*games.values()) & set().union(*played.values())
    found = {"app": app, "table": table, "phone": phone - table}
    found |= {f"game-{game}": names - table for game, names in games.items()}
    found |= {f"rules-{game}": names - phone - table for game, names in played.items()}
    found["guide"] = closure([TOLD], app | table)
    for slug, guide in guides().items():
        known = app | table | found["guide"] | games.get(slug, games["generic"])
        found[f"guide-{slug}"] = closure([guide], known)
    found["lesson"] = closure([TAUGHT], app | table | found["phone"])
    for slug, taught in lessons().items():
        known = app | table | found["phone"] | found["lesson"]
        own = {*found.get(f"game-{slug}", ()), *found.get(f"rules-{slug}", ())}
        found[f"lesson-{slug}"] = closure(taught, known | own)
    return {part: sorted(names) for part, names in found.items()}


def entries(part: str) -> list[str]:
    """What is asked for first of a part of the code."""
    kind, _, game = part.partition("-")
    if kind == "rules":
        return _played_by_game()[game]
    known = {"app": [ENTRY], "table": [*LATER], "phone": [*PHONE]}
    return known.get(kind) or [f"frontend.app.games.{game}.screen"]


def _shared(rooms: Iterable[set[str]]) -> set[str]:
    """What more than one of them has."""
    count = Counter(name for names in rooms for name in names)
    return {name for name, times in count.items() if times > 1}


def _check(name: str, needed: str) -> None:
    top = needed.split(".")[0]
    if top in IN_BRYTHON or top == "_native":
        return
    if needed in SHIMS or needed.rpartition(".")[0] in ("msgspec.json", "msgspec.structs"):
        return
    if top == "msgspec" and needed.rpartition(".")[2] in OF_MSGSPEC:
        return
    if top not in OURS:
        raise CannotShip(f"{name} imports {needed}, which does not exist in the browser")


def script(translate: Translator, shipped: dict[str, Module], names: list[str]) -> str:
    """A script that brings modules, translated.

    Each is a function in brackets, which browsers compile with the script and beside the page.
    """
    code = [
        f"{json.dumps(name)}: (function () {{\n{translate(name, shipped[name].source)}\n"
        "return locals\n}),"
        for name in names
    ]
    packages = [name for name in names if shipped[name].is_package]
    return "\n".join(
        [
            "(function () {",
            "const modules = {",
            *code,
            "}",
            f"slices.push(() => __BRYTHON__.learn(modules, {json.dumps(packages)}))",
            "})()",
            "",
        ]
    )


def in_turn(shipped: dict[str, Module], entries: Iterable[str], names: list[str]) -> list[str]:
    """Those of the modules that the entries import when they are run, each after what it imports
    itself."""
    found: list[str] = []
    seen = set(shipped) - set(names)

    def visit(name: str) -> None:
        if name in shipped and name not in seen:
            seen.add(name)
            for needed in shipped[name].first:
                visit(needed)
            found.append(name)

    for entry in entries:
        visit(entry)
    return found


def runtime() -> str:
    """Brython's runtime with what Python calls in JavaScript, as slices."""
    slices = [f'(function () {{\n"use strict";\n{piece}\n}}),' for piece in [*pieces(), native()]]
    return "\n".join([BEFORE, "slices.push(", *slices, ")", ""])


def beginning(out: "Output") -> str:
    """What the first script says before its modules: the native one, and where the rest is."""
    module = (FRONTEND / "shim" / "_native.js").read_text()
    houses = {
        game: [path.stem for path in rooms() if path.parent.name == game]
        for game in _rooms_by_game()
    }
    known = {
        "VFS": {"_native": [".js", module, [], False]},
        "looks": out.looks,
        "parts": out.parts,
        "houses": houses,
        "guides": {slug: TITLES[slug].title for slug in guides()},
        "lessons": {slug: TITLES[slug].title for slug in lessons()},
        "turns": out.turns,
        "use_VFS": True,
    }
    return f"slices.push(() => Object.assign(__BRYTHON__, {json.dumps(known)}));\n"


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
        self.turns: dict[str, list[str]] = {}

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
            return json.dumps(sorted([*self.assets.values(), *self._catalogues()]))
        if name == "symbols":
            return "".join(symbol_markup(each) for each in SYMBOLS)
        if name == "version":
            return hashlib.sha256(json.dumps(self.assets).encode()).hexdigest()[:10]
        return self.assets[name]

    def _catalogues(self) -> list[str]:
        """The addresses of all languages: who is without a network may choose another too."""
        return [f"/words/{tag}/{room}.json" for tag in self.words for room in self.words[tag]]


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
    out.turns = {
        part: in_turn(shipped, entries(part), names) for part, names in parts(shipped).items()
    }
    out.parts = {part: out.asset(f"{part}.js", code[part]) for part in code if part != "app"}
    out.asset("app.js", beginning(out) + code["app"] + START)
    out.asset("brython.js", runtime())
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
