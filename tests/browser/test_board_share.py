"""The board has at least half of a phone's height in every game, and its drawing fills it."""

import pytest
from playwright.sync_api import Browser

from domain.contract.registry import TITLES
from tests.browser.phone import PHONE, Phone

MEASURE = """() => {
  const area = document.querySelector(".board-area").getBoundingClientRect()
  const drawn = [...document.querySelectorAll(".board-area svg")]
    .filter(each => !each.closest("button"))
    .sort((a, b) => b.getBoundingClientRect().width - a.getBoundingClientRect().width)[0]
  const parts = [...drawn.querySelectorAll("path, rect, circle, polygon, use, line, text")]
    .filter(part => part.checkVisibility() && !part.closest("defs, symbol"))
    .map(part => part.getBoundingClientRect())
    .filter(box => box.width && box.height)
  const span = (low, high, from, to) =>
    Math.min(to, Math.max(...parts.map(high))) - Math.max(from, Math.min(...parts.map(low)))
  return {
    share: area.height / innerHeight,
    wide: span(box => box.left, box => box.right, area.left, area.right) / area.width,
    high: span(box => box.top, box => box.bottom, area.top, area.bottom) / area.height,
  }
}"""


@pytest.mark.parametrize("address", ["/play/{}", "/learn/{}"], ids=["match", "lesson"])
@pytest.mark.parametrize("game", TITLES)
def test_the_board_has_half_of_the_screen(
    browser: Browser, base: str, game: str, address: str
) -> None:
    phone = Phone(browser, base, PHONE)
    page = phone.page
    page.goto(address.format(game))
    page.wait_for_selector(".game:not([data-rising])")
    page.wait_for_timeout(300)
    found = page.evaluate(MEASURE)
    assert found["share"] >= 0.5, found
    assert max(found["wide"], found["high"]) >= 0.9, found
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.close()
