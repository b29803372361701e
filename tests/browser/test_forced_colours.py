"""Forced colours (high contrast): pieces, cells, seats and selected controls stay distinct."""

import pytest
from playwright.sync_api import Browser, Page

from domain.contract.registry import TITLES
from tests.browser.scenes import branched, brought
from tests.browser.service import Program
from tests.game_contract.recorded_matches import file_of

pytestmark = pytest.mark.browser

# The computed colours of the board, and of the elements beside it that mark a seat or an amount.
PAINT = """() => {
  const shapes = "path, circle, rect, polygon, ellipse, line"
  const board = [...document.querySelectorAll(".board-area svg")].flatMap(
    svg => [...svg.querySelectorAll(shapes)])
  const signs = document.querySelectorAll(
    ".dot, .pip, .pill, .pill-tag, .seat-letter, .meter > span, .bar-of i")
  return {
    board: board.map(node => getComputedStyle(node)).map(each => each.fill + each.stroke),
    signs: [...signs].map(node => getComputedStyle(node).backgroundColor),
  }
}"""
# For each kind of control: its name, then the look of a selected and of an unselected one.
STATES = """() => {
  const look = (node, part) => {
    const { borderWidth, borderColor, left, backgroundColor } = getComputedStyle(node, part)
    return [borderWidth, borderColor, left, backgroundColor].join()
  }
  const pairs = {
    pressed: ["button[aria-pressed=true]", "button[aria-pressed=false]"],
    choice: [".choice input:checked + span", ".choice input:not(:checked) + span"],
    switch: [".switch input:checked", ".switch input:not(:checked)", "::after"],
  }
  return Object.entries(pairs).map(([name, [one, other, part]]) => [
    name, look(document.querySelector(one), part), look(document.querySelector(other), part)])
}"""


def force(page: Page, colours: str) -> None:
    page.emulate_media(forced_colors=colours)  # type: ignore[arg-type]


@pytest.mark.parametrize("slug", TITLES)
def test_pieces_cells_and_seats_keep_their_colours(browser: Browser, base: str, slug: str) -> None:
    """Forced colours leave the colours of the board and of seat markers unchanged."""
    ann = Program(base, "Ann")
    origin = brought(ann, file_of(slug))
    middle = int(ann.get(f"/matches/{origin}")["version"] * 0.6)
    phone = ann.phone(browser)
    page = phone.page
    page.goto(f"/m/{branched(ann, origin, middle)}")
    page.wait_for_selector(".game:not([data-rising])")
    usual = page.evaluate(PAINT)
    force(page, "active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert page.evaluate(PAINT) == usual
    assert len({*usual["board"]}) > 5
    assert len({*usual["signs"]}) > 1
    phone.close()


def test_what_is_chosen_is_told_from_what_is_not(browser: Browser, base: str) -> None:
    """Selected and unselected controls look different, and the knob of a switch is visible."""
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    page.goto("/style")
    page.wait_for_selector(".themes h4")
    force(page, "active")
    for name, chosen, other in page.evaluate(STATES):
        assert chosen != other, name
    knob, ground = page.evaluate(
        "[getComputedStyle(document.querySelector('.switch input'), '::after').backgroundColor,"
        " getComputedStyle(document.querySelector('.switch input')).backgroundColor]"
    )
    assert knob != ground, "the knob of a switch is seen"
    phone.close()
