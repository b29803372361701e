"""The selection of our modules that ship to the browser, and their division into parts.

The entry module, the modules in the games' folders and those that the app loads by name are
shipped, with everything they import.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from domain.contract.registry import TITLES, game_module
from frontend.strip_module import CannotShip, strip_source

ROOT = Path(__file__).parent.parent
FRONTEND = ROOT / "frontend"
GAMES = FRONTEND / "app" / "games"
ENTRY = "frontend.app.main"
# The page that the entry imports when a match is opened; loaded then, together with the kernel.
MATCH_PAGE = "frontend.app.match.page"
# The code for local matches; loaded with the first local match.
OFFLINE_MODULES = (
    "frontend.app.offline.server",
    "frontend.app.offline.match_list",
    "frontend.app.offline.thumbnails",
    "frontend.app.offline.upload",
    "frontend.app.offline.quick_start",
    "frontend.app.offline.trial",
)
# The modules that a local match needs from its game, besides the screen.
LOCAL_PLAY_SUFFIXES = (".title", ".rules", ".bots", ".review")
# Pages to open and join a match; they need nothing from the part "table".
NEW_TABLE_PAGE = ("frontend.app.pages.new_table.page", "frontend.app.pages.join")
LAZY_PAGES = {
    "review": ("frontend.app.pages.review",),
    "guide": ("frontend.app.pages.rules", "frontend.app.match.rules_text"),
    "you": ("frontend.app.pages.account.page", "frontend.app.pages.settings.page"),
    "notices": ("frontend.app.pages.account.notifications",),
    "company": ("frontend.app.pages.account.contacts",),
    "back": ("frontend.app.pages.recover_seat", "frontend.app.components.seat_recovery"),
    "style": ("frontend.app.pages.style_guide.page",),
    "lesson": ("frontend.app.pages.lesson.page",),
}
"""The entry modules of the parts that are loaded when a page or a card is opened."""
PRECEDING_PARTS = {"notices": "you", "company": "you", "style": "review", "lesson": "phone"}
"""The part that is always loaded before a part."""
_APART = {*OFFLINE_MODULES, *NEW_TABLE_PAGE, *chain.from_iterable(LAZY_PAGES.values())}
_WITHOUT_NEW_TABLE = {MATCH_PAGE, *_APART} - {*NEW_TABLE_PAGE}
OWN_PACKAGES = ("domain", "frontend")
SHIMS = (
    "msgspec",
    "msgspec.json",
    "msgspec.structs",
    "hashlib",
    "hmac",
    "domain.contract.registry",
    "domain.text.english",
)
# The names that the shim for msgspec provides.
MSGSPEC_NAMES = ("Struct", "replace", "field", "to_builtins", "UNSET", "UnsetType")


def file_of(name: str) -> Path | None:
    """Return the source file of one of our modules or shims, or None if there is none."""
    base = FRONTEND / "shim" if name in SHIMS else ROOT
    path = base.joinpath(*name.split("."))
    for candidate in (path / "__init__.py", path.with_suffix(".py")):
        if candidate.is_file():
            return candidate
    return None


def parents(name: str) -> Iterable[str]:
    """Return the packages that contain a module, outermost first."""
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def screen_modules() -> list[Path]:
    """Return the files of the modules in the games' folders, except lessons.

    The app loads them by name; no other module imports them.
    """
    return sorted(path for path in GAMES.glob("*/*.py") if path.stem not in ("__init__", "lesson"))


class Module(NamedTuple):
    """A module that is shipped.

    ``source``: its stripped source; ``needs``: all modules it may import; ``first``: those it
    imports at module level, which must be loaded before it runs. Both include its parent packages.
    """

    source: str
    is_package: bool
    needs: tuple[str, ...]
    first: tuple[str, ...]


def modules() -> dict[str, Module]:
    """Return all shipped modules by name, sorted.

    Starts from the entry, the games' modules and those the app loads by name, and follows imports.
    Raises `CannotShip` for an import that is neither ours nor a shim.
    """
    waiting = [ENTRY, *_APART, *guides().values()]
    waiting += [name for names in lessons().values() for name in names]
    waiting += [name for names in screen_modules_by_game().values() for name in names]
    waiting += [name for names in _rules_modules_by_game().values() for name in names]
    found: dict[str, Module] = {}
    while waiting:
        name = waiting.pop()
        path = file_of(name)
        if name in found or path is None:
            continue
        is_package = path.name == "__init__.py"
        shipped = strip_source(path.read_text(), name)
        for needed in sorted(shipped.imports):
            _check(name, needed)
        above = tuple(parents(name))
        needs, first = (*sorted(shipped.imports), *above), (*above, *shipped.first)
        found[name] = Module(shipped.source, is_package, needs, first)
        waiting.extend(found[name].needs)
    return dict(sorted(found.items()))


def screen_modules_by_game() -> dict[str, list[str]]:
    """Return the full names of the modules of `screen_modules`, by game folder."""
    found: dict[str, list[str]] = {}
    for path in screen_modules():
        name = f"frontend.app.games.{path.parent.name}.{path.stem}"
        found.setdefault(path.parent.name, []).append(name)
    return found


def _rules_modules_by_game() -> dict[str, list[str]]:
    """Return the domain modules that a local match needs, by game."""
    names = {
        game: [f"domain.games.{game}{part}" for part in LOCAL_PLAY_SUFFIXES] for game in TITLES
    }
    return {game: [name for name in found if file_of(name)] for game, found in names.items()}


def guides() -> dict[str, str]:
    """Return the name of each game's rules text module, by slug, in the order of the lobby."""
    return {slug: f"domain.games.{slug}.guide" for slug in TITLES if game_module(slug, "guide")}


def lessons() -> dict[str, list[str]]:
    """Return each lesson's modules, by slug: its steps (`domain`) and tap targets (`frontend`)."""
    rooms = ("domain.games.{}.lesson", "frontend.app.games.{}.lesson")
    return {
        slug: [room.format(slug) for room in rooms]
        for slug in TITLES
        if game_module(slug, "lesson")
    }


def _required_modules(
    shipped: dict[str, Module], entries: Iterable[str], without: Iterable[str]
) -> set[str]:
    """Return the entries and all modules they need, without following modules in ``without``."""
    seen, waiting = set(without), [*entries]
    found = set()
    while waiting:
        name = waiting.pop()
        if name in shipped and name not in seen:
            seen.add(name)
            found.add(name)
            waiting.extend(shipped[name].needs)
    return found


def _app_modules(closure: Callable[..., set[str]]) -> set[str]:
    """Return what the entry needs, and what pages loaded apart share with those of a new table."""
    app = closure([ENTRY], {MATCH_PAGE, *_APART})
    opening = closure(NEW_TABLE_PAGE, app | _WITHOUT_NEW_TABLE)
    for pages in ([MATCH_PAGE], LAZY_PAGES["you"]):
        app |= opening & closure(pages, app | _APART - {*pages})
    return app


def modules_by_bundle(shipped: dict[str, Module]) -> dict[str, list[str]]:
    """Return the names of the modules in each part, sorted.

    ``app`` is loaded at the start. ``table`` is loaded with the first match and includes what more
    than one game needs; ``game-GAME`` is loaded with a game. ``phone`` and ``rules-GAME`` are their
    counterparts for local matches. ``review`` holds the review page, ``guide`` and ``guide-GAME``
    the rules texts, ``lesson`` and ``lesson-GAME`` the lessons, ``you`` the account page,
    ``notices`` the notification settings, ``company`` results and co-players, ``opening`` the pages
    to open and join a match, ``back`` the seat recovery page, ``style`` the style guide.
    """
    closure = partial(_required_modules, shipped)
    app = _app_modules(closure)
    table = closure([MATCH_PAGE], app | _APART)
    screens, rules = screen_modules_by_game(), _rules_modules_by_game()
    games = {game: closure(names, app | table) for game, names in sorted(screens.items())}
    table |= _shared(games.values())
    phone = closure(OFFLINE_MODULES, app | table)
    played = {
        game: closure(names, app | table | phone | games.get(game, set()))
        for game, names in sorted(rules.items())
    }
    phone |= _shared(played.values())
    # Modules needed by the screen of one game and the rules of another.
    table |= set().union(*games.values()) & set().union(*played.values())
    found = {"app": app, "table": table, "phone": phone - table}
    found |= {f"game-{game}": names - table for game, names in games.items()}
    found |= {f"rules-{game}": names - phone - table for game, names in played.items()}
    known = app | table
    for part, pages in LAZY_PAGES.items():
        earlier = found.get(PRECEDING_PARTS.get(part, ""), set())
        others = _APART - {*pages} if part == "you" else set()
        found[part] = closure(pages, known | earlier | others)
    found["opening"] = closure(NEW_TABLE_PAGE, app | _WITHOUT_NEW_TABLE)
    for slug, guide in guides().items():
        own = games.get(slug, games["generic"])
        found[f"guide-{slug}"] = closure([guide], known | found["guide"] | own)
    for slug, taught in lessons().items():
        own = {*found.get(f"game-{slug}", ()), *found.get(f"rules-{slug}", ())}
        found[f"lesson-{slug}"] = closure(taught, known | found["phone"] | found["lesson"] | own)
    return {part: sorted(names) for part, names in found.items()}


def entry_modules(bundle: str) -> list[str]:
    """Return the entry modules of ``app``, ``table``, ``phone`` or a game's part.

    For any other part, return a module that is not part of it, so that no run order is computed.
    """
    kind, _, game = bundle.partition("-")
    if kind == "rules":
        return _rules_modules_by_game()[game]
    known = {"app": [ENTRY], "table": [MATCH_PAGE], "phone": [*OFFLINE_MODULES]}
    return known.get(kind) or [f"frontend.app.games.{game}.screen"]


def _shared(module_sets: Iterable[set[str]]) -> set[str]:
    """Return the names that occur in more than one of the sets."""
    count = Counter(name for names in module_sets for name in names)
    return {name for name, times in count.items() if times > 1}


def _check(name: str, needed: str) -> None:
    top = needed.split(".")[0]
    if top == "_native":
        return
    if needed in SHIMS or needed.rpartition(".")[0] in ("msgspec.json", "msgspec.structs"):
        return
    if top == "msgspec" and needed.rpartition(".")[2] in MSGSPEC_NAMES:
        return
    if top not in OWN_PACKAGES:
        raise CannotShip(f"{name} imports {needed}, which does not exist in the browser")
