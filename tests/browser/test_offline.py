"""The installed app offline: the service worker caches the app's own files and nothing else."""

import pytest
from playwright.sync_api import Browser, Route, expect

from domain.contract.registry import TITLES
from tests.browser.phone import Phone, until_kept
from tests.browser.service import table

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]


def test_the_app_opens_without_a_network_and_comes_back(browser: Browser, base: str) -> None:
    """Offline, the home page and an earlier match open with a notice, which goes once online."""
    phone = Phone(browser, base)
    page = phone.page
    phone.open_table(["Ann"])
    page.wait_for_selector(".game.my-turn")
    until_kept(page)
    table = page.url
    phone.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_role("heading", name="Caravanserai", level=1)).to_be_visible()
    expect(page.locator(".offline")).to_be_visible()
    page.goto(table)
    # The last known match if it was stored before the network was lost (see `test_last_known`),
    # otherwise the placeholder.
    expect(page.locator(".skeleton, .game").first).to_be_visible()
    expect(page.locator(".offline")).to_contain_text("No connection.")
    phone.context.set_offline(False)
    page.wait_for_selector(".game.my-turn")
    expect(page.locator(".offline")).to_be_hidden()
    phone.close()


@pytest.mark.timeout(300)
def test_rules_and_lessons_open_after_one_visit_to_the_home_page(
    browser: Browser, base: str
) -> None:
    """Rules and lessons of every game open offline."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/")
    until_kept(page)
    phone.context.set_offline(True)
    page.goto("/rules")
    for title in TITLES.values():
        expect(page.get_by_role("link", name=title.title, exact=True)).to_be_visible()
    for slug, title in TITLES.items():
        page.goto(f"/rules/{slug}")
        expect(page.get_by_role("heading", name=f"How to play {title.title}")).to_be_visible()
        expect(page.locator(".guide figure svg").first).to_be_visible()
        page.goto(f"/learn/{slug}")
        expect(page.locator(".coach p").first).to_be_visible()
        expect(page.locator(".board-area svg").first).to_be_visible()
    phone.close()


def test_what_the_service_says_is_never_kept(browser: Browser, base: str) -> None:
    """The caches hold static files and the two HTML pages, but no answers of the API."""
    phone = Phone(browser, base)
    page = phone.page
    phone.open_table(["Ann"])
    page.wait_for_selector(".game.my-turn")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.wait_for_selector(".game.my-turn")
    kept = page.evaluate(
        """async () => {
          const found = []
          for (const name of await caches.keys()) {
            for (const request of await (await caches.open(name)).keys()) {
              found.push(new URL(request.url).pathname)
            }
          }
          return found
        }"""
    )
    pages = {path for path in kept if not path.startswith(("/assets/", "/words/"))}
    assert pages == {"/", "/new"}  # the home page, and the page of all other addresses
    phone.close()


def test_what_works_without_a_network_is_not_fetched_before_the_table_stands(
    browser: Browser, base: str
) -> None:
    """The service worker is registered only after the first match page is complete.

    Its seventy precached files would take a fifth of the time until that page is shown.
    """
    (ann,), match_id = table(base, "Ann")
    stranger = Phone(browser, base)
    page = stranger.page
    page.add_init_script(
        """const registered = []
        window.registered = registered
        const real = navigator.serviceWorker.register
        navigator.serviceWorker.register = function (...given) {
          registered.push(document.querySelector(".first-board, .skeleton, [data-rising]") === null)
          return real.apply(this, given)
        }"""
    )
    held: list[Route] = []
    page.route("**/events?*", lambda route: held.append(route))
    page.goto(f"/m/{match_id}?share={ann.get(f'/matches/{match_id}')['share']}")
    while not held:
        page.wait_for_timeout(50)
    page.wait_for_timeout(1500)
    assert page.evaluate("window.registered") == []
    for route in held:
        route.continue_()
    page.wait_for_selector(".game:not([data-rising])")
    page.wait_for_function("window.registered.length === 1 && window.registered[0]")
    until_kept(page)
    stranger.close()
