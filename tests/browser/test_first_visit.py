"""The bytes of a first visit over the wire, as the browser counts them: headers and compressed
bodies of all requests, without the files that the service worker fetches later."""

import pytest
from playwright.sync_api import Browser

from tests.browser.service import Program, played

pytestmark = pytest.mark.browser

PHONE = {"width": 412, "height": 823}  # the viewport of Lighthouse's phone
MAX_HOME_BYTES = 300_000
MAX_MATCH_BYTES = 530_000
MOVES = 30
QUIET_MS = 1500
"""Milliseconds without a response after which the page is considered loaded."""
HOME = "html[data-ready] .tables:not([aria-busy=true])"
BOARD = ".game:not([data-rising])"


def first_visit_bytes(
    browser: Browser, base: str, path: str, complete: str, player: Program | None = None
) -> int:
    """Return the bytes that a browser without a cache receives for a page.

    ``complete``: a selector of what shows once the page is complete; ``player``: who is signed in.
    """
    context = browser.new_context(viewport=PHONE, base_url=base, service_workers="block")  # type: ignore[arg-type]
    page = context.new_page()
    if player:
        cookie = {"name": "player", "value": player.token, "url": base}
        context.add_cookies([cookie])  # type: ignore[list-item]
        page.add_init_script("localStorage.setItem('player', '1')")
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    received: list[int] = []
    session.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto(path)
    page.locator(complete).first.wait_for()
    count = -1
    while len(received) > count:
        count = len(received)
        page.wait_for_timeout(QUIET_MS)
    context.close()
    return sum(received)


def test_first_visit_of_the_home_page_is_small(browser: Browser, base: str) -> None:
    assert 100_000 < first_visit_bytes(browser, base, "/", HOME) < MAX_HOME_BYTES


def test_first_visit_of_a_match_is_small(browser: Browser, base: str) -> None:
    """The player's first visit of a match in which 30 moves have been played."""
    (ann, _), match_id = played(base, MOVES, "Ann", "Bob")
    total = first_visit_bytes(browser, base, f"/m/{match_id}", BOARD, ann)
    assert 200_000 < total < MAX_MATCH_BYTES
