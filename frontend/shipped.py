"""Which modules of ours go to the browser, and in which part of the code.

What is imported is what is shipped: from the entry on, from the modules of the games' folders, and
from those that the app asks for by name.
"""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from domain.register import TITLES, part_of
from frontend.plain import CannotShip, plain

ROOT = Path(__file__).parent.parent
FRONTEND = ROOT / "frontend"
GAMES = FRONTEND / "app" / "games"
ENTRY = "frontend.app.main"
# Pages that the entry imports when they are opened: they and the kernel come with them.
LATER = ("frontend.app.match_page", "frontend.app.review")
# What plays matches on the phone itself, without the service; comes with the first such match.
PHONE = (
    "frontend.app.phone.house",
    "frontend.app.phone.shelf",
    "frontend.app.phone.portraits",
    "frontend.app.phone.handing",
    "frontend.app.phone.at_once",
    "frontend.app.phone.trial",
)
# What such a match needs of its game, besides its screen.
PLAYED = ("", ".rules", ".bots", ".review")
TAUGHT = "frontend.app.lesson"  # a first game in which one learns, likewise
TOLD = "frontend.app.guide"  # shows the rules in words, when somebody asks for them
YOU = "frontend.app.you"  # who this device plays as, likewise
COMPANY = "frontend.app.company"  # how one did and with whom, likewise
NOTICES = "frontend.app.notices"  # how one is told what happened, likewise
STYLED = "frontend.app.style_page"  # every element on one page, likewise
# Setting a table and sitting down at one, likewise; needs nothing of what every table needs.
OPENING = "frontend.app.opening"
BACK = "frontend.app.back"  # coming back on another device, likewise; with the forms for it
LOST = "frontend.app.recovery"
APART = (TOLD, TAUGHT, YOU, NOTICES, COMPANY, STYLED, OPENING, BACK, LOST)
IN_BRYTHON = frozenset({"browser", "javascript"})
OURS = ("domain", "frontend")
SHIMS = ("msgspec", "msgspec.json", "msgspec.structs", "hashlib", "hmac", "domain.register")
# What there is of msgspec.
OF_MSGSPEC = ("Struct", "replace", "field", "to_builtins", "UNSET", "UnsetType")


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
    waiting = [ENTRY, *APART, *PHONE, *guides().values()]
    waiting += [name for names in lessons().values() for name in names]
    waiting += [name for names in rooms_by_game().values() for name in names]
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


def rooms_by_game() -> dict[str, list[str]]:
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


def _needed(shipped: dict[str, Module], entries: Iterable[str], without: Iterable[str]) -> set[str]:
    """The modules that the entries need, themselves among them, but for those there are already."""
    seen, waiting = set(without), [*entries]
    found = set()
    while waiting:
        name = waiting.pop()
        if name in shipped and name not in seen:
            seen.add(name)
            found.add(name)
            waiting.extend(shipped[name].needs)
    return found


def parts(shipped: dict[str, Module]) -> dict[str, list[str]]:
    """Which modules lie in which script: ``app`` is there from the start, ``table`` comes with the
    first match and holds what more than one game needs, ``game-GAME`` comes with a game. ``phone``
    and ``rules-GAME`` come with a match that is played on the phone, likewise; ``guide`` and
    ``guide-GAME`` with the rules of a game in words, ``lesson`` and ``lesson-GAME`` with a lesson,
    ``you`` with who one is, ``notices`` with how one is told, ``company`` with one's games and
    people, ``style`` with the page of all elements.
    """
    closure = partial(_needed, shipped)
    apart = {*PHONE, *APART}
    app = closure([ENTRY], {*LATER, *apart})
    others = {*LATER, *apart} - {OPENING}
    app |= closure([OPENING], app | others) & closure(LATER, app | apart)
    table = closure(LATER, app | apart)
    games = {game: closure(names, app | table) for game, names in sorted(rooms_by_game().items())}
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
    found["you"] = closure([YOU], (app | table) | {NOTICES, COMPANY})
    found["notices"] = closure([NOTICES], app | table | found["you"])
    found["company"] = closure([COMPANY], app | table | found["you"])
    found["back"] = closure([BACK, LOST], app | table)
    found["style"] = closure([STYLED], app | table)
    found["opening"] = closure([OPENING], app | others)
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
