"""Scenes: every screen of the app, set up over HTTP and shown on one phone, for the sweeps.

Rare moments come from stored match files, forked at the wanted version.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.contract.registry import TITLES
from tests.browser.phone import follow_link, show_history
from tests.browser.service import Program
from tests.browser.short_match import finished
from tests.game_contract.recorded_matches import FOLDER, file_of

SMALL, USUAL = (320, 568), (390, 844)
SIZES = [SMALL, (375, 667), USUAL, (412, 915), (430, 932), (768, 1024)]
TWO = [SMALL, USUAL]
"""The sizes of the normal run; the ``soak`` run uses all six."""
EACH = [*TWO, *[pytest.param(size, marks=pytest.mark.soak) for size in SIZES if size not in TWO]]
"""One size per test."""
SWEEPS = [TWO, pytest.param(SIZES, marks=pytest.mark.soak)]
"""Several sizes in one test."""
Do = Callable[[Page], None]
say: Callable[[str], str] = str
"""The label of a button in the language of the page."""


def _nothing(_page: Page) -> None:
    """Leave the page as it opens."""


@dataclass(frozen=True)
class Scene:
    """One screen: its player, path, the selector that shows it is ready, and steps to reach it."""

    name: str
    person: Program
    path: str
    ready: str
    arrange: Do = _nothing
    before: "Scene | None" = None
    """The scene on whose page this one is arranged; None if it opens a page."""

    def then(self, name: str, *steps: Do) -> "Scene":
        """Return the scene that more steps lead to on the page of this one."""
        return replace(self, name=name, arrange=then(*steps), before=self)

    def open(self, page: Page, *, in_app: bool = False) -> None:
        """Open the screen: load its page, or follow a link to it in the running app."""
        if self.before is not None:
            self.before.open(page, in_app=in_app)
        else:
            follow_link(page, self.path) if in_app else page.goto(self.path)
            page.wait_for_selector(self.ready)
        self.arrange(page)


Scenes = Callable[[str], Iterator[Scene]]
"""Yields scenes one by one; the argument is the base URL of the service."""


# --- positions, over HTTP -------------------------------------------------------------------------


def until(
    people: list[Program], match_id: str, seed: int, wanted: Callable[[Any, Any], bool]
) -> Program:
    """Play at random until the position is the wanted one; return the player to act."""
    rng = random.Random(seed)
    for _ in range(900):
        match = people[0].get(f"/matches/{match_id}")
        if wanted(match, match["view"]):
            return people[match["to_act"][0]] if match["to_act"] else people[0]
        people[match["to_act"][0]].step(match_id, rng)
    raise AssertionError("the position was not reached")


def brought(person: Program, file: Any) -> str:
    """Import a match file as the person; return the id of the match."""
    return str(person.post("/matches/import", file, 201)["id"])


def kept(person: Program, name: str) -> str:
    """Import a stored match as the person; return its id."""
    return brought(person, json.loads((FOLDER / name).read_text()))


def moment(person: Program, name: str, version: int) -> str:
    """Fork a stored match at a version; return the id. The person holds every seat.

    A player imports each stored match once.
    """
    key = person.token, name
    if key not in _origins:
        _origins[key] = kept(person, name)
    return branched(person, _origins[key], version)


_origins: dict[tuple[str, str], str] = {}
"""Ids of the matches that `moment` has imported, by token of the player and name of the file."""


def branched(person: Program, origin: str, version: int) -> str:
    """Fork a match at a version; return the id. The person holds every seat."""
    return str(person.post(f"/matches/{origin}/fork", {"at": version}, 201)["id"])


# --- steps on a page ------------------------------------------------------------------------------


def press(*names: str | re.Pattern[str]) -> Do:
    """Press buttons by name, without a pointer."""

    def done(page: Page) -> None:
        for name in names:
            exact = isinstance(name, str)
            called = say(name) if isinstance(name, str) else name
            page.get_by_role("button", name=called, exact=exact).first.press("Enter")

    return done


def then(*steps: Do) -> Do:
    """Run steps one after the other."""

    def done(page: Page) -> None:
        for step in steps:
            step(page)

    return done


def uncover(page: Page) -> None:
    """Open the secret cover with the keyboard."""
    page.locator(".cover-button").press("Enter")
    expect(page.locator(".covered")).not_to_be_empty()


def mine(name: str = "") -> Do:
    """Confirm the hand-over screen as the requested player, or as another."""

    def done(page: Page) -> None:
        hands = page.locator(".handover-page")
        called = say("I’m {}").format(name)
        who = hands.get_by_role("button", name=called, exact=bool(name)).first
        who.press("Enter")
        page.wait_for_selector(".covered:not(:empty)")

    return done


def first(what: str, number: int = 0) -> Do:
    """Press the first match of a selector, or the one with this index."""
    return lambda page: page.locator(what).nth(number).press("Enter")


def look_back(page: Page) -> None:
    """Show the previous move."""
    show_history(page)
    page.get_by_role("button", name=say("Previous move")).press("Enter")
    page.wait_for_selector(".game.looking")


def close(page: Page) -> None:
    """Close the result."""
    page.wait_for_selector(".podium")
    page.keyboard.press("Escape")


# --- the scenes -----------------------------------------------------------------------------------


def _paced(base: str, person: Program) -> str:
    """Start a match with clocks."""
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "pace": {"kind": "live", "bank": 3600, "on_end": "vote"},
    }
    match = person.post("/matches", body, 201)
    Program(base, "Cleo").post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return str(match["id"])


def _far_apart(base: str, person: Program) -> Iterator[Scene]:
    """Features of remote play: notifications, known players, notes, the next match."""
    other = Program(base, "Bea")
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
    match = other.post("/matches", body, 201)
    person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    told = then(press("Notify me when it’s my turn"), seen("#notices-url"))
    yield Scene("being told", person, "/you", ".card .button", told)
    known = then(press("Show history"), seen(".company .person"))
    yield Scene("games and people", person, "/you", ".card .button", known)
    noted = then(first(".own-note summary"), seen(".own-note textarea:enabled"))
    yield Scene("a note to oneself", person, f"/m/{match['id']}", ".game", noted)
    asked = seen("select[name=guest1]")
    yield Scene("asking somebody", person, "/new?game=caravanserai", "fieldset", asked)
    menu = then(press("Table menu"), _known)
    yield Scene("a running table's sheet", person, "/", ".table-card", menu)
    leaving = then(menu, first("dialog .way", 1), seen("dialog .row .primary"))
    yield Scene("leaving a game", person, "/", ".table-card", leaving)
    people, again = finished(base, person.name, other.name)
    people[1].post(f"/matches/{again}/rematch", {}, 201)
    banner = then(close, seen(".dock .notices .notice"))
    yield Scene("asked for a rematch", people[0], f"/m/{again}", ".podium li", banner)


def _known(page: Page) -> None:
    """Wait until the match menu knows whether notifications are on."""
    expect(page.locator("dialog .way:disabled")).to_have_count(0)


def seen(what: str) -> Do:
    """Wait until a node is visible."""
    return lambda page: expect(page.locator(what).first).to_be_visible()


def _open_device_link(page: Page) -> None:
    """Open the sheet in one step: the list may be redrawn between focus and key press."""
    name = say("Use on another device")
    page.get_by_role("button", name=name, exact=True).first.evaluate("node => node.click()")
    expect(page.locator("dialog[open]")).to_be_visible()


def plain(base: str) -> Iterator[Scene]:
    """Home, the setup of each game, the waiting room, an invitation, a review."""
    ann = Program(base, "Ann")
    waiting = ann.post(
        "/matches", {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}, 201
    )
    kept(ann, "caravanserai-3-v1.json")
    yield Scene("home", ann, "/", ".table-card")
    yield Scene("another device", ann, "/you", ".seat-line", _open_device_link)
    yield Scene("tables", ann, "/tables", ".table-card")
    yield Scene("you", ann, "/you", ".card .button")
    yield Scene("settings", ann, "/settings", ".switch")
    yield from _far_apart(base, ann)
    yield Scene("all rules", ann, "/rules", ".game-told p:not(:empty)")
    yield Scene("the style", ann, "/style", ".themes h4")
    yield Scene("a table's sheet", ann, "/", ".table-card", press("Table menu"))
    for slug in TITLES:
        yield Scene(f"setting {slug}", ann, f"/new?game={slug}", "fieldset")
        options = first(".options > summary")
        yield Scene(f"options of {slug}", ann, f"/new?game={slug}", "fieldset", options)
    hurried = then(
        first(".options > summary"),
        lambda page: page.locator("input[value=days]").check(),
        first(".options details summary", -1),
    )
    yield Scene("setting a pace", ann, "/new?game=caravanserai", "fieldset", hurried)
    yield Scene("clocks", ann, f"/m/{_paced(base, ann)}", ".clock")
    yield Scene("the waiting room", ann, f"/m/{waiting['id']}", ".qr")
    link = f"/join/{waiting['id']}?invite={waiting['invite']}"
    yield Scene("an invitation", Program(base, "Bea"), link, "input")
    for slug in TITLES:
        review = f"/m/{brought(ann, file_of(slug))}/review"
        yield Scene(f"review of {slug}", ann, review, ".place")
