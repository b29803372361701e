"""The visible home page updates itself, without moving targets under a finger."""

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import SMALL
from tests.browser.service import Program, played, table
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

QUICK = "window.setTimeout = ((real) => (f, ms) => real(f, ms === 15000 ? 700 : ms))(setTimeout)"
"""Polls come after 0.7 seconds instead of 15."""

IDLE_MS = 1_500
WATCH_FOR_TURN = """() => {
  let touchedAt
  const mine = document.querySelector("[data-slot=mine]")
  addEventListener("pointerdown", () => { touchedAt = performance.now() }, true)
  new MutationObserver(() => {
    if (window.idleMs === undefined && mine.textContent.includes("your turn")) {
      window.idleMs = performance.now() - touchedAt
    }
  }).observe(mine, { subtree: true, childList: true, characterData: true })
}"""
"""Sets ``idleMs`` to the time since the last touch when "your turn" appears. A busy machine may
leave longer pauses between the touches than the test means to."""


def titles(page: Page) -> list[str]:
    """The tables in their order, by the end of their address."""
    links = page.locator("[data-slot=mine] .table-card")
    return [str(link.get_attribute("href")).rpartition("/")[2] for link in links.all()]


def has_order(page: Page, ids: list[str]) -> None:
    """The list shows these tables in this order, at the latest after the next poll."""
    links = [f"/m/{each}" for each in ids]
    page.wait_for_function(
        """links => JSON.stringify([...document.querySelectorAll("[data-slot=mine] .table-card")]
        .map((each) => each.getAttribute("href"))) === JSON.stringify(links)""",
        arg=links,
    )


def order_of(person: Program) -> list[str]:
    return [item["id"] for item in person.get("/matches?scope=mine&sort=turn")["items"]]


def play_until(people: list[Program], match_id: str, seat: int) -> None:
    rng = random.Random(4)
    while (acting := people[0].get(f"/matches/{match_id}")["to_act"]) != [seat]:
        people[acting[0]].step(match_id, rng)


def test_a_move_of_somebody_else_changes_the_card_and_the_order(
    browser: Browser, base: str
) -> None:
    (ann, bob), waiting = played(base, 2, "Ann", "Bob")
    play_until([ann, bob], waiting, 1)
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "options": {"begins": "host"},
    }
    opened = ann.post("/matches", body, 201)
    other = opened["id"]
    bob.post(f"/matches/{other}/join", {"invite": opened["invite"]})
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.add_init_script(QUICK)
    page.goto("/")
    expect(page.locator("[data-slot=mine] .table-card")).to_have_count(2)
    has_order(page, [other, waiting])
    card = page.locator(f"[data-slot=mine] [href='/m/{waiting}']")
    expect(card.get_by_text("your turn")).to_have_count(0)
    # The reader is in the middle of the list: by keyboard, at the menu of the other table.
    menu = page.get_by_role("button", name="Table menu").first
    menu.focus()
    menu.evaluate("node => { node.mine = true }")
    play_until([ann, bob], waiting, 0)
    expect(card.get_by_text("your turn")).to_be_visible()
    assert page.evaluate("document.activeElement.mine"), "the focus is where it was"
    has_order(page, order_of(ann))
    phone.close()


def test_nothing_moves_under_a_finger(browser: Browser, base: str) -> None:
    """While somebody touches the page it stays as it is; it changes once they have stopped."""
    (ann, bob), match_id = played(base, 2, "Ann", "Bob")
    play_until([ann, bob], match_id, 1)
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.add_init_script(QUICK)
    page.goto("/")
    card = page.locator("[data-slot=mine] .table-card")
    expect(card).to_have_count(1)
    heading = page.locator("h1, h2").first
    finger = Finger(page)
    page.evaluate(WATCH_FOR_TURN)
    finger.tap_on(heading)
    play_until([ann, bob], match_id, 0)
    asked = page.evaluate("performance.getEntriesByType('resource').length")
    for _ in range(8):
        finger.tap_on(heading)
        page.wait_for_timeout(250)
    assert page.evaluate("performance.getEntriesByType('resource').length") > asked, "it looked"
    expect(card.get_by_text("your turn")).to_be_visible()
    assert page.evaluate("window.idleMs") >= IDLE_MS
    phone.close()


def test_a_table_that_somebody_opens_appears_and_further_pages_stay(
    browser: Browser, public_base: str
) -> None:
    ann, bob = Program(public_base, "Ann"), Program(public_base, "Bob")
    for _ in range(25):
        ann.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}]}, 201)
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.add_init_script(QUICK)
    page.goto("/")
    more = page.locator("[data-slot=mine]").get_by_role("button", name="Show more")
    Finger(page).tap_on(more)
    expect(page.locator("[data-slot=mine] .table-card")).to_have_count(25)
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "visibility": "public",
    }
    opened = bob.post("/matches", body, 201)["id"]
    expect(page.locator(f"[data-slot=public] [href='/join/{opened}']")).to_have_count(1)
    assert len(set(titles(page))) == 25
    phone.close()


def test_without_the_server_the_page_says_of_when_it_is(browser: Browser, base: str) -> None:
    (ann, _), _match_id = table(base, "Ann", "Bob")
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.add_init_script(QUICK)
    page.goto("/")
    expect(page.locator("[data-slot=mine] .table-card")).to_have_count(1)
    page.route("**/api/**", lambda route: route.abort())
    banner = page.locator(".offline")
    expect(banner).to_contain_text("Last updated")
    page.unroute("**/api/**")
    expect(banner).to_be_hidden()
    phone.errors.clear()
    phone.close()
