"""Moves of others: animated piece by piece, marked until the next move, described in a line."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import Phone, show_history, still
from tests.browser.service import Program, table
from tests.browser.test_caravane import bids, choose, race
from tests.browser.test_caravanserail import on_the_way, seated, settle

pytestmark = pytest.mark.browser

# Records what the page shows, one entry for each change.
WATCH = """() => {
  window.seen = []
  const look = () => {
    const layer = document.querySelector(".latest-edge")
    const cells = layer ? (layer.getAttribute("d").match(/M/g) || []).length : 0
    if (window.seen.at(-1) !== cells) window.seen.push(cells)
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}"""
TAPPED = """() => {
  window.hit = []
  for (const name of ["pointerdown", "pointerup", "click"]) {
    document.addEventListener(name, event => {
      window.hit.push(`${name} ${event.target.getAttribute("class") || event.target.tagName}`)
    }, true)
  }
}"""


def at_table(
    browser: Browser, person: Program, match_id: str, motion: bool = True, clock: bool = False
) -> Phone:
    """Open a match on the person's phone with animations, optionally with a clock to pause."""
    phone = person.phone(browser)
    if clock:
        phone.page.clock.install()
    if motion:
        phone.page.emulate_media(reduced_motion="no-preference")
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game")
    return phone


def step(person: Program, match_id: str, *wanted: str) -> Any:
    """Play the first choice of the first available wanted type for the seat to act."""
    match = person.get(f"/matches/{match_id}")
    seat = match["to_act"][0]
    choices = person.get(f"/matches/{match_id}/choices?seat={seat}")["choices"]
    commands = [choice["command"] for choice in choices]
    for kind in wanted:
        fitting = [command for command in commands if command["type"] == kind]
        if fitting:
            longest = max(fitting, key=lambda command: len(command.get("path", ())))
            body = {"seat": seat, "expected_version": match["version"], "commands": [longest]}
            return person.post(f"/matches/{match_id}/commands", body)
    raise AssertionError(commands[:3])


def turn(people: list[Program], match_id: str, lay: bool = True) -> list[dict[str, Any]]:
    """Play a turn of the hex game over HTTP, a block and then the camel; return its events."""
    match = people[0].get(f"/matches/{match_id}")
    seat = match["to_act"][0]
    events = []
    first = ("StartAt", "LayBlock") if lay else ("StartAt", "PlaceCamel")
    while match["to_act"] == [seat]:
        answer = step(people[seat], match_id, *first, "SetGood", "TakeFrom", "PlaceCamel")
        first = ("PlaceCamel",)
        events += answer["events"]
        match = answer["match"]
    return events


def started(base: str, *names: str) -> tuple[list[Program], str, int]:
    """Start a hex game in which all have placed their start; return players, id, seat to act."""
    people, match_id = table(base, *names)
    for _ in names:
        turn(people, match_id)
    return people, match_id, people[0].get(f"/matches/{match_id}")["to_act"][0]


def laid(events: list[dict[str, Any]]) -> list[int]:
    """Return the cells that a turn touched, in order."""
    cells = []
    for event in events:
        if event["type"] == "BlockLaid":
            cells += event["data"]["path"]
        elif event["type"] in ("CamelPlaced", "GoodSetOnBoard"):
            cells.append(event["data"]["cell"])
    return cells


def marked(page: Page) -> int:
    """Return how many cells are marked as the latest move."""
    shape = page.locator(".latest-edge").get_attribute("d") or ""
    return shape.count("M")


def test_an_opponents_turn_is_played_piece_by_piece_and_stays_marked(
    browser: Browser, base: str
) -> None:
    """Without motion the end is shown at once with its marks."""
    people, match_id, seat = started(base, "Ann", "Bob")
    other = 1 - seat
    phone = at_table(browser, people[other], match_id, motion=False)
    page = phone.page
    page.evaluate(WATCH)
    events = turn(people, match_id)
    cells = laid(events)
    # Several requests may show as several steps, but never piece by piece.
    whole = {len(laid(events[:count])) for count in range(len(events) + 1)}
    expect(page.locator(".game.my-turn")).to_be_visible()
    expect(page.locator(".latest")).to_be_visible()
    assert marked(page) == len(cells)
    assert page.locator(".skip").is_hidden()
    counts = page.evaluate("window.seen")
    assert counts[-1] == len(cells)
    assert set(counts[1:]) <= whole

    turn(people, match_id)
    expect(page.locator(".game.my-turn")).to_have_count(0)
    page.emulate_media(reduced_motion="no-preference")
    page.wait_for_timeout(300)
    page.evaluate("window.seen = []")
    events = turn(people, match_id)
    cells = laid(events)
    assert len(cells) >= 2
    expect(page.locator(".skip")).to_be_visible()
    page.wait_for_function("count => window.seen.at(-1) === count", arg=len(cells))
    expect(page.locator(".skip")).to_be_hidden()
    counts = page.evaluate("window.seen")
    # Each entry adds one cell, and nothing is shown early.
    first = counts.index(1)
    assert counts[first:] == list(range(1, len(cells) + 1)), counts
    name = people[seat].name
    line = page.locator(".latest")
    block = next(event["data"] for event in events if event["type"] == "BlockLaid")
    names = people[0].get(f"/matches/{match_id}")["view"]["names"]
    where = " ".join(names[cell] for cell in block["path"])
    said = f"{name} laid {len(block['path'])} {block['colour']} on {where}"
    # The strip leaves out what the board marks.
    expect(line).to_contain_text(f"{name}: {len(block['path'])} {block['colour']}")
    expect(line).not_to_contain_text(where)
    live = page.locator("#live")
    expect(live).to_contain_text(said)
    expect(live).to_contain_text("placed a camel on " + names[cells[len(block["path"])]])
    expect(page.locator("#live")).to_contain_text("It’s your turn.")
    assert marked(page) == len(cells)
    assert page.locator(".latest-letter").first.text_content() == name[0]
    # The mark stays until the player's own move.
    page.get_by_role("button", name="Show whole board").click()
    assert marked(page) == len(cells)
    # A tap on the strip replays the turn from its first piece.
    page.evaluate("window.seen = []")
    line.tap()
    expect(page.locator(".skip")).to_be_visible()
    page.wait_for_function("count => window.seen.at(-1) === count", arg=len(cells))
    expect(page.locator(".skip")).to_be_hidden()
    step(people[other], match_id, "LayBlock", "PlaceCamel")
    page.wait_for_function("document.querySelector('.latest-edge').getAttribute('d') !== null")
    expect(page.locator(".skip")).to_be_hidden()
    phone.close()


def test_a_tap_ends_the_animation_and_hits_nothing_else(browser: Browser, base: str) -> None:
    people, match_id, seat = started(base, "Ann", "Bob")
    phone = at_table(browser, people[1 - seat], match_id, clock=True)
    page = phone.page
    page.evaluate(TAPPED)
    places = page.evaluate(
        """() => [...document.querySelectorAll(".actions .button, .strip .button, .board-area")]
          .map(node => node.getBoundingClientRect())
          .map(box => [box.x + box.width / 2, box.y + box.height / 2])"""
    )
    assert len(places) > 5
    for number, place in enumerate([places[0], places[-1]]):
        if number:
            turn(people, match_id)
        still(page)  # only the tap ends the animation
        turn(people, match_id)
        expect(page.locator(".skip")).to_be_visible()
        page.evaluate("window.hit = []")
        version = people[0].get(f"/matches/{match_id}")["version"]
        expect(page.locator(f".history input[max='{version}']")).to_have_count(1)
        page.touchscreen.tap(*place)
        expect(page.locator(".skip")).to_be_hidden()
        page.clock.resume()
        page.wait_for_timeout(500)
        hit = page.evaluate("window.hit")
        assert {line.split(" ", 1)[1] for line in hit} == {"skip"}, hit
        assert people[0].get(f"/matches/{match_id}")["version"] == version
        assert page.locator("dialog[open]").count() == 0
        expect(page.locator(".game.my-turn .legal, .game.my-turn .kind").first).to_be_visible()
    phone.close()


def test_back_after_sleep_the_last_round_is_played_and_the_rest_counted(
    browser: Browser, base: str
) -> None:
    people, match_id, seat = started(base, "Ann", "Bob", "Cleo")
    sleeper = (seat + 2) % 3
    phone = at_table(browser, people[sleeper], match_id, motion=False)
    page = phone.page
    page.wait_for_function("localStorage.getItem('seen') !== null")
    page.goto("/")
    own: list[str] = []
    for _ in range(5):
        events = turn(people, match_id, lay=False)
        own.append(people[events[0]["seat"]].name)
    page.goto(f"/m/{match_id}")
    line = page.locator(".latest")
    expect(line).to_contain_text(re.compile(r"^5 moves since your last visit\. " + own[-1]))
    live = page.locator("#live")
    # The last round: the moves of the two others, then the player's own from another device.
    for name in own[-2:]:
        expect(live).to_contain_text(f"{name} placed a camel")
    page.get_by_role("button", name="Game log").click()
    new = page.locator(".log .unseen")
    # Those of the others; the player's own turn from another device is not new.
    assert new.filter(has_text="placed a camel").count() == 4
    expect(new.first).to_contain_text("(new)")
    assert page.locator(".log li").count() > new.count()
    page.reload()
    expect(line).to_be_visible()
    expect(line).not_to_contain_text("since your last visit")
    phone.close()


def test_own_move_from_another_device_is_animated_and_one_made_here_is_not(
    browser: Browser, base: str
) -> None:
    people, match_id, seat = started(base, "Ann", "Bob")
    phone = at_table(browser, people[seat], match_id)
    page = phone.page
    page.wait_for_selector(".game.my-turn")
    turn(people, match_id)
    expect(page.locator(".skip")).to_be_visible()
    expect(page.locator(".latest")).to_contain_text(people[seat].name)
    turn(people, match_id)
    page.wait_for_selector(".game.my-turn")
    expect(page.locator(".skip")).to_be_hidden()
    shield = "document.querySelector('.skip')"
    page.evaluate(
        f"""() => {{
          window.played = 0
          new MutationObserver(() => {{ window.played += !{shield}.hidden }})
            .observe({shield}, {{ attributes: true }})
        }}"""
    )
    page.get_by_role("button", name="All moves").click()
    page.locator(".moves .button").last.click()
    phone.settled()
    page.wait_for_timeout(500)
    assert page.evaluate("window.played") == 0
    phone.close()


def test_a_bots_turn_is_played_though_it_came_with_the_own_moves_answer(
    browser: Browser, base: str
) -> None:
    ann = Program(base, "Ann")
    seats = [{"kind": "me"}, {"kind": "bot"}]
    match = ann.post("/matches", {"game": "caravanserai", "seats": seats}, 201)
    phone = at_table(browser, ann, match["id"])
    page = phone.page
    page.wait_for_selector(".game.my-turn")
    for _ in range(8):
        before = ann.get(f"/matches/{match['id']}")["view"]["turn"]
        page.get_by_role("button", name="All moves").click()
        page.locator(".moves .button").last.click()
        phone.settled()
        if ann.get(f"/matches/{match['id']}")["view"]["turn"] > before + 1:
            break
    expect(page.locator(".skip")).to_be_visible()
    expect(page.locator(".latest")).to_contain_text("Bot 1")
    expect(page.locator(".skip")).to_be_hidden()
    assert marked(page) > 0
    phone.close()


def test_caravane_marks_from_where_to_where_the_camels_went(browser: Browser, base: str) -> None:
    """A round missed while the page was closed is walked when it opens."""
    people, match_id = race(base, "Ann", "Bea")
    phone = at_table(browser, people[0], match_id)
    page = phone.page
    page.wait_for_selector(".racer")
    bids(people, match_id, 2, 1)
    expect(page.locator(".skip")).to_be_visible()
    expect(page.locator(".skip")).to_be_hidden()
    assert page.locator(".trace").count() == 2
    expect(page.locator(".latest")).to_contain_text("Bids: 2 (You), 1 (Bea)")
    expect(page.locator("#live")).to_contain_text("Ann bid 2: 2 squares.")
    show_history(page)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".trace")).to_have_count(0)
    page.get_by_role("button", name="Back to latest").click()
    expect(page.locator(".trace")).to_have_count(2)
    page.goto("/")
    bids(people, match_id, 2, 1)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".racer")
    expect(page.locator(".skip")).to_be_visible()
    start = page.locator("[data-seat='0']").get_attribute("style")
    expect(page.locator(".skip")).to_be_hidden()
    assert page.locator("[data-seat='0']").get_attribute("style") != start
    phone.close()


def test_caravanserail_plays_the_journeys_and_marks_them(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    settle(people, match_id)
    phone = at_table(browser, people[3], match_id)
    page = phone.page
    page.wait_for_selector(".sheikh")
    start = page.locator(".caravan").first.get_attribute("style")
    on_the_way(people, match_id)
    expect(page.locator(".latest")).to_have_text("The caravans move.")
    expect(page.locator(".skip")).to_be_hidden()
    assert page.locator("[data-trace]").count() == 3
    assert page.locator(".caravan").first.get_attribute("style") != start
    page.reload()
    page.wait_for_selector(".sheikh")
    expect(page.locator("[data-trace]")).to_have_count(3)
    phone.close()


def test_an_idle_board_does_not_paint(browser: Browser, base: str) -> None:
    """Tap targets are animated for some seconds; after that, no style recalculation and no paint
    happens while the page is idle."""
    people, match_id, seat = started(base, "Ann", "Bob")
    turn(people, match_id)
    phone = at_table(browser, people[1 - seat], match_id)
    page = phone.page
    page.wait_for_selector(".game.my-turn .legal")
    assert page.evaluate("document.getAnimations().length") > 0
    page.wait_for_function("document.getAnimations().length === 0")
    session = phone.context.new_cdp_session(page)
    session.send("Performance.enable")

    def spent() -> dict[str, float]:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in metrics}

    # Other load on the machine may disturb one second, but not all ten.
    shares = []
    for _ in range(10):
        before = spent()
        page.wait_for_timeout(1000)
        after = spent()
        assert after["RecalcStyleCount"] - before["RecalcStyleCount"] <= 1
        shares.append(after["TaskDuration"] - before["TaskDuration"])
        if shares[-1] < 0.02:
            break
    assert min(shares) < 0.02, f"{min(shares):.1%} of a core while nothing happens"
    phone.close()


def test_no_key_of_a_turn_loses_the_focus_in_the_hex_game(browser: Browser, base: str) -> None:
    """Place a block and move the camel with the keyboard: focus never falls back to the body."""
    people, match_id, seat = started(base, "Ann", "Bob")
    phone = at_table(browser, people[seat], match_id, motion=False)
    page = phone.page
    page.wait_for_selector(".game.my-turn")
    page.locator(".kind:not([aria-disabled])").first.focus()
    keyed(page, "Enter")  # a colour
    page.locator(".board-area svg[role=application]").focus()
    for _ in range(3):
        keyed(page, "ArrowRight", "Enter")
    lay = page.locator(".block-now .primary, .tray .row .button")
    if lay.count():
        lay.first.focus()
        keyed(page, "Enter")
    page.locator(
        ".actions .button:not([disabled], [aria-disabled])"
    ).first.focus()  # undo: my turn again
    keyed(page, "Enter")
    page.get_by_role("button", name="All moves").focus()
    keyed(page, "Enter")
    page.locator(".moves .button").last.focus()
    keyed(page, "Enter")
    page.locator(".actions .button:not([disabled], [aria-disabled])").first.focus()
    keyed(page, "Enter")
    phone.close()


# Resolves once no request is pending and the result is drawn.
DRAWN = """async () => {
  const sending = () => document.querySelector(".game").dataset.sending !== ""
  do {
    await new Promise(done => setTimeout(done, 100))
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  } while (sending())
  return document.activeElement.outerHTML.slice(0, 80)
}"""


def keyed(page: Page, *keys: str) -> None:
    """Press keys; check after each, once all is drawn, that an element still has focus."""
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(150)
        assert not page.evaluate(DRAWN).startswith("<body"), f"after {key}"


def test_no_key_of_a_bid_loses_the_focus(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea", food=True)
    for seat in (0, 1):
        choose(people, match_id, seat, 0)
    phone = at_table(browser, people[0], match_id, motion=False)
    page = phone.page
    page.locator(".cover-button").focus()
    keyed(page, "Enter")
    page.get_by_role("button", name="One more").focus()
    keyed(page, "Enter")
    page.get_by_role("button", name="One fewer").focus()
    keyed(page, "Enter")  # the minimum is reached
    page.locator(".confirm").focus()
    keyed(page, "Enter")
    page.get_by_role("button", name="Change").focus()
    keyed(page, "Enter")
    phone.close()


def test_no_key_of_a_plan_loses_the_focus(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    phone = at_table(browser, people[0], match_id, motion=False)
    page = phone.page
    page.wait_for_selector(".sheikh")
    settle(people, match_id)
    page.get_by_role("button", name="Tap to plan").focus()
    keyed(page, "Enter")
    page.locator(".way-to").nth(1).focus()
    keyed(page, "Enter")
    page.locator(".shelf-ware").first.focus()
    keyed(page, "Enter", "Enter")
    page.locator(".taken-ware").first.focus()
    keyed(page, "Enter", "Enter")
    page.get_by_role("button", name="Raiders").focus()
    keyed(page, "Enter")
    page.locator(".raid-ways .way-to").nth(1).focus()
    keyed(page, "Enter")
    page.locator(".confirm").focus()
    keyed(page, "Enter")
    page.get_by_role("button", name="Change").focus()
    keyed(page, "Enter")
    phone.close()


def read(page: Page) -> str:
    """Open the text description of the board with the keyboard and return it."""
    reader = page.get_by_role("button", name="Read board")
    reader.focus()
    reader.press("Enter")
    sheet = page.get_by_role("dialog", name="Board as text")
    expect(sheet.get_by_role("heading", level=3).first).to_be_visible()
    words: str = sheet.aria_snapshot()
    page.keyboard.press("Escape")
    return words


def test_a_position_can_be_read_its_cells_found_and_its_moves_retraced(
    browser: Browser, base: str
) -> None:
    """The hex game in words; the list of moves lights the cells it names and the board names them;
    an earlier moment marks the move that led to it."""
    people, match_id, seat = started(base, "Ann", "Bob")
    events = turn(people, match_id)
    view = people[0].get(f"/matches/{match_id}")["view"]
    phone = at_table(browser, people[1 - seat], match_id, motion=False)
    page = phone.page
    words = read(page)
    names = view["names"]
    camel = next(event for event in events if event["type"] == "CamelPlaced")
    name = people[seat].name
    assert f"{names[camel['data']['cell']]} camel" in words
    assert "Caravan from tail to head: " in words
    assert f"with {name}’s piece: camel" in words
    market = ", ".join(f"{number} {colour}" for colour, number in view["market"].items())
    assert market in words
    for cell in names:
        assert re.search(rf"\b{cell} (sand|\w+ caravanserai)", words), cell
    assert words.count("with a good") == len(view["standing"])
    # It is rebuilt when opened, not before.
    assert page.locator(".reading li").count() > 0

    page.wait_for_selector(".game.my-turn")
    free = [n for n, cell in zip(view["names"], view["cells"], strict=True) if cell[2] is None]
    page.get_by_role("button", name="All moves").click()
    entry = page.locator(".moves .button").first
    said = entry.inner_text()
    entry.focus()
    lit = page.locator(".lit")
    expect(lit).to_have_count(len(re.findall(r"\b[A-Z]{1,2}\d+\b", said)))
    box = lit.first.bounding_box()
    sheet = page.get_by_role("dialog", name="All legal moves").bounding_box()
    assert box is not None
    assert sheet is not None
    assert box["y"] + box["height"] < sheet["y"], "the sheet covers the cells it highlights"
    shown = page.locator(".cell-names text")
    assert shown.all_text_contents() == free
    expect(shown.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(lit).to_have_count(0)

    block = next(event for event in events if event["type"] == "BlockLaid")
    slider = page.locator(".history input")
    slider.fill(str(block["version"]))
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    assert marked(page) == len(block["data"]["path"])
    slider.fill(str(camel["version"]))
    assert marked(page) == len(block["data"]["path"]) + 1
    phone.close()


def test_the_road_and_the_map_can_be_read(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    bids(people, match_id, 2, 1)
    phone = at_table(browser, people[0], match_id, motion=False)
    phone.page.wait_for_selector(".racer")
    words = read(phone.page)
    view = people[0].get(f"/matches/{match_id}")["view"]
    assert "Ann is on square 2 of 15" in words
    special = sum(len(stage["special"]) for stage in view["track"])
    assert len(re.findall(r"listitem: .Square \d+: (?!palace)", words)) == special
    people, match_id = seated(base)
    settle(people, match_id)
    on_the_way(people, match_id)
    people[0].sign_in(phone)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".sheikh")
    words = read(phone.page)
    assert "home of Ann: Ann’s caravan 2, Ann’s caravan 3" in words
    assert "Ann’s caravan 1 towards F" in words
    phone.close()


# The visible names and their overlap with a camel or a good of a caravan.
COVERED = """() => {
  const boxes = nodes => [...nodes].map(node => node.getBoundingClientRect())
  const pieces = boxes(document.querySelectorAll("[data-piece^=camel], [data-piece^=bead]"))
  const names = [...document.querySelectorAll(".cell-names text")]
    .filter(node => getComputedStyle(node).visibility === "visible")
  const cross = (a, b) => a.left < b.right && b.left < a.right
  const meet = (a, b) => cross(a, b) && a.top < b.bottom && b.top < a.bottom
  const hit = names.filter(node => pieces.some(piece => meet(node.getBoundingClientRect(), piece)))
  return [pieces.length, hit.map(node => node.textContent)]
}"""


def test_no_name_of_a_cell_is_half_covered(browser: Browser, base: str) -> None:
    """Names are centred in their cells, and hidden while a caravan is on the cell."""
    people, match_id, seat = started(base, "Ann", "Bob")
    for _ in range(4):
        turn(people, match_id)
    phone = people[seat].phone(browser, {"width": 1280, "height": 800})
    page = phone.page
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn svg.near")
    pieces, covered = page.evaluate(COVERED)
    assert pieces > 1
    assert not covered
    show_history(page)
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game.looking")
    page.wait_for_function("() => !document.querySelector('[data-piece^=camel]')")
    expect(page.locator(".cell-names text[visibility]")).to_have_count(0)
    phone.close()
