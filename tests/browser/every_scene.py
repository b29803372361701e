"""The scenes of the app itself and of each game: a game's are ``scenes`` of the module of
`tests.browser.screens` that is named after its folder."""

from importlib import import_module

from domain.contract.registry import TITLES
from tests.browser.scenes import Scenes, plain
from tests.browser.screens import lessons

EVERY: dict[str, Scenes] = {
    "plain": plain,
    "lessons": lessons.scenes,
    **{slug: import_module(f"tests.browser.screens.{slug}").scenes for slug in TITLES},
}
