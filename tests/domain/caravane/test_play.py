"""Whole random races, for every seat count and every combination of options."""

import random
from typing import Any

import msgspec
import pytest

from domain.contract.game import ALL_SEEING
from domain.games.caravane import board, rules
from domain.games.caravane.state import OVER, PREPARE, State
from domain.games.caravane.title import TITLE
from domain.match.commands import Undo
from domain.match.timeline import Timeline
from domain.matchfile.codec import Codec
from tests.domain.caravane.builders import (
    OPTIONS,
    fold,
    no_draw,
    opened,
    play,
    race,
    random_moves,
)
from tests.domain.caravane.worlds import stock_after
from tests.game_contract.play import bot_move

TABLES = [
    pytest.param(seats, options, id=f"{seats}-{'-'.join(n for n, on in options.items() if on)}")
    for seats in TITLE.seats
    for options in OPTIONS
]
CODEC = Codec(TITLE, rules)
NAMES = ("A", "B", "C", "D", "E")


def check(state: State) -> None:
    """Check the invariants of a race."""
    acting = rules.to_act(state)
    for seat, racer in enumerate(state.racers):
        assert bool(rules.choices(state, seat)) == (seat in acting)
        assert racer.bales >= 0
        assert racer.stock >= 0
        assert len(racer.allotted) < 3 or sum(racer.allotted) == board.TOTAL_GOURDS
        assert sorted(racer.bags) in ([], list(board.BAG_VALUES))
        assert not state.stage or stock_after(state, seat, racer.allotted) == racer.stock
        assert not state.stage or 0 <= racer.square <= board.stage_length(state.stage)
        if state.phase != PREPARE:
            assert (racer.place > 0) == (racer.square == board.stage_length(state.stage))
        for viewer in (None, seat, ALL_SEEING):
            msgspec.json.encode(rules.view(state, viewer))
    assert bool(acting) == (state.phase != OVER)
    assert (rules.outcome(state) is not None) == (state.phase == OVER)


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_whole_race(seats: int, options: dict[str, Any]) -> None:
    """Gourds and bales add up, exactly the seats to act have choices, and the race ends."""
    start = race(seats, options["split"], options["food"], options["keep_secrets"])
    states = [state for state, _, _ in random_moves(start, random.Random(seats))]
    for state in states:
        check(state)
    turns = [rules.turn(state) for state in states]
    assert turns == sorted(turns)
    assert len(states[-1].rewards) == 3
    assert 1 in states[-1].ranks


def whole_match(seats: int, options: dict[str, Any], people: int | None = None) -> Timeline:
    rng = random.Random(seats)
    timeline = opened(seats, options, people)
    while acting := timeline.to_act(timeline.latest):
        seat = rng.choice(acting)
        if rng.random() < 0.1 and rules.take_back(timeline.latest.state, seat):
            play(timeline, seat, Undo())
            continue
        play(timeline, seat, bot_move(timeline, seat, rng))
    return timeline


def test_any_version_within_a_decision_can_be_seen() -> None:
    """Past versions exist between the events of a reveal too; then nobody is to act."""
    timeline = whole_match(3, {"split": True, "food": True, "keep_secrets": False})
    for version in range(timeline.decisions[1].last_version, timeline.version + 1):
        state = timeline.at(version).state
        for viewer in (None, 0, ALL_SEEING):
            assert rules.view(state, viewer)["racers"]


def test_the_kernel_takes_a_secret_bid_back_for_free() -> None:
    """An undo withdraws a bid although another seat has bid since, but not after the reveal."""
    timeline = opened(3, {"split": False, "food": False, "keep_secrets": False})
    choice = rules.choices(timeline.latest.state, 0)[5]
    play(timeline, 0, choice)
    play(timeline, 1, choice)
    assert timeline.undo_kind(0).kind == "free"
    play(timeline, 0, Undo())
    assert timeline.to_act(timeline.latest) == (0, 2)
    play(timeline, 0, choice)
    play(timeline, 2, choice)
    assert timeline.undo_kind(0).kind == "consent"
    assert timeline.undo_kind(2).reason == "why-revealed"


def test_the_order_of_the_bids_does_not_matter() -> None:
    """Simultaneous: the order of the bids does not change the race."""
    rng = random.Random(5)
    start = race(4, split=True, food=True)
    for state, _, _ in random_moves(start, rng):
        waiting = list(rules.to_act(state))
        chosen = {seat: rng.choice(rules.choices(state, seat)) for seat in waiting}
        ends = []
        for _ in range(2):
            rng.shuffle(waiting)
            end = state
            for seat in waiting:
                end = fold(end, rules.decide(end, seat, chosen[seat], no_draw).events)
            ends.append(end)
        assert ends[0] == ends[1]
