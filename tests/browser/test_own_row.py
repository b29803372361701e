"""The row of the device's seat: the number that decides the game is always in sight."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import PHONE, SMALL
from tests.browser.scenes import moment
from tests.browser.service import Program

pytestmark = pytest.mark.browser

ROWS = {
    "caravanserai": ("caravanserai-5-expert-v1.json", 99, ".own-length", "players", "length"),
    "caravane": ("caravane-5-v1.json", 60, ".own-fact >> nth=0", "racers", "bales"),
    "courtyard": ("courtyard-3-v1.json", 126, ".own-fact >> nth=0", "players", "wealth"),
    "conquest": ("conquest-6-v1.json", 108, ".own-fact >> nth=0", "players", "wealth"),
}
"""A stored match of each game, a version, where its number is in the row, and in the view."""


@pytest.mark.parametrize("game", ROWS)
def test_the_deciding_number_is_in_sight(browser: Browser, base: str, game: str) -> None:
    """It is that of the view, and within the screen of a usual and of a small phone."""
    file, version, place, list_name, name = ROWS[game]
    ann = Program(base, "Ann")
    match_id = moment(ann, file, version)
    phone = ann.phone(browser)
    page = phone.page
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game:not([data-rising])")
    row = page.locator(".own-line, .own-row")
    (seat,) = re.findall(r"\d", row.locator(".own-name").inner_text())
    number = ann.get(f"/matches/{match_id}")["view"][list_name][int(seat)][name]
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        shown = row.locator(place)
        expect(shown).to_have_text(re.compile(rf"^(Caravan )?{number}(/\d+)?$"))
        box = shown.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
    phone.close()
