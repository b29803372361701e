"""What a table costs the phone: nothing while it rests, and no long task while it starts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from service.settings import Settings
from tests.service.running import server

CATEGORIES = ["devtools.timeline", "toplevel", "__metadata"]
LONGEST = 80  # milliseconds of work in one task; it was 200 when a table was drawn at once
ENDLESS = """() => document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().endTime === Infinity)
  .map((each) => each.animationName)"""
OVER = "document.getAnimations().forEach((each) => each.finish())"
# What has to be seen, or the rest below would say nothing.
BLINK = """document.querySelector(".turn").animate(
  [{ letterSpacing: "0" }, { letterSpacing: "3px" }], { duration: 400, iterations: Infinity })"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("frames")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def _at_a_table(browser: Browser, base: str) -> tuple[Page, str]:
    """A page of somebody whose turn it is, and the address of the table."""
    with httpx.Client(base_url=base) as client:
        token = client.post("/api/players", json={"name": "Ada"}).json()["token"]
        client.cookies.clear()
        body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "me"}]}
        headers = {"Authorization": f"Bearer {token}"}
        match = client.post("/api/matches", json=body, headers=headers).json()
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=base)
    context.add_cookies([{"name": "player", "value": token, "url": base}])
    return context.new_page(), f"/m/{match['id']}"


def _events(browser: Browser, names: set[str]) -> list[dict[str, Any]]:
    """What a page's own thread did of these kinds since the tracing began."""
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    return [
        each for each in events if each["name"] in names and (each["pid"], each["tid"]) in threads
    ]


def _painted(browser: Browser, page: Page) -> int:
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.wait_for_timeout(800)
    return len(_events(browser, {"Paint", "Layout", "UpdateLayoutTree"}))


@pytest.mark.browser
def test_a_table_starts_in_short_tasks_and_rests_without_painting(
    browser: Browser, base: str
) -> None:
    page, address = _at_a_table(browser, base)
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.goto(address)
    page.locator(".legal").first.wait_for()
    tasks = _events(browser, {"ThreadControllerImpl::RunTask"})
    longest = max(each.get("tdur", 0) / 1000 for each in tasks)
    assert len(tasks) > 20
    assert longest < LONGEST, f"a task of {longest:.0f} ms"
    assert page.evaluate(ENDLESS) == []
    page.wait_for_timeout(1000)  # the lists and the camera have come to rest
    page.evaluate(OVER)
    page.wait_for_timeout(500)
    assert _painted(browser, page) == 0
    page.evaluate(BLINK)
    assert _painted(browser, page) > 2
    page.context.close()
