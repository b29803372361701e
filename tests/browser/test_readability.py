"""Readability and touch targets: text and target sizes, contrast, nothing cut off."""

import random
import re

import pytest
from playwright.sync_api import Browser

from frontend.build import page_style
from tests.browser.inspection import WIDTHS, misfits
from tests.browser.phone import PHONE, SMALL, Phone

CSS = page_style()
TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")


def _tokens(part: str) -> dict[str, str]:
    return dict(TOKEN.findall(part))


def _themes() -> dict[str, dict[str, str]]:
    begin = CSS.index(':root[data-theme="dark"]')
    dark = CSS[begin : CSS.index("}", begin)]
    light = _tokens(CSS[:begin])
    return {"light": light, "dark": {**light, **_tokens(dark)}}


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    lin = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]


def contrast(one: str, other: str) -> float:
    """WCAG 2.2 contrast of two colours."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


GROUNDS = ("ground", "ground-deep", "ground-glow", "paper")
SANDS = ("sand-central", "sand-intermediate", "sand-outer")
WORDS = [
    *[("ink", ground) for ground in GROUNDS],
    *[("muted", ground) for ground in GROUNDS],
    ("action-ink", "action"),
    ("paper", "ink"),
    ("paper", "warn"),
    *[("seat-ink", f"seat-{seat}") for seat in range(8)],
    *[(f"seat-{seat}", "paper") for seat in range(8)],
]
SHAPES = [
    *[("line", ground) for ground in GROUNDS],
    *[("focus", ground) for ground in GROUNDS],
    *[("legal", sand) for sand in SANDS],
    *[("tile-line", sand) for sand in SANDS],
    # A ribbon has a casing, so its edge shows on sand of any depth.
    *[(f"seat-{seat}", "legal-halo") for seat in range(8)],
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_is_enough_by_wcag(theme: str) -> None:
    tokens = _themes()[theme]
    for pairs, least in ((WORDS, 4.5), (SHAPES, 3.0)):
        for one, other in pairs:
            found = contrast(tokens[one], tokens[other])
            assert found >= least, f"{one} on {other}: {found:.2f}"


def test_the_night_is_written_the_same_twice() -> None:
    begin = CSS.index(':root[data-theme="dark"]')
    chosen = CSS[begin : CSS.index("}", begin)]
    begin = CSS.index(':root:not([data-theme="light"])')
    system = CSS[begin : CSS.index("}", begin)]
    assert _tokens(chosen) == _tokens(system)


# What stands in a card too close to what is above it, or too far from it; of headings the letters.
UNEVEN = """() => {
  const box = (node) => {
    if (node.matches("h2")) {
      const letters = document.createRange()
      letters.selectNodeContents(node.querySelector("a") || node)
      return letters.getBoundingClientRect()
    }
    return node.getBoundingClientRect()
  }
  const found = []
  for (const card of document.querySelectorAll(".card")) {
    const shown = [...card.children].filter((node) => node.offsetHeight)
    shown.forEach((node, place) => {
      const above = place ? box(shown[place - 1]).bottom
        : card.getBoundingClientRect().top + parseFloat(getComputedStyle(card).paddingTop)
      const gap = box(node).top - above
      if (place ? gap < 8 || gap > 26 : gap > 10) {
        found.push(`${node.textContent.slice(0, 40)}: ${Math.round(gap)}`)
      }
    })
  }
  return found
}"""


@pytest.mark.browser
def test_type_targets_and_width_on_every_page(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page

    def look(where: str) -> None:
        assert misfits(page) == [], where

    def uneven() -> list[str]:
        found = []
        for width, height in WIDTHS:
            page.set_viewport_size({"width": width, "height": height})
            found += page.evaluate(UNEVEN)
        return found

    page.goto("/")
    page.wait_for_selector("text=No games yet")
    look("home")
    page.goto("/new")
    page.wait_for_selector("text=Create game")
    look("new")
    phone.open_table(["Ann", ""])
    page.wait_for_selector(".qr")
    look("waiting")
    assert uneven() == []
    for address, there in (("/you", ".company .button"), ("/rules", ".game-told p:not(:empty)")):
        page.goto(address)
        page.locator(there).first.wait_for()
        look(address)
        assert uneven() == [], address
    phone.open_table(["Ann", "Bob", "Cleo"], round_one_phone=True, expert=True)
    page.wait_for_selector(".game.my-turn")
    for _ in range(4):
        page.get_by_role("button", name="All moves").click()
        look("moves")
        page.locator(".moves .button").first.click()
        phone.settled()
        look("game")
    phone.close()


CELL_PIXELS = """() => {
  const svg = document.querySelector(".board-area svg")
  const box = svg.viewBox.baseVal, shown = svg.getBoundingClientRect()
  return 52 * Math.min(shown.width / box.width, shown.height / box.height)
}"""


@pytest.mark.browser
@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
def test_cells_are_wide_enough_to_tap_when_the_page_opens_on_ones_turn(
    browser: Browser, base: str, size: dict[str, int]
) -> None:
    """At the own turn a cell is at least 44 px wide, after a move and after a reload; one tap
    shows the whole board again."""
    phone = Phone(browser, base, size)
    phone.open_table(["Ann"])
    phone.page.wait_for_selector(".game.my-turn")
    phone.by_list(random.Random(1))
    phone.settled()
    for _ in range(2):
        phone.page.wait_for_function(f"({CELL_PIXELS})() >= 44")
        phone.page.reload()
        phone.page.wait_for_selector(".game.my-turn")
    phone.page.get_by_role("button", name="Show whole board").click()
    phone.page.wait_for_function(f"({CELL_PIXELS})() < 44")
    phone.close()
