"""Waiting for other players, in every game: planning ahead, and announcements by live regions."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from tests.browser.phone import PHONE, SMALL, Phone
from tests.browser.service import Program, table

pytestmark = pytest.mark.browser

LYING = {"width": 844, "height": 390}
NAMES = ("Ann", "Bea", "Cleo", "Dora", "Edda", "Fay", "Gerd", "Hugh")
# Whether the centre of a node can be tapped without scrolling.
REACHED = """node => {
  const { x, y, width, height } = node.getBoundingClientRect()
  return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}"""
FITS = "node => node.scrollWidth <= node.clientWidth"
# Records the text of every live region after each change, once per batch of mutations.
LISTEN = """() => {
  window.said = []
  const regions = "[aria-live], [role=status], [role=alert], [role=log]"
  new MutationObserver(changes => {
    const heard = new Set()
    for (const { target } of changes) {
      const node = target.nodeType === 1 ? target : target.parentElement
      const region = node && node.closest(regions)
      if (region && !region.closest("[aria-hidden=true]")) { heard.add(region) }
    }
    window.said.push(...[...heard].map(region => region.textContent).filter(Boolean))
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}"""

SHOWN = "version => Number(document.querySelector('.history input').max) === version"


class Table:
    """A running match in which every seat is held by a different person."""

    def __init__(self, base: str, slug: str) -> None:
        self.people, self.match_id = table(base, *NAMES[: max(TITLES[slug].seats)], game=slug)
        self.rng = random.Random(5)

    def match(self) -> Any:
        """Return the current answer of the service about the match."""
        return self.people[0].get(f"/matches/{self.match_id}")

    def step(self) -> int:
        """Play a random move for the first seat that is to act; return the seat."""
        seat: int = self.match()["to_act"][0]
        self.people[seat].step(self.match_id, self.rng)
        return seat

    def waits(self) -> Program:
        """Return a player who is not to act; play moves until there is one."""
        while len(acting := self.match()["to_act"]) == len(self.people):
            self.step()
        return next(person for n, person in enumerate(self.people) if n not in acting)

    def phone(self, browser: Browser, person: Program, size: dict[str, int]) -> Phone:
        """Open the match on a phone of this person."""
        phone = person.phone(browser, size)
        phone.page.goto(f"/m/{self.match_id}")
        phone.page.wait_for_selector(".game:not([data-rising])")
        return phone


def plan_line_is_in_sight(page: Page) -> None:
    """Check that a finger reaches the offer to plan ahead, at each size."""
    line = page.locator(".plan-line")
    expect(line).to_be_visible()
    assert line.evaluate(REACHED), "below the edge of the dock"
    for size in (SMALL, LYING):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        line.scroll_into_view_if_needed()
        assert line.evaluate(REACHED)
        assert page.locator(".dock").evaluate(FITS), "a part of it lies beyond the edge"
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]


@pytest.mark.parametrize("slug", TITLES)
def test_waiting_player_can_plan_and_hears_each_move_once(
    browser: Browser, base: str, slug: str
) -> None:
    """A move changes the visible line and is announced once in a live region."""
    here = Table(base, slug)
    for _ in range(3):
        here.waits()
        here.step()
    phone = here.phone(browser, here.waits(), PHONE)
    page, told = phone.page, phone.page.locator(".latest")
    plan_line_is_in_sight(page)
    page.wait_for_function("localStorage.getItem('seen') !== null")
    page.evaluate(LISTEN)
    words = before = told.text_content()
    while words == before:
        count = page.evaluate("said.length")
        here.step()
        page.wait_for_function(SHOWN, arg=here.match()["version"])
        words = told.text_content()
    page.wait_for_function("count => said.length > count", arg=count)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    turn = page.locator(".turn").inner_text()  # read out by itself
    heard = [each for each in page.evaluate("count => said.slice(count)", count) if each != turn]
    assert len(heard) == 1, heard
    phone.close()
