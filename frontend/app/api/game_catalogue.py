"""The catalogue of available games, requested once and shared by all pages."""

from _native import dumps, loads_or_none, local_storage

from frontend.app.api import client
from frontend.app.core.dom import after, toast
from frontend.app.core.problem import RETRY_DELAY_MS, RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Callback, Data

CATALOGUE_KEY = "games"
"""The localStorage key of the catalogue, which is read when the service is unreachable."""
UNKNOWN_GAME: Data = {"about": "", "traits": (), "seats": (), "options": {}}
_games: dict[str, Data] = {}
_earlier: dict[str, Data] = {}
_waiting: list[Callback] = []


def load(then: Callback) -> None:
    """Load the catalogue if necessary, then call ``then(games)``.

    After an error, falls back to the stored catalogue; without one, retries until it is loaded, and
    shows a toast about errors of the service.
    """
    if _games:
        then(list(_games.values()))
        return
    _waiting.append(then)
    if len(_waiting) == 1:
        _ask()


def _ask() -> None:
    client.get("/api/games", _on_games, _on_error)


def _on_games(games: list[Data]) -> None:
    local_storage(CATALOGUE_KEY, dumps(games))
    _set_games(games)


def _set_games(games: list[Data]) -> None:
    for game in games:
        _games[game["slug"]] = game
    while _waiting:
        _waiting.pop(0)(games)


def loaded_games() -> list[Data]:
    """Return all games, or an empty list if the catalogue is not loaded."""
    return list(_games.values())


def suggested_options(game: Data) -> Data:
    """Return the options that a game suggests for new matches, by name."""
    options = game["options"].get("properties", {})
    return {name: each["suggested"] for name, each in options.items() if "suggested" in each}


def seed(game: Data) -> None:
    """Set earlier data of a game, which `get` returns while the catalogue does not list it."""
    _earlier[game["slug"]] = game


def _on_error(problem: Problem) -> None:
    kept = loads_or_none(local_storage(CATALOGUE_KEY) or "")
    if kept:
        _set_games(kept)
        return
    if problem.status not in RETRYABLE_STATUSES:
        toast(problem.detail)
    after(RETRY_DELAY_MS, _ask)


def get(slug: str) -> Data:
    """Return a game by its slug.

    If the game is neither in the catalogue nor seeded, the result has empty data, and the slug as
    the title.
    """
    return _games.get(slug) or _earlier.get(slug) or {**UNKNOWN_GAME, "slug": slug, "title": slug}
