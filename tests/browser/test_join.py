"""Invitation links: they describe the game and its rules, and joining needs no name."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

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
    heading = host.page.get_by_role("heading", name=TITLES[slug].title, exact=True)
    expect(heading).to_be_visible()
    host.page.get_by_role("link", name="How to play").tap()
    expect(host.page.locator(".guide h2").first).to_be_visible()
    host.close()

    guest = Phone(browser, base, SMALL)
    guest.page.goto(f"/join/{match['id']}?invite={match['invite']}")
    told = guest.page.locator(".game-told")
    expect(told).to_contain_text("players")
    expect(told).to_contain_text("minutes")
    expect(told.locator(".small-board svg, .small-board img")).to_be_visible()
    guest.page.get_by_role("button", name="How to play").tap()
    sheet = guest.page.locator("dialog[open] .guide")
    expect(sheet.locator("h2, h3").first).to_be_visible()
    guest.page.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()
    guest.page.wait_for_timeout(400)  # an earlier tap is ignored as part of a double tap
    guest.page.get_by_role("button", name="Join").tap()
    guest.page.wait_for_url(f"**/m/{match['id']}")
    names = [seat["name"] for seat in people.get(f"/matches/{match['id']}")["seats"]]
    assert names[:2] == ["Ann", "Player 2"]
    guest.close()


def test_a_table_is_opened_without_a_name(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    phone.page.goto("/new?game=caravane")
    phone.page.get_by_role("button", name="Create game").tap()
    phone.page.wait_for_url("**/m/*")
    expect(phone.page.locator(".seat-line").first).to_contain_text("Player 1")
    phone.close()


# --- leaving a page before the service has answered ---------------------------------------------


def hold(page: Page, method: str, pattern: str) -> list[Route]:
    """Keep requests without an answer; return the list that they are appended to."""
    held: list[Route] = []

    def on_request(route: Route) -> None:
        held.append(route) if route.request.method == method else route.fallback()

    page.route(pattern, on_request)
    return held


def leave(page: Page, held: list[Route]) -> None:
    """Go to the home page once a request is held."""
    for _ in range(100):
        if held:
            break
        page.wait_for_timeout(100)
    page.get_by_role("link", name="Home").first.tap()
    page.wait_for_selector(".tables[aria-busy=false]")


def test_table_opened_after_leaving_is_not_shown(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    page = phone.page
    page.goto("/new?game=caravane")
    held = hold(page, "POST", "**/api/matches")
    page.get_by_role("button", name="Create game").tap()
    leave(page, held)
    with page.expect_response("**/api/matches"):
        held[0].continue_()
    page.wait_for_timeout(500)
    assert page.url == base + "/"
    phone.close()


def test_seat_taken_after_leaving_is_not_shown(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/matches", {"game": "caravane", "seats": seats}, 201)
    phone = Phone(browser, base, SMALL)
    page = phone.page
    page.goto(f"/join/{match['id']}?invite={match['invite']}")
    held = hold(page, "POST", "**/join")
    page.get_by_role("button", name="Join").tap()
    leave(page, held)
    with page.expect_response("**/join"):
        held[0].continue_()
    page.wait_for_timeout(500)
    assert page.url == base + "/"
    phone.close()


def test_missing_table_is_not_reported_after_leaving(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    page = phone.page
    held = hold(page, "GET", "**/api/matches/nowhere*")
    page.goto("/join/nowhere")
    leave(page, held)
    held[0].fulfill(status=404, json={"code": "no_such_match", "detail": "No such match."})
    page.wait_for_timeout(500)
    expect(page.locator(".tables").first).to_be_visible()
    expect(page.get_by_text("Table not found")).to_have_count(0)
    phone.errors = [each for each in phone.errors if "404" not in each]
    phone.close()
