"""Chat between two small phones in every game, and private messages in the game that has them."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from tests.browser.inspection import complaints, crowded
from tests.browser.phone import PHONE, Phone, fits
from tests.browser.service import Program
from tests.browser.test_caravanserail import seated as sheikhs
from tests.browser.test_caravanserail import settle
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}
WIDE = {"width": 1280, "height": 800}
UP = ".game:not([data-rising]) .turn"


def seated(base: str, slug: str) -> tuple[Program, Program, str]:
    """Start a match of two people, with bots in the remaining seats; return both and its id."""
    ann, bea = Program(base, "Ann"), Program(base, "Bea")
    count = min(seats for seats in TITLES[slug].seats if seats > 1)
    seats: list[Any] = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot"}] * (count - 2)]
    match = ann.post("/matches", {"game": slug, "seats": seats}, 201)
    bea.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}, 200)
    return ann, bea, match["id"]


def at_table(browser: Browser, person: Program, match_id: str, size: dict[str, int]) -> Phone:
    phone = person.phone(browser, size)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(UP)
    return phone


@pytest.mark.parametrize("slug", TITLES)
def test_a_word_is_said_and_read(browser: Browser, base: str, slug: str) -> None:
    """A message appears in the log of both players and in a toast on the other phone.

    HTML in it is shown as text.
    """
    ann, bea, match_id = seated(base, slug)
    hers, other = (at_table(browser, person, match_id, SMALL) for person in (ann, bea))
    page, finger = hers.page, Finger(hers.page)
    finger.tap_on(page.get_by_role("button", name="Game log"))
    line = page.get_by_label("Message everyone at the table")
    finger.tap_on(line)
    expect(line).to_be_focused()
    page.keyboard.type("Good luck <b>to all</b>")
    finger.tap_on(page.get_by_role("button", name="Send"))
    expect(page.locator(".log")).to_contain_text("You: Good luck <b>to all</b>")
    expect(line).to_have_value("")
    assert fits(page)
    assert crowded(page) == []
    assert complaints(page) == []
    # The other phone shows a toast, lists the message in its log, and answers by keyboard.
    expect(other.page.locator(".toast")).to_contain_text("Ann: Good luck <b>to all</b>")
    other.page.get_by_role("button", name="Game log, new message").press("Enter")
    expect(other.page.locator(".log")).to_contain_text("Ann: Good luck <b>to all</b>")
    read = other.page.get_by_role("button", name="Game log", exact=True, include_hidden=True)
    expect(read).to_have_count(1)
    answer = other.page.get_by_label("Message everyone at the table")
    answer.fill("And to you")
    answer.press("Enter")
    expect(page.locator(".log")).to_contain_text("Bea: And to you")
    expect(page.locator(".toast")).to_have_count(0)
    hers.close()
    other.close()


def test_a_private_word_reaches_its_seat_alone(browser: Browser, base: str) -> None:
    """A private message is shown under the secret cover of both seats, and to nobody else."""
    people, match_id = sheikhs(base)
    settle(people, match_id)
    ann, bea, cleo = people[:3]
    hers, other = (at_table(browser, person, match_id, SMALL) for person in (ann, bea))
    for phone in (hers, other):
        phone.page.locator(".cover-button").press("Enter")
        phone.page.locator(".whispers summary").wait_for()
    page, finger = hers.page, Finger(hers.page)
    finger.tap_on(page.locator(".whispers summary"))
    page.get_by_label("To", exact=True).select_option("1")
    page.get_by_label("Your private message").fill("Salt at Damman")
    finger.tap_on(page.get_by_role("button", name="Send"))
    expect(page.locator(".heard")).to_contain_text("You → Bea: Salt at Damman")
    expect(other.page.locator(".heard")).to_contain_text("Ann: Salt at Damman")
    assert fits(page)
    assert "Salt at" not in str(cleo.get(f"/matches/{match_id}/events?after=0"))
    hers.close()
    other.close()


def test_who_has_nobody_to_talk_to_is_not_asked(browser: Browser, base: str) -> None:
    """The chat input is absent if one person holds all seats; a wide screen always shows it."""
    ann, _, match_id = seated(base, "caravanserai")
    phone = at_table(browser, ann, match_id, WIDE)
    expect(phone.page.get_by_role("button", name="Send")).to_be_visible()
    assert complaints(phone.page) == []
    phone.close()
    alone = ann.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}] * 2}, 201)
    phone = at_table(browser, ann, alone["id"], PHONE)
    phone.page.get_by_role("button", name="Game log").click()
    expect(phone.page.locator(".log li").first).to_be_visible()
    expect(phone.page.get_by_role("button", name="Send")).to_have_count(0)
    phone.close()
