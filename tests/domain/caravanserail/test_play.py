"""Whole games of Caravansérail by bots and random play."""

import random
from collections import Counter
from functools import reduce
from operator import or_
from typing import Any

import pytest

from domain.contract.bots import Thinking, suggest_command
from domain.games.caravanserail import rules
from domain.games.caravanserail.board import BOARDS, CARAVAN_CAPACITY, TREASURE
from domain.games.caravanserail.commands import Ask, Decline, Done, Draft, Give
from domain.games.caravanserail.events import OfferDeclined, TurnBegun, WaresExchanged
from domain.games.caravanserail.state import OVER, State, size
from domain.games.caravanserail.title import TITLE
from tests.domain.caravanserail.builders import (
    TABLES,
    act,
    at,
    planning,
    random_moves,
    started,
    trading,
)

NAMES = tuple("ABCDEFGH")
PLAIN = {"business_minutes": 0, "diplomacy": False, "keep_secrets": False}
COMMANDS = reduce(or_, rules.COMMANDS)


def wares(state: State) -> Counter[str]:
    found: Counter[str] = Counter()
    for sheikh in state.sheikhs:
        for store in (sheikh.treasure, *sheikh.loads):
            found.update(store)
    return found


def check(state: State) -> None:
    """Wares are conserved, caravans hold at most six and are empty at home."""
    if state.turn:
        assert wares(state) == dict.fromkeys(BOARDS[len(state.sheikhs)].wares, 12)
    for sheikh in state.sheikhs:
        for caravan, load in enumerate(sheikh.loads):
            assert size(load) <= CARAVAN_CAPACITY
            assert all(n > 0 for n in load.values())
            if sheikh.positions and sheikh.positions[caravan] == sheikh.home:
                assert not load
        if sheikh.offer:
            mine = sheikh.offer.mine
            store = sheikh.treasure if mine < 0 else sheikh.loads[mine]
            assert all(store.get(w, 0) >= n for w, n in (sheikh.offer.gives or {}).items())


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_random_games_keep_the_invariants(seats: int, options: dict[str, Any]) -> None:
    rng = random.Random(f"{seats}{options}")
    for state, _, _ in random_moves(started(seats, options, rng), rng, 500):
        check(state)
        assert bool(rules.to_act(state)) == (state.phase != OVER)


@pytest.mark.parametrize("seats", TITLE.seats)
@pytest.mark.parametrize("bots", [1.0, 0.5])
def test_games_come_to_an_end(seats: int, bots: float) -> None:
    """Bots make progress, also among random players."""
    rng = random.Random(seats)
    *_, (end, _, _) = random_moves(started(seats, PLAIN, rng), rng, 30_000, bots)
    assert end.phase == OVER
    assert end.winners
    for seat in range(seats):
        goal, treasure = end.sheikhs[seat].goal, end.sheikhs[seat].treasure
        has_all = all(treasure.get(ware, 0) >= n for ware, n in goal.items())
        assert has_all == (seat in end.winners)


def test_bots_answer_a_player_who_comes_later() -> None:
    """They only listen once they have made their own offers; a helpful deal is accepted, another
    declined, and then they listen again."""
    start = trading(at(planning(), 0, "B", loads=({"silk": 2, "dates": 2}, {}, {})))
    for gift, kind in (("dates", WaresExchanged), ("silk", OfferDeclined)):
        state = bots_play(start, 0)[0]
        assert rules.to_act(state) == (0,)
        while any(sheikh.offer for sheikh in state.sheikhs):
            state, _ = act(state, 0, Decline(1))
            state = bots_play(state, 0)[0]
        state, _ = act(state, 0, Draft(0, 1, TREASURE), Give({gift: 1}), Ask({"spices": 3}))
        state, events = bots_play(state, 0)
        assert kind in [type(event) for event in events]
        assert rules.to_act(state) == (0,)
        state, _ = act(state, 0, Done())
        _, events = bots_play(state, 0)
        assert TurnBegun(2) in events


def bots_play(state: State, player: int) -> tuple[State, list[Any]]:
    """Let all seats but the player's act until they have nothing to do."""
    made: list[Any] = []
    rng = random.Random(1)
    while seats := [seat for seat in rules.to_act(state) if seat != player]:
        choice = suggest_command("caravanserail", state, seats[0], Thinking(rng.randrange, "easy"))
        state, events = act(state, seats[0], choice)
        made += events
    return state, made


def test_a_business_phase_of_bots_ends() -> None:
    """At most two offers each, so negotiation ends."""
    rng = random.Random(4)
    steps = 0
    for state, _, _ in random_moves(started(8, PLAIN, rng), rng, 20_000, 1.0):
        steps = steps + 1 if state.phase == "business" else 0
        assert steps < 400
        assert all(sheikh.offers <= 2 for sheikh in state.sheikhs)


@pytest.mark.parametrize("seats", TITLE.seats)
def test_chance_alone_keeps_turns_short(seats: int) -> None:
    """Random choices leave every phase after some time."""
    rng = random.Random(seats)
    *_, (end, _, _) = random_moves(started(seats, PLAIN, rng), rng, 4_000, 0.0)
    assert end.turn > 15 or end.phase == OVER


@pytest.mark.parametrize("seats", TITLE.seats)
def test_the_longest_lists_of_choices(seats: int) -> None:
    """Loads and asks are the longest; they stay below three thousand."""
    rng = random.Random(seats)
    longest = 0
    for state, seat, _ in random_moves(started(seats, PLAIN, rng), rng, 1_500, 0.5):
        if seat >= 0:
            longest = max(longest, len(rules.choices(state, seat)))
    assert 300 < longest <= 3_005
