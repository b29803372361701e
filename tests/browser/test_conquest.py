"""Caravan Conquest on phones: a whole game by touch, a turn by keyboard, trade, stops."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.games.conquest.board import distances, ground_of
from tests.browser.phone import Phone, fits
from tests.browser.scenes import moment
from tests.browser.service import Program, table
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

SIZES = [(320, 640), (390, 844), (1280, 800)]
DOUBLE = 400  # milliseconds after which a tap is not part of a double tap
OPEN = ["GGGGGGG", "GBGGGGG", "GGGGGGF"]
MARKET = ["BSCPDMF", "GGGGOGG"]


def on(base: str, rows: list[str], *names: str) -> tuple[list[Program], str]:
    """Start a match on a custom map; the first player returned is the one who starts."""
    custom = {"rows": rows, "treasure": [], "name": ""}
    people, match_id = table(
        base, *(names or ("Ann", "Bea")), game="conquest", map="custom", custom=custom
    )
    seat = people[0].get(f"/matches/{match_id}")["to_act"][0]
    return [*people[seat:], *people[:seat]], match_id


def play(person: Program, match_id: str, *commands: dict[str, Any]) -> Any:
    """Play moves of the seat to act over HTTP."""
    match = person.get(f"/matches/{match_id}")
    body = {
        "seat": match["to_act"][0],
        "expected_version": match["version"],
        "commands": [*commands],
    }
    return person.post(f"/matches/{match_id}/commands", body)["match"]


def step(row: int, column: int) -> dict[str, Any]:
    return {"type": "Move", "to": [row, column]}


def seat_of(person: Program, match_id: str) -> dict[str, Any]:
    """Return the possessions of the seat to act."""
    match = person.get(f"/matches/{match_id}")
    player: dict[str, Any] = match["view"]["players"][match["to_act"][0]]
    return player


def at_table(browser: Browser, person: Program, match_id: str, size: Any = None) -> Phone:
    phone = person.phone(browser, size and {"width": size[0], "height": size[1]})
    opened(phone.page, match_id)
    return phone


def opened(page: Page, match_id: str) -> None:
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".merchant")


def resting(page: Page) -> None:
    """Wait until the map has its final position and size."""
    look = """() => {
      const { a, e, f } = document.querySelector(".board-area svg").getScreenCTM()
      return [a, e, f].join()
    }"""
    before = None
    for _ in range(50):
        now = page.evaluate(look)
        if now == before:
            return
        before = now
        page.wait_for_timeout(60)


def middle(page: Page, place: tuple[int, int]) -> tuple[float, float]:
    """Return the screen position of a tile in reach."""
    resting(page)
    box = page.locator(f'.legal[data-place="{place[0]},{place[1]}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def centre(node: Any) -> tuple[float, float]:
    """Return the screen position of the centre of a control."""
    node.scroll_into_view_if_needed()
    box = node.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def button(page: Page, name: str) -> Any:
    return page.locator(".desk").get_by_role("button", name=name, exact=True)


# --- a whole game -----------------------------------------------------------------------------


def nearest(page: Page, view: dict[str, Any]) -> tuple[int, int]:
    """Return the tile in reach that is nearest to the finish."""
    land = "/".join(view["tiles"])
    ground = ground_of(land)
    home = distances(land, ground.finish)
    places = [
        tuple(map(int, str(node.get_attribute("data-place")).split(",")))
        for node in page.locator(".legal[data-left]").all()
    ]
    return min(places, key=lambda place: home[ground.cell(place)])  # type: ignore[arg-type,return-value]


def one_step(phone: Phone, view: dict[str, Any]) -> None:
    """Make one decision by touch: move to the tile nearest to the finish, or the first choice."""
    page, before = phone.page, phone.version()
    if view["step"] == "move" and view["steps_left"]:
        page.touchscreen.tap(*middle(page, nearest(page, view)))
        expect(page.locator(".target-edge")).to_have_count(1)
        assert phone.version() == before, "the tap only selects"
        page.locator(".spot-and-ways .primary").tap()
    elif view["step"] in ("camp", "city"):
        button(page, "Done").tap()
    elif view["step"] == "extra":
        button(page, "Stay here").tap()
    else:
        page.locator(".answers .button").first.tap()
    if phone.asked():
        page.wait_for_timeout(DOUBLE)  # a sooner tap would be the second half of a double tap
        page.locator("dialog.sure .confirm").tap()
    phone.settled()
    assert phone.version() > before


@pytest.mark.timeout(300)
def test_two_phones_play_a_whole_short_game(browser: Browser, base: str) -> None:
    """Play through the interface only, from the start to the result on both phones."""
    people, match_id = table(base, "Ann", "Bea", game="conquest", map="short")
    phones = [at_table(browser, person, match_id) for person in people]
    for _ in range(120):
        match = people[0].get(f"/matches/{match_id}")
        if not match["to_act"]:
            break
        phone = phones[match["to_act"][0]]
        expect(phone.page.locator(".game.my-turn .desk.mine")).to_have_count(1)
        phone.page.wait_for_function(
            "version => document.querySelector('.history input')?.max >= version",
            arg=match["version"],
        )
        one_step(phone, match["view"])
    assert match["status"] == "finished"
    for phone in phones:
        expect(phone.page.locator(".podium")).to_have_count(1)
        expect(phone.page.locator("dialog[open]")).to_contain_text("reached the finish in round")
        phone.close()


# --- a turn -----------------------------------------------------------------------------------


def test_a_tap_chooses_and_a_button_goes(browser: Browser, base: str) -> None:
    """The effect of a stop is shown first; neither a tap nor a double tap sends anything."""
    (ann, _), match_id = on(base, OPEN)
    phone = ann.phone(browser)
    finger = Finger(phone.page)
    opened(phone.page, match_id)
    phone.page.wait_for_selector(".legal")
    finger.tap(*middle(phone.page, (1, 3)))
    spot = phone.page.locator(".spot-and-ways")
    expect(spot).to_contain_text("Grasslands")
    expect(spot).to_contain_text("2 steps, then 1 left")
    expect(spot).to_contain_text("+1 spice, 1 card")
    finger.double_tap(*middle(phone.page, (0, 2)))
    assert finger.sent == []
    phone.page.wait_for_timeout(400)
    finger.tap(*middle(phone.page, (1, 3)))
    button(phone.page, "Move on").tap()
    phone.settled()
    assert len(finger.sent) == 1
    expect(phone.page.locator(".steps-left")).to_have_text("1")
    expect(spot).to_contain_text("+1 spice, 1 card")
    finger.tap(*centre(button(phone.page, "Stop here")))
    assert len(finger.sent) == 1, "it reveals a card, so it asks for confirmation"
    finger.tap(*centre(phone.page.locator("dialog.sure .confirm")))
    phone.settled()
    assert len(finger.sent) == 2
    assert finger.strays() == []
    expect(button(phone.page, "Stop here")).to_have_count(0)
    phone.close()


def test_a_turn_by_keyboard_alone(browser: Browser, base: str) -> None:
    """Arrow keys move over the map, Enter selects, Enter again moves; the button stops."""
    (ann, _), match_id = on(base, OPEN)
    phone = at_table(browser, ann, match_id)
    page = phone.page
    page.locator(".board-area svg[role=application]").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#live")).to_contain_text("row 3, column 3: 2 steps")
    page.keyboard.press("Enter")
    expect(page.locator(".spot-and-ways")).to_contain_text("row 3, column 3")
    page.keyboard.press("Enter")
    phone.settled()
    assert seat_of(ann, match_id)["at"] == [2, 2]
    stop = button(page, "Stop here")
    for _ in range(40):
        if stop.evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert phone.asked()
    page.keyboard.press("Enter")
    phone.settled()
    events = ann.get(f"/matches/{match_id}/events?after=0")["events"]
    assert "CaravanStopped" in [event["type"] for event in events]
    phone.close()


def test_the_move_of_another_is_seen(browser: Browser, base: str) -> None:
    """The map shows its path, the strip which card it drew, and only the log the coordinates."""
    (ann, bea), match_id = on(base, ["GGGGG", "GBGGG", "GGGGF"])
    phone = at_table(browser, bea, match_id)
    play(ann, match_id, step(1, 2), step(1, 3), {"type": "Stop"})
    expect(phone.page.locator(".trace-steps")).to_have_count(1)
    events = ann.get(f"/matches/{match_id}/events?after=0")["events"]
    (drawn,) = [event["text"] for event in events if event["type"] == "EncounterDrawn"]
    expect(phone.page.locator(".latest")).to_contain_text(drawn)
    expect(phone.page.locator(".latest")).not_to_contain_text("column")
    phone.close()


def test_own_row_shows_wealth_and_explains_its_signs(browser: Browser, base: str) -> None:
    """It stays while others move; the ledger has a button for the legend too."""
    (_, bea), match_id = on(base, OPEN)
    phone = at_table(browser, bea, match_id)
    row = phone.page.locator(".own-row")
    named = phone.page.get_by_role("button", name=re.compile("You wealth 134 10 gold 5 silk"))
    expect(named).to_have_count(1)
    expect(row).to_contain_text("134")
    expect(phone.page.locator(".steps-left")).to_have_count(0)
    Finger(phone.page).tap_on(row)
    legend = phone.page.locator("dialog[open] .sign-list")
    expect(legend).to_contain_text("Treasure: 40 wealth.")
    assert fits(phone.page)
    phone.page.keyboard.press("Escape")
    expect(legend).to_have_count(0)
    phone.page.get_by_role("button", name="Symbols and numbers", exact=True).press("Enter")
    expect(legend).to_be_visible()
    phone.close()


# --- camp and city ----------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_any_amount_is_sold_at_a_camp(browser: Browser, base: str, size: Any) -> None:
    """Sell four of five silk with a preview; the map stays put, nothing scrolls horizontally."""
    (ann, _), match_id = on(base, MARKET)
    phone = at_table(browser, ann, match_id, size)
    page = phone.page
    place = "document.querySelector('.board-area').getBoundingClientRect().height"
    before = page.evaluate(place)
    page.touchscreen.tap(*middle(page, (0, 1)))
    expect(page.locator(".spot-and-ways")).to_contain_text("trade silk at 10 gold")
    button(page, "Stop here (ends turn)").tap()
    expect(page.locator(".counter output")).to_have_text("1")
    button(page, "All 5").tap()
    button(page, "−1").tap()
    expect(page.locator(".after")).to_have_text("leaves 50 gold, 1 silk")
    assert page.evaluate(place) == before
    assert fits(page)
    phone.settled()
    button(page, "Sell 4 silk for 40 gold").tap()
    phone.settled()
    player = seat_of(ann, match_id)
    assert (player["gold"], player["silk"]) == (50, 1)
    button(page, "Done").tap()
    phone.settled()
    phone.close()


def test_an_animal_is_exchanged_in_a_city(browser: Browser, base: str) -> None:
    """The price deducts the old animal; the ledger shows the result."""
    (ann, _), match_id = on(base, MARKET)
    play(ann, match_id, step(0, 1), step(0, 2), {"type": "Stop"})
    phone = at_table(browser, ann, match_id)
    page = phone.page
    rows = page.locator(".refit")
    offer = rows.nth(1).locator(".offer", has_text="Roach (horse)")
    expect(rows.nth(1)).to_contain_text("Exchange donkey 2 for")
    expect(offer).to_contain_text("pay 8 gold")
    offer.tap()
    phone.settled()
    expect(rows.nth(0)).to_contain_text("Exchange donkey for")
    expect(rows.nth(1)).to_contain_text("Exchange Roach (horse) for")
    player = seat_of(ann, match_id)
    assert (player["gold"], sorted(player["animals"])) == (2, ["donkey", "roach"])
    expect(page.locator(".merchant.acting")).to_contain_text("Roach (horse)")
    phone.close()


def test_downgrade_in_a_city_is_confirmed(browser: Browser, base: str) -> None:
    """A second tap on the place of a purchase asks before it takes a slower animal."""
    (ann, _), match_id = on(base, MARKET)
    stop = step(0, 1), step(0, 2), {"type": "Stop"}
    play(ann, match_id, *stop, {"type": "Exchange", "old": "donkey", "new": "roach"})
    phone = at_table(browser, ann, match_id)
    page = phone.page
    phone.page.locator(".offer[data-old=roach][data-new=donkey]").tap()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("You give Roach (horse) (speed 4) and get donkey (speed 3).")
    dialog.get_by_role("button", name="Cancel").tap()
    assert sorted(seat_of(ann, match_id)["animals"]) == ["donkey", "roach"]
    phone.close()


def test_tap_on_a_tile_closes_the_cargo_form(browser: Browser, base: str) -> None:
    (ann, _), match_id = on(base, OPEN)
    phone = at_table(browser, ann, match_id)
    page = phone.page
    button(page, "Drop cargo").tap()
    expect(page.locator(".counter")).to_have_count(1)
    page.touchscreen.tap(*middle(page, (1, 3)))
    expect(page.locator(".counter")).to_have_count(0)
    expect(button(page, "Move on")).to_be_visible()
    phone.close()


def test_new_turn_keeps_the_zoom_of_the_player(browser: Browser, base: str) -> None:
    """After "Show whole board" the map is not enlarged at the next turn."""
    people, match_id = table(base, "Ann", "Bea", game="conquest", map="full")
    seat = people[0].get(f"/matches/{match_id}")["to_act"][0]
    first, second = people[seat], people[1 - seat]
    phone = at_table(browser, first, match_id)
    page = phone.page
    page.wait_for_selector(".legal")
    page.get_by_role("button", name="Show whole board").tap()
    resting(page)
    before = page.locator(".legal").first.bounding_box()
    for number, person in ((seat, first), (1 - seat, second)):
        while person.get(f"/matches/{match_id}")["to_act"] == [number]:
            choices = person.get(f"/matches/{match_id}/choices?seat={number}")["choices"]
            commands = [each["command"] for each in choices]
            kinds = ("Stop", "Done", "Move")
            found = [each for kind in kinds for each in commands if each["type"] == kind]
            play(person, match_id, (found or commands)[0])
    page.wait_for_selector(".game.my-turn .legal")
    resting(page)
    after = page.locator(".legal").first.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["width"] - after["width"]) < 1
    phone.close()


def test_load_is_thrown_away_by_amounts(browser: Browser, base: str) -> None:
    """The effect on the speed is shown first; cancelling keeps everything."""
    (ann, _), match_id = on(base, OPEN)
    phone = at_table(browser, ann, match_id)
    page = phone.page
    button(page, "Drop cargo").tap()
    expect(page.locator(".after")).to_have_text("speed stays 3")
    button(page, "Keep everything").tap()
    expect(page.locator(".counter")).to_have_count(0)
    button(page, "Drop cargo").tap()
    page.locator(".amount-kinds").get_by_role("button", name="spice").tap()
    button(page, "+1").tap()
    page.get_by_role("button", name=re.compile("Drop 2 spice")).tap()
    phone.settled()
    assert seat_of(ann, match_id)["spice"] == 8
    phone.close()


def test_a_full_map_is_drawn_and_moved_quickly(browser: Browser, base: str) -> None:
    """170 tiles: the camera frames the tiles in reach; a step of panning costs few milliseconds."""
    people, match_id = table(base, "Ann", "Bea", game="conquest", map="full")
    match = people[0].get(f"/matches/{match_id}")
    phone = at_table(browser, people[match["to_act"][0]], match_id)
    page = phone.page
    page.wait_for_selector(".legal")
    tile = page.locator(".legal").first.bounding_box()
    assert tile is not None
    assert tile["width"] > 24
    cost = page.evaluate(
        """() => {
          const svg = document.querySelector(".board-area svg")
          const [x, y, w, h] = svg.getAttribute("viewBox").split(" ").map(Number)
          const began = performance.now()
          for (let n = 0; n < 50; n++) {
            svg.setAttribute("viewBox", [x + n, y, w, h].join(" "))
            svg.getBoundingClientRect()
          }
          return (performance.now() - began) / 50
        }"""
    )
    print(f"panning the full map: {cost:.2f} ms of layout a step")
    assert cost < 30
    phone.close()


def test_the_log_names_the_card_of_a_missed_turn(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    phone = at_table(browser, ann, moment(ann, "conquest-2-v1.json", 117))
    page = phone.page
    page.get_by_role("button", name="Game log").press("Enter")
    lines = page.locator("dialog[open] .log li")
    expect(lines.filter(has_text="misses a turn (Sandstorm).")).to_have_count(1)
    expect(lines.filter(has_text="misses a turn (Mirage).")).to_have_count(1)
    phone.close()
