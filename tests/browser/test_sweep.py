"""Every screen at every size, by day and by night, in both languages, with common and with large
letters: nothing covered, small, cut off or unreadable, no complaint of axe or of the browser.

The normal run takes each screen once, every other one in French, in settings of which any two
values meet (pairwise); its long sister, marked ``soak``, takes each screen in all of these settings
and in both languages.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from allpairspy import AllPairs
from playwright.sync_api import Browser, Page

from frontend import message_catalogue
from service.settings import Settings
from tests.browser.every_scene import EVERY
from tests.browser.inspection import complaints, crowded, hidden
from tests.browser.phone import Phone
from tests.browser.scenes import SIZES, Scene, Stand
from tests.browser.text_crawler import SETTLED
from tests.service.running import server

pytestmark = pytest.mark.browser

LYING = [(568, 320), (667, 375), (844, 390), (932, 430)]
ALL_SIZES = [*SIZES, *LYING, (1280, 800)]
"""A page of 640 by 1136 at 200% is one of 320 by 568."""
LETTERS = [100, 200]
"""Per cent: what the reader set in the browser."""


class Setting(NamedTuple):
    """How a screen is looked at."""

    size: tuple[int, int]
    scheme: str
    letters: int


def sensible(values: list[Any]) -> bool:
    """Whoever doubles the letters holds the phone upright."""
    return not (len(values) > 2 and values[2] == 200 and values[0] in LYING)


PAIRS = [
    Setting(*each)
    for each in AllPairs([ALL_SIZES, ["light", "dark"], LETTERS], filter_func=sensible)
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("sweep")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def in_french(room: str) -> Callable[[str], str]:
    """What French says, best in the room of that game; "{}" stands for each hole, as in
    `scenes.say`."""
    rooms = message_catalogue.catalogue_folders()
    told = {}
    for folder in [*rooms.values(), rooms.get(room, rooms["page"])]:
        for message in message_catalogue.read_catalogue(folder / "fr.po", "fr"):
            if message.id and isinstance(message.id, str):
                told[_HOLE.sub("{}", message.id)] = _HOLE.sub("{}", str(message.string))
    return lambda words: told.get(words, words)


def in_english(_room: str) -> Callable[[str], str]:
    """As it is written."""
    return str


_HOLE = re.compile(r"\{[^}]*\}")
SAY = {"en": in_english, "fr": in_french}


def enlarge(page: Page, per_cent: int) -> None:
    """What the reader set in the browser: media queries by letters know of it, too."""
    devtools = page.context.new_cdp_session(page)
    sizes = {"standard": 16 * per_cent // 100, "fixed": 13 * per_cent // 100}
    devtools.send("Page.setFontSizes", {"fontSizes": sizes})


def show(stand: Stand, scene: Scene, setting: Setting) -> Page:
    """The scene, so looked at."""
    page = stand.page
    page.emulate_media(color_scheme=setting.scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    enlarge(page, setting.letters)
    stand.hold(scene, setting.size)
    page.wait_for_function(SETTLED)
    return page


def faults(page: Page) -> list[str]:
    """All that is wrong with a page."""
    return hidden(page) + crowded(page) + complaints(page)


def swept(browser: Browser, base: str, scenes: str, language: str, every: bool) -> list[str]:
    """What is wrong, with its scene and setting."""
    stand = held(browser, base, language)
    found = []
    shift = list(EVERY).index(scenes)  # so that each language meets each setting in some game
    for number, scene in enumerate(EVERY[scenes](base)):
        if not every and number % len(SAY) != list(SAY).index(language):
            continue
        for setting in PAIRS if every else [PAIRS[(number + shift) % len(PAIRS)]]:
            wrong = faults(show(stand, scene, setting))
            found += [f"{scene.name}, {setting}: {each}" for each in wrong]
        if every:  # a page that went through hundreds of screens held a gigabyte, and stuck
            stand.phone.close()
            stand = held(browser, base, language)
    stand.phone.close()
    return found


def held(browser: Browser, base: str, language: str) -> Stand:
    """A phone in that language."""
    stand = Stand(browser, base)
    stand.page.add_init_script(f"localStorage.setItem('language', '{language}')")
    return stand


ONE = pytest.param(False, marks=pytest.mark.timeout(600), id="one")
ALL = pytest.param(True, marks=[pytest.mark.soak, pytest.mark.timeout(7200)], id="all")


@pytest.mark.parametrize("scenes", EVERY)
@pytest.mark.parametrize("language", SAY)
@pytest.mark.parametrize("every", [ONE, ALL])
def test_every_screen(
    browser: Browser,
    base: str,
    scenes: str,
    language: str,
    every: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In one of the settings; ``all`` takes all of them."""
    monkeypatch.setattr("tests.browser.scenes.say", SAY[language](scenes))
    found = swept(browser, base, scenes, language, every)
    assert not found, "\n".join(found)


PLANTED = """() => {
  const add = (style, html) => {
    const node = document.createElement("div")
    node.style.cssText = style
    node.innerHTML = html
    document.body.append(node)
  }
  add("", "<button style='width: 20px; height: 20px; min-width: 0'>x</button>")
  add("font-size: 9px", "fine print")
  add("width: 3000px", "wide")
  add("color: #ccc; background: #fff", "pale")
  add("position: fixed; inset: 0; z-index: 99", "")
}"""


def test_what_is_wrong_is_found(browser: Browser, base: str) -> None:
    """Small, fine, wide, pale and covered."""
    phone = Phone(browser, base)
    phone.page.goto("/")
    phone.page.wait_for_function(SETTLED)
    assert faults(phone.page) == []
    phone.page.evaluate(PLANTED)
    found = "\n".join(faults(phone.page))
    for sign in ("20x20", "fine print", "scrolls sideways", "color-contrast", ': <div style="pos'):
        assert sign in found
    phone.close()
