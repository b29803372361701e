"""What cannot be done now says why, in words, on a finger's tap: once for each game."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from service.settings import Settings
from tests.browser import courtyard
from tests.browser.fingers import Finger
from tests.browser.phone import SMALL, Phone
from tests.browser.service import Program, table
from tests.browser.test_caravane import race
from tests.browser.test_caravanserail import HOMES, seated, settle
from tests.browser.test_conquest import OPEN, on
from tests.service.running import server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("why")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def at(browser: Browser, person: Program, match_id: str) -> tuple[Phone, Page, Finger]:
    """The person's small phone, in their turn; nothing but answers is asked of the service."""
    phone = person.phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    return phone, page, finger


def says(page: Page, finger: Finger, words: str) -> None:
    """The reason is told, and nothing was played."""
    line = page.get_by_role("status").locator(".why")
    expect(line).to_have_count(1)
    expect(line).to_contain_text(words)
    assert not [each for each in finger.sent if "/commands" in each]


def test_a_cell_and_a_kind_of_the_hex_game(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    phone, page, finger = at(browser, people[0], match_id)
    finger.tap_on(page.locator(".board-area svg[role=application]"))
    says(page, finger, "A caravan starts on an outer tile")
    finger.tap_on(page.locator(".kind").first)
    says(page, finger, "Now the caravan has to be started")
    phone.close()


def test_a_tile_out_of_reach(browser: Browser, base: str) -> None:
    people, match_id = on(base, OPEN)
    phone, page, finger = at(browser, people[0], match_id)
    board = page.locator(".board-area svg[role=application]")
    for key in (*["ArrowRight"] * 5, "Enter"):
        board.press(key)
    says(page, finger, "One step leads to a neighbouring tile")
    phone.close()


def test_a_space_and_a_move_of_the_courtyard(browser: Browser, base: str) -> None:
    people, match_id = courtyard.seated(base, "Ann", "Bea")
    match = courtyard.settle(people, match_id)
    phone, page, _finger = at(browser, people[match["to_act"][0]], match_id)
    desk = page.locator(".courtyard-desk")
    expect(desk).to_contain_text("First move: an action follows a move.")
    page.locator(".tap[data-space=T_NW]").press("Enter")
    expect(desk).to_contain_text("steps away; this move has 3 steps at most.")
    phone.close()


def test_a_number_of_gourds(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    phone, page, finger = at(browser, people[0], match_id)
    finger.tap_on(page.locator(".cover-button"))
    finger.tap_on(page.get_by_role("button", name="One less"))
    says(page, finger, "Less than none is not possible.")
    page.get_by_role("button", name="One less").press("Enter")
    says(page, finger, "Less than none is not possible.")
    phone.close()


def test_a_journey_that_is_too_far(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    settle(people, match_id)
    phone, page, finger = at(browser, people[0], match_id)
    finger.tap_on(page.locator(".cover-button"))
    expect(page.locator(".way-to").first).to_be_visible()
    far = page.locator(".trails .spot").nth(HOMES.index("D"))
    finger.tap_on(far)
    says(page, finger, "Too far: a caravan goes to the place ahead")
    phone.close()
