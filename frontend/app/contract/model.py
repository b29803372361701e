"""A match as this device knows it: the service's response and every moment of the match.

The kernel (`domain.match`) folds the events, as on the service. Here each event has its own moment,
because the service sends events, not decisions.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import build

from domain.contract.game import IllegalMove
from domain.drawing.scene import seat_letters
from domain.match.events import EVENTS
from domain.match.history import Decision, History
from domain.match.seats import Refused, Seat
from domain.match.timeline import Timeline
from domain.match.undo import is_final
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.types import Command, Data, Event

UNDO_EVENT_TYPES = ("MovesUndone", "MovesRedone")
KERNEL_EVENTS = {each.__name__: each for each in EVENTS}


class Turns:
    """The turns, rounds and moves of a match.

    ``versions`` and ``round_versions``: the versions at which a turn, or a round of ``round_turns``
    turns, begins. ``move_counts``: for each event, the number of moves up to it, including those
    undone.
    """

    def __init__(self, round_turns: int) -> None:
        self.versions: list[Any] = []
        self.round_versions: list[Any] = []
        self.move_counts: list[int] = []
        self._round_turns = round_turns
        self._turn = 0
        self._decision: int | None = None  # of the latest move or the start

    def add(self, event: Event) -> None:
        """Count an event; the events of one decision of the game are one move."""
        count = self.move_counts[-1] if self.move_counts else 0
        turn, decision = event["turn"], event["decision"]
        if event["type"] == "MatchStarted":
            self._decision = decision
        elif event["type"] not in KERNEL_EVENTS and self._decision not in (None, decision):
            self._decision = decision
            count += 1
        self.move_counts.append(count)
        if turn != self._turn:
            self.versions.append(event["version"])
            if self._round(turn) != self._round(self._turn):
                self.round_versions.append(event["version"])
            self._turn = turn

    def _round(self, turn: int) -> int:
        return (turn + self._round_turns - 1) // self._round_turns


class Match:
    """The data, the events and the moments of a match.

    ``data``: the service's response. ``events``: all events, version 1 first. ``history``: the
    moment after each event, with a state if the game has rules in the browser. ``optimistic``: a
    branch of the history that includes the unconfirmed moves, or None.

    ``has_secrets``: whether the game has secrets. If so, a device that holds several seats has the
    view of one of them at a time, ``active_seat`` (None until a player takes the device), and its
    log shows the public texts. ``is_log_redacted``: whether some of these texts reveal less than
    the active seat may know.

    ``server_choices`` and ``server_groups``: this device's legal commands, listed and grouped, if
    the game has no rules in the browser.

    ``undone_by``: the seat that undid the move, or asked for that, by version.
    """

    def __init__(
        self, data: Data, rules: Any, round_turns: int = 1, has_secrets: bool = False
    ) -> None:
        self.data = data
        self.rules = rules
        self.has_secrets = has_secrets
        held = self.own_seats()
        self.active_seat = held[0] if has_secrets and len(held) == 1 else None
        self.server_choices: Sequence[Command] = ()
        self.server_groups: Sequence[Data] = ()
        self.events: list[Any] = []
        self.history: Any = Timeline(rules) if rules else History()
        self.optimistic: Any = None
        self.is_log_redacted = False
        self.event_types = {each.__name__: each for each in rules.EVENTS} if rules else {}
        self.undone_by: dict[Any, Any] = {}
        self.turns = Turns(round_turns)
        self._letters: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @property
    def version(self) -> int:
        """The newest version whose events are loaded."""
        return len(self.events)

    @property
    def names(self) -> tuple[str, ...]:
        """The display names of the seats."""
        seats = self.data["seats"]
        return tuple([s["name"] or t("player.seat_number", seat=s["seat"] + 1) for s in seats])

    def short_name(self, seat: int) -> str:
        """Return "You" if this device holds only this seat, otherwise the seat's name."""
        return t("player.you") if self.own_seats() == [seat] else self.names[seat]

    @property
    def letters(self) -> tuple[str, ...]:
        """Short labels that distinguish the seats without their colours."""
        names = self.names
        if self._letters[0] != names:
            self._letters = names, seat_letters(names)
        return self._letters[1]

    @property
    def state(self) -> Any:
        """The current state, including unconfirmed moves."""
        if self.optimistic is not None:
            return self.optimistic.latest.state
        return self.state_at(self.version)

    def state_at(self, version: int) -> Any:
        """Return the state at a version; None at version 0 or without rules."""
        return self.history.moments[version - 1].state if version else None

    def add_events(self, events: list[Event]) -> None:
        """Append events; skip those that do not follow the latest one."""
        for _ in self.add_events_stepwise(events):
            pass

    def add_events_stepwise(self, events: list[Event]) -> Iterator[None]:
        """Append events one by one, yielding after each; skip those that do not follow the last.

        Other events may be added between two steps.
        """
        append = self.history.append
        for event in self._readable(events):
            version = len(self.events) + 1
            if event["version"] != version:
                continue
            self.events.append(event)
            append(Decision(version, event["seat"], None, (self._build_event(event),), (), 0))
            self.turns.add(event)
            if event["type"] in UNDO_EVENT_TYPES:
                self._update_undone(event)
            yield

    def _build_event(self, event: Event) -> Any:
        """Build the kernel's or the game's event object from the service's JSON.

        The service does not send player ids, so those fields are empty. A game's event is returned
        unchanged if the rules are not loaded.
        """
        kind, data = event["type"], event["data"]
        if kind in self.event_types:
            return build(self.event_types[kind], data)
        if kind not in KERNEL_EVENTS:
            return event
        seats = tuple([build(Seat, each) for each in data.get("seats", ())])
        # Only the service computes clocks: they need the time of each decision.
        fields = {"seats": seats, "pace": None}
        return build(KERNEL_EVENTS[kind], {"owner": "", "player": "", **data, **fields})

    def predict(self, moves: list[tuple[int, Sequence[Command]]]) -> bool:
        """Predict the position after the unconfirmed moves ``[(seat, commands)]``.

        Returns False if the rules forbid them. Returns True without a prediction if there are no
        rules or no moves, or if a move needs a random draw.
        """
        self.optimistic = None
        if self.rules is None or not moves:
            return True
        ahead = self.history.branch()
        try:
            for seat, commands in moves:
                ahead.play(seat, commands, 0, lambda _seed, _first: _no_draw)
        except (IllegalMove, Refused):
            return False
        except NoChance:
            return True  # only the service draws random numbers
        self.optimistic = ahead
        return True

    def refusal(self, attempt: Any) -> str:
        """Return why the rules forbid something to this device's acting seat, or "" if legal.

        ``attempt``: a command, or a function that raises `IllegalMove`. The result is also "" if
        legality depends on a random draw. Needs the rules if ``attempt`` is a command.
        """
        seat = self.seat_to_act()
        if seat is None:
            return t("error.not_your_turn")
        try:
            if callable(attempt):
                attempt()
            else:
                version = self.history.latest.opened.rules_version
                self.rules.decide(self.state, seat, attempt, _no_draw, version)
        except IllegalMove as refused:
            refused.text_domain = self.data["game"]
            return refused.translate(LANGUAGE)
        except NoChance:
            pass
        return ""

    def is_final(self, seat: int, commands: Sequence[Command], alone: bool | None = None) -> bool:
        """Return whether undoing these legal commands would need consent; requires the rules.

        ``alone``: whether one person holds all human seats, by default as in this match.
        """
        version = self.history.latest.opened.rules_version
        if alone is None:
            alone = self.is_alone
        return is_final(self.rules, self.state, seat, commands, version, alone)

    def _readable(self, events: list[Event]) -> list[Event]:
        """Return the events with the texts to show.

        In a game with secrets that is the text that anyone near the device may read, unless all
        others are bots; after the end all texts, if private messages (``Said``) are the only events
        with a separate public text.
        """
        redacted = [event for event in events if "public" in event]
        over = self.data["status"] == "finished"
        public = (
            self.has_secrets
            and not self.is_against_bots
            and not (over and all(event["type"] == "Said" for event in redacted))
        )
        self.is_log_redacted = self.is_log_redacted or (public and bool(redacted))
        texts = [
            event["public"] if public and "public" in event else event.get("own", event["text"])
            for event in events
        ]
        return [{**event, "text": text} for event, text in zip(events, texts, strict=True)]

    def version_before(self, version: int) -> int:
        """Return the preceding version; for an undo or redo, the version it went to."""
        event = self.events[version - 1]
        return event["data"]["to_version"] if event["type"] in UNDO_EVENT_TYPES else version - 1

    def standing_events(self, version: int) -> Iterator[Event]:
        """Yield the events up to a version, the latest first, without those undone by then.

        The undo and redo events themselves are among them.
        """
        while version > 0:
            yield self.events[version - 1]
            version = self.version_before(version)

    def replace_events(self, events: list[Event]) -> None:
        """Replace all events with their unredacted form, once the match is over."""
        self.events = list(self._readable(events))
        self.is_log_redacted = False

    def _update_undone(self, event: Event) -> None:
        """Update ``undone_by`` after an undo or redo."""
        before, now = self.history.moments[self.version - 2], self.history.latest
        undone, back = self.history.diverging(before, now)
        for index in undone:
            self.undone_by[index + 1] = event["seat"]
        for index in back:
            self.undone_by.pop(index + 1, None)

    def begins_turn(self, version: int) -> bool:
        """Return whether the event that led to a version begins a turn."""
        event, before = self.events[version - 1], self.version_before(version)
        turn = self.events[before - 1]["turn"] if before else 0
        return event["type"] not in KERNEL_EVENTS and event["turn"] != turn

    def move_name(self, version: int) -> str:
        """Return a name for a version: "move N", or "the start" before the first move."""
        move = self.turns.move_counts[version - 1]
        return t("history.move_name", move=move) if move else t("history.start_name")

    def position_text(self, version: int, template: str, start_template: str) -> str:
        """Describe the position of a version in the match (see `frontend.app.match.turn_labels`).

        ``template`` is used after the first move, ``start_template`` before it.
        """
        move, moves = self.turns.move_counts[version - 1], self.turns.move_counts[-1]
        turn = self.events[version - 1]["turn"]
        return t(template if move else start_template, turn=turn, move=move, moves=moves)

    def own_seats(self) -> list[Any]:
        """Return the seats held by this device; none in an imported match, which is view-only."""
        if self.data.get("imported"):
            return []
        return [seat["seat"] for seat in self.data["seats"] if seat["you"]]

    @property
    def is_alone(self) -> bool:
        """Whether this device holds all human seats."""
        return all(seat["you"] for seat in self.data["seats"] if seat["kind"] == "human")

    @property
    def is_against_bots(self) -> bool:
        """Whether this device holds one seat and bots hold all others."""
        people = [seat for seat in self.data["seats"] if seat["kind"] != "bot"]
        return len(people) == 1 and bool(people[0]["you"])

    def acting_seats(self) -> Sequence[int]:
        """Return the seats the match is waiting for."""
        if self.rules and self.state is not None and self.data["status"] == "playing":
            return self.rules.to_act(self.state)
        return self.data["to_act"]

    def seat_to_act(self) -> int | None:
        """Return the seat of this device that is to act, or None.

        In a game with secrets, only the active seat counts.
        """
        acting = self.acting_seats()
        held = self.own_seats()
        if self.has_secrets:
            held = [seat for seat in held if seat == self.active_seat]
        for seat in held:
            if seat in acting:
                return seat
        return None

    def last_text(self, version: int) -> str:
        """Return the text of the latest event up to a version that has one, or a default text."""
        for event in reversed(self.events[:version]):
            if event["text"]:
                return str(event["text"])
        return t("history.viewing")

    def fork_version(self, version: int) -> int:
        """Return the version a fork at ``version`` actually starts from: the end of a decision.

        If ``version`` is in the middle of a decision, the fork starts before that decision.
        """
        events = self.events
        decision = events[version - 1]["decision"]
        if version < len(events) and events[version]["decision"] == decision:
            while version and events[version - 1]["decision"] == decision:
                version -= 1
        return version

    def first_version(self) -> int:
        """Return the version after the one that starts the game, when the board is set up.

        Returns the current version if the game has not started.
        """
        for version, event in enumerate(self.events):
            if event["type"] == "MatchStarted":
                return min(self.version, version + 2)
        return self.version


class NoChance(Exception):
    """Raised when a move needs a random number, which only the service draws."""


def _no_draw(_n: int) -> int:
    raise NoChance
