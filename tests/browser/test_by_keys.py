"""Every game from its first page to its result by keys alone (Tab, Enter, Space and arrows), on a
phone without a network: against its own bots, with its own chance."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from service.settings import Settings
from tests.browser.lesson_player import Typist
from tests.browser.phone import fits
from tests.browser.test_on_this_phone import another_life, installed
from tests.service.running import server

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]

MOST = 400
"""More own moves than a game takes."""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("keys")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


@pytest.mark.timeout(900)
@pytest.mark.parametrize("slug", sorted(TITLES))
def test_a_whole_game_against_bots(browser: Browser, base: str, slug: str) -> None:
    """And its review, where a step of the game is looked at."""
    phone = installed(browser, base)
    page = phone.page
    page.goto(f"/play/{slug}")
    page.wait_for_url("**/m/phone-*")
    page.wait_for_selector(".game.my-turn")
    typist = Typist(page, slug)
    typist.whole_game(MOST)
    expect(page.locator(".podium")).to_be_visible()
    version = phone.version()
    review = page.get_by_role("link", name="Review")
    review.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/review")
    expect(page.get_by_role("heading", name=TITLES[slug].title).last).to_be_visible()
    assert fits(page)
    page.go_back()
    page.wait_for_selector(".game")
    assert phone.version() == version
    phone.close()


@pytest.mark.parametrize("slug", sorted(TITLES))
def test_it_is_taken_back_looked_back_at_and_found_again(
    browser: Browser, base: str, slug: str
) -> None:
    """The page is killed in between; nothing of it needs the service."""
    phone = installed(browser, base)
    page = phone.page
    page.goto(f"/play/{slug}")
    page.wait_for_selector(".game.my-turn")
    typist = Typist(page, slug)
    began = phone.version()
    typist.some_moves(2)
    moved = phone.version()
    assert moved > began
    back = page.get_by_role("button", name=re.compile("^(Step back|Ask to take back)")).first
    typist.press(back)
    page.wait_for_function(
        "was => Number(document.querySelector('.history input').max) !== was", arg=moved
    )
    phone.settled()
    version = phone.version()
    slider = page.locator(".history input")
    slider.focus()
    slider.press("Home")
    expect(page.get_by_role("button", name="Back to now")).to_be_visible()
    page.wait_for_timeout(2500)  # the board is drawn for the list when the table has stood a while
    page = another_life(phone)
    page.wait_for_function("document.querySelector('.small-board img')?.naturalWidth > 0")
    page.locator(".table-card").first.click()
    page.wait_for_selector(".game.my-turn")
    assert phone.version() == version
    phone.close()
