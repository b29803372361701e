"""The filters of the public tables by game and time control: touch, keyboard, French."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.inspection import AUDIT
from tests.browser.phone import PHONE, Phone, fits
from tests.browser.service import Program, unlimited
from tests.browser.test_axe import Inspector
from tests.browser.test_french import in_french
from tests.browser.touch import Finger
from tests.service.running import server

pytestmark = pytest.mark.browser

SHORT = {"width": 320, "height": 568}
TABLES: tuple[tuple[str, dict[str, Any] | None], ...] = (
    ("conquest", None),
    ("conquest", {"kind": "days", "days": 2}),
    ("caravanserai", {"kind": "live", "bank": 600, "increment": 5}),
)


@pytest.fixture(scope="module")
def tables(public_base: str) -> str:
    """The address of a service with the public tables `TABLES`."""
    bob = Program(public_base, "Bob")
    for game, pace in TABLES:
        seats = [{"kind": "me"}, {"kind": "open"}]
        body = {"game": game, "seats": seats, "visibility": "public", "pace": pace}
        bob.post("/matches", body, 201)
    return public_base


@contextmanager
def list_of(browser: Browser, tables: str, size: dict[str, int]) -> Iterator[Phone]:
    phone = Phone(browser, tables, size)
    phone.page.goto("/tables")
    phone.page.wait_for_selector("[data-slot=public] .table-card")
    yield phone
    phone.close()


def shown(page: Page) -> Locator:
    return page.locator("[data-slot=public] .table-card:visible")


@pytest.mark.parametrize("size", [SHORT, PHONE], ids=["320", "390"])
def test_filters_by_touch(browser: Browser, tables: str, size: dict[str, int]) -> None:
    with list_of(browser, tables, size) as phone:
        page, finger, axe = phone.page, Finger(phone.page), Inspector(phone.page)
        by_game = page.get_by_role("group", name="Filter by game")
        by_pace = page.get_by_role("group", name="Filter by time control")
        expect(by_pace.get_by_role("button")).to_have_text(
            ["All time controls", "Live", "Correspondence", "No time limit"]
        )
        for text in (
            "Live, 10 minutes per player",
            "Correspondence, 2 days per turn",
            "No time limit",
        ):
            expect(shown(page).filter(has_text=text)).to_have_count(1)
        finger.tap_on(by_pace.get_by_role("button", name="Correspondence"))
        expect(shown(page)).to_have_count(1)
        expect(shown(page)).to_contain_text("Caravan Conquest")
        finger.tap_on(by_game.get_by_role("button", name="Caravanserai", exact=True))
        expect(shown(page)).to_have_count(0)
        expect(page.get_by_text("No tables match these filters.")).to_be_visible()
        assert page.evaluate(AUDIT) == {"small": [], "fine": []}
        assert fits(page)
        axe.look("no table matches")
        finger.tap_on(page.get_by_role("button", name="Clear filters"))
        expect(shown(page)).to_have_count(3)
        expect(page.get_by_role("button", name="Clear filters")).to_be_hidden()
        expect(by_game.get_by_role("button", name="All games")).to_be_focused()
        axe.done()


def test_filters_by_keyboard(browser: Browser, tables: str) -> None:
    """The focus stays on the chosen button, also while the list is updated."""
    with list_of(browser, tables, SHORT) as phone:
        page = phone.page
        by_pace = page.get_by_role("group", name="Filter by time control")
        by_pace.get_by_role("button", name="All time controls").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        live = by_pace.get_by_role("button", name="Live")
        expect(live).to_have_attribute("aria-pressed", "true")
        expect(live).to_be_focused()
        expect(shown(page)).to_have_count(1)
        with page.expect_response("**/api/matches?scope=public*"):
            page.evaluate("dispatchEvent(new Event('online'))")
        page.wait_for_timeout(2_000)  # the list is updated once there is no input
        expect(live).to_be_focused()
        expect(shown(page)).to_have_count(1)
        page.reload()
        expect(shown(page)).to_have_count(3)


def test_next_page_keeps_the_filter(browser: Browser, tmp_path: Path) -> None:
    """The focus moves to the first added table that the filter shows."""
    live, days = {"kind": "live"}, {"kind": "days"}
    with server(unlimited(tmp_path)) as address:
        bob = Program(address, "Bob")
        body = {"seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}
        for pace in (days, live, *[live, days] * 10):  # the list has the newest first
            bob.post("/matches", {**body, "game": "conquest", "pace": pace}, 201)
        with list_of(browser, address, SHORT) as phone:
            page, finger = phone.page, Finger(phone.page)
            by_pace = page.get_by_role("group", name="Filter by time control")
            finger.tap_on(by_pace.get_by_role("button", name="Correspondence"))
            expect(shown(page)).to_have_count(10)
            page.get_by_role("button", name="Show more").press("Enter")
            expect(shown(page)).to_have_count(11)
            expect(shown(page).last).to_be_focused()


def test_filters_in_french(browser: Browser, tables: str) -> None:
    phone = Phone(browser, tables, SHORT)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/settings")
    page.get_by_role("button", name="Français").click()
    page.get_by_role("heading", name="Réglages").wait_for()
    page.goto("/tables")
    expect(shown(page).filter(has_text="En direct, 10 min par joueur")).to_have_count(1)
    for group, choice in (("cadence", "En direct"), ("jeu", "Caravan Conquest")):
        buttons = page.get_by_role("group", name=f"Filtrer par {group}")
        finger.tap_on(buttons.get_by_role("button", name=choice))
    expect(page.get_by_text("Aucune table ne correspond à ces filtres.")).to_be_visible()
    in_french(page)
    assert fits(page)
    finger.tap_on(page.get_by_role("button", name="Effacer les filtres"))
    expect(shown(page)).to_have_count(3)
    phone.close()
