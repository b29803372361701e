"""The frame around the games: navigation bar, tables, settings, and what fits one screen."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import PHONE, SMALL, Phone, fits
from tests.browser.service import Program, played, table
from tests.browser.test_axe import Inspector
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

SHORT = {"width": 320, "height": 568}
WIDE = {"width": 1280, "height": 800}
PAGES = {"Play": "/", "Tables": "/tables", "Learn": "/rules", "You": "/you"}


def is_whole_in_view(page: Page, name: str, role: str = "button") -> bool:
    """Return whether a control can be tapped without scrolling."""
    box = page.get_by_role(role, name=name, exact=True).first.bounding_box()  # type: ignore[arg-type]
    height = page.evaluate("innerHeight")
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def test_navigation_bar_leads_to_each_page(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser, SHORT)
    page, finger, axe = phone.page, Finger(phone.page), Inspector(phone.page)
    page.goto("/")
    bar = page.get_by_role("navigation", name="Main pages")
    for name, path in [*[*PAGES.items()][1:], ("Play", "/")]:
        link = bar.get_by_role("link", name=name)
        box = link.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48
        finger.tap_on(link)
        page.wait_for_url(base + path)
        expect(bar.locator("[aria-current=page]")).to_have_text(name)
        assert fits(page)
        axe.look(name)
    axe.done()
    phone.close()


def test_match_page_has_no_navigation_bar(browser: Browser, base: str) -> None:
    (ann, _), match_id = table(base, "Ann", "Bob")
    phone = ann.phone(browser, SMALL)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game:not([data-rising])")
    expect(phone.page.locator(".nav")).to_have_count(0)
    phone.close()


def test_wide_screens_have_the_bar_at_the_side(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, WIDE)
    page = phone.page
    for path in ("/", "/tables", "/rules", "/you", "/settings", "/new"):
        page.goto(path)
        page.wait_for_selector("h1")
        bar = page.locator(".nav").bounding_box()
        heading = page.locator("h1").bounding_box()
        assert bar is not None
        assert heading is not None
        assert bar["height"] == WIDE["height"]
        assert heading["x"] >= bar["x"] + bar["width"], path
        assert fits(page)
    phone.close()


def test_games_waiting_for_the_player_come_first(browser: Browser, base: str) -> None:
    (ann, bob), match_id = played(base, 2, "Ann", "Bob")
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
    acting = ann.get(f"/matches/{match_id}")["to_act"][0]
    player = (ann, bob)[acting]
    other = player.post("/matches", body, 201)["id"]
    phone = player.phone(browser, SMALL)
    phone.page.goto("/")
    mine = phone.page.locator("[data-slot=mine]")
    expect(mine.locator("h2")).to_have_text(["Your turn", "Your games"])
    links = [link.get_attribute("href") for link in mine.locator(".table-card").all()]
    assert links == [f"/m/{match_id}", f"/m/{other}"]
    phone.close()


def test_public_tables_are_filtered_by_game(browser: Browser, public_base: str) -> None:
    bob = Program(public_base, "Bob")
    for game in ("caravanserai", "conquest"):
        body = {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}
        bob.post("/matches", body, 201)
    phone = Phone(browser, public_base, SMALL)
    page = phone.page
    page.goto("/tables")
    filters = page.get_by_role("group", name="Filter by game")
    Finger(page).tap_on(filters.get_by_role("button", name="Caravan Conquest"))
    shown = page.locator("[data-slot=public] .table-card:visible")
    expect(shown.locator("strong")).to_have_text(re.compile("^Caravan Conquest$"))
    Finger(page).tap_on(filters.get_by_role("button", name="All"))
    assert page.locator("[data-slot=public] .table-card:visible").count() >= 2
    phone.close()


def test_settings_are_kept_on_the_device(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger, axe = phone.page, Finger(phone.page), Inspector(phone.page)
    # The phones of tests turn it off.
    page.add_init_script("localStorage.removeItem('forced-moves')")
    page.goto("/you")
    finger.tap_on(page.get_by_role("link", name=re.compile("^Settings")))
    page.wait_for_url("**/settings")
    assert fits(page)
    axe.look("settings")
    off = ("Confirm final moves", "Play forced moves automatically")
    for name in (*off, "Board labels", "Vibration", "Sound"):
        finger.tap_on(page.get_by_role("switch", name=re.compile(f"^{name}")))
    for group, choice in (("Hints", "Never"), ("Animation speed", "Fast"), ("Theme", "Dark")):
        finger.tap_on(page.get_by_role("group", name=group).get_by_text(choice, exact=True))
    keys = (
        "confirm-moves", "forced-moves", "board-labels", "vibration", "signals", "hints",
        "animation-speed", "theme",
    )  # fmt: skip
    values = ["off", "off", "on", "on", "on", "off", "fast", "dark"]
    assert [page.evaluate(f"localStorage.getItem('{key}')") for key in keys] == values
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    expect(page.get_by_role("switch", name=re.compile("^Confirm"))).not_to_be_checked()
    expect(page.get_by_role("radio", name="Fast")).to_be_checked()
    assert page.evaluate("'labels' in document.documentElement.dataset")
    axe.done()
    phone.close()


@pytest.mark.parametrize("size", [PHONE, SHORT], ids=["phone", "short"])
def test_new_game_and_invitation_need_no_scrolling(
    browser: Browser, base: str, size: dict[str, int]
) -> None:
    phone = Program(base, "Ann").phone(browser, size)
    page = phone.page
    page.goto("/new?game=conquest")
    page.wait_for_selector("fieldset")
    assert is_whole_in_view(page, "Create game")
    summary = page.locator(".options > summary")
    expect(summary).to_contain_text("Options")
    expect(summary.locator(".chosen")).to_contain_text("No time limit")
    if size == PHONE:
        assert summary.evaluate("node => node.getBoundingClientRect().bottom <= innerHeight")
    page.get_by_role("button", name="Create game").tap()
    page.wait_for_selector(".qr")
    assert is_whole_in_view(page, "Share")
    phone.close()


def test_all_other_seats_go_to_bots(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/new?game=conquest")
    finger.tap_on(page.get_by_text("Against bots"))
    page.locator("input[name=gPlayers][value='3']").check()
    expect(page.get_by_label("Against bots")).to_be_checked()
    with page.expect_request("**/api/matches") as sent:
        finger.tap_on(page.get_by_role("button", name="Create game"))
    assert [seat["kind"] for seat in sent.value.post_data_json["seats"]] == ["me", "bot", "bot"]
    phone.close()
