"""The lookup and loading of a game's modules in `frontend.app.games` and `domain`."""

from typing import Any

from _native import has_module, load_game_assets, load_lazy_bundle, load_match_page, run_game

from frontend.app.api import local_gateway
from frontend.app.api.update_notice import retry_unless_removed
from frontend.app.contract.game_screen import OptionEditor, ReviewSection, Screen
from frontend.app.core.i18n import translator_for
from frontend.app.core.types import Action

GAMES_PACKAGE = "frontend.app.games."
_loaded_guides: set[str] = set()
"""Slugs of the games whose guide is loaded."""


def screen_folder(slug: str) -> str:
    """Return the folder that holds the screen of a game: its slug, or "generic"."""
    return slug if has_module(slug, "screen") else "generic"


def screen_of(slug: str) -> type[Screen]:
    """Return the class of a game's screen."""
    return __import__(GAMES_PACKAGE + screen_folder(slug) + ".screen", fromlist=["Screen"]).Screen


def review_section_of(slug: str) -> type[ReviewSection] | None:
    """Return the class of a game's review section, or None if it has none."""
    if not has_module(slug, "review"):
        return None
    return __import__(GAMES_PACKAGE + slug + ".review", fromlist=["ReviewSection"]).ReviewSection


def editor_of(slug: str, module: str) -> type[OptionEditor]:
    """Return the class of an option editor; ``module`` is its module in the game's folder."""
    return __import__(GAMES_PACKAGE + slug + "." + module, fromlist=["OptionEditor"]).OptionEditor


def guide_of(slug: str) -> Any:
    """Return the module with a game's rules text; call `load_guide` before.

    See `domain.contract.guide`.
    """
    return __import__("domain.games." + slug + ".guide", fromlist=["GUIDE"])


def lesson_targets(slug: str) -> Any:
    """Return the module with a lesson's `find_targets`; call `load_lesson` before."""
    return __import__(GAMES_PACKAGE + slug + ".lesson", fromlist=["find_targets"])


def load_lesson(slug: str, then: Action) -> None:
    """Load everything that a game's lesson needs, then call ``then()``."""

    def on_server(_server: object) -> None:
        load_bundle("lesson-" + slug, then)

    load_kernel(lambda: load_game(slug, lambda: local_gateway.load_server(on_server, slug)))


def load_guide(slug: str, then: Action) -> None:
    """Load a game's code and assets and its guide, then call ``then()``."""

    def on_loaded() -> None:
        _loaded_guides.add(slug)
        then()

    load_game(slug, lambda: load_bundle("guide-" + slug, on_loaded))


def has_guide(slug: str) -> bool:
    """Return whether the guide of a game is loaded."""
    return slug in _loaded_guides


def load_bundle(part: str, then: Action) -> None:
    """Load a part of the code such as "guide-GAME", and its base part ("guide").

    Calls ``then()`` when loaded. Retries on failure, unless the service no longer has this version
    of the app.
    """
    load_lazy_bundle(part, then, retry_unless_removed(lambda: load_bundle(part, then)))


def load_kernel(then: Action) -> None:
    """Load the code that every match page needs, retrying on failure; then call ``then()``."""
    load_match_page(then, retry_unless_removed(lambda: load_kernel(then)))


def load_game(slug: str, then: Action) -> None:
    """Load a game's code, styles, symbols and messages, then call ``then()``.

    Retries on failure, unless the service no longer has this version of the app.
    """

    def on_ready() -> None:
        translator_for(slug)  # messages first, as modules may use them when they are run
        run_game(then)

    load_game_assets(
        screen_folder(slug), slug, on_ready, retry_unless_removed(lambda: load_game(slug, then))
    )
