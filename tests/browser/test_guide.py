"""The rules pages: reachable from everywhere, and shown over a match without disturbing it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from tests.browser.phone import NO_OVERLAY, SMALL, Phone, fits
from tests.browser.scenes import until
from tests.browser.screens.caravanserai import HEX
from tests.browser.service import Program, table
from tests.browser.test_axe import Inspector
from tests.browser.touch import Finger
from tests.game_contract.strict_english import format_message

pytestmark = pytest.mark.browser


def test_the_rules_of_every_game_from_the_first_page(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    page, finger, axe = phone.page, Finger(phone.page), Inspector(phone.page)
    page.goto("/")
    finger.tap_on(page.get_by_role("link", name="Learn"))
    page.wait_for_url("**/rules")
    for slug, title in TITLES.items():
        told = page.locator(".card", has=page.get_by_role("link", name=title.title, exact=True))
        expect(told).to_contain_text(format_message(slug, title.about, {}))
        expect(told).to_contain_text(re.compile(r"\d+ (player|or|to)"))
        expect(told).to_contain_text(f"about {title.minutes} minute")
        board = f"/api/games/{slug}/board.svg"
        expect(told.locator(f"img[src^='{board}']")).to_have_count(1)
    axe.look("all rules")
    for slug, title in TITLES.items():
        finger.tap_on(page.get_by_role("link", name=title.title, exact=True))
        page.wait_for_url(f"**/rules/{slug}")
        last = page.locator(".contents a").last
        heading = last.inner_text()
        finger.tap_on(last)
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_focused()
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_in_viewport()
        assert "#" in page.url
        assert fits(page)
        axe.look(f"the rules of {slug}")
        finger.tap_on(page.get_by_role("link", name="All rules"))
        page.wait_for_url("**/rules")
    page.goto("/rules/nothing")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    axe.done()
    phone.close()


def test_over_a_half_made_move(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    phone = until(people, match_id, 3, HEX["laying"]).phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto(f"/m/{match_id}")
    kind = page.locator(".kind:not([aria-disabled])").first
    finger.tap_on(kind)
    expect(kind).to_have_attribute("aria-pressed", "true")
    finger.tap_on(page.get_by_role("button", name="Table menu"))
    finger.tap_on(page.locator("dialog[open]").get_by_role("button", name="Rules"))
    expect(page.get_by_role("heading", name="Laying blocks")).to_be_focused()
    hint = page.locator(".hint-line")
    switch = page.get_by_role("switch", name="Hints")
    expect(switch).to_be_checked()
    finger.tap_on(switch)
    expect(hint).to_be_hidden()
    finger.tap_on(switch)
    finger.tap_on(page.locator("dialog[open]").get_by_role("button", name="Close"))
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(kind).to_have_attribute("aria-pressed", "true")
    expect(hint).to_contain_text("Lay one or two goods")
    page.wait_for_function(NO_OVERLAY)
    page.reload()
    expect(hint).to_contain_text("Lay one or two goods")
    phone.close()


def test_hints_are_shown_in_the_first_match_of_a_game(browser: Browser, base: str) -> None:
    """They appear with the board, in the first match of a game only, until they are turned off."""
    slug = "caravanserai"
    phone = Phone(browser, base, SMALL)
    page, finger = phone.page, Finger(phone.page)
    hint = page.locator(".hint-line")
    page.goto(f"/play/{slug}")
    page.wait_for_url("**/m/phone-*")
    expect(hint).to_contain_text("Start on any empty outer caravanserai")
    page.reload()
    page.wait_for_selector(".game.my-turn")
    expect(page.get_by_role("button", name="All moves")).to_be_visible()
    _start_over(page, finger)
    expect(hint).to_be_hidden()
    page.evaluate(f"localStorage.removeItem('first-{slug}')")
    page.goto(f"/play/{slug}")
    expect(hint).to_contain_text("Start on any empty outer caravanserai")
    finger.tap_on(hint.get_by_role("button", name="Turn off hints"))
    expect(hint).to_be_hidden()
    page.evaluate(f"localStorage.removeItem('first-{slug}')")
    _start_over(page, finger)
    expect(hint).to_be_hidden()
    phone.close()


def _start_over(page: Page, finger: Finger) -> None:
    """Start another practice game in place of the open one."""
    before = page.url
    finger.tap_on(page.get_by_role("button", name="Table menu"))
    finger.tap_on(page.locator("dialog[open] .way", has_text="Start over"))
    finger.tap_on(page.locator("dialog[open]").get_by_role("button", name="Start over"))
    page.wait_for_url(lambda address: "/m/phone-" in address and address != before)
    page.wait_for_selector(".game.my-turn")


def test_over_a_table_that_is_being_set(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/new?game=caravane")
    page.locator("input[name=gPlayers]").nth(2).check()
    finger.tap_on(page.get_by_role("button", name="How to play"))
    expect(page.get_by_role("heading", name="Overview")).to_be_focused()
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("input[name=gPlayers]").nth(2)).to_be_checked()
    phone.close()
