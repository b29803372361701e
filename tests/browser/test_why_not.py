"""Unavailable actions explain themselves when tapped: once for each game."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import courtyard
from tests.browser.phone import SMALL, Phone
from tests.browser.scenes import moment
from tests.browser.service import Program, table
from tests.browser.test_caravane import race
from tests.browser.test_caravanserail import HOMES, seated, settle
from tests.browser.test_conquest import OPEN, on
from tests.browser.test_courtyard import KEPT, ORDER
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser


def at(browser: Browser, person: Program, match_id: str) -> tuple[Phone, Page, Finger]:
    """The person's small phone, in their turn; nothing but answers is asked of the service."""
    phone = person.phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    return phone, page, finger


def says(page: Page, finger: Finger, words: str) -> None:
    """Check that the reason is shown and nothing was played."""
    line = page.get_by_role("status").locator(".why")
    expect(line).to_have_count(1)
    expect(line).to_contain_text(words)
    assert not [each for each in finger.sent if "/commands" in each]


def test_a_cell_and_a_kind_of_the_hex_game(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    phone, page, finger = at(browser, people[0], match_id)
    finger.tap_on(page.locator(".board-area svg[role=application]"))
    says(page, finger, "Start on an outer tile")
    finger.tap_on(page.locator(".kind").first)
    says(page, finger, "Start your caravan first")
    finger.tap_on(page.locator(".legal").first)
    expect(page.locator(".aim")).to_have_count(1)
    expect(page.locator(".toast")).to_have_count(0)
    phone.close()


def test_a_tile_out_of_reach(browser: Browser, base: str) -> None:
    people, match_id = on(base, OPEN)
    phone, page, finger = at(browser, people[0], match_id)
    board = page.locator(".board-area svg[role=application]")
    for key in (*["ArrowRight"] * 5, "Enter"):
        board.press(key)
    says(page, finger, "Move to a neighbouring tile")
    phone.close()


def test_a_space_and_a_move_of_the_courtyard(browser: Browser, base: str) -> None:
    people, match_id = courtyard.seated(base, "Ann", "Bea")
    match = courtyard.settle(people, match_id)
    phone, page, _finger = at(browser, people[match["to_act"][0]], match_id)
    desk = page.locator(".courtyard-desk")
    expect(desk).to_contain_text("Move first, then act.")
    page.locator(".tap[data-space=T_NW]").press("Enter")
    expect(desk).to_contain_text("steps away; you have 3.")
    phone.close()


def test_what_is_not_chosen_yet(browser: Browser, base: str) -> None:
    """A home, of which none is chosen: the button is there, and says what it waits for."""
    people, match_id = seated(base)
    first = people[0].get(f"/matches/{match_id}")["to_act"][0]
    phone, page, finger = at(browser, people[first], match_id)
    finger.tap_on(page.locator("[name=settle]"))
    says(page, finger, "First tap a free place on the map")
    phone.close()


def test_an_income_that_is_used_up(browser: Browser, base: str) -> None:
    """Steps of an amount at its ends, by finger and by key."""
    ann = Program(base, "Ann")
    phone, page, finger = at(browser, ann, moment(ann, KEPT, ORDER))
    finger.tap_on(page.locator("[name=do-FillOrder]"))
    finger.tap_on(page.locator("[name=less-save]"))
    says(page, finger, "No income goes there now.")
    more = page.locator("[name=more-save]")
    for _ in range(20):
        if more.get_attribute("aria-disabled") is None:
            more.press("Enter")
    expect(more).to_be_focused()
    more.press("Enter")
    says(page, finger, "Your purse is full.")
    phone.close()


def soon(asked: Callable[[], int | None]) -> int:
    """The answer, once there is one: bots may be before us."""
    for _ in range(100):
        answer = asked()
        if answer is not None:
            return answer
        time.sleep(0.1)
    raise AssertionError("not in ten seconds")


HEX_BOARD = ".board-area svg[role=application]"
WAITING = {
    "caravanserai": HEX_BOARD,
    "conquest": HEX_BOARD,
    "caravanserail": ".trails .spot",
    "courtyard": ".tap[data-space=T_NW]",
}


@pytest.mark.parametrize("game", WAITING)
def test_a_cell_while_another_is_to_move(browser: Browser, public_base: str, game: str) -> None:
    """Waiting players and spectators are told so."""
    ann, bob, eva = (Program(public_base, name) for name in ("Ann", "Bob", "Eva"))
    bots = 4 if game == "caravanserail" else 0
    seats = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot", "level": "easy"}] * bots]
    body = {"game": game, "seats": seats, "visibility": "public"}
    match = ann.post("/matches", body, 201)
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    acting = soon(
        lambda: next(iter({0, 1} & {*ann.get(f"/matches/{match['id']}")["to_act"]}), None)
    )
    for person, words in (((bob, ann)[acting], "not your turn"), (eva, "You’re watching")):
        phone = person.phone(browser, SMALL)
        page, finger = phone.page, Finger(phone.page)
        page.goto(f"/m/{match['id']}")
        cell = page.locator(WAITING[game]).first
        expect(cell).to_be_visible()
        finger.tap_on(cell)
        expect(page.get_by_text(words).first).to_be_visible()
        phone.close()


def test_a_number_of_gourds(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    phone, page, finger = at(browser, people[0], match_id)
    finger.tap_on(page.locator(".cover-button"))
    finger.tap_on(page.get_by_role("button", name="One fewer"))
    says(page, finger, "Can’t be negative.")
    page.get_by_role("button", name="One fewer").press("Enter")
    says(page, finger, "Can’t be negative.")
    phone.close()


def test_a_journey_that_is_too_far(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    settle(people, match_id)
    phone, page, finger = at(browser, people[0], match_id)
    finger.tap_on(page.locator(".cover-button"))
    expect(page.locator(".way-to").first).to_be_visible()
    far = page.locator(".trails .spot").nth(HOMES.index("D"))
    finger.tap_on(far)
    says(page, finger, "Too far: go to the place ahead")
    phone.close()
