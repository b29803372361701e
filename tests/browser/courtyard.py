"""Matches of the courtyard game for browser tests: played over HTTP, and by touch on a phone."""

import random
from typing import Any

import msgspec
from playwright.sync_api import Browser, Locator, expect

from domain.contract.bots import Thinking, suggest_command
from domain.games.courtyard import rules
from domain.games.courtyard.state import State
from tests.browser.phone import Phone
from tests.browser.service import Program

SLUG = "courtyard"
REVEALING = ("Roll", "Reroll", "DrawOrders")
PLAIN = (*REVEALING, "EndTurn")
"""Commands that take a single button."""
_EVENTS = {each.__name__: each for each in rules.EVENTS}


def seated(
    base: str, *names: str, one_phone: bool = False, **options: bool
) -> tuple[list[Program], str]:
    """Start a match; return its players by seat and its id.

    With ``one_phone`` one player holds all seats.
    """
    people = [Program(base, name) for name in (names[:1] if one_phone else names)]
    seats: list[dict[str, str]] = [{"kind": "me", "name": names[0]}]
    for name in names[1:]:
        seats.append({"kind": "me", "name": name} if one_phone else {"kind": "open"})
    body = {"game": SLUG, "seats": seats, "options": options}
    match = people[0].post("/matches", body, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people * len(names) if one_phone else people, str(match["id"])


class Mirror:
    """The full state of a match, merged from what all seats know."""

    def __init__(self, people: list[Program], match_id: str) -> None:
        self.people = people
        self.path = f"/matches/{match_id}"
        self.version = 0
        self.state: Any = None

    def now(self) -> State:
        """Fetch new events and return the current state."""
        after = f"{self.path}/events?after={self.version}"
        lists = [person.get(after)["events"] for person in self.people]
        for tellings in zip(*lists, strict=False):
            self.version = tellings[0]["version"]
            kind = _EVENTS.get(tellings[0]["type"])
            if kind is not None:
                whole = max([telling["data"] for telling in tellings], key=_told)
                self.state = rules.evolve(self.state, msgspec.convert(whole, kind))
        assert isinstance(self.state, State)
        return self.state

    def send(self, command: dict[str, Any]) -> None:
        """Send a command of the seat to act, over HTTP."""
        seat = self.state.seat
        body = {"seat": seat, "expected_version": self.version, "commands": [command]}
        self.people[seat].post(f"{self.path}/commands", body)


def _told(data: dict[str, Any]) -> int:
    return sum(value is not None for value in data.values())


def wish(state: State, rng: random.Random) -> dict[str, Any]:
    """Return the command a good bot would choose for the seat to act."""
    (seat,) = rules.to_act(state)
    command = suggest_command(SLUG, state, seat, Thinking(rng.randrange, "good"))
    plain: dict[str, Any] = msgspec.to_builtins(command)
    return plain


def send(people: list[Program], match_id: str, *commands: dict[str, Any]) -> Any:
    """Send commands of the seat to act over HTTP; return the match."""
    match = people[0].get(f"/matches/{match_id}")
    (seat,) = match["to_act"]
    body = {"seat": seat, "expected_version": match["version"], "commands": [*commands]}
    return people[seat].post(f"/matches/{match_id}/commands", body)["match"]


def settle(people: list[Program], match_id: str) -> Any:
    """Let every seat start at the South Gate with one silver."""
    match: Any = None
    for _ in people:
        match = send(people, match_id, {"type": "Settle", "gate": "G_S", "good": "silver"})
    return match


class Visitor(Phone):
    """A phone at a courtyard match, which plays commands through the interface."""

    def __init__(
        self,
        browser: Browser,
        person: Program,
        match_id: str,
        size: dict[str, int] | None = None,
    ) -> None:
        super().__init__(browser, person.base, size)
        self.person = person
        self.match_id = match_id
        self.bodies: list[str] = []
        cookie = {"name": "player", "value": person.token, "url": person.base}
        self.context.add_cookies([cookie])  # type: ignore[list-item]
        self.page.add_init_script("localStorage.setItem('player', '1')")
        self.page.goto(f"/m/{match_id}")
        self.page.wait_for_selector(".courtyard-desk")
        self.desk = self.page.locator(".courtyard-desk")

    def named(self, name: str) -> Locator:
        """Return the control of the desk with this name."""
        return self.desk.locator(f"[name='{name}']")

    def space(self, space: str) -> Locator:
        """Return the tap target of a space of the courtyard."""
        return self.page.locator(f".tap[data-space={space}]")

    def ready(self, version: int = 0) -> None:
        """Wait until the version is shown, it is this phone's turn and the choices are there."""
        self.page.wait_for_function(
            "version => Number(document.querySelector('.history input')?.max) >= version",
            arg=version,
        )
        expect(self.page.locator(".game.my-turn")).to_have_count(1)
        self.settled()

    def do(self, command: dict[str, Any]) -> None:
        """Play a command on the page and wait until it is confirmed."""
        before = self.version()
        kind = command["type"]
        if kind == "Move":
            self.space(command["to"]).click()
            self.named("go").click()
        elif kind in PLAIN or self.is_single(kind):
            self.named(f"do-{kind}").click()
            if kind in REVEALING or self.asked():
                self.sure()
        else:
            if kind not in ("Settle", "Discard", "Share", "KeepOrder"):
                self.named(f"do-{kind}").click()
            getattr(self, f"_{kind}", self._option)(command)
            self.named("confirm").click()
        self.page.wait_for_function(
            "version => Number(document.querySelector('.history input')?.max) > version",
            arg=before,
        )
        self.settled()

    def is_single(self, kind: str) -> bool:
        """Return whether the button of a command type plays its only choice."""
        node = self.named(f"do-{kind}")
        return bool(node.count() and node.get_attribute("data-does"))

    def _option(self, command: dict[str, Any]) -> None:
        """Tap the chip of the choice."""
        path = f"/matches/{self.match_id}"
        (seat,) = self.person.get(path)["to_act"]
        choices = self.person.get(f"{path}/choices?seat={seat}")["choices"]
        (label,) = [each["label"] for each in choices if each["command"] == command]
        chip = self.desk.get_by_role("button", name=label, exact=True).and_(
            self.page.locator(".chip")
        )
        if chip.count() and chip.is_visible():
            chip.click()
        expect(self.named("confirm")).to_have_text(label)

    def _goods(self, command: dict[str, Any]) -> None:
        for good, n in command["goods"].items():
            for _ in range(n):
                self.named(f"more-{good}").click()

    _Sell = _SellTwo = _Exchange = _SwapTwo = _Discard = _goods

    def _Share(self, command: dict[str, Any]) -> None:
        for name in ("repay", "save"):
            for _ in range(command[name]):
                self.named(f"more-{name}").click()

    def _VisitGate(self, command: dict[str, Any]) -> None:
        if command["ability"] is not None:
            self.named("card-" + command["ability"]).click()
            if not command["turn"]:
                self.named("turn").uncheck()

    def _FillOrder(self, command: dict[str, Any]) -> None:
        if command["turn"]:
            self.named("turn").check()

    def _FillKept(self, command: dict[str, Any]) -> None:
        """Nothing to set: the whole payment becomes wealth."""

    def _KeepOrder(self, command: dict[str, Any]) -> None:
        if self.page.locator(".covered:not(:empty)").count() == 0:
            self.page.locator(".cover-button").click()
        self.named(f"drawn-{command['which']}").click()
        if command["now"]:
            self.named("now").check()
