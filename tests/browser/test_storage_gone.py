"""localStorage may be lost while the player cookie remains, and vice versa: the cookie decides."""

import json

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.browser.phone import Phone
from tests.browser.service import Program, table

pytestmark = pytest.mark.browser

NO_COOKIES = "Object.defineProperty(navigator, 'cookieEnabled', { value: false })"
NOBODY = "You’re not signed in on this device."


def emptied(browser: Browser, player: Program) -> Phone:
    """The player's phone, of which only the cookie is left."""
    phone = Phone(browser, player.base)
    cookie = {"name": "player", "value": player.token, "url": player.base}
    phone.context.add_cookies([cookie])  # type: ignore[list-item]
    return phone


def asked_who(page: Page) -> list[str]:
    """Notes each question to the service who this is."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/api/players/me"):
            asked.append(page.url)

    page.on("request", note)
    return asked


def test_home_page_knows_the_player_by_the_cookie(browser: Browser, base: str) -> None:
    (ann, _), match_id = table(base, "Ann", "Bob")
    phone = emptied(browser, ann)
    asked = asked_who(phone.page)
    phone.page.goto("/")
    expect(phone.page.locator(f"[data-slot=mine] a[href='/m/{match_id}']")).to_be_visible()
    assert len(asked) == 1
    phone.page.goto("/you")
    phone.page.get_by_role("button", name="Use on another device").tap()
    expect(phone.page.locator("dialog[open] .qr")).to_be_visible()
    expect(phone.page.locator(".toast")).to_have_count(0)
    phone.close()


@pytest.mark.parametrize("address", ["/you", "/new", "/m/{}"])
def test_every_page_knows_the_player_by_the_cookie(
    browser: Browser, base: str, address: str
) -> None:
    (ann, _), match_id = table(base, "Ann", "Bob")
    phone = emptied(browser, ann)
    page = phone.page
    page.goto(address.format(match_id))
    if address == "/you":
        expect(page.get_by_role("heading", name="Ann")).to_be_visible()
        expect(page.get_by_text(NOBODY)).to_have_count(0)
    elif address == "/new":
        expect(page.get_by_label("Your name")).to_have_value("Ann")
    else:
        page.wait_for_selector(".game.my-turn")
        page.wait_for_function("localStorage.getItem('name') === 'Ann'")
    phone.close()


def test_first_visit_asks_nothing(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    asked = asked_who(phone.page)
    phone.page.goto("/")
    expect(phone.page.locator("[data-slot=mine]")).to_have_attribute("aria-busy", "false")
    assert asked == []
    phone.close()


def test_lost_cookie_invalidates_the_stored_hints(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    hints = {"player": "1", "player_id": "someone", "mine": json.dumps({"items": [], "next": None})}
    page.goto("/rules")
    page.evaluate("hints => Object.assign(localStorage, hints)", hints)
    page.goto("/you")
    expect(page.get_by_text(NOBODY)).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('player'))") == []
    asked = asked_who(page)
    page.goto("/")
    expect(page.locator("[data-slot=mine]")).to_have_attribute("aria-busy", "false")
    assert asked == []
    page.close()  # with the lines that Chromium writes of the 401
    phone.context.close()


def test_unanswered_request_keeps_the_identity(browser: Browser, base: str) -> None:
    """Neither "no tables yet" nor "nobody": it is asked again."""
    (ann, _), match_id = table(base, "Ann", "Bob")
    phone = emptied(browser, ann)
    page = phone.page
    away = "**/api/players/me"
    page.route(away, lambda route: route.fulfill(status=503, json={"code": "busy"}))
    page.goto("/")
    mine = page.locator("[data-slot=mine]")
    expect(mine.locator("p")).to_have_text("You’ll see them when you’re back online.")
    page.goto("/you")
    expect(page.locator(".skeleton").first).to_be_visible()
    expect(page.get_by_text(NOBODY)).to_have_count(0)
    page.unroute(away)
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    page.goto("/")
    expect(mine.locator(f"a[href='/m/{match_id}']")).to_be_visible()
    page.close()
    phone.context.close()


def test_blocked_cookies_are_named(browser: Browser, base: str) -> None:
    """A browser that takes no cookie, and one that says so itself: nothing is sent there."""
    phone = Phone(browser, base)
    page = phone.page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.route("**/api/players", lambda route: route.fulfill(status=201, json={"name": "Ann"}))
    toast = page.locator(".toast")
    for says_so in (False, True):
        if says_so:
            page.add_init_script(
                "Object.defineProperty(navigator, 'cookieEnabled', {value: false})"
            )
        page.goto("/new?game=caravanserai")
        page.get_by_label("Your name").fill("Ann")
        sent.clear()
        page.get_by_role("button", name="Create game").tap()
        expect(toast).to_contain_text("Your browser blocks cookies")
        expect(toast).not_to_contain_text("POST")
        assert ("POST" in sent) != says_so
    page.close()
    phone.context.close()
