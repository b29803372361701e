"""The build of the PWA: ``python -m frontend.build`` writes ``frontend/build/``.

The app's modules and the domain modules they import are stripped (see `frontend.strip_module`) and
translated to JavaScript ahead of time by Brython itself, running in V8. `frontend.bundles` decides
which modules ship, and in which parts. An import that is neither our own module nor a shim stops
the build, because loading Brython's standard library would take seconds at each start. The build
does nothing if no input has changed.
"""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from fcntl import LOCK_EX, flock
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

import brotli

from domain.contract.registry import TITLES, game_module
from domain.drawing.scene import SYMBOLS
from domain.drawing.svg import SVG_NAMESPACE, symbol_markup
from frontend import message_catalogue
from frontend.brython_runtime import runtime_pieces
from frontend.bundles import (
    FRONTEND,
    GAMES,
    ROOT,
    Module,
    entry_modules,
    guides,
    lessons,
    modules,
    modules_by_bundle,
    screen_modules,
    screen_modules_by_game,
)
from frontend.message_catalogue import ENGLISH
from frontend.native_bundle import native_source, strip_comment_lines
from frontend.strip_module import CannotShip
from frontend.translator import Translator

_HIDDEN_ATTRIBUTES = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
BUILD = FRONTEND / "build"
# Suffixes of files that are also written brotli-compressed.
COMPRESSED_SUFFIXES = (".js", ".css", ".svg", ".json")
# The parts of the style sheet; later ones override earlier ones.
STYLE_PARTS = ("tokens", "page", "game", "results", "screens", "secrets", "letters")

# Screenshots for app stores, by asset name. Only stores fetch them, so they are not cached offline.
STORE_SCREENSHOTS = {"shown-narrow.png": "game-390-light.png", "shown-wide.png": "game-1280.png"}

# The catalogue that only the service reads.
SERVICE_CATALOGUE = "service"

CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)

TEXT_LITERAL = re.compile(r"""["']([\w.-]+)["']""")
# Approximate maximum length of a script; a slow phone processes that many in under 50 ms.
MAX_SCRIPT_CHARS = 440_000

START_CALL = 'slices.push(() => __BRYTHON__.runBundle("app"))\n'
# Runs before the runtime, which needs its own URL but cannot determine it within a slice.
RUNTIME_PRELUDE = """
globalThis.__BRYTHON__ = {brython_path: location.origin + "/assets/"}
""".strip()
# Makes Chromium compile all functions with their script, off the main thread. Starting the app
# calls hundreds of the runtime's functions, and would stall at the first call of each.
EAGER_COMPILE_HINT = "//# allFunctionsCalledOnLoad\n"
# Runs after the runtime: initialises it without Python scripts in the page.
NATIVE_TEMPLATE = """
__BRYTHON__.$options = __BRYTHON__.parse_options({debug: 0, indexeddb: false});
// The modules of `shim/`.
%s
"""


def page_style() -> str:
    """Return the style sheet shared by all pages."""
    paths = [FRONTEND / "static" / "style" / f"{part}.css" for part in STYLE_PARTS]
    return "".join(strip_css(path.read_text()) for path in paths)


def strip_css(css: str) -> str:
    """Return a style sheet without comments, empty lines and white space at the ends of lines.

    No string in our style sheets contains a comment or a line break.
    """
    lines = (line.strip() for line in CSS_COMMENT.sub("", css).splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def game_styles() -> dict[str, dict[str, str]]:
    """Return each game's style sheet (``css``) and symbols (``svg``), by game folder.

    The symbols are those of the game's pictures in `domain` and those used only by the page.
    Folders without either are left out.
    """
    found = {}
    for folder in sorted(GAMES.iterdir()):
        css, own = sorted(folder.glob("*.css")), folder / "symbols.svg"
        drawn = game_module(folder.name, "symbols") if folder.name in TITLES else None
        symbols = "".join(symbol_markup(each) for each in getattr(drawn, "SYMBOLS", ()))
        symbols += own.read_text() if own.is_file() else ""
        look = {"css": "".join([strip_css(path.read_text()) for path in css])} if css else {}
        if symbols:
            look["svg"] = f'<svg xmlns="{SVG_NAMESPACE}" {_HIDDEN_ATTRIBUTES}>{symbols}</svg>'
        if look:
            found[folder.name] = look
    return found


def scripts(translate: Translator, shipped: dict[str, Module], names: list[str]) -> list[str]:
    """Translate modules and return the scripts that define them.

    No script is much longer than `MAX_SCRIPT_CHARS`, because running a script blocks the main
    thread for a time proportional to its length. Each module is a function in parentheses, so that
    browsers compile it with its script, off the main thread.
    """
    code = {
        name: f"{json.dumps(name)}: (function () {{\n{translate(name, shipped[name].source)}\n"
        "return locals\n}),"
        for name in names
    }
    return [
        script(code, shipped, some) for some in split_evenly(names, lambda name: len(code[name]))
    ]


def script(code: dict[str, str], shipped: dict[str, Module], names: list[str]) -> str:
    """Return a script that defines the modules ``names``; ``code`` holds their translations."""
    packages = [name for name in names if shipped[name].is_package]
    return "\n".join(
        [
            "(function () {",
            "const modules = {",
            *[code[name] for name in names],
            "}",
            f"slices.push(() => __BRYTHON__.defineModules(modules, {json.dumps(packages)}))",
            "})()",
            "",
        ]
    )


def split_evenly(things: list[str], length: Callable[[str], int]) -> list[list[str]]:
    """Split ``things``, in order, into lists of about equal total length.

    The number of lists is the smallest with an average of at most `MAX_SCRIPT_CHARS` characters.
    """
    count = -(-sum(map(length, things)) // MAX_SCRIPT_CHARS)
    share = sum(map(length, things)) / max(1, count)
    found: list[list[str]] = [[] for _ in range(count)]
    done = 0
    for thing in things:
        found[min(count - 1, int((done + length(thing) / 2) / share))].append(thing)
        done += length(thing)
    return [each for each in found if each]


def run_order(shipped: dict[str, Module], entries: Iterable[str], names: list[str]) -> list[str]:
    """Return the modules that run when the entries are imported, each after its own imports.

    Only modules in ``names`` are included.
    """
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
    """Return Brython's runtime and our own JavaScript as scripts that push to ``slices``."""
    slices = [
        f'(function () {{\n"use strict";\n{piece}\n}}),'
        for piece in [*runtime_pieces(), NATIVE_TEMPLATE % native_source()]
    ]
    found = ["\n".join(["slices.push(", *some, ")", ""]) for some in split_evenly(slices, len)]
    return [
        f"{EAGER_COMPILE_HINT}{RUNTIME_PRELUDE}\n{found[0]}",
        *[EAGER_COMPILE_HINT + each for each in found[1:]],
    ]


def start_script(out: "Output") -> str:
    """Return the beginning of the first app script: the native module and the bundle tables."""
    module = (FRONTEND / "shim" / "_native.js").read_text()
    modules_by_screen = {
        game: [path.stem for path in screen_modules() if path.parent.name == game]
        for game in screen_modules_by_game()
    }
    known = {
        "VFS": {"_native": [".js", module, [], False]},
        "gameStyles": out.game_styles,
        "bundles": out.bundles,
        "screenModules": modules_by_screen,
        "guides": {slug: TITLES[slug].title for slug in guides()},
        "lessons": {slug: TITLES[slug].title for slug in lessons()},
        "runOrders": out.run_orders,
        "use_VFS": True,
    }
    given = f"slices.push(() => Object.assign(__BRYTHON__, {json.dumps(known)}));\n"
    return given + "slices.push(() => __BRYTHON__.preload());\n"


def escape_non_ascii(js: str) -> str:
    """Return a script with all non-ASCII characters escaped.

    A single one would make browsers store the script with two bytes per character, doubling what is
    copied and hashed before it runs.
    """
    return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], js)


def inputs() -> list[Path]:
    """Return every file that the build result depends on, sorted."""
    sources = [
        path
        for folder in (ROOT / "domain", ROOT / "service" / "po", FRONTEND)
        for path in folder.rglob("*")
        if path.is_file() and BUILD not in path.parents and "__pycache__" not in path.parts
    ]
    return sorted(sources)


def fingerprint() -> str:
    """Return a hash of all inputs and of Brython's version."""
    digest = hashlib.sha256(version("brython").encode())
    for path in inputs():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def compile_catalogues() -> dict[str, dict[str, str]]:
    """Return the compiled catalogues of each complete language, by language tag and name.

    Raises `CannotShip` for invalid translations.
    """
    try:
        return message_catalogue.build()
    except message_catalogue.InvalidTranslations as problem:
        raise CannotShip(f"translations to be mended:\n{problem}") from None


def late_messages(shipped: dict[str, Module], bundles: dict[str, list[str]]) -> set[str]:
    """Return the texts in the modules that are loaded after the app and in none of the app's own.

    The messages with such an id are in the catalogue "late", which is loaded with those modules.
    """
    texts = {
        part: {text for name in names for text in TEXT_LITERAL.findall(shipped[name].source)}
        for part, names in bundles.items()
    }
    app = texts.pop("app")
    scripts = "".join(path.read_text() for path in (FRONTEND / "shim").rglob("*.js"))
    return set().union(*texts.values()) - app - set(TEXT_LITERAL.findall(scripts))


def split_shell(shell: str, late: set[str]) -> dict[str, str]:
    """Return the catalogue of the app shell in two parts, "shell" and "late", as JSON."""
    whole = json.loads(shell)
    parts: dict[str, Any] = {"shell": {**whole, "rooms": {}}, "late": {"rooms": {}}}
    for room, messages in whole["rooms"].items():
        later = {key: message for key, message in messages.items() if key in late}
        sooner = {key: message for key, message in messages.items() if key not in late}
        parts["shell"]["rooms"][room], parts["late"]["rooms"][room] = sooner, later
    return {part: message_catalogue.to_json(content) for part, content in parts.items()}


def digest(data: bytes) -> str:
    """Return the first ten hexadecimal digits of the SHA-256 of ``data``."""
    return hashlib.sha256(data).hexdigest()[:10]


class Output:
    """The output folder; the file names of assets contain the hash of their content.

    ``catalogues``: the hashes of each language's catalogues, by language tag and catalogue name;
    ``page_texts``: the English messages for the pages, by id.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "assets").mkdir(parents=True)
        self.assets: dict[str, str] = {}
        self.catalogues: dict[str, dict[str, str]] = {}
        self.page_texts: dict[str, str] = {}
        self.game_styles: dict[str, dict[str, str]] = {}
        self.bundles: dict[str, list[str]] = {}
        self.run_orders: dict[str, list[str]] = {}
        self.first_scripts: list[str] = []

    def add_asset(self, name: str, content: str | bytes) -> str:
        """Write an asset and return its URL path."""
        if name.endswith(".js"):
            content = escape_non_ascii(str(content))
        data = content.encode() if isinstance(content, str) else content
        self.assets[name] = self._write_hashed(f"assets/{name}", data)
        return self.assets[name]

    def add_language(self, tag: str, catalogues: dict[str, str], late: set[str]) -> None:
        """Write the catalogues of a language; ``late``: the messages that the app does not need.

        Those that the page may load are assets and their hashes are recorded in ``catalogues``; the
        service's catalogue is only written.
        """
        catalogues = {**catalogues, **split_shell(catalogues["shell"], late)}
        self.catalogues[tag] = {}
        if tag == ENGLISH:
            self.page_texts = json.loads(catalogues[SERVICE_CATALOGUE])["rooms"][SERVICE_CATALOGUE]
        for room, text in catalogues.items():
            name = f"words/{tag}/{room}.json"
            address = self._write_hashed(name, text.encode())
            if room != SERVICE_CATALOGUE:
                self.assets[name] = address
                self.catalogues[tag][room] = digest(text.encode())

    def _write_hashed(self, name: str, data: bytes) -> str:
        """Write a file with the hash of its content inserted before the suffix of its name.

        Also writes it compressed if its suffix is compressible. Returns its URL path.
        """
        stem, _, ending = name.rpartition(".")
        name = f"{stem}.{digest(data)}.{ending}"
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if path.suffix in COMPRESSED_SUFFIXES:
            packed, earlier = self.folder / f"{name}.br", BUILD / f"{name}.br"
            # Compression takes seconds: reuse the earlier file, as equal names mean equal content.
            known = earlier.read_bytes() if earlier.is_file() else brotli.compress(data)
            packed.write_bytes(known)
        return f"/{name}"

    def add_scripts(self, part: str, contents: list[str]) -> list[str]:
        """Write the scripts of a part and return their URL paths."""
        names = [f"{part}.js", *[f"{part}-{count}.js" for count in range(2, len(contents) + 1)]]
        return [
            self.add_asset(name, content) for name, content in zip(names, contents, strict=True)
        ]

    def add_page(self, name: str, template: str) -> None:
        """Write a file with a fixed name.

        Replace each ``{{name}}`` with an asset URL or value, and ``{{text.ID}}`` with a message.
        """

        def value(found: re.Match[str]) -> str:
            if not found[1].startswith("text."):
                return self._value(found[1])
            text = self.page_texts[found[1].removeprefix("text.")]
            return escape(text) if name.endswith(".html") else json.dumps(text)[1:-1]

        (self.folder / name).write_text(re.sub(r"\{\{([\w.-]+)\}\}", value, template))

    def _value(self, name: str) -> str:
        if name == "words":
            return json.dumps(self.catalogues, separators=(",", ":"))
        if name == "assets":
            # All languages, so that the user can switch languages offline.
            kept = [
                address for asset, address in self.assets.items() if asset not in STORE_SCREENSHOTS
            ]
            return json.dumps(sorted(kept))
        if name == "scripts":
            return "\n".join(f'<script src="{each}" defer></script>' for each in self.first_scripts)
        if name == "table":
            return " ".join(self.bundles["table"])
        if name == "symbols":
            return "".join(symbol_markup(each) for each in SYMBOLS)
        if name == "version":
            return hashlib.sha256(json.dumps(self.assets).encode()).hexdigest()[:10]
        return self.assets[name]


def build() -> bool:
    """Build the PWA; return False if it was already up to date.

    A file lock lets only one build run at a time; a second one waits.
    """
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
    shipped = modules()
    bundles = modules_by_bundle(shipped)
    _add_code(out, shipped, bundles)
    late = late_messages(shipped, bundles)
    for tag, catalogues in compile_catalogues().items():
        out.add_language(tag, catalogues, late)
    _add_static_files(out)
    (fresh / "fingerprint").write_text(wanted)
    # Two renames, so that a service that reads the folder misses it for a moment only.
    earlier = BUILD.with_name("build-earlier")
    shutil.rmtree(earlier, ignore_errors=True)
    if BUILD.exists():
        BUILD.rename(earlier)
    fresh.rename(BUILD)
    shutil.rmtree(earlier, ignore_errors=True)
    return True


def _add_code(out: Output, shipped: dict[str, Module], bundles: dict[str, list[str]]) -> None:
    """Write the games' styles and all scripts."""
    for game, look in game_styles().items():
        out.game_styles[game] = {
            kind: out.add_asset(f"look-{game}.{kind}", content) for kind, content in look.items()
        }
    with Translator() as translate:
        code = {part: scripts(translate, shipped, names) for part, names in bundles.items()}
    for part, names in bundles.items():
        out.run_orders[part] = run_order(shipped, entry_modules(part), names)
    app = code.pop("app")
    out.bundles = {part: out.add_scripts(part, code[part]) for part in code}
    app[0], app[-1] = start_script(out) + app[0], app[-1] + START_CALL
    out.first_scripts = [*out.add_scripts("brython", runtime()), *out.add_scripts("app", app)]


def _add_static_files(out: Output) -> None:
    """Write the style sheet, pictures and further scripts, then the pages that name all assets."""
    out.add_asset("style.css", page_style())
    for name, file in STORE_SCREENSHOTS.items():
        out.add_asset(name, (FRONTEND / "screenshots" / file).read_bytes())
    pages = {}
    for path in sorted((FRONTEND / "static").glob("*.*")):
        if path.suffix in (".html", ".webmanifest") or path.name == "sw.js":
            pages[path.name] = path.read_text()
        else:
            is_script = path.suffix == ".js"
            content = strip_comment_lines(path.read_text()) if is_script else path.read_bytes()
            out.add_asset(path.name, content)
    for name, template in pages.items():
        out.add_page(name, template)


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
