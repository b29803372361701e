"""One match as this device knows it: what the service said, and every moment of it.

The kernel folds it (`domain.match`), here as on the service. An event is a step of its own: the
service tells events, not decisions.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import build

from domain.game import Draw, IllegalMove
from domain.match import EVENTS, Decision, History, Refused, Seat, Timeline, is_final
from domain.scene import letters
from frontend.app.typed import Command, Data, Event
from frontend.app.words import LANGUAGE, t

UNDOING = ("MovesUndone", "MovesRedone")
KERNEL = {each.__name__: each for each in EVENTS}


class Match:
    """``data``: the service's answer; ``events``: all events, version 1 first; ``history``: the
    moment after each of them, with a state if the game has rules in the browser.

    Moves that are on their way to the service are ``ahead``: a history that goes on with them.
    In a game with secrets (``secret``) a device that holds several seats looks through one of
    them at a time: ``in_hand``, None before somebody has taken it; and its log says what
    everybody may read.

    ``quiet``: whether the words of some events say less than the seat in hand may know.

    ``taken_by``: by version, the seat that took the move back; ``rounds``: the versions with
    which a round begins, a round being ``round_turns`` turns; ``moves``: by event, how many moves
    have led there: decisions of the game, also those that were taken back.
    """

    def __init__(self, data: Data, rules: Any, round_turns: int = 1, secret: bool = False) -> None:
        self.data = data
        self.rules = rules
        self.secret = secret
        held = self.held()
        self.in_hand = held[0] if secret and len(held) == 1 else None
        self.events: list[Any] = []
        self.history: Any = Timeline(rules) if rules else History()
        self.ahead: Any = None
        self.quiet = False
        self.types = {each.__name__: each for each in rules.EVENTS} if rules else {}
        self.taken_by: dict[Any, Any] = {}
        self.rounds: list[Any] = []
        self.turns: list[Any] = []
        self.moves: list[int] = []
        self._begun: int | None = None
        self._decision: int | None = None
        self._round_turns = round_turns
        self._round = 0
        self._turn = 0

    @property
    def version(self) -> int:
        """The newest version whose events are here."""
        return len(self.events)

    @property
    def names(self) -> tuple[str, ...]:
        """What texts call the seats."""
        seats = self.data["seats"]
        return tuple([s["name"] or t("Seat {seat}", seat=s["seat"] + 1) for s in seats])

    @property
    def letters(self) -> tuple[str, ...]:
        """What tells the seats apart besides their colours."""
        return letters(self.names)

    @property
    def state(self) -> Any:
        """The state now, the move on its way included."""
        return self.ahead.now.state if self.ahead is not None else self.state_at(self.version)

    def state_at(self, version: int) -> Any:
        """The state at a version; None before the game begins."""
        return self.history.moments[version - 1].state if version else None

    def take(self, events: list[Event]) -> None:
        """Adds events that follow those already here."""
        for _ in self.taking(events):
            pass

    def taking(self, events: list[Event]) -> Iterator[None]:
        """Adds such events one by one; others may come between two of them."""
        append = self.history.append
        for event in self._public(events):
            version = len(self.events) + 1
            if event["version"] != version:
                continue
            self.events.append(event)
            append(Decision(version, event["seat"], None, (self._built(event),), (), 0))
            self._count(event)
            if event["type"] in UNDOING:
                self._turn_back(event)
            if event["turn"] != self._turn:
                self._note_turn(version, event["turn"])
            yield

    def _count(self, event: Event) -> None:
        """Notes whether a move led to the event: one decision may cause several."""
        count = self.moves[-1] if self.moves else 0
        decision = event["decision"]
        if event["type"] == "MatchStarted":
            self._begun = self._decision = decision
        elif event["type"] not in KERNEL and decision != self._decision:
            self._decision = decision
            count += 1 if self._begun is not None else 0
        self.moves.append(count)

    def _built(self, event: Event) -> Any:
        """The event as the kernel knows it. The service tells nobody who the players are; an
        event of a game without rules here is not looked at."""
        kind, data = event["type"], event["data"]
        if kind in self.types:
            return build(self.types[kind], data)
        if kind not in KERNEL:
            return event
        seats = tuple([build(Seat, each) for each in data.get("seats", ())])
        # Clocks are the service's to work out: they need to know when each decision was made.
        told = {"seats": seats, "pace": None}
        return build(KERNEL[kind], {"owner": "", "player": "", **data, **told})

    def look_ahead(self, moves: list[tuple[int, Sequence[Command]]]) -> bool:
        """Plays ``[(seat, commands)]`` on top of what the service has confirmed; False when the
        rules forbid it."""
        self.ahead = None
        if self.rules is None or not moves:
            return True
        ahead = self.history.branch()
        try:
            for seat, commands in moves:
                ahead.play(seat, commands, 0, _no_draws)
        except (IllegalMove, Refused):
            return False
        except NoChance:
            return True  # only the service can tell what will happen
        self.ahead = ahead
        return True

    def refusal(self, tried: Any) -> str:
        """Why the rules forbid the seat to act a command, or what ``tried()`` asks them, in a
        sentence; "" when they do not, or only chance would tell."""
        seat = self.my_seat()
        if seat is None:
            return t("It is not your turn.")
        try:
            if callable(tried):
                tried()
            else:
                version = self.history.now.opened.rules_version
                self.rules.decide(self.state, seat, tried, _no_draw, version)
        except IllegalMove as refused:
            refused.room = self.data["game"]
            return refused.told(LANGUAGE, self.rules.TEXT)
        except NoChance:
            pass
        return ""

    def is_final(self, seat: int, commands: Sequence[Command]) -> bool:
        """Whether commands that the rules allow could not be taken back for free; of games with
        rules here."""
        version = self.history.now.opened.rules_version
        return is_final(self.rules, self.state, seat, commands, version, self.alone)

    def _public(self, events: list[Event]) -> list[Event]:
        """The events with the words that everybody round the device may read.

        When a match is over that keeps no secrets, only private words are for some alone: those
        are told to them then.
        """
        told = [event for event in events if "public" in event]
        over = self.data["status"] == "finished"
        if not self.secret or (over and all(event["type"] == "Said" for event in told)):
            return events
        self.quiet = self.quiet or bool(told)
        return [{**event, "text": event.get("public", event["text"])} for event in events]

    def before(self, version: int) -> int:
        """The version that a version follows: the one before it, or where going back led."""
        event = self.events[version - 1]
        return event["data"]["to_version"] if event["type"] in UNDOING else version - 1

    def retell(self, events: list[Event]) -> None:
        """Takes all events once more, as they are to be read now that the match is over."""
        self.events = list(self._public(events))
        self.quiet = False

    def _turn_back(self, event: Event) -> None:
        """Notes which moves no longer count and which count again."""
        before, now = self.history.moments[self.version - 2], self.history.now
        gone, back = self.history.parted(before, now)
        for index in gone:
            self.taken_by[index + 1] = event["seat"]
        for index in back:
            self.taken_by.pop(index + 1, None)

    def _note_turn(self, version: int, turn: int) -> None:
        """Notes that another turn goes on from the version, and perhaps another round."""
        self._turn = turn
        self.turns.append(version)
        number = (turn + self._round_turns - 1) // self._round_turns
        if number != self._round:
            self._round = number
            self.rounds.append(version)

    def begins_turn(self, version: int) -> bool:
        """Whether a turn begins with the event that led to a version."""
        event, before = self.events[version - 1], self.before(version)
        turn = self.events[before - 1]["turn"] if before else 0
        return event["type"] not in KERNEL and event["turn"] != turn

    def move(self, version: int) -> str:
        """What a version is called: by the move that led to it."""
        move = self.moves[version - 1]
        return t("move {move}", move=move) if move else t("the start")

    def counted(self, version: int, words: str, start: str) -> str:
        """Where in the match a version is, in words (see `frontend.app.turns`)."""
        move, moves = self.moves[version - 1], self.moves[-1]
        turn = self.events[version - 1]["turn"]
        return t(words if move else start, turn=turn, move=move, moves=moves)

    def undone(self) -> set[int]:
        """The versions whose events no longer count."""
        return set(self.taken_by)

    def held(self) -> list[Any]:
        """The seats of this device; none in a match that came in a file, to look at only."""
        if self.data.get("imported"):
            return []
        return [seat["seat"] for seat in self.data["seats"] if seat["you"]]

    @property
    def alone(self) -> bool:
        """Whether no other person sits at the table."""
        return all(seat["you"] for seat in self.data["seats"] if seat["kind"] == "human")

    def acting(self) -> Sequence[int]:
        """The seats the match waits for now."""
        if self.rules and self.state is not None and self.data["status"] == "playing":
            return self.rules.to_act(self.state)
        return self.data["to_act"]

    def my_seat(self) -> int | None:
        """The seat of this device that is to act, or None."""
        acting = self.acting()
        held = self.held()
        if self.secret:
            held = [seat for seat in held if seat == self.in_hand]
        for seat in held:
            if seat in acting:
                return seat
        return None

    def told_by(self, version: int) -> str:
        """The last thing that was said up to a version."""
        for event in reversed(self.events[:version]):
            if event["text"]:
                return str(event["text"])
        return t("Looking back")

    def fork_version(self, version: int) -> int:
        """The version from which a fork of a version really starts: the end of a decision."""
        events = self.events
        decision = events[version - 1]["decision"]
        if version < len(events) and events[version]["decision"] == decision:
            while version and events[version - 1]["decision"] == decision:
                version -= 1
        return version

    def first_version(self) -> int:
        """The first version worth looking at: the board is laid."""
        for version, event in enumerate(self.events):
            if event["type"] == "MatchStarted":
                return min(self.version, version + 2)
        return self.version


class NoChance(Exception):
    """A move that asks for a draw: chance belongs to the service."""


def _no_draw(_n: int) -> int:
    raise NoChance


def _no_draws(_seed: str, _first: int) -> Draw:
    return _no_draw
