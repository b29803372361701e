"""A player who has lost a seat sees nothing hidden from the loss on, in any read.

The second match differs in what a spectator may not know since the loss, or in what the seat may
not know from before it. Everything the former holder can request must be the same bytes in both:
every version, the events, the match file, the review. Once they have the seat back they see what
the seat sees. The seat's own view proves that the comparison can fail.
"""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.match import fork_secrecy
from domain.match.commands import Reclaim
from domain.match.losses import losses_of
from domain.match.time_control import DAY_MS, Pace
from domain.match.timeline import Timeline
from domain.matchfile.writer import export_match
from domain.presentation import choices
from domain.presentation.events import event_answers
from domain.presentation.matches import match_answer
from domain.presentation.reviews import review_answer
from domain.presentation.viewpoint import Viewer, held_seats
from domain.text.i18n import ENGLISH
from domain.toolkit.randomness import draws_from_seed
from tests.game_contract.indistinguishable_states import other_world
from tests.game_contract.play import Table, bot_move, opened, table_id, tables

TABLES = [pytest.param(table, id=table_id(table)) for table in tables("secret")]
TAKES = Pace("days", days=1, on_end="bot_takes")


def viewer_of(timeline: Timeline, player: str, seat: int | None = None) -> Viewer:
    return Viewer(timeline, player, seat, ENGLISH, str)


def reads(
    timeline: Timeline, player: str, seats: tuple[int | None, ...] = (None,), since: int = 1
) -> bytes:
    """Return everything a player can be sent of a match, as bytes; positions from a version on.

    Every answer is made from a `Viewer`, so seats that give equal viewers are read once.
    """
    sent: list[Any] = [losses_of(timeline.latest, player), held_seats(timeline, player)]
    viewers: list[Viewer] = []
    for seat in seats:
        viewer = viewer_of(timeline, player, seat)
        if all(vars(viewer) != vars(other) for other in viewers):
            viewers.append(viewer)
    for viewer in viewers:
        sent += [match_answer("id", viewer), event_answers(viewer, 0), review_answer("id", viewer)]
        sent += [match_answer("id", viewer, at) for at in range(since, timeline.version + 1)]
        sent.append(export_match("id", timeline, viewer.seat, viewer.held_seats, None, viewer.loss))
        if viewer.seat is not None:
            sent.append(choices.all_choices(viewer, viewer.seat))
    return msgspec.json.encode(sent, order="sorted")


def steps(timeline: Timeline, rng: random.Random, count: int) -> Iterator[None]:
    """Play legal commands of the seats to act, pausing after each.

    The shortest games end after about two dozen commands.
    """
    for _ in range(count):
        acting = timeline.to_act(timeline.latest)
        if not acting:
            return
        seat = rng.choice(acting)
        command = rng.choice(timeline.rules.choices(timeline.latest.state, seat))
        if rng.random() < 0.6:
            command = bot_move(timeline, seat, rng)
        timeline.play(seat, [command], timeline.decisions[-1].at, draws_from_seed)
        yield


def lose(timeline: Timeline) -> int | None:
    """Let the time of the seats to act run out; return one that a bot has taken over."""
    timeline.play(None, [], timeline.decisions[-1].at + DAY_MS, draws_from_seed)
    lost = [
        loss.seat
        for loss in timeline.latest.losses
        if timeline.latest.seats[loss.seat].kind == "bot"
    ]
    return lost[0] if lost else None


def first_difference(one: Timeline, other: Timeline) -> int:
    """Return the version of the first decision that differs; earlier positions are the same."""
    pairs = zip(one.decisions, other.decisions, strict=False)
    return next(mine.version for mine, theirs in pairs if mine != theirs)


def compared(table: Table, seed: int) -> tuple[int, int, int]:
    """Count pairs of matches that differ after a loss.

    Returns the number of pairs, how many of them the player who lost the seat could tell apart, and
    how many the seat itself could.
    """
    rng = random.Random(seed)
    timeline = opened(table, seed, pace=TAKES)
    for _ in steps(timeline, rng, rng.randrange(1, 12)):
        pass
    seat = lose(timeline)
    if seat is None:
        return 0, 0, 0
    player, lost_at = f"player{seat}", timeline.version
    pairs = seen = by_seat = 0
    for _ in steps(timeline, rng, 40):
        found = other_world(timeline, None, rng)
        if found is None:
            continue
        other, _changed = found
        differs_at = first_difference(timeline, other)
        assert differs_at > lost_at
        pairs += 1
        sent = [reads(world, player, (None, seat), differs_at - 1) for world in (timeline, other)]
        seen += sent[0] != sent[1]
        own = [each.rules.view(each.latest.state, seat) for each in (timeline, other)]
        by_seat += own[0] != own[1]
    return pairs, seen, by_seat


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_nothing_hidden_since_the_loss_is_seen(table: Table) -> None:
    found = [compared(table, seed) for seed in range(3)]
    pairs, seen, _ = (sum(column) for column in zip(*found, strict=True))
    assert pairs > 5
    assert seen == 0


@pytest.mark.slow
def test_the_comparison_can_fail() -> None:
    """The seat's own view does differ in some of these pairs: its secrets stay hidden."""
    slugs = {table[0]: table for table in tables("secret")}
    by_seat = [sum(compared(table, seed)[2] for seed in range(4)) for table in slugs.values()]
    assert sum(by_seat) > 0


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_what_the_seat_did_not_know_before_the_loss_stays_hidden(table: Table) -> None:
    rng = random.Random(5)
    pairs = 0
    for seed in range(4):
        timeline = opened(table, seed, pace=TAKES)
        for _ in steps(timeline, rng, 25):
            acting = timeline.to_act(timeline.latest)
            if not acting:
                break
            seat = acting[0]
            found = other_world(timeline, seat, rng)
            if found is None:
                continue
            worlds = [timeline.branch(), found[0].branch()]
            for world in worlds:
                lose(world)
            if worlds[0].latest.seats[seat].kind != "bot":
                continue
            pairs += 1
            since = first_difference(*worlds) - 1
            one, other = (reads(world, f"player{seat}", (None, seat), since) for world in worlds)
            assert one == other
    assert pairs > 3


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_lost_seat_keeps_its_past_view_and_regained_seat_sees_all(table: Table) -> None:
    rng = random.Random(8)
    timeline = opened(table, 8, pace=TAKES)
    for _ in steps(timeline, rng, 8):
        pass
    seat = lose(timeline)
    assert seat is not None
    player = f"player{seat}"
    # The time of several seats may run out at the same instant, one after the other.
    lost_at = losses_of(timeline.latest, player)[0].version
    for _ in steps(timeline, rng, 8):
        pass
    viewer = viewer_of(timeline, player)
    for version in range(1, timeline.version + 1):
        moment = timeline.at(version)
        eyes = seat if version <= lost_at else None
        if moment.state is not None:
            expected = timeline.rules.view(moment.state, timeline.viewer(eyes))
            assert match_answer("id", viewer, version).view == expected, version
    timeline.play(seat, [Reclaim(player)], timeline.decisions[-1].at, draws_from_seed)
    back = viewer_of(timeline, player)
    assert back.seat == seat
    assert match_answer("id", back).view == timeline.rules.view(timeline.latest.state, seat)
    for _ in steps(timeline, rng, 10):
        found = other_world(timeline, seat, rng)
        if found is not None:
            assert reads(timeline, player) == reads(found[0], player)


@pytest.mark.parametrize("table", TABLES)
def test_fork_reveals_no_more_than_a_view_after_a_lost_seat(table: Table) -> None:
    """If something since the loss is hidden from spectators, they cannot fork."""
    rng = random.Random(9)
    timeline = opened(table, 9, pace=TAKES)
    for _ in steps(timeline, rng, 6):
        pass
    seat = lose(timeline)
    assert seat is not None
    for _ in steps(timeline, rng, 12):
        pass
    losses = losses_of(timeline.latest, f"player{seat}")
    for decision in timeline.decisions:
        after = decision.version > losses[0].version
        if after and timeline.hides(decision.events):
            assert fork_secrecy.hides_from_player(timeline, decision.version, [], losses)
