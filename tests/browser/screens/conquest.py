"""The scenes of Caravan Conquest."""

from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.browser import scenes as sweeps
from tests.browser.phone import unfold
from tests.browser.scenes import Do, Scene, close, kept, moment, press
from tests.browser.service import Program, table


def tile(page: Page) -> None:
    """Select a tile in reach."""
    box = page.locator(".legal").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".target-edge")


def scenes(base: str) -> Iterator[Scene]:
    """Caravan Conquest: each step of a turn, a selected tile, the end."""
    mine_now = ".game.my-turn .desk.mine"
    people, match_id = table(base, "Ann", "Margaret", "Cleo", game="conquest", map="short")
    (seat,) = people[0].get(f"/matches/{match_id}")["to_act"]
    at = f"/m/{match_id}"
    moving = Scene("on the way", people[seat], at, ".game.my-turn .legal")
    yield moving
    yield moving.then("a tile is chosen", tile)
    throwing = press("Drop cargo")
    yield Scene("throwing load away", people[seat], at, ".game.my-turn .legal", throwing)
    ann = Program(base, "Ann")
    for name, version in {"a card": 75, "one step more": 188, "a camp": 354, "a city": 760}.items():
        there = moment(ann, "conquest-6-v1.json", version)
        yield Scene(name, ann, f"/m/{there}", mine_now)
    over = f"/m/{kept(ann, 'conquest-6-v1.json')}"
    result = Scene("the result of a journey", ann, over, ".podium")
    yield result
    yield result.then("after a journey", close)
    yield from _maps(base)


def _chart(name: str) -> Do:
    """Choose a kind of map in the setup."""

    def chosen(page: Page) -> None:
        unfold(page)
        page.get_by_label(sweeps.say(name), exact=True).first.check()
        page.wait_for_selector(".map-picture:visible")

    return chosen


def _spoil(page: Page) -> None:
    """Remove a tile and show what has to be fixed."""
    page.locator("dialog.drawing [data-at]").first.focus()
    page.keyboard.press("Delete")
    page.locator(".verdict summary").press("Enter")
    expect(page.locator(".verdict[open], .verdict details[open]")).to_be_visible()


def _maps(base: str) -> Iterator[Scene]:
    """Map options: a random map, and one drawn on the phone."""
    ann = Program(base, "Ann")
    at, here = "/new?game=conquest", "fieldset"
    yield Scene("a map by chance", ann, at, here, _chart("Random"))
    drawn = Scene("a drawn map", ann, at, here, _chart("Custom"))
    yield drawn
    drawing = drawn.then("drawing a map", press("Edit map"))
    yield drawing
    yield drawing.then("size and beginning of a map", press("Size and template"))
    yield drawing.then("a map to be mended", _spoil)
