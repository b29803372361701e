"""Finding and loading the modules of a game, in `frontend.app.games` and `domain`."""

from typing import Any

from _native import has_module, load_guide_part, load_style, load_table, run_game

from frontend.app.api import local_gateway
from frontend.app.api.update_notice import retry_unless_gone
from frontend.app.contract.game_screen import Account, Editor, Screen
from frontend.app.core.i18n import words_of
from frontend.app.core.types import Does

PLACE = "frontend.app.games."
_guides: set[str] = set()
"""Slugs of the games whose guide is loaded."""


def house_of(slug: str) -> str:
    """Return the folder that holds the screen of a game: its slug, or "generic"."""
    return slug if has_module(slug, "screen") else "generic"


def screen_of(slug: str) -> type[Screen]:
    """Return the class of a game's screen."""
    return __import__(PLACE + house_of(slug) + ".screen", fromlist=["Screen"]).Screen


def account_of(slug: str) -> type[Account] | None:
    """Return the class of a game's own part of the review, or None."""
    if not has_module(slug, "review"):
        return None
    return __import__(PLACE + slug + ".review", fromlist=["Account"]).Account


def editor_of(slug: str, module: str) -> type[Editor]:
    """Return the class of the editor for an option, from a module of the game's folder."""
    return __import__(PLACE + slug + "." + module, fromlist=["Editor"]).Editor


def guide_of(slug: str) -> Any:
    """Return the module with a game's rules in words, after `load_guide`.

    See `domain.contract.guide`.
    """
    return __import__("domain.games." + slug + ".guide", fromlist=["GUIDE"])


def taps_of(slug: str) -> Any:
    """Return the module that says where a command is tapped, after `load_lesson`."""
    return __import__(PLACE + slug + ".lesson", fromlist=["taps"])


def load_lesson(slug: str, then: Does) -> None:
    """Load all that the lesson of a game needs, then call ``then()``."""

    def ready() -> None:
        load_guides("lesson-" + slug, then)

    load_kernel(lambda: load_look(slug, lambda: local_gateway.ask(lambda _house: ready(), slug)))


def load_guide(slug: str, then: Does) -> None:
    """Load the guide of a game and the look of its pictures, then call ``then()``."""

    def come() -> None:
        _guides.add(slug)
        then()

    load_look(slug, lambda: load_guides("guide-" + slug, come))


def has_guide(slug: str) -> bool:
    """Return whether the guide of a game is loaded."""
    return slug in _guides


def load_guides(part: str, then: Does) -> None:
    """Load a part of the code, such as "guide-GAME", and the part of its kind ("guide").

    Then calls ``then()``. Repeats what fails, unless this version of the app is gone from the
    service.
    """
    load_guide_part(part, then, retry_unless_gone(lambda: load_guides(part, then)))


def load_kernel(then: Does) -> None:
    """Load what every match page needs, repeating what fails, then call ``then()``."""
    load_table(then, retry_unless_gone(lambda: load_kernel(then)))


def load_look(slug: str, then: Does) -> None:
    """Load a game's code, styles, symbols and messages, then call ``then()``.

    Repeats what fails, unless this version of the app is gone from the service.
    """

    def ready() -> None:
        words_of(slug)  # messages first: modules may use them when they are run
        run_game(then)

    load_style(house_of(slug), slug, ready, retry_unless_gone(lambda: load_look(slug, then)))
