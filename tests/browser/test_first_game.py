"""Practice games against the bot: their layout, and that there is one per game, which is resumed
at the next visit or started over."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from tests.browser.phone import NO_OVERLAY, PHONE, Phone
from tests.browser.service import table
from tests.browser.touch import Finger, place

pytestmark = pytest.mark.browser

SCREENS = [
    ((390, 844), "light", "en"),
    ((320, 568), "light", "en"),
    ((320, 568), "dark", "fr"),
]
HAND_OVER = {"en": "Move online", "fr": "Mettre en ligne"}
FIRST_HINTS = {
    "caravane": "Bid none, some or all of your gourds.",
    "caravanserai": "Start on any empty outer caravanserai",
    "caravanserail": "Choose any free caravanserai as your home.",
    "conquest": "Take one or more steps",
    "courtyard": "Choose a starting gate and silver or emerald.",
}
# What is written larger than its own box, or than the part of the table it stands in.
OVERFLOWING = """() => {
  const larger = node =>
    node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1
  return [...document.querySelectorAll(
    ".dock-head, .dock-foot, .dock-body > :not([hidden]), .way, .dock .button"
  )]
    .filter(node => node.checkVisibility() && !node.closest(".beside, .work") && larger(node))
    .map(node => [node.className, node.textContent.slice(0, 60), node.clientHeight])
}"""


def at_the_table(page: Page, address: str) -> str:
    """Open a practice game; return the id of its match."""
    page.goto(address)
    page.wait_for_url("**/m/phone-*")
    page.wait_for_selector(".game:not([data-rising])")
    expect(page.locator(".actions .button").last).to_be_visible()
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize("game", TITLES)
def test_practice_game_has_a_hint_and_no_text_overflows(
    browser: Browser, base: str, game: str
) -> None:
    phone = Phone(browser, base)
    page = phone.page
    address = f"/play/{game}"
    for size, theme, language in SCREENS:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        if language == "fr":
            page.evaluate("localStorage.setItem('language', 'fr')")
        if (size, theme, language) != SCREENS[1]:  # a resize needs no reload
            at_the_table(page, address)
        page.locator(".game-bar .button").last.press("Enter")
        card = page.locator("dialog .way", has_text=HAND_OVER[language])
        expect(card).to_be_visible()
        assert page.evaluate(OVERFLOWING) == []
        box, inner = card.bounding_box(), card.locator("span").bounding_box()
        assert box is not None
        assert inner is not None
        assert box["y"] <= inner["y"]
        assert inner["y"] + inner["height"] <= box["y"] + box["height"]
        page.keyboard.press("Escape")
        expect(card).to_be_hidden()
        page.wait_for_function(NO_OVERLAY)
        if language == "en":
            expect(page.locator(".hint-line")).to_contain_text(FIRST_HINTS[game])
    phone.close()


def test_practice_game_goes_on_at_the_next_visit(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    first = at_the_table(page, "/play/caravanserai")
    assert at_the_table(page, "/play/caravanserai") == first
    expect(page.locator(".toast")).to_contain_text("Your practice game continues.")
    alone = at_the_table(page, "/play/caravanserai/alone")
    assert alone != first
    assert at_the_table(page, "/play/caravanserai/alone") == alone
    assert at_the_table(page, "/play/caravane") != first
    page.goto("/")
    expect(page.locator(".table-card[href*='/m/phone-']")).to_have_count(3)
    phone.close()


def test_two_taps_open_one_practice_game(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    finger = Finger(page)
    page.goto("/")
    link = page.locator("a[href='/play/caravanserai']").first
    expect(page.locator("[data-slot=mine]")).to_have_attribute("aria-busy", "false")
    finger.double_tap(*place(link))
    page.wait_for_url("**/m/phone-*")
    page.wait_for_selector(".game:not([data-rising])")
    page.goto("/")
    expect(page.locator(".table-card[href*='/m/phone-']")).to_have_count(1)
    phone.close()


def test_practice_game_starts_over_on_request(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    finger = Finger(page)
    first = at_the_table(page, "/play/caravanserai")
    menu = page.get_by_role("button", name="Table menu")
    again = page.locator("dialog .way", has_text="Start over")
    finger.tap_on(menu)
    finger.tap_on(again)
    sheet = page.locator("dialog[open]", has_text="Keep playing")
    finger.tap_on(sheet.get_by_role("button", name="Keep playing"))
    expect(sheet).to_have_count(0)
    assert page.url.endswith(first)
    finger.tap_on(menu)
    finger.tap_on(again)
    finger.tap_on(sheet.get_by_role("button", name="Start over"))
    page.wait_for_url(re.compile(f"/m/phone-(?!{first[len('phone-') :]})"))
    page.wait_for_selector(".game:not([data-rising])")
    page.goto("/")
    expect(page.locator(".table-card[href*='/m/phone-']")).to_have_count(1)
    expect(page.locator(f".table-card[href='/m/{first}']")).to_have_count(0)
    phone.close()


def test_tables_with_friends_come_before_practice_games(browser: Browser, base: str) -> None:
    """Those of this phone, and those of the service, though only the practice game waits."""
    people, match_id = table(base, "Ann", "Bob")
    bob = people[1]
    seats = [{"kind": "me"}, {"kind": "bot"}]
    options = {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
    practice = bob.post("/matches", options, 201)["id"]
    assert bob.get(f"/matches/{practice}")["to_act"] == [0]
    phone = bob.phone(browser, PHONE)
    page = phone.page
    here = at_the_table(page, "/play/caravanserai")
    page.goto("/")
    cards = page.locator(".table-card")
    expect(cards).to_have_count(3)
    order = [f"/m/{each}" for each in (match_id, practice, here)]
    assert cards.evaluate_all("nodes => nodes.map(node => node.getAttribute('href'))") == order
    phone.close()
