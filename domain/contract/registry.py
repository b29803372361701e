"""Registry of games, discovered as the packages of ``domain.games`` that have a module ``title``.

A game's folder is named by its slug, and its modules have the same names in every game, so games
need no explicit registration.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, cast

from domain.contract.game import AnyRules, GameInfo


def _load_titles() -> dict[str, GameInfo]:
    """Return the titles by slug, in lobby order."""
    games = import_module("domain.games")
    folders = [found.name for found in iter_modules(games.__path__) if found.ispkg]
    modules = [f"domain.games.{folder}.title" for folder in folders]
    titles: list[GameInfo] = [import_module(name).TITLE for name in modules if find_spec(name)]
    return {title.slug: title for title in sorted(titles, key=lambda t: (t.sort_order, t.slug))}


TITLES: dict[str, GameInfo] = _load_titles()


def rules_of(slug: str) -> AnyRules:
    """Return the rules of a game. Raises KeyError for an unknown slug."""
    return cast(AnyRules, _import_game_module(TITLES[slug], "rules"))


def review_module(slug: str) -> ModuleType | None:
    """Return a game's module ``review`` (see `domain.match.review`); None if not "reviewable".

    Raises KeyError for an unknown slug.
    """
    title = TITLES[slug]
    return _import_game_module(title, "review") if "reviewable" in title.traits else None


@cache
def game_module(slug: str, name: str) -> Any:
    """Return a module of a game, such as ``picture``; None if the game does not have it.

    Raises KeyError for an unknown slug.
    """
    path = f"domain.games.{TITLES[slug].slug}.{name}"
    return import_module(path) if find_spec(path) is not None else None


def _import_game_module(title: GameInfo, name: str) -> ModuleType:
    return import_module(f"domain.games.{title.slug}.{name}")
