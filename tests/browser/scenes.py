"""Every screen of the app, each reached over HTTP and shown by one phone: what sweeps go over.

Rare moments come from kept matches, of which a new one begins at the wanted moment.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import Phone
from tests.browser.service import Program, table
from tests.browser.test_caravane import bids, choose, race
from tests.browser.test_caravanserail import (
    HOMES,
    NAMES,
    on_the_way,
    play,
    programme,
    seated,
    settle,
    view,
)

KEPT = Path(__file__).parents[1] / "matches"
SMALL, USUAL = (320, 568), (390, 844)
SIZES = [SMALL, (375, 667), USUAL, (412, 915), (430, 932), (768, 1024)]
TWO = [SMALL, USUAL]
"""What the normal run takes of them; all six belong to its long sister, marked ``soak``."""
EACH = [*TWO, *[pytest.param(size, marks=pytest.mark.soak) for size in SIZES if size not in TWO]]
"""One size a test."""
SWEEPS = [TWO, pytest.param(SIZES, marks=pytest.mark.soak)]
"""Several sizes in one test."""
Do = Callable[[Page], None]
say: Callable[[str], str] = str
"""What a button is called in the language of the page."""


def _nothing(_page: Page) -> None:
    """The page as it opens."""


@dataclass(frozen=True)
class Scene:
    """One screen: whose, where, what shows that it is there, and what is done to get there."""

    name: str
    person: Program
    path: str
    ready: str
    arrange: Do = _nothing
    ours: bool = False  # whether the board's camera has to be set for each size

    def open(self, page: Page) -> None:
        """Puts the screen up."""
        page.goto(self.path)
        page.wait_for_selector(self.ready)
        self.arrange(page)


class Stand:
    """A phone that goes from scene to scene, in whosever hands."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.phone = Phone(browser, base)
        self.page = self.phone.page
        self.page.add_init_script("localStorage.setItem('player', '1')")
        self.base = base

    def hold(self, scene: Scene, size: tuple[int, int]) -> None:
        """The scene on a phone of that size."""
        self.page.evaluate("window.stop()")  # nothing asks for another's table any more
        cookie = {"name": "player", "value": scene.person.token, "url": self.base}
        self.phone.context.add_cookies([cookie])  # type: ignore[list-item]
        self.resize(size)
        scene.open(self.page)

    def resize(self, size: tuple[int, int]) -> None:
        """Another size."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})


# --- positions, over HTTP -------------------------------------------------------------------------


def until(
    people: list[Program], match_id: str, seed: int, wanted: Callable[[Any, Any], bool]
) -> Program:
    """Plays at random until the position is the wanted one; gives who is to act then."""
    rng = random.Random(seed)
    for _ in range(900):
        match = people[0].get(f"/matches/{match_id}")
        if wanted(match, match["view"]):
            return people[match["to_act"][0]] if match["to_act"] else people[0]
        people[match["to_act"][0]].step(match_id, rng)
    raise AssertionError("the position was not reached")


def kept(person: Program, name: str) -> str:
    """The id of a kept match, brought in by the person."""
    match = person.post("/matches/import", json.loads((KEPT / name).read_text()), 201)
    return str(match["id"])


def moment(person: Program, name: str, version: int) -> str:
    """The id of a new match from a moment of a kept one; the person holds every seat."""
    origin = kept(person, name)
    return str(person.post(f"/matches/{origin}/fork", {"at": version}, 201)["id"])


# --- what is done on a page -----------------------------------------------------------------------


def press(*names: str | re.Pattern[str]) -> Do:
    """Presses buttons by name, without a pointer."""

    def done(page: Page) -> None:
        for name in names:
            exact = isinstance(name, str)
            called = say(name) if isinstance(name, str) else name
            page.get_by_role("button", name=called, exact=exact).first.press("Enter")

    return done


def then(*steps: Do) -> Do:
    """One after the other."""

    def done(page: Page) -> None:
        for step in steps:
            step(page)

    return done


def uncover(page: Page) -> None:
    """Opens the cover by the keyboard."""
    page.locator(".cover-button").press("Enter")
    expect(page.locator(".covered")).not_to_be_empty()


def mine(name: str = "") -> Do:
    """Takes the phone at the page between two seats: who is asked for, or another."""

    def done(page: Page) -> None:
        hands = page.locator(".handover-page")
        called = say("I am {}").format(name)
        who = hands.get_by_role("button", name=called, exact=bool(name)).first
        who.press("Enter")
        page.wait_for_selector(".covered:not(:empty)")

    return done


def game(number: int) -> Do:
    """Chooses a game to be set up."""
    return lambda page: page.locator(f"input[name=g{say('Game')}]").nth(number).check()


def tab(number: int) -> Do:
    """Plans a caravan, or the looters."""
    return lambda page: page.locator(".tab").nth(number).press("Enter")


def first(what: str, number: int = 0) -> Do:
    """Presses the first of its kind, or another."""
    return lambda page: page.locator(what).nth(number).press("Enter")


def look_back(page: Page) -> None:
    """One step into the past."""
    page.get_by_role("button", name=say("One back")).press("Enter")
    page.wait_for_selector(".game.looking")


def close(page: Page) -> None:
    """Puts the result away."""
    page.wait_for_selector(".podium")
    page.keyboard.press("Escape")


def mark(page: Page) -> None:
    """Chooses a cell that is still to be confirmed."""
    box = page.locator(".legal:not(.far)").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".aim")


def tile(page: Page) -> None:
    """Chooses a tile that may be gone to."""
    box = page.locator(".legal").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".target-edge")


# --- the scenes -----------------------------------------------------------------------------------


def plain(base: str) -> Iterator[Scene]:
    """Home, setting a table for each game, the waiting room, an invitation, a review."""
    ann = Program(base, "Ann")
    waiting = ann.post(
        "/matches", {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}, 201
    )
    kept(ann, "caravanserai-3-v1.json")
    yield Scene("home", ann, "/", ".table-card")
    yield Scene("another device", ann, "/", ".table-card", press("Play on another device"))
    yield Scene("you", ann, "/you", ".card .button")
    yield Scene("a table's sheet", ann, "/", ".table-card", press("More about this table"))
    for number, slug in enumerate(("caravane", "caravanserai", "caravanserail")):
        yield Scene(f"setting {slug}", ann, "/new", "fieldset", game(number))
    yield Scene("the waiting room", ann, f"/m/{waiting['id']}", ".qr")
    link = f"/join/{waiting['id']}?invite={waiting['invite']}"
    yield Scene("an invitation", Program(base, "Bea"), link, "input")
    for name in ("caravanserai-6-v1", "caravane-5-v1", "caravanserail-6-v2"):
        review = f"/m/{kept(ann, name + '.json')}/review"
        yield Scene(f"review of {name}", ann, review, ".place")


def _starting(match: Any, view: Any) -> bool:
    return bool(view["step"] == "start" and match["version"] > 3)


def _laying(match: Any, view: Any) -> bool:
    return bool(
        view["step"] == "place" and match["version"] > 60 and not view["placement"]["blocks"]
    )


def _in_the_middle(match: Any, view: Any) -> bool:
    blocks = view["placement"]["blocks"] if view["step"] == "place" else ()
    return bool(match["version"] > 40 and len(blocks) > 1)


def _setting(match: Any, view: Any) -> bool:
    return bool(view["step"] == "set" and match["version"] > 30)


HEX = {
    "start": _starting,
    "laying": _laying,
    "in the middle of a turn": _in_the_middle,
    "setting": _setting,
}


def open_kinds(person: Program, match_id: str) -> list[str]:
    """Colours of which a block may be laid."""
    match = person.get(f"/matches/{match_id}")
    (seat,) = match["to_act"]
    choices = person.get(f"/matches/{match_id}/choices?seat={seat}")["choices"]
    colours = {choice["command"].get("colour") for choice in choices}
    return [c for c in ("white", "black", "purple", "red", "yellow") if c in colours]


def hexes(base: str) -> Iterator[Scene]:
    """The hex game: base and expert, each step of a turn, sheets, the past, the end."""
    mine_now = ".game.my-turn .legal"
    for seed, (name, wanted) in enumerate(HEX.items()):
        expert = name == "in the middle of a turn"
        people, match_id = table(base, "Ann", "Margaret", "Cleo", expert=expert)
        person = until(people, match_id, seed + 3, wanted)
        at = f"/m/{match_id}"
        yield Scene(name, person, at, mine_now, ours=True)
        if name in ("start", "setting"):
            yield Scene(name + ", to be confirmed", person, at, mine_now, mark, ours=True)
        if name in ("laying", "in the middle of a turn"):
            for colour in open_kinds(person, match_id):
                pick = press(re.compile(f"^{say(colour)}, "))
                yield Scene(f"{name}, {colour}", person, at, mine_now, pick, ours=True)
        if name == "laying":
            moves = press("Every move as a list")
            yield Scene("the list of moves", person, at, mine_now, moves)
            yield Scene("the log", person, at, mine_now, press("What happened"))
            yield Scene("the past", person, at, mine_now, look_back)
            again = then(look_back, press("Play on from here"))
            yield Scene("playing on", person, at, mine_now, again)
    ann = Program(base, "Ann")
    giving = moment(ann, "caravanserai-5-expert-v1.json", 99)
    yield Scene("who gives a good", ann, f"/m/{giving}", ".step .button", ours=True)
    over = f"/m/{kept(ann, 'caravanserai-6-expert-v1.json')}"
    yield Scene("the result", ann, over, ".podium")
    yield Scene("after the end", ann, over, ".podium", close)


def races(base: str) -> Iterator[Scene]:
    """Caravane: each secret choice covered and open, after a round, handed over, the end."""
    here = ".game.my-turn .cover-button"
    people, match_id = race(base, *NAMES[:5], food=True, split=True)
    ann = people[0]
    at = f"/m/{match_id}"
    yield Scene("a split, covered", ann, at, here)
    yield Scene("a split, open", ann, at, here, uncover)
    for seat in range(5):
        for _ in range(2):
            choose(people, match_id, seat, 12)
        if seat == 0:
            yield Scene("packing, covered", ann, at, here)
            yield Scene("packing, open", ann, at, here, uncover)
        choose(people, match_id, seat, seat)
    yield Scene("the first bid", ann, at, here, uncover)
    bids(people, match_id, 1, 1, 1, 1, 1)
    yield Scene("a later bid, covered", ann, at, here)
    yield Scene("a later bid, open", ann, at, here, uncover)
    yield Scene("the past of a race", ann, at, here, look_back)
    choose(people, match_id, 0, 2, "bid")
    yield Scene("chosen", ann, at, ".made")
    round_one, one_phone = race(base, *NAMES[:4], one_phone=True)
    yield Scene("handing over", round_one[0], f"/m/{one_phone}", ".handover-page .primary")
    over = f"/m/{kept(ann, 'caravane-5-v1.json')}"
    yield Scene("the result of a race", ann, over, ".podium")
    yield Scene("after a race", ann, over, ".podium", close)


def trails(base: str) -> Iterator[Scene]:
    """Caravansérail: every phase, covered and open."""
    here = ".game.my-turn .cover-button"
    for count in (6, 8):
        people, match_id = seated(base, count)
        host = people[view(people[0], match_id)["order"][0]]
        at = f"/m/{match_id}"
        yield Scene(f"homes for {count}", host, at, ".game.my-turn .tap")
        chosen = first(".open-ways .button")
        yield Scene(f"a home for {count}, chosen", host, at, ".game.my-turn .tap", chosen)
        settle(people, match_id)
        ann = people[0]
        yield Scene(f"planning for {count}, covered", ann, at, here)
        for number in range(4):
            plan = then(uncover, tab(number))
            yield Scene(f"planning for {count}, tab {number}", ann, at, here, plan)
        leaving = then(uncover, first(".way-to", 1))
        yield Scene(f"loading for {count}", ann, at, here, leaving)
    people, match_id = seated(base, 6, diplomacy=True)
    settle(people, match_id)
    yield Scene("diplomacy", people[0], f"/m/{match_id}", ".game.my-turn .open-ways")
    play(people[0], match_id, 0, {"type": "Done"})
    yield Scene("done with diplomacy", people[0], f"/m/{match_id}", ".sealed")
    people, match_id = seated(base, 6)
    settle(people, match_id)
    stay: dict[str, int] = {}
    for seat, person in enumerate(people):
        play(person, match_id, seat, *programme([HOMES[seat]] * 3, [stay] * 3))
    whispers = then(uncover, first(".whispers summary"))
    yield Scene("whispering", people[0], f"/m/{match_id}", here, whispers)
    people, match_id = seated(base, 6)
    settle(people, match_id)
    on_the_way(people, match_id)
    yield Scene("the past of the trails", people[0], f"/m/{match_id}", here, look_back)
    yield from _rare(base)


def _rare(base: str) -> Iterator[Scene]:
    ann = Program(base, "Ann")
    hands = ".handover-page .primary"
    name = "caravanserail-6-v2.json"
    at = f"/m/{moment(ann, name, 125)}"
    yield Scene("handing over on the trails", ann, at, hands)
    yield Scene("paying for lodging", ann, at, hands, mine())
    yield Scene("whom to attack", ann, f"/m/{moment(ann, name, 455)}", hands, mine())
    yield Scene("what to loot", ann, f"/m/{moment(ann, name, 456)}", hands, mine())
    at = f"/m/{moment(ann, name, 460)}"
    yield Scene("business", ann, at, hands, mine("Seat 2"))
    yield Scene("an offer", ann, at, hands, then(mine("Seat 2"), first(".partner")))
    over = f"/m/{kept(ann, name)}"
    yield Scene("the result of the trails", ann, over, ".podium")
    yield Scene("after the trails", ann, over, ".podium", close)


def deserts(base: str) -> Iterator[Scene]:
    """Caravan Conquest: each step of a turn, a tile looked at, the end."""
    mine_now = ".game.my-turn .desk.mine"
    people, match_id = table(base, "Ann", "Margaret", "Cleo", game="conquest", map="short")
    (seat,) = people[0].get(f"/matches/{match_id}")["to_act"]
    at = f"/m/{match_id}"
    yield Scene("on the way", people[seat], at, ".game.my-turn .legal", ours=True)
    yield Scene("a tile is chosen", people[seat], at, ".game.my-turn .legal", tile, ours=True)
    throwing = press("Throw load away")
    yield Scene("throwing load away", people[seat], at, ".game.my-turn .legal", throwing, ours=True)
    ann = Program(base, "Ann")
    for name, version in {"a card": 75, "one step more": 188, "a camp": 354, "a city": 760}.items():
        there = moment(ann, "conquest-6-v1.json", version)
        yield Scene(name, ann, f"/m/{there}", mine_now, ours=True)
    over = f"/m/{kept(ann, 'conquest-6-v1.json')}"
    yield Scene("the result of a journey", ann, over, ".podium")
    yield Scene("after a journey", ann, over, ".podium", close)


def yards(base: str) -> Iterator[Scene]:
    """The courtyard game: what is picked before it is done, the secret choice, the end."""
    ann = Program(base, "Ann")
    name = "courtyard-3-v1.json"
    here = ".game.my-turn .courtyard-desk .button"
    for version, form in ((156, "FillOrder"), (534, "VisitGate"), (1133, "Sell")):
        at = f"/m/{moment(ann, name, version)}"
        yield Scene(f"a turn in the courtyard before {form}", ann, at, here)
        yield Scene(f"{form} in the courtyard", ann, at, here, first(f"[name=do-{form}]"))
    looking = first(".tap.legal")
    yield Scene("a space is looked at", ann, at, here, looking)
    for version, what in ((1088, "giving goods up"), (245, "sharing an income out")):
        yield Scene(what, ann, f"/m/{moment(ann, name, version)}", ".game.my-turn .form")
    minors = f"/m/{moment(ann, name, 88)}"
    yield Scene("handing over in the courtyard", ann, minors, ".handover-page .primary")
    yield Scene("choosing a minor", ann, minors, ".handover-page .primary", mine())
    over = f"/m/{kept(ann, name)}"
    yield Scene("the result in the courtyard", ann, over, ".podium")
    yield Scene("after the courtyard", ann, over, ".podium", close)
