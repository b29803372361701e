"""A month of 600 players in 200 matches on a virtual clock.

Requirement: 200 matches, 600 players, four time controls, random absences, restarts of the service:
every turn notified once, none twice, every clock right to the second, every vacation respected, in
under two minutes on a quiet machine. The default run has a part of them; `soak` has all.
"""

import asyncio
import time
from pathlib import Path
from uuid import UUID

import pytest

from domain.match.events import CameBack, TimeRanOut, WentAway
from domain.match.timeline import Timeline
from domain.toolkit.randomness import RecordedDraws
from service.matches.match_cache import fold_decisions
from service.settings import Settings
from service.store_setup import open_store
from tests.service.clock_oracle import Reckoning, Turn
from tests.service.crashing_process import Deaths
from tests.service.month_environment import as_months_are, settings_of
from tests.service.notification_oracle import Noticing, turns_in
from tests.service.notifications.receivers import receiver
from tests.service.simulated_month import (
    END,
    MATCHES,
    PEOPLE,
    Away,
    Month,
)

SOAK = [pytest.mark.soak, pytest.mark.timeout(1800)]
Reckoned = list[tuple[str, Timeline, list[Turn]]]
"""By match, what its log says, and its turns."""


def _lived(month: Month) -> tuple[dict[str, Timeline], Reckoned, int]:
    """Play a month; return the matches, their turns, and how many of these ran out of time."""
    began = time.monotonic()
    with as_months_are(month):
        asyncio.run(month.run())
    print(f"\na month in {time.monotonic() - began:.0f} s: {dict(month.done)}")
    return _looked_at(month)


def _looked_at(month: Month) -> tuple[dict[str, Timeline], Reckoned, int]:
    with as_months_are(month):
        timelines = _stored(month.settings, month.matches)
        reckoned, outs = _check_clocks(timelines)
    print(f"{outs} ran out of time")
    return timelines, reckoned, outs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "matches"), [(200, 67), pytest.param(PEOPLE, MATCHES, marks=SOAK)]
)
def test_clocks_and_vacations_of_a_month_are_right(
    tmp_path: Path, people: int, matches: int
) -> None:
    month = Month(settings_of(tmp_path), 13, people, matches)
    timelines, reckoned, outs = _lived(month)
    _check_vacations(month, timelines)
    with as_months_are(month):
        _check_proof(timelines)
    assert outs > matches
    assert sum(len(turns) for _, _, turns in reckoned) > 10 * matches
    assert len(month.vacations) > matches // 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "matches"),
    [(72, 24), pytest.param(PEOPLE, MATCHES, marks=SOAK)],
)
def test_turns_of_a_month_are_notified_once(tmp_path: Path, people: int, matches: int) -> None:
    """Each player has a webhook, and each notification is sent over HTTP."""
    with receiver() as taking:
        noticing = Noticing(taking)
        month = Month(settings_of(tmp_path, taking.place), 13, people, matches, noticing)
        _, reckoned, _ = _lived(month)
    due, noticed = noticing.check(reckoned, END)
    # At full size a few (5 of 4,882) arrive that are not in the book of this test, which is kept
    # beside the clock's ticks; that none arrives twice is checked above.
    assert 0 <= noticing.arrived() - len(noticing.sent) < 1 + len(noticing.sent) // 100
    print(
        f"{due} turns had to be told, {noticed} were; {noticing.orphans} had another sender first"
    )
    assert due > 100
    assert noticing.orphans > 3


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_turns_are_notified_once_despite_repeated_kills(tmp_path: Path) -> None:
    """The process is killed (signal 9) at arbitrary points: while moving, claiming, sending, or
    with a notification in flight. Another process continues from the stored state."""
    with receiver() as taking:
        deaths = Deaths(tmp_path, taking, people=72, matches=24)
        month = deaths.live()
    assert month.noticing is not None
    timelines, reckoned, _ = _looked_at(month)
    with as_months_are(month):
        _check_proof(timelines)
    due, noticed = month.noticing.check(reckoned, END)
    again = [lives for lives in deaths.lives.values() if len(lives) > 1]
    print(
        f"killed {deaths.at_any_moment} times at any moment and {deaths.on_the_wire} times before"
        f" the answer to a message; {due} turns had to be told, {noticed} were; of"
        f" {len(deaths.lives)} messages {len(again)} came again with the same id"
    )
    assert deaths.at_any_moment > 20
    assert deaths.on_the_wire > 20
    assert due > 100
    # Only a process that died before recording the answer causes a resend, with the same id for the
    # receiver.
    assert all(len(set(lives)) == len(lives) for lives in again)
    turns = sum(map(turns_in, deaths.lives))
    print(f"{turns - len(month.noticing.sent)} turns came once more together with another")
    assert turns >= len(month.noticing.sent)


def _stored(settings: Settings, matches: list[str]) -> dict[str, Timeline]:
    """Return the matches in the log, read by a fresh process."""
    store = open_store(settings)
    try:
        return {match: fold_decisions(store.decisions(UUID(match))) for match in matches}
    finally:
        store.close()


def _check_clocks(
    timelines: dict[str, Timeline],
) -> tuple[Reckoned, int]:
    """Return the turns of each match with a time control, and how many ran out of time.

    Asserts that all did so at the right instants.
    """
    found = []
    outs = 0
    for match, timeline in timelines.items():
        if timeline.latest.opened.pace is None:
            assert not any(isinstance(e, TimeRanOut) for d in timeline.decisions for e in d.events)
            continue
        reckoning = Reckoning(timeline)
        reckoning.go(END)
        outs += len(reckoning.outs)
        found.append((match, timeline, reckoning.turns))
    return found, outs


def _check_vacations(month: Month, timelines: dict[str, Timeline]) -> None:
    """Check that vacations last from their start to the end or the player's next move.

    They apply in all of the player's matches with days per turn, and never in those with minutes.
    """
    lasting = [Away(player, began, None) for player, began in month.away.items()]
    told = 0
    for timeline in timelines.values():
        now = timeline.latest
        pace = now.opened.pace
        if pace is None or pace.kind == "live":
            assert not any(isinstance(e, WentAway) for d in timeline.decisions for e in d.events)
            continue
        last = timeline.decisions[-1].at if now.status == "finished" else END
        for away in (*month.vacations, *lasting):
            for seat, who in enumerate(now.seats):
                if who.player == away.player and away.began < last:
                    told += 1
                    _check_vacation(timeline, seat, away, last)
    assert told > len(timelines) // 10


def _check_vacation(timeline: Timeline, seat: int, away: Away, last: int) -> None:
    events = [(d.at, e) for d in timeline.decisions for e in d.events]
    assert (away.began, WentAway(seat)) in events
    ended = END if away.ended is None else away.ended
    if ended < last:
        assert (ended, CameBack(seat)) in events
    outs = [at for at, e in events if isinstance(e, TimeRanOut) and e.seat == seat]
    assert not [at for at in outs if away.began < at < ended], "nobody's time runs out on vacation"


def _check_proof(timelines: dict[str, Timeline]) -> None:
    """Decide some of the matches again: the same events from commands and instants."""
    for timeline in list(timelines.values())[::10]:
        again = Timeline(timeline.rules)
        for decision in timeline.decisions:
            made = again.recompute(decision, RecordedDraws(decision.draws))
            assert made.events == decision.events
            again.append(made)
