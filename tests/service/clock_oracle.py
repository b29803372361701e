"""Recomputes all clocks from the log alone, slowly, day by day and with code independent of the
kernel's; the reference for simulated play."""

from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.match.commands import Undo
from domain.match.events import CameBack, MovesRedone, MovesUndone, SeatLeft, TimeRanOut, WentAway
from domain.match.seats import Seat
from domain.match.time_control import Pace
from domain.match.timeline import Timeline

DAY = 86_400_000


class Turn(Struct, frozen=True):
    """A period in which a seat was asked to act, from ``began`` to ``ended`` (None: still running).

    Turn notifications are compared with these.
    """

    seat: int
    player: str
    began: int
    ended: int | None


class Reckoned(Struct):
    """The clock of one seat.

    Holds the time left, whether the seat is to act, out of time or away, and how many of its turns
    have begun and how much time they have added.
    """

    left: int
    asked: bool = False
    out: bool = False
    away: bool = False
    turns: int = 0
    brought: int = 0

    @property
    def runs(self) -> bool:
        return self.asked and not self.out and not self.away


def counted(pace: Pace, since: int, until: int) -> int:
    """Return the time between two instants that counts, computed day by day."""
    if pace.kind == "live" or not pace.weekends_off:
        return until - since
    total = 0
    local = since + pace.zone * 60_000
    end = until + pace.zone * 60_000
    while local < end:
        day = datetime.fromtimestamp(local // 1000, UTC)
        midnight = day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        following = min(end, int(midnight.timestamp()) * 1000)
        if day.weekday() < 5:
            total += following - local
        local = following
    return total


class Reckoning:
    """Walks through a match and asserts that each clock is right.

    ``turns``: how often each seat was asked; ``outs``: instants at which time ran out.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        pace = timeline.latest.opened.pace
        assert pace is not None
        self.pace = pace
        self.turns: list[Turn] = []
        self.outs: list[tuple[int, int]] = []
        first = pace.bank * 1000 if pace.kind == "live" else pace.days * DAY
        self.seats = [Reckoned(first) for _ in timeline.latest.seats]
        self.after: list[list[Reckoned]] = []
        self._open: dict[int, tuple[str, int]] = {}

    def go(self, now: int) -> None:
        """Process the whole match up to now; assert that every expired clock has run out."""
        last = self.timeline.decisions[0].at
        for index, decision in enumerate(self.timeline.decisions):
            self._pass(last, decision.at, decision.events)
            last = decision.at
            self._happen(index)
            self.after.append([copy(each) for each in self.seats])
        self._pass(last, now, ())
        for seat, (player, began) in self._open.items():
            self.turns.append(Turn(seat, player, began, None))

    def _pass(self, since: int, until: int, events: Any) -> None:
        spent = counted(self.pace, since, until)
        ran_out = {event.seat for event in events if isinstance(event, TimeRanOut)}
        for seat, each in enumerate(self.seats):
            if each.runs:
                each.left -= spent
                if seat in ran_out:
                    assert each.left == 0, f"{seat} ran out with {each.left} ms left"
                else:
                    assert each.left >= 0, f"{seat} should have run out {-each.left} ms ago"
            else:
                assert seat not in ran_out, f"the clock of {seat} stood"

    def _happen(self, index: int) -> None:
        decision = self.timeline.decisions[index]
        turned = False
        for event in decision.events:
            match event:
                case TimeRanOut(seat=seat):
                    self.seats[seat].out = True
                    self.outs.append((decision.at, seat))
                case WentAway(seat=seat):
                    self.seats[seat].away = True
                case CameBack(seat=seat):
                    self.seats[seat].away = False
                case SeatLeft(seat=seat):
                    here = self.seats[seat]
                    self.seats[seat] = Reckoned(here.left, turns=here.turns, brought=here.brought)
                case MovesUndone(kind="free", seat=seat):
                    turned = True
                    self._take_back(index, seat)
                case MovesUndone(to_version=to) | MovesRedone(to_version=to):
                    turned = True
                    for seat, old in enumerate(self.after[self.timeline.index(to)]):
                        away = self.seats[seat].away
                        self.seats[seat] = replace(old, away=away)
        self._ask(index, turned, isinstance(decision.command, Undo))

    def _take_back(self, index: int, actor: int) -> None:
        """Undo by clock rules 2.

        The seat that undoes keeps the time it has used and loses what the undone turns have added;
        every other seat has what it had when the move was made.
        """
        decisions, moments = self.timeline.decisions, self.timeline.moments
        gone, _ = self.timeline.diverging(moments[index - 1], moments[index])
        first = min(gone)
        spent = counted(self.pace, decisions[first - 1].at, decisions[first].at)
        for seat, old in enumerate(self.after[first - 1]):
            now = self.seats[seat]
            if now.asked and old.asked and now.turns == old.turns:
                continue
            if moments[first - 1].seats[seat].player != moments[index].seats[seat].player:
                continue
            if seat == actor:
                left = max(0, now.left - now.brought + old.brought)
                out = old.asked and left == 0
            else:
                left, out = old.left - (spent if old.runs else 0), old.out
            self.seats[seat] = replace(old, left=left, out=out, away=now.away)

    def _ask(self, index: int, turned: bool, taken_back: bool) -> None:
        """Update the seats to act; a turn that begins adds time."""
        moments = self.timeline.moments
        now = moments[index]
        before = moments[index - 1] if index else now
        acting = self.timeline.to_act(now) if now.state is not None else ()
        again = False
        if before.state is not None and now.state is not None and not turned:
            turn = self.timeline.rules.turn
            again = turn(before.state) != turn(now.state)
        for seat, each in enumerate(self.seats):
            asked = seat in acting and now.seats[seat].kind == "human"
            if asked and (again or not each.asked):
                # A turn that goes on after its time has run out adds none.
                each.out = taken_back and each.left == 0
                if not taken_back:
                    brought = self._brought(each.left)
                    each.brought += brought - each.left
                    each.left = brought
                    each.turns += 1
            elif not asked:
                each.out = False
            each.asked = asked
            self._note(seat, now.seats[seat], asked, again, self.timeline.decisions[index].at)

    def _brought(self, left: int) -> int:
        pace = self.pace
        if pace.kind == "days":
            return pace.days * DAY
        return max(left + pace.increment * 1000, pace.minimum * 1000)

    def _note(self, seat: int, who: Seat, asked: bool, again: bool, at: int) -> None:
        if seat in self._open and (not asked or again):
            player, began = self._open.pop(seat)
            self.turns.append(Turn(seat, player, began, at))
        if asked and seat not in self._open:
            self._open[seat] = (who.player or "", at)
