"""A table on the smallest phone with letters of twice the size, and at a page zoom of 200% on a
window of 640: everything is there, nothing covered, cut off or beside the page.

The sweep (`tests.browser.test_sweep`) takes every screen in some of these settings only.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from service.settings import Settings
from tests.browser.inspection import crowded, hidden
from tests.browser.phone import Phone
from tests.browser.scenes import SMALL
from tests.browser.service import Program, table
from tests.browser.test_sweep import enlarge
from tests.service.running import server

pytestmark = pytest.mark.browser

# Words that are cut at the edge of what holds them; an ellipsis shortens names, which are said
# whole elsewhere.
CUT = """() => [...document.querySelectorAll(".turn span, .button, .notice span, dialog[open] p")]
  .filter(node => node.checkVisibility() && node.getBoundingClientRect().width > 1)
  .filter(node => node.scrollWidth > node.clientWidth + 1 ||
    node.scrollHeight > node.clientHeight + 2)
  .filter(node => getComputedStyle(node).display !== "inline")
  .map(node => node.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("letters")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def acting(browser: Browser, base: str, slug: str) -> Phone:
    """The small phone of who begins a game."""
    seats = next(n for n in TITLES[slug].seats if n > 1)
    people, match_id = table(base, *"ABCDEF"[:seats], game=slug)
    (seat, *_) = people[0].get(f"/matches/{match_id}")["to_act"]
    person: Program = people[seat]
    phone = person.phone(browser, {"width": SMALL[0], "height": SMALL[1]})
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game.my-turn:not([data-rising])")
    return phone


@pytest.mark.parametrize("slug", TITLES)
@pytest.mark.parametrize("letters", [100, 200])
def test_a_table_can_be_read_and_played(
    browser: Browser, base: str, slug: str, letters: int
) -> None:
    phone = acting(browser, base, slug)
    page = phone.page
    enlarge(page, letters)
    assert page.evaluate("getComputedStyle(document.body).fontSize") == f"{16 * letters // 100}px"
    assert hidden(page) + crowded(page) + page.evaluate(CUT) == []
    page.get_by_role("button", name="Every move as a list").press("Enter")
    expect(page.locator("dialog[open] .moves")).to_be_visible()
    assert hidden(page) + crowded(page) + page.evaluate(CUT) == []
    phone.close()
