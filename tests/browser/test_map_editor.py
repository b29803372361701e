"""The map editor: draw by touch, fix, save, share and play a map; preview a random one."""

import base64
import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.phone import PHONE, SMALL, fits, unfold
from tests.browser.service import Program
from tests.browser.test_axe import Inspector
from tests.browser.touch import Finger, place

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 800}
SHARED = "navigator.share = async data => { window.shared = data.url }"
SETUP = "/new?game=conquest"


def link(value: Any) -> str:
    """Return a link to the setup with this map."""
    packed = base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return f"{SETUP}#custom={packed}"


def setting(page: Page, finger: Finger) -> None:
    """Open the setup and choose a drawn map."""
    page.goto(SETUP)
    unfold(page)
    finger.tap_on(page.get_by_text("Custom", exact=True))
    expect(page.locator(".map-editor .map-picture")).to_be_visible()


def draw(page: Page, finger: Finger) -> None:
    """Open the editor, waiting first so that the tap is not ignored as part of a double tap."""
    page.wait_for_timeout(400)
    finger.tap_on(page.get_by_role("button", name="Edit map"))
    expect(page.locator("dialog.drawing")).to_be_visible()


def tile(page: Page, row: int, column: int) -> Locator:
    """Return a tile of the edited map."""
    return page.locator(f"[data-at='{row - 1} {column - 1}']")


def tool(page: Page, name: str) -> Locator:
    """Return a button of the editor."""
    return page.locator("dialog[open]").get_by_role("button", name=re.compile(name)).first


def lies(page: Page, row: int, column: int, what: str) -> None:
    """Check what is on a tile, by its accessible text."""
    said = f"Row {row}, column {column}: {what}"
    expect(tile(page, row, column)).to_have_attribute("aria-label", said)


def paint(page: Page, finger: Finger, name: str, *places: tuple[int, int]) -> None:
    """Select a tile of the palette and place it, with taps."""
    finger.tap_on(tool(page, f"^{name}:"))
    for row, column in places:
        finger.tap_on(tile(page, row, column))


def bare(page: Page, finger: Finger, rows: int, columns: int) -> None:
    """Resize an empty map of six by eight to this many rows and columns."""
    finger.tap_on(tool(page, "Size and template"))
    finger.tap_on(page.get_by_role("button", name="Empty", exact=True))
    for _ in range(6 - rows):
        finger.tap_on(page.get_by_role("button", name="Remove row"))
    for _ in range(8 - columns):
        finger.tap_on(page.get_by_role("button", name="Remove column"))
    expect(page.get_by_text(f"{rows} by {columns}:")).to_be_visible()
    finger.tap_on(page.locator("dialog[open]").get_by_role("button", name="Close").first)


def value(page: Page) -> Any:
    """Return the option as it would be sent to the service."""
    with page.expect_request("**/preview.png") as asked:
        page.get_by_role("button", name="Preview board").click()
    page.locator("dialog[open]").get_by_role("button", name="Close").click()
    return asked.value.post_data_json["options"]


def test_a_map_is_drawn_with_a_finger_mended_kept_shared_and_played(
    browser: Browser, base: str
) -> None:
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.add_init_script(SHARED)
    setting(page, finger)
    draw(page, finger)
    bare(page, finger, 2, 4)
    paint(page, finger, "Start", (1, 1))
    paint(page, finger, "Finish", (1, 4))
    paint(page, finger, "River", (1, 3), (2, 3), (1, 2))
    lies(page, 1, 3, "River")
    finger.tap_on(tool(page, "^Undo$"))
    lies(page, 1, 2, "Empty")
    finger.tap_on(tool(page, "Redo"))
    lies(page, 1, 2, "River")
    finger.tap_on(tool(page, "^Undo$"))
    paint(page, finger, "Treasure", (2, 3))

    # dragging paints: one undo step, two tiles
    finger.tap_on(tool(page, "^Grasslands:"))
    finger.tap_on(tool(page, "Brush tool"))
    finger.down(*place(tile(page, 2, 1)))
    finger._touch("touchMove", [dict(zip("xy", place(tile(page, 2, 2)), strict=True))])
    finger.lift()
    finger.tap_on(tool(page, "Brush tool"))
    lies(page, 2, 2, "Grasslands")
    paint(page, finger, "Desert", (1, 2), (2, 4))

    # the editor says what is wrong, and where
    summary = page.locator(".verdict summary")
    expect(summary).to_have_text("2 problems")
    lies(page, 1, 4, "Finish, has a problem")
    lies(page, 2, 3, "River with treasure, has a problem")
    finger.tap_on(summary)
    assert fits(page)
    finger.tap_on(page.get_by_role("button", name="The finish can’t be reached from the start."))
    expect(tile(page, 1, 4)).to_be_focused()
    finger.tap_on(summary)
    paint(page, finger, "Spice camp", (2, 3))
    expect(page.locator(".verdict")).to_have_text("Playable: 5 steps from start to finish.")
    finger.tap_on(tool(page, "^Done$"))
    assert fits(page)

    # it is saved under its name, also after a reload
    page.get_by_label("Map name").fill("Two  ways")
    finger.tap_on(page.get_by_role("button", name="Save on this device"))
    draw(page, finger)
    paint(page, finger, "City", (1, 2))
    finger.tap_on(tool(page, "^Done$"))
    expect(page.locator("dialog.drawing")).to_be_hidden()
    page.wait_for_timeout(400)  # a pending history.back() would cancel the next navigation
    setting(page, finger)
    finger.tap_on(page.get_by_text("1 saved map"))
    finger.tap_on(page.get_by_role("button", name=re.compile("^Two ways")))
    drawn = {"rows": ["BDRF", "GGPD"], "treasure": [[1, 2]], "name": "Two ways"}
    assert value(page)["custom"] == drawn
    finger.tap_on(page.get_by_role("button", name="Share link"))
    page.wait_for_function("window.shared")
    assert finger.strays() == []
    address = page.evaluate("window.shared")
    phone.close()

    # a second phone opens the link, and a match from it
    other = Program(base, "Bea").phone(browser, PHONE)
    page, finger = other.page, Finger(other.page)
    page.goto(address)
    expect(page.get_by_label("Map name")).to_have_value("Two ways")
    expect(page.get_by_label("Custom", exact=True)).to_be_checked()
    finger.tap_on(page.get_by_text("Pass and play (one phone)"))
    finger.tap_on(page.get_by_role("button", name="Create game"))
    page.wait_for_url("**/m/*")
    page.wait_for_selector(".game.my-turn")
    before = other.version()
    other.by_list(random.Random(1))
    other.settled()
    assert other.version() > before
    other.close()


def test_by_the_keyboard_alone_and_axe_has_nothing_to_say(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser, WIDE)
    page, axe = phone.page, Inspector(phone.page)
    page.goto(link({"rows": ["BGGF"], "treasure": [], "name": ""}))
    expect(page.locator(".map-editor")).to_contain_text("Playable: 3 steps")
    axe.look("setting a table on a drawn map")
    page.get_by_role("button", name="Edit map").press("Enter")
    tile(page, 1, 1).focus()
    for key in ("ArrowRight", "r", "ArrowRight", "t", "m", "End"):
        page.keyboard.press(key)
    expect(tile(page, 1, 4)).to_be_focused()
    lies(page, 1, 2, "River")
    expect(page.locator(".verdict summary")).to_have_text("2 problems")
    lies(page, 1, 3, "Mountains with treasure, has a problem")
    page.locator(".verdict summary").press("Enter")
    axe.look("drawing, with problems")
    page.get_by_role("button", name="The treasure at row 1, column 3").press("Enter")
    expect(tile(page, 1, 3)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    lies(page, 1, 2, "Grasslands")
    page.keyboard.press("Control+y")
    lies(page, 1, 2, "River")
    page.keyboard.press("d")
    lies(page, 1, 2, "Desert")
    page.keyboard.press("Delete")
    lies(page, 1, 2, "Empty")
    expect(page.locator(".verdict summary")).to_have_text("1 problem")
    tool(page, "^Grasslands:").press("Enter")
    tile(page, 1, 2).press("Enter")
    expect(page.locator(".verdict")).to_have_text("Playable: 3 steps from start to finish.")
    tool(page, "Size and template").press("Enter")
    axe.look("size and beginning")
    assert fits(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert value(page)["custom"]["rows"] == ["BGGF"]
    axe.done()
    phone.close()


def test_too_many_of_a_tile_an_area_and_the_whole_map(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser, PHONE)
    page, finger = phone.page, Finger(phone.page)
    setting(page, finger)
    draw(page, finger)
    finger.tap_on(tool(page, "Size and template"))
    finger.tap_on(page.get_by_role("button", name="Full", exact=True))
    finger.tap_on(page.get_by_role("button", name="Empty", exact=True))
    finger.tap_on(page.locator("dialog[open]").get_by_role("button", name="Close").first)
    finger.tap_on(tool(page, "Whole map"))
    box = tile(page, 5, 9).bounding_box()
    assert box is not None
    assert box["width"] < 24
    finger.tap_on(tool(page, "^Oasis:"))
    finger.tap_on(tile(page, 5, 9))  # zooms in and places nothing
    lies(page, 5, 9, "Empty")
    expect(tile(page, 5, 9)).to_be_focused()
    box = tile(page, 5, 9).bounding_box()
    assert box is not None
    assert box["width"] >= 44
    finger.tap_on(tool(page, "Fill tool"))
    finger.tap_on(tile(page, 5, 9))
    expect(tool(page, "^Oasis:")).to_have_accessible_name("Oasis: −160 left, too many used")
    finger.tap_on(page.locator(".verdict summary"))
    finger.tap_on(page.get_by_role("button", name="At most 10 oases; this map has 170."))
    expect(tool(page, "^Oasis:")).to_be_focused()
    finger.tap_on(page.locator(".verdict summary"))
    finger.tap_on(tool(page, "^Undo$"))
    finger.tap_on(tool(page, "Size and template"))
    finger.tap_on(page.get_by_role("button", name="Fill empty tiles at random"))
    finger.tap_on(page.locator("dialog[open]").get_by_role("button", name="Close").first)
    expect(page.locator(".verdict")).to_contain_text("Playable")
    finger.tap_on(tool(page, "^Done$"))
    assert fits(page)
    rows = value(page)["custom"]["rows"]
    assert (len(rows), len(rows[0])) == (10, 17)
    assert "".join(rows).count("O") == 10
    phone.close()


HOSTILE: list[tuple[Any, str]] = [
    ({"rows": ["BGF"], "more": 1}, "Can’t read this map"),
    ({"rows": "BGF"}, "Can’t read this map"),
    ("<img src=x onerror=alert(1)>", "Can’t read this map"),
    ({"rows": ["B" * 20] * 20, "name": "x" * 2_000}, "This file is larger than 1500 bytes."),
    ({"rows": ["BRF"], "treasure": []}, "The finish can’t be reached from the start."),
    ({"rows": ["BGF"], "treasure": [], "name": "\u2800"}, "contains invisible characters"),
]


def test_a_link_opened_while_a_table_is_being_set(browser: Browser, base: str) -> None:
    """Its map loads without a page reload, also over an open editor, which closes; back leads to
    the previous map."""
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    name = page.get_by_label("Map name")
    page.goto(SETUP)
    page.wait_for_selector("fieldset")
    page.evaluate("window.same = true")
    for given in ("One", "Two"):
        page.goto(link({"rows": ["BGF"], "treasure": [], "name": given}))
        expect(name).to_have_value(given)
        page.get_by_role("button", name="Edit map").press("Enter")
        expect(page.locator("dialog.drawing")).to_be_visible()
    page.goto(link({"rows": ["BGDF"], "treasure": [], "name": "Three"}))
    expect(name).to_have_value("Three")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.go_back()
    expect(name).to_have_value("Two")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.evaluate("window.same"), "page was reloaded"
    phone.close()


def test_what_strangers_send_is_told_in_words(browser: Browser, base: str) -> None:
    """Invalid maps in a link or a file are explained, and no match opens with them."""
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    said = page.locator(".map-editor > [role=status]")
    page.goto(link(HOSTILE[0][0]))
    expect(said).to_contain_text(HOSTILE[0][1])
    for sent, words in HOSTILE:
        data = json.dumps({"game": "conquest", "option": "custom", "value": sent}).encode()
        file: Any = {"name": "map.json", "mimeType": "application/json", "buffer": data}
        page.get_by_label("Custom map: Import from file").set_input_files([file])
        expect(page.locator(".map-editor, .stack > .problem", has_text=words).first).to_be_visible()
        assert fits(page)
    page.goto(link({"rows": ["BGF"], "name": "x" * 2_000}))
    expect(said).to_have_text("Too large for a map.")
    page.goto(link({"rows": ["BRF"], "treasure": []}))
    expect(said).to_have_text(re.compile("can’t be reached"))
    finger.tap_on(page.get_by_role("button", name="Create game"))
    expect(page.locator(".toast")).to_contain_text("This map isn’t playable yet.")
    phone.errors = [each for each in phone.errors if "422" not in each]  # Chromium's own line
    phone.close()


def test_a_map_by_chance_is_seen_and_is_the_tables(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto(SETUP)
    unfold(page)
    finger.tap_on(page.get_by_text("Random", exact=True).first)
    chart = page.locator(".by-chance .map-picture")
    first = chart.get_attribute("aria-label")
    page.wait_for_load_state(
        "networkidle"
    )  # a tap needs its target to stay while the finger is down
    with page.expect_response("**/api/games/conquest/preview"):
        finger.tap_on(page.get_by_role("button", name="New map"))
    expect(chart).not_to_have_attribute("aria-label", str(first))
    with page.expect_response("**/api/games/conquest/preview") as answer:
        page.get_by_role("spinbutton", name=re.compile("^Map number")).fill("4711")
    expect(chart).to_have_attribute("aria-label", "Map number 4711")
    assert fits(page)
    finger.tap_on(page.get_by_text("Pass and play (one phone)"))
    finger.tap_on(page.get_by_role("button", name="Create game"))
    page.wait_for_url("**/m/*")
    match = ann.get("/matches/" + page.url.rpartition("/")[2])
    assert match["options"]["seed"] == 4711
    assert match["view"]["map"] == answer.value.json()["view"]["map"]
    page.wait_for_selector(".game")
    phone.close()
