"""The courtyard in the browser: whole games on two phones, previews, the secret choice of minor
orders, hand-over, and keyboard use."""

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from domain.games.courtyard import rules
from domain.games.courtyard.board import STRIDE_STEPS, steps
from tests.browser.courtyard import Mirror, Visitor, seated, settle, wish
from tests.browser.inspection import misfits
from tests.browser.phone import PHONE
from tests.browser.scenes import kept, moment
from tests.browser.service import Program
from tests.browser.test_axe import Inspector
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

MOST = 600
"""Upper bound of the commands of a game of two good bots."""
ORDER, GATE, KEEPING, SELL = 156, 534, 88, 1133
"""Versions of the stored three-player match at which a major can be completed, several abilities
can be paid, minors are being chosen, and goods can be sold."""
OPEN_MINOR = 90
"""A version at which the seat to act holds an open minor order and may move to a tower."""
KEPT = "courtyard-3-v1.json"


def game(browser: Browser, base: str, by_hand: Any) -> None:
    """Play to the end: through the page where ``by_hand(state)`` holds, else over HTTP."""
    rng = random.Random(7)
    people, match_id = seated(base, "Ann", "Bea")
    phones = [Visitor(browser, person, match_id) for person in people]
    mirror = Mirror(people, match_id)
    hands = 0
    for _ in range(MOST):
        state = mirror.now()
        if not rules.to_act(state):
            break
        command = wish(state, rng)
        if by_hand(state):
            phones[state.seat].ready(mirror.version)
            phones[state.seat].do(command)
            hands += 1
        else:
            mirror.send(command)
    standings = people[0].get(f"/matches/{match_id}")["standings"]
    assert hands > 10
    for phone in phones:
        podium = phone.page.locator(".podium")
        expect(podium).to_be_visible()
        for place in standings:
            expect(podium).to_contain_text(str(place["score"]))
        phone.page.keyboard.press("Escape")
        phone.close()


@pytest.mark.timeout(180)
def test_a_game_on_two_phones(browser: Browser, base: str) -> None:
    """The opening and the last turns through the page; in between the same bots over HTTP."""
    game(browser, base, lambda state: state.turn <= 2 or state.trigger is not None)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_whole_game_on_two_phones(browser: Browser, base: str) -> None:
    """Every command through the page."""
    game(browser, base, lambda state: True)


# --- before it is final -----------------------------------------------------------------------


def at_moment(browser: Browser, base: str, version: int) -> Visitor:
    """Open the stored match at a version on a phone that holds all seats."""
    ann = Program(base, "Ann")
    phone = Visitor(browser, ann, moment(ann, KEPT, version))
    phone.ready()
    return phone


def test_an_order_says_what_it_pays_and_where_that_goes(browser: Browser, base: str) -> None:
    """The button shows the sum, the split follows the controls, the ledger shows the result."""
    phone = at_moment(browser, base, ORDER)
    view = phone.person.get(f"/matches/{phone.match_id}")["view"]
    player = view["players"][view["to_move"]]
    before = phone.version()
    phone.named("do-FillOrder").click()
    expect(phone.desk.locator(".pays")).to_have_text("pays 11 + 2 = 13")
    expect(phone.desk.locator(".gain")).to_have_text("Wealth +13")
    for _ in range(2):
        phone.named("more-repay").click()
    phone.named("more-save").click()
    expect(phone.desk.locator(".gain")).to_have_text("Wealth +10")
    assert phone.version() == before, "nothing is sent before the last button"
    phone.named("confirm").click()
    phone.page.wait_for_function(
        "version => Number(document.querySelector('.history input')?.max) > version", arg=before
    )
    after = phone.person.get(f"/matches/{phone.match_id}")["view"]["players"][player["seat"]]
    assert after["wealth"] == player["wealth"] + 10
    assert after["debt"] == player["debt"] - 2
    assert after["coins"] == player["coins"] + 1
    line = phone.page.locator(f"[data-player='{player['seat']}']")
    expect(line.locator(".wealth")).to_contain_text(str(after["wealth"]))
    phone.close()


def test_a_tap_only_looks(browser: Browser, base: str) -> None:
    """A tap on a highlighted space describes it, and its button moves there; a space out of reach
    has no such button."""
    people, match_id = seated(base, "Ann", "Bea")
    seat = settle(people, match_id)["to_act"][0]
    phone = Visitor(browser, people[seat], match_id)
    phone.ready()
    before = phone.version()
    lit = phone.page.locator(".tap.legal")
    reach = {space: n for space, n in steps("G_S", ("G_S",)).items() if n <= STRIDE_STEPS}
    assert {each.get_attribute("data-space") for each in lit.all()} == {*reach}
    shown = sorted(phone.page.locator(".step-number").all_text_contents())
    assert shown == sorted(map(str, reach.values()))
    phone.space("S_gold").click()
    expect(phone.desk.locator(".place-head")).to_contain_text("Gold stall")
    expect(phone.desk).to_contain_text("3 left at 3 dirhams each")
    phone.space("T_NW").click()
    expect(phone.named("go")).to_have_count(0)
    assert phone.version() == before
    phone.space("S_gold").click()
    phone.named("go").click()
    expect(phone.page.locator(f"[data-piece='player {seat}']")).to_be_visible()
    phone.settled()
    there = people[seat].get(f"/matches/{match_id}")["view"]["players"][seat]["at"]
    assert there == "S_gold"
    phone.close()


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 568}], ids=["usual", "small"])
def test_own_row_shows_what_the_seat_has(browser: Browser, base: str, size: dict[str, int]) -> None:
    """All of it is in sight on every phone; a tap explains the signs."""
    ann = Program(base, "Ann")
    phone = Visitor(browser, ann, moment(ann, KEPT, SELL), size)
    phone.ready()
    view = ann.get(f"/matches/{phone.match_id}")["view"]
    player = view["players"][view["to_move"]]
    row = phone.page.locator(".own-row")
    expect(row).to_contain_text(str(player["wealth"]))
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    kinds = sum(1 for n in player["goods"].values() if n)
    expect(row.locator(".own-good")).to_have_count(kinds)
    Finger(phone.page).tap_on(row)
    legend = phone.page.locator("dialog[open] .sign-list")
    expect(legend).to_contain_text("32 triggers the last round")
    assert misfits(phone.page) == []
    phone.close()


def test_order_fits_the_panel_of_a_phone(browser: Browser, base: str) -> None:
    """The order, the split and the button to complete it are in view without scrolling."""
    phone = at_moment(browser, base, ORDER)
    phone.named("do-FillOrder").click()
    for part in (phone.desk.locator(".order-offer"), phone.named("more-repay")):
        expect(part).to_be_in_viewport(ratio=1)
        bottom = part.bounding_box()
        button = phone.named("confirm").bounding_box()
        assert bottom is not None
        assert button is not None
        assert bottom["y"] + bottom["height"] <= button["y"]
    phone.close()


def test_goods_and_button_fit_the_panel_of_a_phone(browser: Browser, base: str) -> None:
    """All kinds of goods and the confirm button are in view without scrolling."""
    phone = at_moment(browser, base, SELL)
    phone.named("do-Sell").click()
    tiles = phone.desk.locator(".good-tile")
    expect(tiles).to_have_count(5)
    button = phone.named("confirm").bounding_box()
    assert button is not None
    for tile in tiles.all():
        expect(tile).to_be_in_viewport(ratio=1)
        box = tile.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= button["y"]
    phone.close()


def test_tower_preview_names_an_open_minor_order(browser: Browser, base: str) -> None:
    """It blocks major orders, and its owner's line shows it."""
    phone = at_moment(browser, base, OPEN_MINOR)
    phone.page.locator(".tap.legal[data-space^=T_]").first.click()
    expect(phone.desk).to_contain_text("Your minor order comes first.")
    expect(phone.page.locator(".open-minor").first).to_contain_text("Open minor order")
    phone.close()


# --- the secret -------------------------------------------------------------------------------


def test_the_minors_drawn_are_for_one_alone(browser: Browser, base: str) -> None:
    """On the seat's phone they are in the page only while the cover is open; the other phone
    receives neither them nor the returned cards in any answer, but sees where the seat went."""
    people, match_id = seated(base, "Ann", "Bea")
    seat = settle(people, match_id)["to_act"][0]
    mine = Visitor(browser, people[seat], match_id)
    other = Visitor(browser, people[1 - seat], match_id)
    heard: dict[str, list[Any]] = {"mine": [], "other": []}
    for name, phone in (("mine", mine), ("other", other)):
        phone.page.on("response", lambda answer, n=name: heard[n].append(answer))
    mine.ready()
    mine.do({"type": "Move", "to": "S_gold"})
    expect(other.page.locator(".trace-begin")).to_have_count(1)
    expect(other.page.locator(".latest")).to_contain_text("moves to the gold stall")
    mine.ready()
    mine.do({"type": "Move", "to": "G_S"})
    mine.do({"type": "DrawOrders"})
    expect(mine.page.locator(".cover-button")).to_be_visible()
    expect(mine.page.locator(".drawn")).to_have_count(0)
    mine.page.locator(".cover-button").click()
    expect(mine.page.locator(".drawn .order")).to_have_count(2)
    mine.do({"type": "KeepOrder", "which": 1, "now": False})
    expect(mine.page.locator(".drawn")).to_have_count(0)
    other.page.wait_for_function(
        "version => Number(document.querySelector('.history input')?.max) >= version",
        arg=mine.version(),
    )
    told = {name: _cards([a.json() for a in found if _plays(a)]) for name, found in heard.items()}
    assert len(told["mine"]["MinorsDrawn"]) > 0
    assert all(len(cards) == 2 for cards in told["mine"]["MinorsDrawn"])
    assert set(map(str, told["other"]["MinorsDrawn"])) == {"None"}
    assert set(map(str, told["other"]["MinorsReturned"])) == {"None"}
    assert any(told["mine"]["drawn"])
    assert not any(told["other"]["drawn"])
    mine.close()
    other.close()


def _plays(answer: Any) -> bool:
    return "/api/matches/" in answer.url and "/live" not in answer.url


def _cards(answers: list[Any]) -> dict[str, list[Any]]:
    """Return all that the answers contain about minors, in events and in views."""
    found: dict[str, list[Any]] = {"MinorsDrawn": [], "MinorsReturned": [], "drawn": []}
    for answer in answers:
        for event in answer.get("events", ()):
            if event["type"] in found:
                found[event["type"]].append(event["data"]["cards"])
        match = answer.get("match", answer)
        if "view" in match:
            found["drawn"].append(match["view"]["drawn"])
    return found


def test_one_phone_goes_round(browser: Browser, base: str) -> None:
    """Open turns need no hand-over; only a secret choice does."""
    people, match_id = seated(base, "Ann", "Bea", one_phone=True)
    phone = Visitor(browser, people[0], match_id)
    for _ in range(2):
        phone.ready()
        phone.do({"type": "Settle", "gate": "G_S", "good": "silver"})
    expect(phone.page.locator(".handover-page[open]")).to_have_count(0)
    phone.page.goto(f"/m/{moment(people[0], KEPT, KEEPING)}")
    hands = phone.page.locator(".handover-page[open]")
    expect(hands).to_be_visible()
    expect(phone.page.locator(".order-offer")).to_have_count(0)
    hands.locator(".primary").click()
    expect(phone.page.locator(".drawn .order")).to_have_count(2)
    phone.close()


# --- keyboard and sizes -----------------------------------------------------------------------


def test_a_turn_by_keys_alone(browser: Browser, base: str) -> None:
    """A space, its button, a purchase, the end of the turn."""
    people, match_id = seated(base, "Ann", "Bea")
    seat = settle(people, match_id)["to_act"][0]
    phone = Visitor(browser, people[seat], match_id)
    keys = phone.page.keyboard
    for space in ("M_1", "S_gold"):
        phone.ready()
        phone.space(space).focus()
        keys.press("Enter")
        expect(phone.named("go")).to_be_visible()
        phone.named("go").focus()
        keys.press("Enter")
        expect(phone.named("go")).to_have_count(0)
        phone.settled()
        if space == "M_1":
            phone.named("do-Borrow").press("Enter")
            expect(phone.named("do-Borrow")).to_have_count(0)
            phone.settled()
    expect(phone.named("do-Buy")).to_have_text("Buy 1 gold for 3 dirhams")
    phone.named("do-Buy").press("Enter")
    expect(phone.named("do-Buy")).to_have_count(0)
    phone.named("do-EndTurn").press("Enter")
    expect(phone.page.locator(".game.my-turn")).to_have_count(0)
    player = people[seat].get(f"/matches/{match_id}")["view"]["players"][seat]
    assert (player["goods"]["gold"], player["debt"], player["coins"]) == (1, 1, 0)
    phone.close()


def test_it_fits_and_can_be_hit_and_axe_finds_nothing(browser: Browser, base: str) -> None:
    """No page is wider than its screen, no target under 48 px, no text under 14 px."""
    phone = at_moment(browser, base, GATE)
    axe = Inspector(phone.page)
    for form in ("", "do-VisitGate"):
        if form:
            phone.named(form).click()
        axe.look(form)
        phone.page.locator(".player-line summary").first.press("Enter")
        assert misfits(phone.page) == [], form
    phone.page.goto(f"/m/{kept(phone.person, KEPT)}")
    expect(phone.page.locator(".podium")).to_be_visible()
    assert misfits(phone.page) == []
    phone.page.goto(f"/m/{moment(phone.person, KEPT, ORDER)}")
    phone.ready()
    phone.named("do-FillOrder").click()
    axe.look("an order")
    axe.read("in words")
    axe.done()
    phone.close()
