"""Invitation links: they describe the game and its rules, and joining needs no name."""

import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from tests.browser.phone import SMALL, Phone
from tests.browser.service import Program

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("slug", TITLES)
def test_the_link_and_the_waiting_room_say_what_is_played(
    browser: Browser, base: str, slug: str
) -> None:
    """The waiting room links the rules; the invitation shows players, minutes, board and rules.

    A guest who gives no name joins as "Player 2".
    """
    people = Program(base, "Ann")
    count = next(n for n in TITLES[slug].seats if n > 1)
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (count - 1)]
    match = people.post("/matches", {"game": slug, "seats": seats}, 201)

    host = people.phone(browser, SMALL)
    host.page.goto(f"/m/{match['id']}")
    expect(host.page.get_by_role("heading", level=2).first).to_have_text(TITLES[slug].title)
    host.page.get_by_role("link", name="How it is played").tap()
    expect(host.page.locator(".guide h2").first).to_be_visible()
    host.close()

    guest = Phone(browser, base, SMALL)
    guest.page.goto(f"/join/{match['id']}?invite={match['invite']}")
    told = guest.page.locator(".game-told")
    expect(told).to_contain_text("players")
    expect(told).to_contain_text("minutes")
    expect(told.locator(".small-board svg, .small-board img")).to_be_visible()
    guest.page.get_by_role("button", name="How it is played").tap()
    sheet = guest.page.locator("dialog[open] .guide")
    expect(sheet.locator("h2, h3").first).to_be_visible()
    guest.page.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    guest.page.wait_for_timeout(400)  # an earlier tap is ignored as part of a double tap
    guest.page.get_by_role("button", name="Sit down").tap()
    guest.page.wait_for_url(f"**/m/{match['id']}")
    names = [seat["name"] for seat in people.get(f"/matches/{match['id']}")["seats"]]
    assert names[:2] == ["Ann", "Player 2"]
    guest.close()


def test_a_table_is_opened_without_a_name(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    phone.page.goto("/new?game=caravane")
    phone.page.get_by_role("button", name="Open the table").tap()
    phone.page.wait_for_url("**/m/*")
    expect(phone.page.locator(".seat-line").first).to_contain_text("Player 1")
    phone.close()
