"""The app in a pseudo-language: no screen shows an untranslated word."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from domain.games.caravanserail.board import BOARDS
from service.settings import Settings
from tests.browser.every_scene import EVERY
from tests.browser.phone import Phone, fits
from tests.browser.scenes import Scene, branched, kept, mine, moment, press, then
from tests.browser.service import Program, table
from tests.browser.test_caravanserail import NAMES as PEOPLE
from tests.browser.text_crawler import SETTLED, START, Reader, untranslated
from tests.game_contract.moments import telling
from tests.i18n.pseudo import TAG, folder, strange
from tests.service.running import server

pytestmark = pytest.mark.browser

GIVEN = (
    "Seat Margaret",
    *PEOPLE,
    *(place.name for board in BOARDS.values() for place in board.places),
)
"""Names of players in stored matches, and of places: the same in every language."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    built = folder(tmp_path_factory.mktemp("words"))
    data = str(tmp_path_factory.mktemp("data"))
    settings = Settings(data=data, frontend=str(built), play_limit=0, create_limit=0)
    with server(settings) as address:
        yield address


def speaking(phone: Phone) -> Phone:
    phone.page.add_init_script(START)
    return phone


def test_pages_are_translated(browser: Browser, base: str) -> None:
    phone = speaking(Program(base, "Ada").phone(browser))
    for path in ("/", "/new", "/you", "/m/none"):
        phone.page.goto(path)
        phone.page.wait_for_function(SETTLED)
        assert phone.page.evaluate("document.documentElement.lang") == TAG
        assert phone.page.evaluate("document.documentElement.dir") == "rtl"
        assert fits(phone.page), path
        assert untranslated(phone.page, "API client") == {}, path  # the initial name of a device
    phone.context.close()


def test_unknown_language_falls_back_to_english(browser: Browser, base: str) -> None:
    """Neither the start of the app nor date formatting fails."""
    phone = Program(base, "Ada").phone(browser)
    phone.page.add_init_script(
        "localStorage.setItem('language', 'C');"
        "Object.defineProperty(navigator, 'languages', { value: ['C', 'en-US@posix'] })"
    )
    phone.page.goto("/you")
    expect(phone.page.locator(".seat-line")).to_contain_text(re.compile(r"added \w+ \d+, \d{4}"))
    root = "[document.documentElement.lang, document.documentElement.dir]"
    assert phone.page.evaluate(root) == ["en", "ltr"]
    phone.close()


def reader(browser: Browser, base: str) -> Reader:
    return Reader(browser, base, *GIVEN)


def in_lines(found: dict[str, Any]) -> str:
    """Format the untranslated texts with their scenes."""
    return "\n".join(f"{text!r}: {where}" for text, where in found.items())


def all_seats(person: Program, name: str, match_id: str) -> Scene:
    """A match in which the person holds every seat."""
    ready = ".handover-page .primary, .game.my-turn .turn"
    return Scene(name, person, f"/m/{match_id}", ready, mine_if_asked)


def mine_if_asked(page: Page) -> None:
    """Confirm the hand-over screen if it is shown."""
    if page.locator(".handover-page .primary").count():
        mine()(page)


def escape(page: Page) -> None:
    """Close the overlay; its text stays in the page."""
    page.keyboard.press("Escape")


def main_scenes(base: str, game: str) -> Iterator[Scene]:
    """Per game: a rich moment with all of its descriptions, the end, the review."""
    ann = Program(base, "Ann")
    [(path, version), *_] = telling(game, min(n for n in TITLES[game].seats if n > 1))
    over = kept(ann, path.name)
    now = all_seats(ann, "a moment", branched(ann, over, version))
    sheets = ("All moves", "Game log", "Read board")
    told = [step for sheet in sheets for step in (press(sheet), escape)]
    yield replace(now, arrange=then(mine_if_asked, *told))
    yield Scene("the result", ann, f"/m/{over}", ".podium")
    yield Scene("a review", ann, f"/m/{over}/review", ".place")


@pytest.mark.parametrize("game", TITLES)
def test_the_main_scenes(
    browser: Browser, base: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.browser.scenes.say", strange)
    reading = reader(browser, base)
    for scene in main_scenes(base, game):
        reading.read(scene)
    reading.close()
    assert reading.found == {}


def test_without_a_connection(browser: Browser, base: str) -> None:
    """Check the offline banner and the label of a pending move."""
    people, match_id = table(base, "Ann", "Bea")
    phone = speaking(people[0].phone(browser))
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game .turn")
    phone.context.set_offline(True)
    phone.page.get_by_role("button", name=strange("All moves")).press("Enter")
    phone.page.locator(".moves .button").first.press("Enter")
    expect(phone.page.locator("body")).to_contain_text(strange("No connection."))
    assert untranslated(phone.page, *GIVEN) == {}
    phone.context.close()


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("scenes", EVERY)
def test_every_scene(
    browser: Browser, base: str, scenes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check everything that the buttons open."""
    monkeypatch.setattr("tests.browser.scenes.say", strange)
    reading = reader(browser, base)
    for scene in EVERY[scenes](base):
        reading.read_behind(scene)
    reading.close()
    print(f"{len(reading.pressed)} buttons pressed")
    assert reading.found == {}, in_lines(reading.found)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", TITLES)
def test_every_kind_of_moment(
    browser: Browser, base: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check all steps, choices and cards of a game's stored matches, and what buttons open."""
    monkeypatch.setattr("tests.browser.scenes.say", strange)
    reading = reader(browser, base)
    ann = Program(base, "Ann")
    for path, version in telling(game):
        match_id = moment(ann, path.name, version)
        reading.read_behind(all_seats(ann, f"{path.stem} at {version}", match_id))
    reading.close()
    print(f"{len(reading.pressed)} buttons pressed")
    assert reading.found == {}, in_lines(reading.found)
