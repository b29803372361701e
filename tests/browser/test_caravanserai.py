"""The hex game's panel: the own row, the short texts of moves, and that a turn does not scroll."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import PHONE
from tests.browser.scenes import moment, until
from tests.browser.service import Program, table
from tests.browser.test_moves import step
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

CELL = re.compile(r"\b[A-P]\d+\b")
CALM = 900  # milliseconds after a touch before the camera may follow a move
FITS = """() => {
  const [body, tray] = [".dock-body", ".tray"].map(
    each => document.querySelector(each).getBoundingClientRect())
  return tray.top >= body.top && tray.bottom <= body.bottom
}"""


def _laying(match: Any, view: Any) -> bool:
    placement = view["placement"] if view["step"] == "place" else None
    return match["version"] > 60 and placement is not None and len(placement["blocks"]) == 1


def open_table(browser: Browser, person: Program, match_id: str) -> Page:
    """Open the match on a phone."""
    page = person.phone(browser, PHONE).page
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game:not([data-rising]) .strip")
    return page


def test_own_row_shows_all_lengths_and_the_market(browser: Browser, base: str) -> None:
    """Also on the turn of others."""
    people, match_id = table(base, "Ann", "Bea")
    acting = until(people, match_id, 4, _laying)
    view = acting.get(f"/matches/{match_id}")["view"]
    for seat, person in enumerate(people):
        own, rival = (view["players"][each]["length"] for each in (seat, 1 - seat))
        goods = sum(view["market"].values())
        row = open_table(browser, person, match_id).locator(".own-line")
        expect(row).to_have_text(f"YouCaravan {own}{'AB'[1 - seat]}{rival}Market {goods}")
        expect(row.get_by_role("img")).to_have_attribute(
            "aria-label", f"{('Ann', 'Bea')[1 - seat]}: caravan {rival}"
        )


def test_spectators_have_no_own_row(browser: Browser, public_base: str) -> None:
    seats = [{"kind": "me"}, {"kind": "bot"}]
    body = {"game": "caravanserai", "seats": seats, "visibility": "public"}
    match = Program(public_base, "Ann").post("/matches", body, 201)
    page = open_table(browser, Program(public_base, "Cleo"), match["id"])
    expect(page.locator(".own-line")).to_be_hidden()


def test_turn_fits_under_the_board_and_the_strip_names_no_cell(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bea")
    page = open_table(browser, until(people, match_id, 4, _laying), match_id)
    expect(page.locator(".tray .block")).to_have_count(1)
    assert page.evaluate(FITS)
    page.locator(".kind[aria-pressed=false]:not([aria-disabled])").first.press("Enter")
    assert page.evaluate(FITS)
    strip = page.locator(".latest").inner_text()
    assert "camel" in strip
    assert not CELL.search(strip)


def test_strip_says_that_a_turn_was_skipped(browser: Browser, base: str) -> None:
    person = Program(base, "Ann")
    page = open_table(browser, person, moment(person, "caravanserai-2-v1.json", 83))
    expect(page.locator(".latest")).to_have_text("Seat 0 can’t move and is skipped.")
    expect(page.locator(".latest-edge[d='']")).to_have_count(1)


def test_log_puts_the_heading_of_a_turn_above_its_events(browser: Browser, base: str) -> None:
    """Also for events that arrive while the log is open, and after an undo."""
    people, match_id = table(base, "Ann", "Bea")
    person = until(people, match_id, 4, _laying)
    page = open_table(browser, person, match_id)
    page.get_by_role("button", name="Game log").click()
    lines = page.locator(".log li")
    headings = page.locator(".log .turn-line")
    turn = person.get(f"/matches/{match_id}")["view"]["turn"]
    expect(lines.nth(0)).to_have_text(f"Turn {turn}: you")
    expect(lines.nth(1)).to_contain_text("You laid ")
    assert headings.all_inner_texts()[1].startswith(f"Turn {turn - 1}: ")
    version = step(person, match_id, "PlaceCamel")["match"]["version"]
    expect(page.locator(f".log a[href='?v={version}']")).to_have_count(1)
    texts = lines.all_inner_texts()
    own = texts.index(f"Turn {turn}: you")
    laid = next(number for number, text in enumerate(texts) if text.startswith("You laid "))
    placed = next(number for number, text in enumerate(texts) if text == "You placed a camel")
    assert own < placed < laid
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo step").click()
    page.get_by_role("button", name="Game log").click()
    expect(lines.nth(0)).to_have_text(f"Turn {turn}: you")


def test_board_names_the_cell_that_the_panel_names(browser: Browser, base: str) -> None:
    """Also on the whole board, where the other names are too small to be shown."""
    people, match_id = table(base, "Ann", "Bea")
    page = open_table(browser, people[0], match_id)
    page.get_by_role("button", name="Show whole board").dispatch_event("click")
    Finger(page).tap_on(page.locator(".legal").first)
    tag = page.locator(".cell-tag")
    expect(tag).to_be_visible()
    expect(page.locator(".block-now")).to_contain_text(str(tag.text_content()))
    board, box = page.locator(".board-area").bounding_box(), tag.bounding_box()
    assert board is not None
    assert box is not None
    assert board["y"] <= box["y"]
    assert box["height"] >= 9


def test_others_move_is_in_view_beside_the_own_camel(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bea")

    def is_close(match: Any, view: Any) -> bool:
        seat = match["to_act"][0]
        placement = view["placement"] if view["step"] == "place" else None
        if placement is None or placement["blocks"] or match["version"] < 20:
            return False
        (q, r, _), (s, t, _) = (player["caravan"][-1] for player in view["players"])
        others = view["players"][1 - seat]["caravan"][-4:]
        return max(abs(q - s), abs(r - t), abs(q - s + r - t)) == 6 and len(others) == 4

    page = open_table(browser, until(people, match_id, 4, is_close), match_id)
    page.wait_for_timeout(CALM)
    board, move = (page.locator(each).bounding_box() for each in (".board-area", ".latest-edge"))
    assert board is not None
    assert move is not None
    assert board["x"] <= move["x"]
    assert move["x"] + move["width"] <= board["x"] + board["width"]
    assert board["y"] <= move["y"]
    assert move["y"] + move["height"] <= board["y"] + board["height"]


def two_way_block(person: Program, match_id: str) -> tuple[str, int, int] | None:
    """Return the colour and the cells of a block of two, if each of them could be a block too."""
    match = person.get(f"/matches/{match_id}")
    choices = person.get(f"/matches/{match_id}/choices?seat={match['to_act'][0]}")["choices"]
    commands = [choice["command"] for choice in choices]
    blocks = [(c["colour"], *c["path"]) for c in commands if c["type"] == "LayBlock"]
    for block in sorted(blocks):
        parts = [block[:2], (block[0], block[-1])] if len(block) == 3 else []
        if parts and all(blocks.count(each) == 1 for each in (block, *parts)):
            return block
    return None


def test_a_cell_next_to_the_camel_extends_the_block(browser: Browser, base: str) -> None:
    """It does not start the block again, and no tap lays it while a longer one is possible."""
    people, match_id = table(base, "Ann", "Bea")

    def forks(match: Any, view: Any) -> bool:
        actor = people[match["to_act"][0]]
        return view["step"] == "place" and two_way_block(actor, match_id) is not None

    person = until(people, match_id, 4, forks)
    block = two_way_block(person, match_id)
    assert block is not None
    colour, near, further = block
    version = person.get(f"/matches/{match_id}")["version"]
    page = open_table(browser, person, match_id)
    finger = Finger(page)
    board = page.locator(".board-area > svg")
    finger.tap_on(page.locator(f".kind[data-kind={colour}]"))
    page.wait_for_timeout(CALM)
    camera = board.get_attribute("viewBox")
    finger.tap_on(page.locator(f".legal[data-cell='{further}']"))
    expect(page.locator(".picked")).to_have_attribute("data-cell", str(further))
    expect(page.get_by_role("button", name=re.compile("^Lay 1 "))).to_be_visible()
    finger.tap_on(page.locator(".picked"))
    expect(page.locator(".picked")).to_have_count(0)
    finger.tap_on(page.locator(f".legal[data-cell='{near}']"))
    expect(page.locator(".picked")).to_have_attribute("data-cell", str(near))
    page.wait_for_timeout(CALM)
    assert board.get_attribute("viewBox") == camera, "the next cell is in view already"
    assert person.get(f"/matches/{match_id}")["version"] == version
    finger.tap_on(page.locator(f".legal[data-cell='{further}']"))
    expect(page.locator(".tray .block")).to_have_count(1)
    page.wait_for_function("document.querySelector('.game').dataset.sending === ''")
    events = person.get(f"/matches/{match_id}/events?after={version}")["events"]
    laid = [event["data"]["path"] for event in events if event["type"] == "BlockLaid"]
    assert laid == [[near, further]]
