"""Finding a game's folder in `frontend.app.games`, and having it in the page."""

from typing import Any

from _native import has_module, load_guide_part, load_style, load_table, run_game

from frontend.app.games import Account, Editor, Screen
from frontend.app.newer import retry_unless_gone
from frontend.app.phone import door
from frontend.app.typed import Does
from frontend.app.words import words_of

PLACE = "frontend.app.games."
_guides: set[str] = set()
"""The games whose guide is here."""


def house_of(slug: str) -> str:
    """The folder in which a game's screen is."""
    return slug if has_module(slug, "screen") else "generic"


def screen_of(slug: str) -> type[Screen]:
    """The class of a game's screen."""
    return __import__(PLACE + house_of(slug) + ".screen", fromlist=["Screen"]).Screen


def account_of(slug: str) -> type[Account] | None:
    """The class of what a review says of this game alone, or None."""
    if not has_module(slug, "review"):
        return None
    return __import__(PLACE + slug + ".review", fromlist=["Account"]).Account


def editor_of(slug: str, module: str) -> type[Editor]:
    """The class that makes an option of a game, in a module of its folder."""
    return __import__(PLACE + slug + "." + module, fromlist=["Editor"]).Editor


def guide_of(slug: str) -> Any:
    """The module with a game's rules in words, after `load_guide`; see `domain.guide`."""
    return __import__("domain." + slug + ".guide", fromlist=["GUIDE"])


def taps_of(slug: str) -> Any:
    """The module that says where a command is tapped, after `load_lesson`."""
    return __import__(PLACE + slug + ".lesson", fromlist=["taps"])


def load_lesson(slug: str, then: Does) -> None:
    """Has all that a game's lesson needs here; then calls ``then()``."""

    def ready() -> None:
        load_guides("lesson-" + slug, then)

    load_kernel(lambda: load_look(slug, lambda: door.ask(lambda _house: ready(), slug)))


def load_guide(slug: str, then: Does) -> None:
    """Has a game's guide here, and what its pictures are drawn with; then calls ``then()``."""

    def come() -> None:
        _guides.add(slug)
        then()

    load_look(slug, lambda: load_guides("guide-" + slug, come))


def has_guide(slug: str) -> bool:
    """Whether a game's guide is here."""
    return slug in _guides


def load_guides(part: str, then: Does) -> None:
    """Has the code that shows guides here, and a part of the code that goes with it."""
    load_guide_part(part, then, retry_unless_gone(lambda: load_guides(part, then)))


def load_kernel(then: Does) -> None:
    """Has what every table needs here, as often as that has to be tried; then calls ``then()``."""
    load_table(then, retry_unless_gone(lambda: load_kernel(then)))


def load_look(slug: str, then: Does) -> None:
    """Has the game's code, style, symbols and words in the page, however often that has to be
    tried; then calls ``then()``."""

    def ready() -> None:
        words_of(slug)  # before a module is run that says something
        run_game(then)

    load_style(house_of(slug), slug, ready, retry_unless_gone(lambda: load_look(slug, then)))
