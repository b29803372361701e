"""The seats on the page for new tables: people, bots and the levels of bots."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import SMALL, fits
from tests.browser.service import Program

pytestmark = pytest.mark.browser


def test_how_well_a_bot_plays_is_chosen_by_keyboard_on_a_small_phone(
    browser: Browser, base: str
) -> None:
    """The level of a bot is set by keyboard, reaches the match, and is kept for the next table."""
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.goto("/new?game=caravanserai")
    page.locator("input[name=gPlayers][value='4']").check()
    page.get_by_label("Your name").fill("Ann")
    for seat in (2, 3):
        who = page.locator(f"button[name=who{seat - 1}]")
        who.press("Enter")
        expect(who).to_be_focused()
        expect(who).to_have_text("Person")
    level = page.get_by_label("Bot level for seat 3")
    expect(level).to_have_value("easy")
    level.focus()
    page.keyboard.press("ArrowDown")
    expect(level).to_have_value("good")
    box = level.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 48
    assert fits(page)
    page.get_by_role("button", name="Create game").click()
    page.wait_for_url("**/m/*")
    expect(page.locator(".seat-line .tag")).to_have_text(
        ["you", "an easy bot", "a bot", "open seat"]
    )
    match = ann.get("/matches/" + page.url.rsplit("/", 1)[1])
    assert [seat.get("level") for seat in match["seats"]] == [None, "easy", "good", None]

    # The next table starts with the same seats. Changing the strong bot to a person and back resets
    # its level.
    page.goto(f"/new?again={match['id']}")
    expect(level).to_have_value("good")
    expect(page.get_by_label("Bot level for seat 2")).to_have_value("easy")
    change = page.locator("button[name=who2]")
    change.click()
    expect(level).to_have_count(0)
    change.click()
    expect(level).to_have_value("easy")
    phone.close()
