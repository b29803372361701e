"""The games on offer, as the service tells them: asked once, for every page."""

from _native import dumps, parsed, stored

from domain.words import N_
from frontend.app import net
from frontend.app.dom import after, toast
from frontend.app.net import Problem
from frontend.app.outbox import AGAIN
from frontend.app.typed import Data, Told
from frontend.app.words import row, t, tn

PAUSE = 2000  # milliseconds until what the network lost is asked for again
KEPT = "games"
"""Under which name this device keeps them, for when the service cannot be asked."""
NOTHING: Data = {"about": "", "traits": (), "seats": (), "options": {}}
_known: dict[str, Data] = {}
_earlier: dict[str, Data] = {}
_waiting: list[Told] = []


def learn(then: Told) -> None:
    """Calls ``then(games)`` once they are known."""
    if _known:
        then(list(_known.values()))
        return
    _waiting.append(then)
    if len(_waiting) == 1:
        _ask()


def _ask() -> None:
    net.get("/api/games", _learnt, _failed)


def _learnt(games: list[Data]) -> None:
    stored(KEPT, dumps(games))
    _take(games)


def _take(games: list[Data]) -> None:
    for game in games:
        _known[game["slug"]] = game
    while _waiting:
        _waiting.pop(0)(games)


def note(game: Data) -> None:
    """What was known of a game earlier, until the service is reached."""
    _earlier[game["slug"]] = game


def _failed(problem: Problem) -> None:
    kept = parsed(stored(KEPT) or "")
    if problem.status in AGAIN and kept:
        _take(kept)
    elif problem.status in AGAIN:
        after(PAUSE, _ask)
    else:
        _waiting.clear()
        toast(problem.detail)


def of(slug: str) -> Data:
    """What is known of a game; of one that is not on offer only its slug."""
    return _known.get(slug) or _earlier.get(slug) or {**NOTHING, "slug": slug, "title": slug}


WEIGHTS = {
    "light": N_("easy to learn"),
    "medium": N_("some thought"),
    "heavy": N_("much to think about"),
}


def facts(game: Data) -> str:
    """For how many a game is, how long it takes and how much it asks."""
    few, many = game["seats"][0], game["seats"][-1]
    count = tn("{n} player", "{n} players", n=few)
    if len(game["seats"]) == 2:
        count = t("{few} or {many} players", few=few, many=many)
    elif few != many:
        count = t("{few} to {many} players", few=few, many=many)
    parts = [count]
    if game.get("minutes"):
        parts.append(tn("about {n} minute", "about {n} minutes", n=game["minutes"]))
    weight = WEIGHTS.get(game.get("weight", ""))
    if weight:
        parts.append(t(weight))
    return row(parts)
