"""Builds the PWA: ``python -m frontend.build`` writes ``frontend/build/``.

The app's modules and the domain modules they import are made plain (see `frontend.plain`) and
translated to JavaScript ahead of time by Brython itself, in V8. Which they are and how they lie in
parts says `frontend.shipped`; a module that is neither ours nor a stand-in stops the build, because
Brython's standard library costs seconds at each start. Does nothing when no input has changed.
"""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from fcntl import LOCK_EX, flock
from importlib.metadata import version
from pathlib import Path

import brotli

from domain.markup import SPACE, symbol_markup
from domain.register import TITLES, part_of
from domain.scene import SYMBOLS
from frontend.native import native
from frontend.plain import CannotShip
from frontend.runtime import pieces
from frontend.shipped import (
    FRONTEND,
    GAMES,
    ROOT,
    Module,
    entries,
    guides,
    lessons,
    modules,
    parts,
    rooms,
    rooms_by_game,
)
from frontend.translator import Translator

_UNSEEN = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
BUILD = FRONTEND / "build"
# Endings of what is kept packed too, for browsers that know brotli.
PACKED = (".js", ".css", ".svg", ".json")
# The parts of the style, later ones above earlier ones.
STYLE = ("tokens", "page", "game", "results", "screens", "secrets", "letters")

# What stores show of the app before it is installed: fetched by them alone, so never kept.
SHOWN = {"shown-narrow.png": "game-390-light.png", "shown-wide.png": "game-1280.png"}

# The catalogue that the service alone reads.
SERVICE = "service"

# Letters in a script, about: what browsers do with so many takes a slow phone less than 50 ms.
LONGEST = 430_000

START = 'slices.push(() => __BRYTHON__.inTurn("app"))\n'
# Ahead of the runtime: it asks where its file lies, which it cannot see from within a slice.
BEFORE = """
globalThis.__BRYTHON__ = {brython_path: location.origin + "/assets/"}
""".strip()
# Has Chromium compile all functions of a script with it and beside the page: a start calls hundreds
# of the runtime's, and would stop at the first call of each.
ALL_AT_ONCE = "//# allFunctionsCalledOnLoad\n"
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


def style() -> str:
    """The style of every page: one asset."""
    return "".join((FRONTEND / "static" / "style" / f"{part}.css").read_text() for part in STYLE)


def looks() -> dict[str, dict[str, str]]:
    """By game, its look: a style sheet (``css``), and symbols (``svg``): those of its pictures in
    `domain`, and those that only the page has."""
    found = {}
    for folder in sorted(GAMES.iterdir()):
        css, own = sorted(folder.glob("*.css")), folder / "symbols.svg"
        drawn = part_of(folder.name, "symbols") if folder.name in TITLES else None
        symbols = "".join(symbol_markup(each) for each in getattr(drawn, "SYMBOLS", ()))
        symbols += own.read_text() if own.is_file() else ""
        look = {"css": "".join([path.read_text() for path in css])} if css else {}
        if symbols:
            look["svg"] = f'<svg xmlns="{SPACE}" {_UNSEEN}>{symbols}</svg>'
        if look:
            found[folder.name] = look
    return found


def scripts(translate: Translator, shipped: dict[str, Module], names: list[str]) -> list[str]:
    """The scripts that bring modules, translated; none is much longer than `LONGEST`.

    Each module is a function in brackets, which browsers compile with its script and beside the
    page. What they then do on the page's own thread takes time by a script's length.
    """
    code = {
        name: f"{json.dumps(name)}: (function () {{\n{translate(name, shipped[name].source)}\n"
        "return locals\n}),"
        for name in names
    }
    return [script(code, shipped, some) for some in evenly(names, lambda name: len(code[name]))]


def script(code: dict[str, str], shipped: dict[str, Module], names: list[str]) -> str:
    """A script that brings some of the modules."""
    packages = [name for name in names if shipped[name].is_package]
    return "\n".join(
        [
            "(function () {",
            "const modules = {",
            *[code[name] for name in names],
            "}",
            f"slices.push(() => __BRYTHON__.learn(modules, {json.dumps(packages)}))",
            "})()",
            "",
        ]
    )


def evenly(things: list[str], length: Callable[[str], int]) -> list[list[str]]:
    """Things in their order, in lists that are about as long as each other."""
    count = -(-sum(map(length, things)) // LONGEST)
    share = sum(map(length, things)) / max(1, count)
    found: list[list[str]] = [[] for _ in range(count)]
    done = 0
    for thing in things:
        found[min(count - 1, int((done + length(thing) / 2) / share))].append(thing)
        done += length(thing)
    return [each for each in found if each]


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


def runtime() -> list[str]:
    """Brython's runtime with what Python calls in JavaScript, as scripts of slices."""
    slices = [
        f'(function () {{\n"use strict";\n{piece}\n}}),' for piece in [*pieces(), NATIVE % native()]
    ]
    found = ["\n".join(["slices.push(", *some, ")", ""]) for some in evenly(slices, len)]
    return [f"{ALL_AT_ONCE}{BEFORE}\n{found[0]}", *[ALL_AT_ONCE + each for each in found[1:]]]


def beginning(out: "Output") -> str:
    """What the first script says before its modules: the native one, and where the rest is."""
    module = (FRONTEND / "shim" / "_native.js").read_text()
    houses = {
        game: [path.stem for path in rooms() if path.parent.name == game]
        for game in rooms_by_game()
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
    given = f"slices.push(() => Object.assign(__BRYTHON__, {json.dumps(known)}));\n"
    return given + "slices.push(() => __BRYTHON__.expect());\n"


def ascii_only(js: str) -> str:
    """A script whose texts say other letters by their numbers.

    One such letter makes browsers keep the whole script in two bytes a letter, which doubles what
    is copied and hashed before it is run.
    """
    return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], js)


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


def compiled_words() -> dict[str, dict[str, str]]:
    """The complete languages by tag, the catalogues of each by name."""
    if not [*ROOT.glob("*/po/*.po"), *ROOT.glob("domain/*/po/*.po")]:
        return {}
    from frontend import catalogue  # needs Babel, which English does not

    try:
        return catalogue.build()
    except catalogue.WrongWords as problem:
        raise CannotShip(f"translations to be mended:\n{problem}") from None


def hashed(name: str, data: bytes) -> str:
    """The name of a file with the hash of its content in it."""
    stem, dot, ending = name.rpartition(".")
    return f"{stem}.{digest(data)}{dot}{ending}"


def digest(data: bytes) -> str:
    """What tells a content from every other."""
    return hashlib.sha256(data).hexdigest()[:10]


class Output:
    """A folder being filled; assets get the hash of their content into their names.

    ``words``: by language on offer, the hashes of its catalogues by name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "assets").mkdir(parents=True)
        self.assets: dict[str, str] = {}
        self.words: dict[str, dict[str, str]] = {}
        self.looks: dict[str, dict[str, str]] = {}
        self.parts: dict[str, list[str]] = {}
        self.turns: dict[str, list[str]] = {}
        self.first: list[str] = []

    def asset(self, name: str, content: str | bytes) -> str:
        """Writes an asset; gives its address."""
        if name.endswith(".js"):
            content = ascii_only(str(content))
        data = content.encode() if isinstance(content, str) else content
        self.assets[name] = self._written(f"assets/{name}", data)
        return self.assets[name]

    def language(self, tag: str, catalogues: dict[str, str]) -> None:
        """Writes the catalogues of a language. The page is told of those that it may need: they are
        of its version as all assets are."""
        self.words[tag] = {}
        for room, text in catalogues.items():
            name = f"words/{tag}/{room}.json"
            address = self._written(name, text.encode())
            if room != SERVICE:
                self.assets[name] = address
                self.words[tag][room] = digest(text.encode())

    def _written(self, name: str, data: bytes) -> str:
        """Writes a file under its name with a hash, packed too where that helps; its address."""
        name = hashed(name, data)
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if path.suffix in PACKED:
            packed, earlier = self.folder / f"{name}.br", BUILD / f"{name}.br"
            # The best packing takes seconds, and what has the same name has the same content.
            known = earlier.read_bytes() if earlier.is_file() else brotli.compress(data)
            packed.write_bytes(known)
        return f"/{name}"

    def scripts(self, part: str, contents: list[str]) -> list[str]:
        """Writes the scripts of a part of the code; gives their addresses."""
        names = [f"{part}.js", *[f"{part}-{count}.js" for count in range(2, len(contents) + 1)]]
        return [self.asset(name, content) for name, content in zip(names, contents, strict=True)]

    def page(self, name: str, template: str) -> None:
        """A file with a fixed name in which ``{{asset name}}`` becomes an address."""
        text = re.sub(r"\{\{([\w.-]+)\}\}", lambda found: self._value(found[1]), template)
        (self.folder / name).write_text(text)

    def _value(self, name: str) -> str:
        if name == "words":
            return json.dumps(self.words, separators=(",", ":"))
        if name == "assets":
            # All languages: who is without a network may choose another too.
            kept = [address for asset, address in self.assets.items() if asset not in SHOWN]
            return json.dumps(sorted(kept))
        if name == "scripts":
            return "\n".join(f'<script src="{each}" defer></script>' for each in self.first)
        if name == "table":
            return " ".join(self.parts["table"])
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
        code = {part: scripts(translate, shipped, names) for part, names in parts(shipped).items()}
    out.turns = {
        part: in_turn(shipped, entries(part), names) for part, names in parts(shipped).items()
    }
    app = code.pop("app")
    out.parts = {part: out.scripts(part, code[part]) for part in code}
    app[0], app[-1] = beginning(out) + app[0], app[-1] + START
    out.first = [*out.scripts("brython", runtime()), *out.scripts("app", app)]
    for tag, catalogues in compiled_words().items():
        out.language(tag, catalogues)
    out.asset("style.css", style())
    for name, file in SHOWN.items():
        out.asset(name, (FRONTEND / "screenshots" / file).read_bytes())
    pages = {}
    for path in sorted((FRONTEND / "static").glob("*.*")):
        if path.suffix in (".html", ".webmanifest") or path.name == "sw.js":
            pages[path.name] = path.read_text()
        else:
            out.asset(path.name, path.read_text() if path.suffix == ".js" else path.read_bytes())
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
