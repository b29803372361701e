"""The page for new tables: the preview of the table, and options loaded from a file or a link."""

import base64
import json

import pytest
from playwright.sync_api import Browser, Route, expect

from domain.contract.registry import TITLES
from tests.browser.phone import SMALL, fits, unfold
from tests.browser.service import Program
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

OPTION = {"title": "Map", "attachment": {"bytes": 40}, "default": ["sand"]}


def test_a_table_is_seen_before_it_is_opened(browser: Browser, base: str) -> None:
    """The preview shows a picture of the table and opens no match."""
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SMALL)
    finger = Finger(phone.page)
    phone.page.goto("/new")
    unfold(phone.page)
    finger.tap_on(phone.page.get_by_role("button", name="Preview board"))
    image = phone.page.get_by_alt_text("Board preview")
    expect(image).to_be_visible()
    phone.page.wait_for_function("document.querySelector('dialog[open] img').naturalWidth === 1200")
    finger.tap_on(phone.page.locator("dialog[open]").get_by_role("button", name="Close"))
    expect(image).to_be_hidden()
    assert ann.get("/matches?scope=mine")["items"] == []
    phone.close()


def test_an_option_that_is_a_whole_thing_comes_and_goes_as_file_and_link(
    browser: Browser, base: str
) -> None:
    """Add such an option to a registered game; check the request that the page sends.

    The option comes from the fragment of the link, is saved as a file and loaded from another.
    Files that are too large or malformed are rejected with a message.
    """
    slug = next(iter(TITLES))
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)

    def with_option(route: Route) -> None:
        games = route.fetch().json()
        for game in games:
            if game["slug"] == slug:
                game["options"]["properties"]["map"] = OPTION
        route.fulfill(json=games)

    page.route("**/api/games", with_option)
    packed = base64.urlsafe_b64encode(json.dumps(["dünen"]).encode()).decode().rstrip("=")
    page.goto(f"/new?game={slug}#map={packed}")
    expect(page.get_by_text("Custom (10 bytes)")).to_have_count(0)
    expect(page.get_by_text("of 40 bytes")).to_have_text("Custom (10 of 40 bytes)")

    with page.expect_download() as download:
        finger.tap_on(page.get_by_role("button", name="Save to file"))
    kept = json.loads(download.value.path().read_text())
    assert kept == {"game": slug, "option": "map", "value": ["dünen"]}

    def bring(value: object) -> None:
        data = json.dumps({**kept, "value": value}).encode()
        file = {"name": "map.json", "mimeType": "application/json", "buffer": data}
        page.get_by_label("Map: Import from file").set_input_files([file])  # type: ignore[list-item]

    bring("x" * 60)
    expect(page.get_by_text("This file is larger than 40 bytes.")).to_be_visible()
    bring(["rocks"])
    expect(page.get_by_text("Custom (9 of 40 bytes)")).to_be_visible()
    page.get_by_label("Map: Import from file").set_input_files(
        [{"name": "a.json", "mimeType": "application/json", "buffer": b"{"}]  # type: ignore[list-item]
    )
    expect(page.get_by_text("This file isn’t for this option.")).to_be_visible()
    assert fits(page)
    with page.expect_request("**/api/matches") as sent:
        finger.tap_on(page.get_by_role("button", name="Create game"))
    assert sent.value.post_data_json["options"]["map"] == ["rocks"]
    phone.context.close()  # not `Phone.close`: the service rejects the added option
