"""The match page of every game on the smallest phone, with text at 100% and 200%.

Every tap target can be reached and is large enough, and no text is cut off.

The sweep (`tests.browser.test_sweep`) checks every screen, but in some of these settings only.
"""

import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from tests.browser.inspection import crowded, hidden
from tests.browser.phone import Phone
from tests.browser.scenes import SMALL
from tests.browser.service import Program, table
from tests.browser.test_sweep import enlarge

pytestmark = pytest.mark.browser

# Elements whose text is cut off at their edge. Names are not checked: they end in an ellipsis and
# are given in full elsewhere.
CUT = """() => [...document.querySelectorAll(".turn span, .button, .notice span, dialog[open] p")]
  .filter(node => node.checkVisibility() && node.getBoundingClientRect().width > 1)
  .filter(node => node.scrollWidth > node.clientWidth + 1 ||
    node.scrollHeight > node.clientHeight + 2)
  .filter(node => getComputedStyle(node).display !== "inline")
  .map(node => node.outerHTML.slice(0, 120))"""


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
def test_match_page_fits_with_normal_and_large_text(browser: Browser, base: str, slug: str) -> None:
    phone = acting(browser, base, slug)
    page = phone.page
    for per_cent in (100, 200):
        enlarge(page, per_cent)
        page.wait_for_function(
            "size => getComputedStyle(document.body).fontSize === size",
            arg=f"{16 * per_cent // 100}px",
        )
        assert hidden(page) + crowded(page) + page.evaluate(CUT) == []
        page.get_by_role("button", name="All moves").press("Enter")
        expect(page.locator("dialog[open] .moves")).to_be_visible()
        assert hidden(page) + crowded(page) + page.evaluate(CUT) == []
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    phone.close()
