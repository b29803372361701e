"""All scenes, of the app itself and of each game.

A game's scenes are the function ``scenes`` of the module in `tests.browser.screens` with its slug.
"""

from importlib import import_module

from domain.contract.registry import TITLES
from tests.browser.scenes import Scenes, plain
from tests.browser.screens import lessons

EVERY: dict[str, Scenes] = {
    "plain": plain,
    "lessons": lessons.scenes,
    **{slug: import_module(f"tests.browser.screens.{slug}").scenes for slug in TITLES},
}
