"""One match that is played on this phone: its timeline, how it is kept, and its bots."""

from collections.abc import Callable
from typing import Any

from _native import below, build, instant, keep_match, timestamp

from domain import match as kernel
from domain.answers.matches import seat_answers
from domain.answers.viewing import waiting_for
from domain.bots import Thinking, suggested
from domain.deadlines import deadline_of, time_is_up
from domain.draws import seeded
from domain.exporting import plain_decision
from domain.game import LEVELS, IllegalMove, pick_any
from domain.lesson import bot_move
from domain.match import Decision, Origin, Refused, Seat, Timeline
from domain.register import TITLES, rules_of
from domain.words import N_, Explained
from frontend.app.dom import after
from frontend.app.net import Problem
from frontend.app.phone.door import is_lesson
from frontend.app.typed import Data, Told
from frontend.app.words import LANGUAGE, t

PLAYER = "player-1"
"""Whoever holds the phone: all its people are one player."""
BUDGET = 150
"""Milliseconds that a bot may look for better moves; less for those that need not."""
SLICE = 100
"""Milliseconds of bots' moves that are kept together; then the page has its turn."""
PAUSE = 20
"""Milliseconds for the page between two slices."""


class Stopped(Explained):
    """The match cannot grow as it was asked to."""

    room = "page"
    code = "version_conflict"


class Table:
    """``head``: what the list of matches shows, with the id. ``told(table)`` is called when the
    match has grown."""

    def __init__(self, head: Data, timeline: Timeline, told: Told) -> None:
        self.head = head
        self.id: str = head["id"]
        self.timeline = timeline
        self.told = told
        self.asked: list[Any] = []
        self.writing = False
        self.thinking = False
        self.closed = False
        self.pictured = 0
        """The version that the picture in the head shows."""

    # -- growing -------------------------------------------------------------------------------

    def change(
        self, decide: Callable[[Timeline], object], done: Callable[[int], object], failed: Told
    ) -> None:
        """Grows by what ``decide(branch)`` appends to a branch: ``done(version before)`` once it is
        kept, ``failed(problem)`` when it was refused. One change after the other."""
        self.asked.append((decide, done, failed))
        if not self.writing:
            self._next()

    def _next(self) -> None:
        if not self.asked:
            return
        decide, done, failed = self.asked.pop(0)
        before = self.timeline
        twin = before.branch()
        try:
            if "handing" in self.head or self.closed:
                raise Stopped(N_("This match is being handed over."))
            decide(twin)
            self.allow(twin)
        except (IllegalMove, Refused, Stopped) as error:
            words = error.told(LANGUAGE, before.rules.TEXT)
            failed(Problem(409, {"code": error.code, "detail": words}))
            self._next()
            return
        if twin.version == before.version:
            done(before.version)
            self._next()
            return
        self.writing = True
        first = len(before.decisions)
        head = self.summed_up(twin)
        self.keep(
            head, twin, first, lambda safe, _results: self._kept(safe, head, twin, done, failed)
        )

    def allow(self, timeline: Timeline) -> None:
        """Raises `Stopped` for what the match is not to become."""

    def keep(self, head: Data, timeline: Timeline, first: int, then: Any) -> None:
        """Writes down what is new from a decision on; then calls ``then(safe, results)``."""
        keep_match(head, self.plain(timeline, first), first, then)

    def _kept(
        self, safe: bool, head: Data, twin: Timeline, done: Callable[[int], object], failed: Told
    ) -> None:
        self.writing = False
        before = self.timeline.version
        if safe:
            self.head = head
            self.timeline = twin
            done(before)
            self.told(self)
            self.wake()
        else:
            words = t("This phone could not keep it, or another window has played on.")
            failed(Problem(409, {"code": "not_kept", "detail": words}))
        self._next()

    # -- keeping -------------------------------------------------------------------------------

    def summed_up(self, timeline: Timeline) -> Data:
        """The head of the match as it is then."""
        now = timeline.now
        acting = list(waiting_for(timeline, now))
        item = {
            "id": self.id,
            "game": now.opened.game,
            "status": now.status,
            "version": timeline.version,
            "seats": seat_answers(now.seats, PLAYER, LANGUAGE),
            "to_act": acting,
            "your_turn": any(now.seats[seat].kind == "human" for seat in acting),
            "updated": timestamp(timeline.decisions[-1].at),
        }
        return {**self.head, "item": item}

    def plain(self, timeline: Timeline, first: int) -> list[Data]:
        """The decisions from a number on, as they are kept: with the version of their shapes."""
        shape = TITLES[timeline.now.opened.game].rules_version
        found = timeline.decisions.tail(first)
        return [{**plain_decision(each), "shape": shape} for each in found]

    # -- who plays without being asked ------------------------------------------------------------

    def wake(self) -> None:
        """Lets bots play if the match waits for one, and watches the time of a phase."""
        if self._bots() and not self.thinking:
            self.thinking = True
            after(PAUSE, self._think)
        deadline = deadline_of(self.timeline)
        if deadline is not None:
            version = self.timeline.version
            after(max(0, deadline - instant()), lambda: self._time_is_up(version))

    def _time_is_up(self, version: int) -> None:
        if self.timeline.version == version and not self.closed:
            self.change(lambda twin: time_is_up(twin, instant(), seeded), _nothing, _nothing)

    def _bots(self) -> list[int]:
        return bots_to_act(self.timeline)

    def _think(self) -> None:
        self.thinking = False
        if not self.closed and self._bots():
            move = bot_move if is_lesson(self.id) else _move_of
            self.change(lambda twin: _slice_of_bots(twin, move), _nothing, _nothing)


def _nothing(_what: Any) -> None:
    """Who looks hears of it by `Table.told`."""


def bots_to_act(timeline: Timeline) -> list[int]:
    """The bot seats the match waits for."""
    now = timeline.now
    return [seat for seat in waiting_for(timeline, now) if now.seats[seat].kind == "bot"]


def _slice_of_bots(twin: Timeline, move: Callable[[Timeline, int], Any]) -> None:
    """The next moves of the bots: one at least, and as many as fit into a slice."""
    enough = instant() + SLICE
    while acting := bots_to_act(twin):
        # By chance, so that the order does not tell which bot has done something in secret.
        seat = acting[0] if move is bot_move else pick_any(acting, below)
        twin.play(seat, [move(twin, seat)], instant(), seeded)
        if instant() > enough:
            return


def _move_of(timeline: Timeline, seat: int) -> Any:
    now = timeline.now
    enough = instant() + BUDGET
    level: Any = now.seats[seat].level or LEVELS[-1]
    thinking = Thinking(below, level, lambda: instant() < enough)
    return suggested(now.opened.game, now.state, seat, thinking)


# --- reading ------------------------------------------------------------------------------------


def read(slug: str, kept: Any) -> list[Decision]:
    """The decisions of a match as they were kept, oldest first."""
    rules = rules_of(slug)
    newest = TITLES[slug].rules_version
    upcasts = getattr(rules, "UPCASTS", {})
    parts = (*kernel.COMMANDS, *kernel.EVENTS, *rules.COMMANDS, *rules.EVENTS)
    kinds = {each.__name__: each for each in parts}
    found = []
    for plain in kept:
        shape = plain["shape"]
        for version in range(shape, newest):
            if version in upcasts:
                plain = upcasts[version](plain)
        events = tuple([_built(kinds, event) for event in plain["events"]])
        command = _built(kinds, plain["command"])
        draws = plain["draws"]
        made = Decision(plain["version"], plain["seat"], command, events, draws, plain["at"])
        found.append(made)
    return found


def _built(kinds: dict[str, Any], plain: Data) -> Any:
    made = dict(plain)
    if "seats" in made and made["type"] in ("Open", "MatchOpened"):
        made["seats"] = tuple([build(Seat, seat) for seat in made["seats"]])
        if made["forked_from"] is not None:
            made["forked_from"] = build(Origin, made["forked_from"])
    return build(kinds[made["type"]], made)
