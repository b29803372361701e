"""Every game from its first page to its result by keys alone: Tab, Enter, Space and arrows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from domain.register import TITLES
from service.settings import Settings
from tests.browser.phone import Phone
from tests.browser.pupil import Typist
from tests.service.running import server

pytestmark = pytest.mark.browser

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
    phone = Phone(browser, base, {"width": 320, "height": 568})
    page = phone.page
    page.goto("/")
    page.wait_for_selector("#app h1")
    page.goto(f"/play/{slug}")
    page.wait_for_url("**/m/phone-*")
    page.wait_for_selector(".game.my-turn")
    print(slug, Typist(page, slug).whole_game(MOST), "moves")
    expect(page.locator(".podium")).to_be_visible()
    phone.close()
