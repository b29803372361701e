"""A match of every game by keys alone (Tab, Enter, Space and arrows), from its first page to its
review, on a phone without a network: against the phone's own bots, with its own random draws."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from tests.browser.lesson_player import Typist
from tests.browser.phone import Phone, fits
from tests.browser.test_on_this_phone import another_life, installed

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]

MAX_MOVES = 800
"""More own moves than a match takes."""
# Whether the board of the only match of this phone is stored for the list of matches.
HAS_THUMBNAIL = """() => new Promise((resolve, reject) => {
  const asked = indexedDB.open("matches", 1)
  asked.onerror = reject
  asked.onsuccess = () => {
    const heads = asked.result.transaction("heads").objectStore("heads").getAll()
    heads.onsuccess = () => {
      asked.result.close()
      resolve(heads.result.some((head) => head.picture))
    }
  }
})"""


def undo_and_look_back(phone: Phone, typist: Typist) -> int:
    """Undo a move, then show the first moment; return the latest version."""
    page = phone.page
    moved = phone.version()
    typist.press(page.get_by_role("button", name=re.compile("^(Undo step|Ask to undo)")).first)
    page.wait_for_function(
        "was => Number(document.querySelector('.history input').max) !== was", arg=moved
    )
    phone.settled()
    version = phone.version()
    page.locator(".history input").focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    return version


def reopen_from_the_list(phone: Phone) -> Page:
    """Kill the page and open the match from the list on the home page, which shows its board."""
    phone.page.wait_for_function(HAS_THUMBNAIL)
    page = another_life(phone)
    page.wait_for_function("document.querySelector('.small-board img')?.naturalWidth > 0")
    page.locator(".table-card").first.press("Enter")
    page.wait_for_selector(".game.my-turn")
    return page


def open_and_leave_the_review(page: Page, slug: str) -> None:
    """Open the review of a finished match and go back to the match."""
    page.get_by_role("link", name="Review").press("Enter")
    page.wait_for_url("**/review")
    expect(page.get_by_role("heading", name=TITLES[slug].title).last).to_be_visible()
    assert fits(page)
    page.go_back()
    page.wait_for_selector(".game")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("slug", sorted(TITLES))
def test_match_against_bots_by_keys_without_network(browser: Browser, base: str, slug: str) -> None:
    """Play, undo, look back, reopen after the page was killed, play to the end, read the review."""
    phone = installed(browser, base)
    phone.page.goto(f"/play/{slug}")
    phone.page.wait_for_url("**/m/phone-*")
    phone.page.wait_for_selector(".game.my-turn")
    typist = Typist(phone.page, slug)
    began = phone.version()
    typist.some_moves(2)
    assert phone.version() > began
    version = undo_and_look_back(phone, typist)
    page = reopen_from_the_list(phone)
    assert phone.version() == version
    typist.page = page
    typist.whole_game(MAX_MOVES)
    expect(page.locator(".podium")).to_be_visible()
    version = phone.version()
    open_and_leave_the_review(page, slug)
    assert phone.version() == version
    phone.close()
