"""A page of an earlier version requests parts that no longer exist: it says that a new version is
available and offers to reload. Requests that fail on the network are retried."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.phone import Phone
from tests.browser.scenes import kept
from tests.browser.service import Program, table
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

NOTICE = ".offline.newer"
RETRY_MS = 2600
"""Milliseconds within which a request that failed on the network is sent again."""
ASSETS = re.compile(r"/(assets|words)/")


def tell_gone(page: Page, finger: Finger) -> None:
    """Check that the message is shown, requests have stopped, and a reload fixes the page."""
    expect(page.locator(NOTICE)).to_contain_text("A new version is available.")
    expect(page.locator(".skeleton")).to_have_count(0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.run_for(RETRY_MS)
    page.wait_for_timeout(100)
    assert [each for each in asked if ASSETS.search(each)] == []
    page.unroute_all()
    with page.expect_navigation():
        finger.tap_on(page.get_by_role("button", name="Reload"))
    expect(page.locator(NOTICE)).to_have_count(0)


CARD = "[data-slot=mine] .table-card"
PARTS = (
    (r"table[.-]", CARD, ".game"),
    (r"game-caravanserai[.-]", CARD, ".game"),
    (r"look-caravanserai\.\w+\.css", CARD, ".game"),
    (r"look-caravanserai\.\w+\.svg", CARD, ".game"),
    (r"opening[.-]", "a[href='/new']", "#name, [name=gPlayers]"),
    (r"phone[.-]", "a[href='/play/caravanserai']", ".game"),
    (r"rules-caravanserai[.-]", "a[href='/play/caravanserai']", ".game"),
    (r"guide[.-]", "a[href='/rules']", "main h1"),
    (r"lesson[.-]", "a[href='/learn/caravanserai']", ".game"),
    (r"you[.-]", "a[href='/you']", "main h1"),
)
"""Parts of the app, the link on the home page that needs each, and what shows once it is there."""


def test_part_that_is_gone_offers_a_reload(browser: Browser, base: str) -> None:
    """This holds for each part, and in each language."""
    (ann, _), _ = table(base, "Ann", "Bob")
    phone = ann.phone(browser)
    page = phone.page
    finger = Finger(page)
    page.clock.install()
    gone: list[str] = []

    def answer(route: Route) -> None:
        gone.append(route.request.url)
        route.fulfill(status=404, body="gone")

    for part, link, there in PARTS:
        gone.clear()
        page.goto("/")
        expect(page.locator(CARD)).to_be_visible()
        page.route(re.compile(f"/assets/{part}"), answer)
        finger.tap_on(page.locator(link).first)
        tell_gone(page, finger)
        page.wait_for_selector(there)
        assert gone, part
    page.evaluate("localStorage.setItem('language', 'fr')")
    page.goto("/")
    expect(page.locator(CARD)).to_be_visible()
    page.route("**/words/fr/caravanserai.*", lambda route: route.fulfill(status=404, body="gone"))
    finger.tap_on(page.locator(CARD))
    expect(page.locator(NOTICE)).to_contain_text("Une nouvelle version est disponible.")
    page.close()
    phone.context.close()  # Chromium writes a line for each 404


def test_review_that_is_gone_offers_a_reload(browser: Browser, base: str) -> None:
    """Nothing on the home page leads to the review, which a link may open."""
    ann = Program(base, "Ann")
    match_id = kept(ann, "caravanserai-4-v1.json")  # finished: a running match has no review yet
    phone = ann.phone(browser)
    page = phone.page
    page.clock.install()
    page.route("**/assets/review*", lambda route: route.fulfill(status=404, body="gone"))
    page.goto(f"/m/{match_id}/review")
    tell_gone(page, Finger(page))
    expect(page.get_by_role("heading", name="Review", level=1)).to_be_visible()
    page.close()
    phone.context.close()


def test_part_that_the_network_lost_is_asked_for_again(browser: Browser, base: str) -> None:
    """Also one that a busy service refuses: nothing is said of a new version."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/")
    expect(page.locator("[data-slot=mine]")).to_have_attribute("aria-busy", "false")
    tries: list[str] = []

    def away(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) % 2:
            route.abort()
        else:
            route.fulfill(status=503, body="busy")

    page.route("**/assets/opening*", away)
    page.get_by_role("link", name="New game").tap()
    page.wait_for_timeout(100)
    while len(tries) < 6:
        page.wait_for_timeout(100)
    expect(page.locator(NOTICE)).to_have_count(0)
    page.unroute("**/assets/opening*")
    page.wait_for_selector("[name=gPlayers]")
    page.close()
    phone.context.close()


def test_start_without_its_scripts_blames_no_browser(browser: Browser, base: str) -> None:
    page = browser.new_page(base_url=base, service_workers="block")
    page.route("**/assets/app*", lambda route: route.fulfill(status=404, body="gone"))
    page.goto("/new")
    expect(page.locator("#lost")).to_have_text("Part of the app couldn’t be loaded. Reload page")
    expect(page.locator("#unable")).to_be_hidden()
    page.unroute_all()
    page.get_by_role("link", name="Reload page").click()
    page.wait_for_selector("[name=gPlayers]")
    expect(page.locator("#lost")).to_have_count(0)
    page.close()
