"""Each game in WebKit and Firefox, as a local match started from the home page."""

import time

import pytest

from domain.contract.registry import TITLES
from tests.browser.engines.engine import Engine
from tests.browser.engines.test_engines import LAST_MOVE, SHOWS
from tests.browser.lesson_player import ANSWERED_OR_ASKED, DONE, MINE_OR_OVER
from tests.browser.touch import AIMING

pytestmark = pytest.mark.browser

VERSION = "() => Number(document.querySelector('.game .history input').max)"
OPENED = "() => !!document.querySelector('dialog[open] .moves [aria-expanded=true]')"
MOVES = 3
FITS = "() => document.documentElement.scrollWidth <= innerWidth"


def by_list(engine: Engine) -> None:
    """Play the last move of the list, opening its group and confirming it if needed."""
    engine.tap("button", "All moves")
    time.sleep(AIMING)  # a tap that follows too soon is ignored as a double tap
    engine.rest_and_touch(LAST_MOVE)
    time.sleep(AIMING)
    if engine.run(OPENED):
        engine.rest_and_touch(LAST_MOVE)
        time.sleep(AIMING)
    engine.wait(f"() => !!({ANSWERED_OR_ASKED})()")
    if engine.run("() => !!document.querySelector('dialog.sure[open]')"):
        engine.tap("dialog.sure[open] .confirm")
    engine.wait(DONE)
    engine.wait(f"() => !!({MINE_OR_OVER})()")


@pytest.mark.parametrize("slug", TITLES)
def test_each_game_from_home_to_a_reload(engine: Engine, base: str, slug: str) -> None:
    """Start against bots with one touch, move, undo, and find the same version after a reload."""
    engine.visit(base)
    engine.wait("() => document.documentElement.dataset.ready === '1'")
    assert engine.run(FITS)
    engine.tap(f".game-card a[href='/play/{slug}']")
    engine.wait("() => location.pathname.startsWith('/m/phone-')")
    engine.wait(f"() => !!({MINE_OR_OVER})()")
    began = engine.run(VERSION)
    for _ in range(MOVES):
        by_list(engine)
    version = engine.run(VERSION)
    assert version >= began + MOVES
    assert engine.run(FITS)
    engine.tap("button", "Undo step")
    engine.wait(SHOWS, version + 1)
    version = engine.run(VERSION)
    engine.visit(base + engine.run("() => location.pathname"))
    engine.wait(SHOWS, version)
    assert engine.run(VERSION) == version
