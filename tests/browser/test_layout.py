"""Layout: tap targets are neither covered nor off-screen, and nothing moves away from under a
finger in the middle of a move."""

import random

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.inspection import hidden
from tests.browser.phone import Phone, fits, unfold
from tests.browser.scenes import (
    EACH,
    SIZES,
    SMALL,
    USUAL,
    mine,
    moment,
    until,
)
from tests.browser.screens.caravanserai import HEX
from tests.browser.service import Program, table
from tests.browser.test_caravane import bids, race
from tests.browser.test_caravanserail import seated, settle, view
from tests.browser.touch import Finger, place

pytestmark = pytest.mark.browser

EACH_SIZE = pytest.mark.parametrize("size", EACH, ids=str)

CALM = 900  # milliseconds after a touch before the camera may follow a move
# The position of the board on the screen and its scale.
PLACE = """() => {
  const svg = document.querySelector(".board-area svg")
  const { x, y, width, height } = svg.getBoundingClientRect()
  const { a, e, f } = svg.getScreenCTM()
  return { box: [x, y, width, height], camera: [a, e, f].map(each => Math.round(each * 100)) }
}"""


# The choices that are at least partly in sight in the dock, as [left, top, width, height].
IN_SIGHT = """what => {
  const dock = document.querySelector(".dock-body").getBoundingClientRect()
  return [...document.querySelectorAll(what)].map(node => node.getBoundingClientRect())
    .filter(box => box.top >= dock.top && box.top + 24 <= dock.bottom)
    .map(({ left, top, width, height }) => [left, top, width, height])
}"""
# Whether the text of a node lies under another node.
TEXT_UNDER = """([what, other]) => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector(what))
  const over = document.querySelector(other).getBoundingClientRect()
  return [...range.getClientRects()].some(({ left, right, top, bottom }) =>
    left < over.right && right > over.left && top < over.bottom && bottom > over.top)
}"""


def seen_by(browser: Browser, person: Program, match_id: str, size: tuple[int, int]) -> Phone:
    """Open the match on a phone of that size."""
    phone = person.phone(browser, {"width": size[0], "height": size[1]})
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game")
    return phone


def test_what_happened_on_the_trails_is_said_in_words(browser: Browser, base: str) -> None:
    """The section "On the trails this turn" has content."""
    ann = Program(base, "Ann")
    phone = seen_by(browser, ann, moment(ann, "caravanserail-6-v2.json", 460), USUAL)
    lines = phone.page.locator(".news li")
    expect(lines).not_to_have_count(0)
    told = lines.all_text_contents()
    phone.page.locator(".handover-page .primary").press("Enter")
    phone.page.locator(".news summary").press("Enter")
    expect(lines.first).to_be_visible()
    for line in [*told, *lines.all_text_contents()]:
        assert line.endswith(".")
        assert "[object" not in line
    assert "[object" not in str(phone.page.locator("body").text_content())
    phone.close()


# --- targets stay under the finger ------------------------------------------------------------


# Records camera moves that followed a touch on the board too soon.
HASTE = """() => {
  const svg = document.querySelector(".board-area svg")
  let touched = -Infinity
  window.hasty = []
  for (const name of ["pointerdown", "pointerup"]) {
    svg.addEventListener(name, event => { touched = event.timeStamp }, true)
  }
  new MutationObserver(() => {
    const rest = performance.now() - touched
    if (rest < 500) { window.hasty.push(Math.round(rest)) }
  }).observe(svg, { attributes: true, attributeFilter: ["viewBox"] })
}"""


def tap_marked(finger: Finger, number: int) -> None:
    """Tap the centre of a marked cell."""
    box = finger.page.locator(".legal:not(.far)").nth(number).bounding_box()
    assert box is not None
    finger.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@EACH_SIZE
def test_the_board_keeps_its_place_during_a_turn(
    browser: Browser, base: str, size: tuple[int, int]
) -> None:
    """During a turn of taps on cells, no tap moves anything under the finger, nor shortly after,
    when the next tap may come; and the board keeps its box for the whole turn."""
    people, match_id = table(base, "Ann", "Margaret")
    person = until(people, match_id, 3, HEX["laying"])
    phone = seen_by(browser, person, match_id, size)
    page, finger = phone.page, Finger(phone.page)
    page.wait_for_selector(".game.my-turn .legal")
    box = page.evaluate(PLACE)["box"]
    page.evaluate(HASTE)
    rng = random.Random(4)
    taps = 0
    while phone.waits_for_me() and taps < 5:
        assert page.evaluate(PLACE)["box"] == box, taps
        kinds = page.locator(".kind:not([aria-disabled]):not([aria-pressed=true])")
        if kinds.count() and page.locator(".kind[aria-pressed=true]").count() == 0:
            kinds.nth(rng.randrange(kinds.count())).click()
            phone.settled()
            continue
        cells = page.locator(".legal:not(.far)")
        if not cells.count():
            page.locator(".block-now .primary, .tray .row .button").first.click()
            phone.settled()
            continue
        tap_marked(finger, rng.randrange(cells.count()))
        taps += 1
        page.wait_for_timeout(CALM)
        phone.settled()
    assert taps > 0
    assert page.evaluate("window.hasty") == []
    phone.close()


@pytest.fixture(scope="module")
def wide_choices(base: str) -> list[tuple[Program, str]]:
    """Set up positions in which one cell is the whole move: a start, and a good to place."""
    made = []
    for seed, name in enumerate(("start", "setting")):
        people, match_id = table(base, "Ann", "Margaret", "Cleo")
        made.append((until(people, match_id, seed + 3, HEX[name]), match_id))
    return made


@EACH_SIZE
def test_a_cell_too_small_for_a_finger_asks_to_be_confirmed(
    browser: Browser, wide_choices: list[tuple[Program, str]], size: tuple[int, int]
) -> None:
    """A tap selects a start or a place for a good and sends nothing; another cell can be selected
    instead; only the button plays. Nothing moves between selection and button."""
    for person, match_id in wide_choices:
        phone = seen_by(browser, person, match_id, size)
        page, finger = phone.page, Finger(phone.page)
        page.wait_for_selector(".game.my-turn .legal")
        before = page.evaluate(PLACE)
        version = phone.version()
        said = set()
        for number in (0, page.locator(".legal").count() - 1):
            tap_marked(finger, number)
            confirm = page.locator(".block-now .primary")
            said.add(confirm.get_attribute("aria-label"))
            expect(page.locator(".aim")).to_have_count(1)
            assert page.evaluate(PLACE) == before
        page.wait_for_timeout(CALM)
        assert page.evaluate(PLACE) == before
        assert len(said) == 2
        assert finger.sent == []
        assert phone.version() == version == person.get(f"/matches/{match_id}")["version"]
        phone.close()


def test_on_a_board_seen_whole_a_block_asks_to_be_confirmed(browser: Browser, base: str) -> None:
    """Zoomed out, cells are too small to place a block by a tap alone; zoomed in, a tap places."""
    for whole in (True, False):
        people, match_id = table(base, "Ann", "Margaret")
        person = until(people, match_id, 3, HEX["laying"])
        phone = seen_by(browser, person, match_id, SMALL)
        page, finger = phone.page, Finger(phone.page)
        page.wait_for_selector(".game.my-turn .legal")
        if whole:
            page.get_by_role("button", name="Show whole board").press("Enter")
        for _ in range(6):
            if finger.sent or not page.locator(".legal:not(.far)").count():
                break
            if page.locator(".kind[aria-pressed=true]").count() == 0:
                page.get_by_role("button", name="Place camel").press("Enter")
            tap_marked(finger, 0)
            page.wait_for_timeout(CALM)
        assert (finger.sent == []) is whole
        if whole:
            page.locator(".block-now .primary").press("Enter")
        phone.settled()
        assert len(finger.sent) == 1
        phone.close()


MAP = """() => [...document.querySelectorAll(".layer-taps .tap")].map(node => {
  const { x, y } = node.getBoundingClientRect()
  return [Math.round(x), Math.round(y)]
})"""


@EACH_SIZE
def test_a_home_is_chosen_by_a_tap_and_settled_in_by_a_button(
    browser: Browser, base: str, size: tuple[int, int]
) -> None:
    """A home is chosen for the whole match. The map does not move meanwhile."""
    people, match_id = seated(base, 8)
    seat = view(people[0], match_id)["order"][0]
    phone = seen_by(browser, people[seat], match_id, size)
    page, finger = phone.page, Finger(phone.page)
    page.wait_for_selector(".game.my-turn .tap")
    assert page.locator(".confirm").is_disabled()
    version = phone.version()
    said = set()
    for number in (1, 3):
        spot = place(page.locator(".layer-taps .tap").nth(number))
        before = page.evaluate(MAP)
        finger.tap(*spot)
        expect(page.locator(".aim")).to_have_count(1)
        said.add(page.locator(".confirm").text_content())
        page.wait_for_timeout(CALM)
        assert page.evaluate(MAP) == before
    assert len(said) == 2
    assert finger.sent == []
    assert phone.version() == version
    finger.tap_on(page.locator(".confirm"))
    phone.settled()
    assert len(finger.sent) == 1
    assert view(people[seat], match_id)["players"][seat]["home"] is not None
    phone.close()


def test_a_tap_on_the_map_does_not_move_the_map(browser: Browser, base: str) -> None:
    """During planning the map can be scrolled, and a tapped target stays under the finger."""
    people, match_id = seated(base, 8)
    settle(people, match_id)
    phone = seen_by(browser, people[0], match_id, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.wait_for_selector(".game.my-turn .cover-button")
    page.locator(".cover-button").press("Enter")
    for tab in (0, 3):
        page.locator(".tab").nth(tab).press("Enter")
        page.evaluate("document.querySelector('.trails-scroll').scrollTop = 30")
        spot = page.evaluate(
            """() => {
              for (const node of document.querySelectorAll(".layer-taps .tap")) {
                const { x, y, width, height } = node.getBoundingClientRect()
                const at = [x + width / 2, y + height / 2]
                if (document.elementFromPoint(...at) === node) { return at }
              }
            }"""
        )
        before = page.evaluate("document.querySelector('.trails-scroll').scrollTop")
        finger.tap(*spot)
        page.wait_for_timeout(CALM)
        assert page.evaluate("document.querySelector('.trails-scroll').scrollTop") == before, tab
    phone.close()


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=str)
def test_the_row_of_buttons_stays_one_row_with_redo(
    browser: Browser, base: str, size: tuple[int, int]
) -> None:
    people, match_id = table(base, "Ann")
    until(people, match_id, 3, HEX["in the middle of a turn"])
    phone = seen_by(browser, people[0], match_id, size)
    page = phone.page
    page.wait_for_selector(".game.my-turn")
    page.get_by_role("button", name="Undo step").click()
    redo = page.get_by_role("button", name="Redo")
    redo.wait_for()
    tops = page.evaluate(
        """() => [...document.querySelectorAll(".actions .button")]
          .map(node => Math.round(node.getBoundingClientRect().top))"""
    )
    assert len(set(tops)) == 1, tops
    assert page.locator(".actions .button").count() >= 4
    assert hidden(page) == []
    before = phone.version()
    redo.click()
    page.wait_for_function(
        "version => document.querySelector('.history input')?.max > version", arg=before
    )
    phone.close()


# --- text is not cut off ----------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=str)
def test_a_long_name_leaves_room_for_the_other_words_of_a_table(
    browser: Browser, base: str, size: tuple[int, int]
) -> None:
    people, _ = table(base, "Bartholomew the Great", "Ann")
    phone = people[1].phone(browser, {"width": size[0], "height": size[1]})
    phone.page.goto("/")
    title = phone.page.locator(".table-card strong").first
    title.wait_for()
    assert title.bounding_box()["height"] < 30, "one line"  # type: ignore[index]
    assert hidden(phone.page) == []
    phone.close()


def off_centre(sign: Locator) -> float:
    """Return the distance in pixels between the centres of a button and its icon."""
    beside: float = sign.evaluate(
        """button => {
          const [whole, drawn] = [button, button.querySelector("svg")]
            .map(node => node.getBoundingClientRect())
          return Math.abs(whole.x + whole.width / 2 - drawn.x - drawn.width / 2)
        }"""
    )
    return beside


def test_buttons_of_small_phones_show_their_word_whole_and_their_sign_in_the_middle(
    browser: Browser, base: str
) -> None:
    people, match_id = race(base, "Ann", "Bea")
    phone = seen_by(browser, people[0], match_id, SMALL)
    page = phone.page
    page.locator(".cover-button").press("Enter")
    page.locator(".stepper .button").first.wait_for()
    for sign in page.locator(".stepper .button").all():
        assert off_centre(sign) < 1
    page.goto("/new")
    page.get_by_role("button", name="Bot").first.click()
    person = page.get_by_role("button", name="Person")
    assert person.bounding_box()["height"] < 50, "one line"  # type: ignore[index]
    phone.close()


# --- the smallest phones ----------------------------------------------------------------------


def test_a_wish_to_go_back_leaves_the_board_its_room(browser: Browser, base: str) -> None:
    """On the smallest phones of both players; the proposal names the player once."""
    people, match_id = table(base, "Ann", "Bea")
    rng = random.Random(5)
    while (match := people[0].get(f"/matches/{match_id}"))["undo"]["kind"] != "consent":
        people[match["to_act"][0]].step(match_id, rng)
    body = {"seat": 0, "expected_version": match["version"]}
    people[0].post(f"/matches/{match_id}/undo", body, 202)
    hers = seen_by(browser, people[0], match_id, SMALL)
    hers.page.get_by_role("button", name="Cancel request").first.wait_for()
    area = hers.page.locator(".board-area").bounding_box()
    assert area is not None
    assert area["height"] > 100
    assert hidden(hers.page) == []
    his = seen_by(browser, people[1], match_id, SMALL)
    asked = his.page.locator(".game .asking .asked").inner_text()
    assert asked.startswith("Ann asks to undo this move and everything since: “… ")
    assert asked.count("Ann") == 1
    area = his.page.locator(".board-area").bounding_box()
    assert area is not None
    assert area["height"] > 100
    assert hidden(his.page) == []
    finger = Finger(his.page)
    finger.tap_on(his.page.locator(".game").get_by_role("button", name="Answer"))
    finger.tap_on(his.page.locator("dialog[open]").get_by_role("button", name="Agree"))
    expect(his.page.locator("dialog[open]")).to_have_count(0)
    expect(hers.page.locator(".notice", has_text="Undo accepted").first).to_be_visible()
    hers.close()
    his.close()


def test_the_offline_banner_takes_two_lines_of_the_smallest_phone(
    browser: Browser, base: str
) -> None:
    people, match_id = table(base, "Ann")
    phone = seen_by(browser, people[0], match_id, SMALL)
    phone.page.wait_for_selector(".game.my-turn .legal")
    phone.context.set_offline(True)
    phone.by_list(random.Random(2))
    banner = phone.page.locator(".offline")
    expect(banner).to_contain_text("Your last actions are saved")
    assert banner.bounding_box()["height"] < 50, "two lines"  # type: ignore[index]
    phone.context.set_offline(False)
    phone.settled()
    phone.close()


def test_the_words_and_the_tables_of_the_first_page_begin_at_one_edge(
    browser: Browser, base: str
) -> None:
    people, _ = table(base, "Ann", "Bea")
    phone = people[0].phone(browser)
    phone.page.goto("/")
    phone.page.wait_for_selector(".table-card")
    for width, height in SIZES:
        phone.page.set_viewport_size({"width": width, "height": height})
        lefts = phone.page.evaluate(
            """() => [".hero h1", ".table-card"]
              .map(what => Math.round(document.querySelector(what).getBoundingClientRect().left))"""
        )
        assert len(set(lefts)) == 1, (width, lefts)
    phone.close()


def test_starting_player_is_not_asked_in_solo_games(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    page.goto("/new")
    page.locator("input[name=gGame][value=caravanserai]").check()
    unfold(page)
    begins = page.get_by_text("First player")
    for count, asked in (("2", 1), ("1", 0), ("3", 1)):
        page.locator(f"input[name=gPlayers][value='{count}']").check()
        expect(begins).to_have_count(asked)
    phone.close()


def test_taking_the_phone_by_keyboard_does_not_bring_up_what_only_readers_want(
    browser: Browser, base: str
) -> None:
    people, match_id = race(base, "Ann", "Bea", one_phone=True)
    phone = people[0].phone(browser)
    page = phone.page
    page.goto(f"/m/{match_id}")
    page.locator(".handover-page .primary").press("Enter")
    page.wait_for_selector(".game.my-turn .cover-button")
    page.wait_for_timeout(CALM)
    focused = page.evaluate("document.activeElement.className")
    assert "reader" not in focused, focused
    phone.close()


def test_what_happened_stands_outside_the_board(browser: Browser, base: str) -> None:
    """The strip never covers the board, and stays when the player taps elsewhere."""
    people, match_id = race(base, "Ann", "Bea")
    bids(people, match_id, 2, 4)
    phone = seen_by(browser, people[0], match_id, SMALL)
    line, board = phone.page.locator(".latest"), phone.page.locator(".board-area")
    expect(line).to_contain_text("Bea")
    Finger(phone.page).tap_on(phone.page.locator(".turn"))
    expect(line).to_be_visible()
    line_box, board_box = line.bounding_box(), board.bounding_box()
    assert line_box is not None
    assert board_box is not None
    assert line_box["y"] >= board_box["y"] + board_box["height"]
    phone.close()


@pytest.mark.parametrize(
    ("match", "version", "seat", "choices"),
    [
        ("caravanserail-6-v2.json", 460, "Seat 2", ".partner"),
        ("courtyard-3-v1.json", 88, "", ".drawn .card-button"),
    ],
    ids=["offers", "minor orders"],
)
def test_more_than_one_choice_is_in_sight_on_the_smallest_phone(
    browser: Browser, base: str, match: str, version: int, seat: str, choices: str
) -> None:
    """The choices stand side by side, large enough for a finger and to be read."""
    ann = Program(base, "Ann")
    phone = seen_by(browser, ann, moment(ann, match, version), SMALL)
    page = phone.page
    page.evaluate("localStorage.setItem('hints', 'off')")
    page.reload()
    mine(seat)(page)
    expect(page.locator(choices).first).to_be_visible()
    boxes = page.evaluate(IN_SIGHT, choices)
    assert len(boxes) >= 2, boxes
    assert boxes[0][1] == boxes[1][1], "they stand in one row"
    assert all(width >= 48 and height >= 48 for _, _, width, height in boxes)
    assert fits(page)
    phone.close()


def test_no_word_of_an_offer_lies_under_the_button_that_covers_it(
    browser: Browser, base: str
) -> None:
    ann = Program(base, "Ann")
    phone = seen_by(browser, ann, moment(ann, "caravanserail-6-v2.json", 460), SMALL)
    page = phone.page
    mine("Seat 2")(page)
    page.locator(".partner").first.press("Enter")
    expect(page.locator(".composer")).to_be_visible()
    for words in (".composer h2", ".composer .taken"):
        assert not page.evaluate(TEXT_UNDER, [words, ".cover-button"]), words
    # In other languages the words of the buttons are longer; none is broken.
    page.locator(".bottom .button").first.evaluate("node => node.lastChild.append(' for now')")
    assert page.locator(".composer .confirm").evaluate("node => node.offsetWidth") >= 140
    phone.close()
