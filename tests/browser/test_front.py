"""The home page is rendered by the service; the app takes it over without redrawing it."""

import httpx
import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from tests.browser.phone import SMALL, Phone
from tests.browser.service import Program
from tests.browser.touch import Finger
from tests.game_contract.strict_english import format_message

WATCHED = """
addEventListener("DOMContentLoaded", () => {
  window.sent = document.querySelector(".hero h1")
  window.moved = 0
  new PerformanceObserver((list) => {
    list.getEntries().forEach((entry) => { window.moved += entry.value })
  }).observe({ type: "layout-shift", buffered: true })
})
"""
SETTLED = """document.documentElement.dataset.ready === "1"
  && !document.querySelector(".tables[aria-busy=true]")"""


def test_only_the_home_page_has_it(base: str) -> None:
    texts = {path: httpx.get(base + path).text for path in ("/", "/new", "/m/nothing")}
    found = {path: text.count("<h1>Caravanserai</h1>") for path, text in texts.items()}
    assert found == {"/": 1, "/new": 0, "/m/nothing": 0}
    assert "No account, no app store" in texts["/"]


@pytest.mark.browser
def test_the_app_takes_over_what_was_sent_and_nothing_moves(browser: Browser, base: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, base_url=base)
    page.add_init_script(WATCHED)
    page.goto("/")
    page.wait_for_function(SETTLED)
    assert page.evaluate("window.sent === document.querySelector('.hero h1')")
    assert page.evaluate("window.moved") < 0.01
    page.get_by_role("link", name="You", exact=True).click()
    page.get_by_role("heading", name="Caravanserai", level=1).wait_for(state="detached")
    page.go_back()
    page.get_by_role("heading", name="Games", exact=True).wait_for()
    page.close()


@pytest.mark.browser
def test_own_matches_come_first_and_do_not_move(browser: Browser, base: str) -> None:
    """The welcome for new visitors neither pushes them off the screen nor moves them later."""
    ann = Program(base, "Ann")
    ann.post("/matches", {"game": "conquest", "seats": [{"kind": "me"}, {"kind": "bot"}]}, 201)
    context = browser.new_context(base_url=base, service_workers="block")
    context.add_cookies([{"name": "player", "value": ann.token, "url": base}])
    page = context.new_page()
    page.add_init_script("localStorage.setItem('player', '1')")
    page.add_init_script(WATCHED)
    for width, height in ((320, 568), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        page.wait_for_function(SETTLED)
        assert page.evaluate("window.sent === document.querySelector('.hero h1')")
        assert page.evaluate("window.moved") < 0.05, width
        card = page.locator("[data-slot=mine] .table-card").first.bounding_box()
        assert card is not None
        assert card["y"] + card["height"] < height
        games = page.get_by_role("heading", name="Games", exact=True).bounding_box()
        assert games is not None
        assert games["y"] > card["y"] + card["height"]
        assert page.locator(".hero a").all_inner_texts() == ["New game"]
    context.close()


@pytest.mark.browser
def test_what_each_game_is_and_how_to_begin(browser: Browser, base: str) -> None:
    """Without JavaScript, each game's card shows a picture, a summary, players and duration."""
    page = browser.new_page(java_script_enabled=False, base_url=base)
    page.goto("/")
    for slug, title in TITLES.items():
        card = page.locator(".game-card").filter(
            has=page.get_by_role("heading", name=title.title, exact=True)
        )
        expect(card).to_contain_text(format_message(slug, title.about, {}))
        expect(card.locator(".facts")).to_contain_text(
            f"{max(title.seats)} players, about {title.minutes} minutes, "
        )
        picture = card.locator("img")
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
    page.close()


@pytest.mark.browser
def test_each_game_begins_from_its_card(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/")
    page.wait_for_function(SETTLED)
    for number, slug in enumerate(TITLES):
        card = page.locator(".game-card").nth(number)
        drawn = "image => image.complete && image.naturalWidth > 0"
        card.scroll_into_view_if_needed()
        page.wait_for_function(
            f"({drawn})(document.querySelector(\".game-card img[src*='/{slug}/']\"))"
        )
        finger.tap_on(card.locator("h3"))
        page.wait_for_url(f"**/new?game={slug}")
        expect(page.get_by_role("radio", name=TITLES[slug].title, exact=True)).to_be_checked()
        page.go_back()
        finger.tap_on(card.get_by_role("link", name="Tutorial", exact=True))
        expect(page.locator(".coach")).to_be_visible()
        page.go_back()
        finger.tap_on(card.get_by_role("link", name="Play vs"))
        page.wait_for_url("**/m/phone-*")
        expect(page.locator(".game")).to_be_visible()
        page.go_back()
        page.wait_for_url(base + "/")
    phone.close()


@pytest.mark.browser
def test_it_can_be_read_without_a_script(browser: Browser, base: str) -> None:
    page = browser.new_page(java_script_enabled=False, base_url=base)
    page.goto("/")
    assert page.get_by_role("img", name="A caravan arrives at a caravanserai").is_visible()
    page.get_by_role("link", name="New game").click()
    page.wait_for_url("**/new")
    page.close()
