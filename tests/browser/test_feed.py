"""How a page follows its match: the stream of a hidden page, and polling if the stream is dead."""

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.phone import PATIENCE, Phone
from tests.browser.service import Program

pytestmark = pytest.mark.browser

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true})
  const state = hidden ? "hidden" : "visible"
  Object.defineProperty(document, "visibilityState", {value: state, configurable: true})
  document.dispatchEvent(new Event("visibilitychange"))
}"""

SHOWS = """version =>
  Number(document.querySelector('.history input').max) === version"""


def at_a_table(base: str) -> tuple[Program, Program, Any]:
    """Start a match of two people; return both and the match as Bea sees it."""
    ann, bea = Program(base, "Ann"), Program(base, "Bea")
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
    match = ann.post("/matches", body, 201)
    joined = {"invite": match["invite"], "name": "Bea"}
    return ann, bea, bea.post(f"/matches/{match['id']}/join", joined, 200)


def before_it(phone: Phone, match: Any) -> list[str]:
    """Open the match; return the list to which the URLs of its live streams are appended."""
    opened: list[str] = []
    page = phone.page
    page.on("request", lambda r: opened.append(r.url) if "/live" in r.url else None)
    page.goto(f"/m/{match['id']}")
    page.wait_for_selector(".game .turn")
    return opened


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until a condition on the requests of a page holds."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def test_a_page_out_of_sight_does_not_count_as_before_its_person(
    browser: Browser, base: str
) -> None:
    """A page hidden for more than a few seconds opens its stream with ``hidden=1``.

    The service then no longer suppresses notifications to that player.
    """
    _ann, bea, match = at_a_table(base)
    phone = bea.phone(browser)
    page = phone.page
    page.clock.install()
    opened = before_it(phone, match)
    until(page, lambda: len(opened) == 1)
    assert "hidden=1" not in opened[0]
    page.evaluate(HIDE, True)
    page.clock.run_for(1000)
    page.evaluate(HIDE, False)
    page.clock.run_for(10_000)
    assert not any("hidden=1" in url for url in opened), "a glance elsewhere changes nothing"
    page.evaluate(HIDE, True)
    page.clock.run_for(7000)
    until(page, lambda: "hidden=1" in opened[-1])
    page.evaluate(HIDE, False)
    page.clock.run_for(1500)
    until(page, lambda: "hidden=1" not in opened[-1])
    phone.close()


def test_what_a_dead_stream_does_not_tell_is_found(browser: Browser, base: str) -> None:
    """With a stream that never answers, the page polls and loads the missed move."""
    ann, bea, match = at_a_table(base)
    phone = bea.phone(browser)
    page = phone.page
    page.route("**/live*", lambda _route: None)
    page.clock.install()
    before_it(phone, match)
    path = f"/matches/{match['id']}"
    version = ann.step(match["id"], random.Random(1))["version"]
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if "/events?after=" in r.url else None)
    page.wait_for_timeout(1000)
    assert asked == []
    assert phone.version() < version
    with page.expect_response(lambda r: r.url.endswith(f"{path}?view=changing")):
        page.clock.fast_forward(31_000)
    assert len(asked) >= 1, "a cheap question first, all of it only when there is news"
    page.wait_for_function(SHOWS, arg=version)
    phone.close()
