"""The catalogue of games on offer, requested once for all pages."""

from _native import dumps, parsed, stored

from frontend.app.api import client
from frontend.app.core.dom import after, toast
from frontend.app.core.problem import RETRY_DELAY_MS, RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Data, Told

KEPT = "games"
"""The localStorage key of the catalogue, used when the service is unreachable."""
NOTHING: Data = {"about": "", "traits": (), "seats": (), "options": {}}
_known: dict[str, Data] = {}
_earlier: dict[str, Data] = {}
_waiting: list[Told] = []


def learn(then: Told) -> None:
    """Call ``then(games)`` once the catalogue is known."""
    if _known:
        then(list(_known.values()))
        return
    _waiting.append(then)
    if len(_waiting) == 1:
        _ask()


def _ask() -> None:
    client.get("/api/games", _learnt, _failed)


def _learnt(games: list[Data]) -> None:
    stored(KEPT, dumps(games))
    _take(games)


def _take(games: list[Data]) -> None:
    for game in games:
        _known[game["slug"]] = game
    while _waiting:
        _waiting.pop(0)(games)


def at_hand() -> list[Data]:
    """Return the games if the catalogue is known, else none."""
    return list(_known.values())


def note(game: Data) -> None:
    """Set what is known of a game from before, used until the catalogue is known."""
    _earlier[game["slug"]] = game


def _failed(problem: Problem) -> None:
    kept = parsed(stored(KEPT) or "")
    if problem.status in RETRYABLE_STATUSES and kept:
        _take(kept)
    elif problem.status in RETRYABLE_STATUSES:
        after(RETRY_DELAY_MS, _ask)
    else:
        _waiting.clear()
        toast(problem.detail)


def of(slug: str) -> Data:
    """Return a game by its slug; only slug and title if it is not on offer."""
    return _known.get(slug) or _earlier.get(slug) or {**NOTHING, "slug": slug, "title": slug}
