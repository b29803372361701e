"""Every screen at every size, in light and dark mode, in all languages, with normal and large
text: nothing covered, small, cut off or unreadable, no axe violations or browser errors.

The languages are English, French and two pseudo-languages, one with messages 40 % longer and one
written from right to left. The normal run checks each screen once, in the languages in turn and in
pairwise-combined settings; the ``soak`` run checks each screen in all settings and languages.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from allpairspy import AllPairs
from playwright.sync_api import Browser, Page

from frontend import message_catalogue
from tests.browser.every_scene import EVERY
from tests.browser.inspection import complaints, crowded, hidden
from tests.browser.phone import Phone
from tests.browser.scenes import SIZES, Scene
from tests.browser.service import unlimited
from tests.browser.stand import Stand
from tests.browser.text_crawler import SETTLED
from tests.i18n.pseudo import LONG, PSEUDO, folder_of_all
from tests.service.running import server

pytestmark = pytest.mark.browser

LYING = [(568, 320), (667, 375), (844, 390), (932, 430)]
ALL_SIZES = [*SIZES, *LYING, (1280, 800)]
"""A page of 640 by 1136 at 200% is one of 320 by 568."""
LETTERS = [100, 200]
"""Text size set in the browser, in per cent."""


class Setting(NamedTuple):
    """The display settings for a screen."""

    size: tuple[int, int]
    scheme: str
    letters: int


def sensible(values: list[Any]) -> bool:
    """Combine doubled text size with portrait orientation only."""
    return not (len(values) > 2 and values[2] == 200 and values[0] in LYING)


PAIRS = [
    Setting(*each)
    for each in AllPairs([ALL_SIZES, ["light", "dark"], LETTERS], filter_func=sensible)
]


def in_french(room: str) -> Callable[[str], str]:
    """Return a lookup of French texts, preferring that game's catalogue; "{}" stands for each
    placeholder, as in `scenes.say`."""
    rooms = message_catalogue.catalogue_folders()
    told = {}
    for folder in [*rooms.values(), rooms.get(room, rooms["page"])]:
        french = message_catalogue.read_catalogue(folder / "fr.po", "fr")
        for message in message_catalogue.read_catalogue(folder / "en.po", "en"):
            if message.id and isinstance(message.id, str):
                words = str(french.get(message.id).string)
                told[_HOLE.sub("{}", str(message.string))] = _HOLE.sub("{}", words)
    return lambda words: told.get(words, words)


_HOLE = re.compile(r"\{[^}]*\}")
SAY: dict[str, Callable[[str], Callable[[str], str]]] = {
    "en": lambda _room: str,
    "fr": in_french,
    PSEUDO.tag: lambda _room: PSEUDO.say,
    LONG.tag: lambda _room: LONG.say,
}
"""Functions that return, for a game, the lookup of English texts in a language."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that also speaks both pseudo-languages."""
    built = folder_of_all(tmp_path_factory.mktemp("languages"))
    with server(unlimited(tmp_path_factory.mktemp("data"), frontend=str(built))) as address:
        yield address


def enlarge(page: Page, per_cent: int) -> None:
    """Set the browser's text size, which also affects media queries in font units."""
    devtools = page.context.new_cdp_session(page)
    sizes = {"standard": 16 * per_cent // 100, "fixed": 13 * per_cent // 100}
    devtools.send("Page.setFontSizes", {"fontSizes": sizes})


def show(stand: Stand, scene: Scene, setting: Setting) -> Page:
    """Show the scene with these settings."""
    page = stand.page
    page.emulate_media(color_scheme=setting.scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    enlarge(page, setting.letters)
    stand.hold(scene, setting.size)
    page.wait_for_function(SETTLED)
    return page


_PSEUDO_LANGUAGE_COMPLAINTS = ("html-lang-valid", "valid-lang")
"""Complaints about the tags of pseudo-languages; `test_axe` checks the tags of real ones."""


def faults(page: Page) -> list[str]:
    """List all faults of a page."""
    found = hidden(page) + crowded(page) + complaints(page)
    return [each for each in found if not each.startswith(_PSEUDO_LANGUAGE_COMPLAINTS)]


def swept(
    browser: Browser, base: str, scenes: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Yield the faults of all scenes, each in one setting, in turn in all languages.

    Scenes of one page have the same setting and language.
    """
    stands = {language: held(browser, base, language) for language in SAY}
    says = {language: SAY[language](scenes) for language in SAY}
    shift = list(EVERY).index(scenes)  # so that each language meets each setting in some game
    languages = itertools.cycle(SAY)
    shown, language, setting = None, "", PAIRS[0]
    for number, scene in enumerate(EVERY[scenes](base)):
        if shown is not None and scene.before is shown:
            scene.arrange(stands[language].page)
            stands[language].page.wait_for_function(SETTLED)
        else:
            language, setting = next(languages), PAIRS[(number + shift) % len(PAIRS)]
            monkeypatch.setattr("tests.browser.scenes.say", says[language])
            show(stands[language], scene, setting)
        shown = scene
        wrong = faults(stands[language].page)
        yield from (f"{scene.name}, {language}, {setting}: {each}" for each in wrong)
    for stand in stands.values():
        stand.phone.close()


def swept_in_all_settings(
    browser: Browser, base: str, scenes: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Yield the faults of all scenes in a language, each in all settings."""
    monkeypatch.setattr("tests.browser.scenes.say", SAY[language](scenes))
    for scene in EVERY[scenes](base):
        stand = held(browser, base, language)  # a page of hundreds of screens used a gigabyte
        for setting in PAIRS:
            wrong = faults(show(stand, scene, setting))
            yield from (f"{scene.name}, {setting}: {each}" for each in wrong)
        stand.phone.close()


def held(browser: Browser, base: str, language: str) -> Stand:
    """Open a phone in that language."""
    stand = Stand(browser, base)
    stand.page.add_init_script(f"localStorage.setItem('language', '{language}')")
    return stand


@pytest.mark.timeout(600)
@pytest.mark.parametrize("scenes", EVERY)
def test_every_screen(
    browser: Browser, base: str, scenes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check each scene once, in one of the settings and one of the languages."""
    found = [*swept(browser, base, scenes, monkeypatch)]
    assert not found, "\n".join(found)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("scenes", EVERY)
@pytest.mark.parametrize("language", SAY)
def test_every_screen_in_all_settings(
    browser: Browser, base: str, scenes: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check each scene in all settings and in all languages, pseudo-languages included."""
    found = [*swept_in_all_settings(browser, base, scenes, language, monkeypatch)]
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


def test_planted_faults_are_found(browser: Browser, base: str) -> None:
    """Plant a small, a fine, a wide, a pale and a covered fault."""
    phone = Phone(browser, base)
    phone.page.goto("/")
    phone.page.wait_for_function(SETTLED)
    assert faults(phone.page) == []
    phone.page.evaluate(PLANTED)
    found = "\n".join(faults(phone.page))
    for sign in ("20x20", "fine print", "scrolls sideways", "color-contrast", ': <div style="pos'):
        assert sign in found
    phone.close()
