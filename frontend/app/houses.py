"""Finding a game's folder in `frontend.app.games`, and having its look in the page."""

from _native import has_module, load_style

from frontend.app.dom import after
from frontend.app.games import Account, Editor, Screen
from frontend.app.typed import Does
from frontend.app.words import words_of

PLACE = "frontend.app.games."
AGAIN = 2000  # milliseconds until what the network lost is asked for again


def house_of(slug: str) -> str:
    """The folder in which a game's screen is."""
    return slug if has_module(PLACE + slug + ".screen") else "generic"


def screen_of(slug: str) -> type[Screen]:
    """The class of a game's screen."""
    return __import__(PLACE + house_of(slug) + ".screen", fromlist=["Screen"]).Screen


def account_of(slug: str) -> type[Account] | None:
    """The class of what a review says of this game alone, or None."""
    name = PLACE + slug + ".review"
    return __import__(name, fromlist=["Account"]).Account if has_module(name) else None


def editor_of(slug: str, module: str) -> type[Editor]:
    """The class that makes an option of a game, in a module of its folder."""
    return __import__(PLACE + slug + "." + module, fromlist=["Editor"]).Editor


def load_look(slug: str, then: Does) -> None:
    """Has the game's style, symbols and words in the page, however often that has to be tried;
    then calls ``then()``."""

    def ready() -> None:
        words_of(slug)
        then()

    load_style(house_of(slug), slug, ready, lambda: after(AGAIN, lambda: load_look(slug, then)))
