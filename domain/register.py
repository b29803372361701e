"""Every game the product knows: the folders of ``domain`` whose package has a ``TITLE``.

A game's folder bears its slug as name, and its modules have the names that they have in every
game, so that nothing has to be entered anywhere.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, cast

import domain
from domain.game import AnyRules, Title


def _titles() -> dict[str, Title]:
    """The titles by slug, in the order of the lobby."""
    folders = [found.name for found in iter_modules(domain.__path__) if found.ispkg]
    packages = [import_module(f"domain.{folder}") for folder in folders]
    titles: list[Title] = [each.TITLE for each in packages if hasattr(each, "TITLE")]
    return {title.slug: title for title in sorted(titles, key=lambda t: (t.shelf, t.slug))}


TITLES: dict[str, Title] = _titles()


def rules_of(slug: str) -> AnyRules:
    """The rules of a game; KeyError for an unknown slug."""
    return cast(AnyRules, _module(TITLES[slug], "rules"))


def review_of(slug: str) -> ModuleType | None:
    """What a game's review says of it (see `domain.review`); None for one without the trait."""
    title = TITLES[slug]
    return _module(title, "review") if "reviewable" in title.traits else None


@cache
def part_of(slug: str, name: str) -> Any:
    """A module that a game may bring or not, such as ``picture``; None when it does not."""
    path = f"domain.{TITLES[slug].slug}.{name}"
    return import_module(path) if find_spec(path) is not None else None


def _module(title: Title, name: str) -> ModuleType:
    return import_module(f"domain.{title.slug}.{name}")
