"""A shared device in a game with hidden information: undoing another seat's choice is confirmed."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import Phone, show_history
from tests.browser.test_caravane import bids, choose, race
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser


def test_stepping_back_takes_no_choice_of_another_seat_unasked(browser: Browser, base: str) -> None:
    """Bea, who has not bid in round two, presses "Undo step"; Ann has bid already.

    The confirmation names Ann, and cancelling it undoes nothing.
    """
    people, match_id = race(base, "Ann", "Bea", one_phone=True)
    bids(people, match_id, 2, 4)
    choose(people, match_id, 0, 3)
    sealed = people[0].get(f"/matches/{match_id}")["version"]
    phone: Phone = people[0].phone(browser)
    page, finger = phone.page, Finger(phone.page)
    page.goto(f"/m/{match_id}")
    finger.tap_on(page.get_by_role("button", name="I’m Bea"))
    expect(page.locator(".game.my-turn")).to_have_count(1)
    back = page.get_by_role("button", name="Undo step")
    expect(back).to_be_enabled()
    finger.tap_on(back)
    asked = page.locator("dialog[open]")
    expect(asked).to_contain_text("including moves by Ann.")
    finger.tap_on(asked.get_by_role("button", name="Keep as is"))
    expect(asked).to_have_count(0)
    assert people[0].get(f"/matches/{match_id}")["version"] == sealed
    finger.tap_on(back)
    finger.tap_on(asked.get_by_role("button", name="Undo all"))
    expect(page.locator(f".history input[max='{sealed + 1}']")).to_have_count(1)
    match = people[0].get(f"/matches/{match_id}")
    assert (match["turn"], match["to_act"]) == (1, [1])
    # The history and the dock count rounds, not turns.
    expect(page.locator(".history output")).to_have_text(re.compile("^Round 1 · move"))
    show_history(page)
    expect(page.get_by_role("button", name="Previous round")).to_be_visible()
    assert "Turn" not in page.locator(".dock").inner_text()
    phone.close()
