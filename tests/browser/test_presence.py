"""Presence: the match page shows which players are looking and how many spectators there are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from service.settings import Settings
from tests.browser.inspection import complaints
from tests.browser.phone import Phone, fits
from tests.browser.service import Program
from tests.service.databases import address_of, fresh
from tests.service.running import server
from tests.service.servers import redis_url

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}


@pytest.fixture(params=["one process", "two workers over Redis"])
def workers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Provide the addresses of two workers, which are the same with a single process."""
    if request.param == "one process":
        with server(Settings(data=str(tmp_path), play_limit=0, create_limit=0)) as one:
            yield one, one
        return
    with (
        fresh("sqlite", tmp_path, redis_url=address_of(redis_url)) as settings,
        server(settings) as one,
        server(settings) as other,
    ):
        yield one, other


def test_dots_fill_while_somebody_looks(browser: Browser, workers: tuple[str, str]) -> None:
    """The dot of a player fills while their page is open, also across workers."""
    one, other = workers
    ann, bea, cleo = (Program(one, name) for name in ("Ann", "Bea", "Cleo"))
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "visibility": "public",
    }
    match = ann.post("/matches", body, 201)
    at = f"/m/{match['id']}"
    bea.post(f"/matches/{match['id']}/join", {"invite": match["invite"], "name": "Bea"}, 200)
    hers = ann.phone(browser, SMALL)
    page = hers.page
    page.goto(at)
    page.wait_for_selector(".game .turn")
    others = page.locator(".looking-now")
    expect(others.locator(".dot")).to_have_count(1)
    expect(others.locator(".dot.there")).to_have_count(0)
    expect(others).to_have_attribute("aria-label", "No other player is online.")
    second, third = Phone(browser, other), Phone(browser, other)
    for phone, person in ((second, bea), (third, cleo)):
        cookie = {"name": "player", "value": person.token, "url": other}
        phone.context.add_cookies([cookie])  # type: ignore[list-item]
        phone.page.goto(at)
        phone.page.wait_for_selector(".game .turn")
    expect(others.locator(".dot.there")).to_have_count(1)
    expect(others).to_have_attribute("aria-label", "Online now: Bea. 1 spectator is watching.")
    expect(others).to_have_text("1")
    assert fits(page)
    assert complaints(page) == []
    # A spectator sees both players and is not counted on their own page.
    watching = third.page.locator(".looking-now")
    expect(watching).to_have_attribute("aria-label", "Online now: Ann and Bea.")
    assert "Cleo" not in page.content()
    for phone in (second, third):
        phone.close()
    expect(others.locator(".dot.there")).to_have_count(0)
    expect(others).to_have_attribute("aria-label", "No other player is online.")
    hers.close()
