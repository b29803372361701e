"""The constant fields of a view are sent once: an open page requests only the changing ones."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Response

from tests.browser.service import Program

pytestmark = pytest.mark.browser


def test_a_page_that_goes_on_is_sent_what_changes(browser: Browser, base: str) -> None:
    """The first view is complete; views after a move omit ``track``, and the track stays shown."""
    ann, bob = Program(base, "Ann"), Program(base, "Bob")
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravane", "seats": seats}
    match = ann.post("/matches", body, 201)
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}, 200)
    whole = ann.get(f"/matches/{match['id']}")
    phone = ann.phone(browser)
    views: list[dict[str, Any]] = []

    def hear(response: Response) -> None:
        if response.url.split("?")[0].endswith(match["id"]) and "/api/" in response.url:
            views.append(response.json()["view"])

    phone.page.on("response", hear)
    phone.page.goto(f"/m/{match['id']}")
    phone.page.wait_for_selector(".game")
    assert set(views[0]) == set(whole["view"])
    choice = bob.get(f"/matches/{match['id']}/choices?seat=1")["choices"][0]
    move = {"seat": 1, "expected_version": whole["version"], "commands": [choice["command"]]}
    with phone.page.expect_response(lambda answer: "view=changing" in answer.url) as answered:
        bob.post(f"/matches/{match['id']}/commands", move, 200)
    later = answered.value.json()["view"]
    assert 0 < len(later) < len(views[0])
    assert "track" not in later
    phone.page.wait_for_selector(".road")
    # The answer to a move omits it as well.
    phone.page.get_by_role("button", name="Tap to choose, hold to peek").tap()
    with phone.page.expect_response(lambda answer: "/commands" in answer.url) as moved:
        phone.page.locator(".confirm").tap()
        phone.sure()
    assert "track" not in moved.value.json()["match"]["view"]
    phone.page.wait_for_function("document.querySelector('.game').dataset.sending === ''")
    assert phone.page.locator(".road").is_visible()
    phone.close()
