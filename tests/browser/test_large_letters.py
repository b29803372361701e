"""The match page of every game on the smallest phone, with text at 100% and 200%.

Every tap target can be reached and is large enough, and no text is cut off.

The sweep (`tests.browser.test_sweep`) checks every screen, but in some of these settings only.
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

# Elements whose text is cut off at their edge. Names are not checked: they end in an ellipsis and
# are given in full elsewhere.
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
    """Start a match; return a small phone of a player who is to move, at that match."""
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
    """The match page and its list of moves have no unreachable, small or cut-off elements."""
    phone = acting(browser, base, slug)
    page = phone.page
    enlarge(page, letters)
    assert page.evaluate("getComputedStyle(document.body).fontSize") == f"{16 * letters // 100}px"
    assert hidden(page) + crowded(page) + page.evaluate(CUT) == []
    page.get_by_role("button", name="Every move as a list").press("Enter")
    expect(page.locator("dialog[open] .moves")).to_be_visible()
    assert hidden(page) + crowded(page) + page.evaluate(CUT) == []
    phone.close()
