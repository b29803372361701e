"""The list of tables: hiding, showing and leaving a match, and answering an invitation."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import Phone, fits
from tests.browser.service import table

pytestmark = pytest.mark.browser
NARROW = {"width": 320, "height": 640}


def tap(phone: Phone, name: str) -> None:
    """Touch the first visible button with this name; fail if it is smaller than 48 pixels."""
    target = phone.page.get_by_role("button", name=name).locator("visible=true").first
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 48
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_call_to_a_fork_is_accepted_or_declined(browser: Browser, base: str) -> None:
    """Accepting an invitation to a fork takes the reserved seat; declining leaves it open."""
    (ann, bob), match = table(base, "Ann", "Bob")
    version = ann.get(f"/matches/{match}")["version"]
    body = {"at": version, "seats": [{"kind": "same"}, {"kind": "same"}]}
    forks = [ann.post(f"/matches/{match}/fork", body, 201)["id"] for _ in range(2)]
    phone = bob.phone(browser, NARROW)
    page = phone.page
    page.goto("/")
    page.get_by_role("heading", name="Invitations").wait_for()
    expect(page.get_by_text("A seat is reserved for you")).to_have_count(2)
    assert fits(page)
    tap(phone, "Decline")
    expect(page.get_by_text("A seat is reserved for you")).to_have_count(1)
    tap(phone, "Accept")
    page.wait_for_selector(".game")
    held = [ann.get(f"/matches/{fork}")["seats"][1]["kind"] for fork in forks]
    assert sorted(held) == ["human", "open"]
    phone.context.close()


def test_a_table_is_hidden_shown_again_and_left(browser: Browser, base: str) -> None:
    """A hidden match can be shown again; leaving must be confirmed and hands the seat to a bot."""
    (ann, bob), match = table(base, "Ann", "Bob")
    phone = bob.phone(browser, NARROW)
    page = phone.page
    page.goto("/tables")
    cards = page.locator(".table-line")
    expect(cards).to_have_count(1)
    assert fits(page)
    tap(phone, "Table menu")
    tap(phone, "Hide from list")
    expect(cards).to_have_count(0)
    tap(phone, "Hidden games")
    tap(phone, "Show again")
    expect(cards).to_have_count(1)
    tap(phone, "Table menu")
    tap(phone, "Leave game")
    tap(phone, "Stay")
    tap(phone, "Leave game")
    assert [seat["kind"] for seat in ann.get(f"/matches/{match}")["seats"]] == ["human"] * 2
    tap(phone, "Leave game")
    expect(cards).to_have_count(0)
    seats = ann.get(f"/matches/{match}")["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "bot"]
    phone.context.close()
