"""The replay controls of the match page: keys, and moments that the service computes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from service.settings import Settings
from tests.browser.phone import show_history
from tests.browser.service import played, table
from tests.service.running import server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("data")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def test_replay_keys_do_nothing_in_the_private_note(browser: Browser, base: str) -> None:
    """Home and the arrow keys move the cursor of the text, not the moment shown."""
    people, match_id = played(base, 4, "Ann", "Bob")
    phone = people[0].phone(browser)
    page = phone.page
    page.goto(f"/m/{match_id}")
    page.locator(".own-note summary").click()
    note = page.locator(".own-note textarea")
    expect(note).to_be_enabled()
    note.fill("ab")
    slider = page.locator(".history input")
    now = slider.input_value()
    for key in ("ArrowLeft", "Home"):
        note.press(key)
    page.keyboard.type("c")
    expect(note).to_have_value("cab")
    assert slider.input_value() == now
    expect(page.get_by_role("button", name="Back to latest")).to_have_count(0)
    page.locator(".own-note summary").press("Home")
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    phone.close()


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_moment_is_requested_again_after_a_retryable_status(
    browser: Browser, base: str, status: int
) -> None:
    """A service that is busy for a moment does not leave the replay on the previous board."""
    people, match_id = table(base, "Ann", "Bob", game="caravane")
    phone = people[0].phone(browser)
    page = phone.page
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if route.request.url in refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=status, json={"status": status, "detail": "Busy."})

    page.route("**/api/matches/*?*at=*", refuse_once)
    page.goto(f"/m/{match_id}")
    expect(page.locator(".game:not([data-rising])")).to_be_visible()
    show_history(page)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    assert refused
    phone.context.close()  # without checking for errors: the refusals are logged as such
