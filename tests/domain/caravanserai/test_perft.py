"""Bulk counting compared with a plain depth-first search over choices, decide and evolve."""

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.caravanserai import rules
from domain.games.caravanserai.commands import PlaceCamel
from domain.games.caravanserai.perft import count_placements
from domain.games.caravanserai.position import load_position
from domain.games.caravanserai.state import (
    FREE,
    STANDING,
    TAKEN,
    State,
    cover_cells,
    current_step,
    standing_cells,
)
from tests.domain.caravanserai.notation import Scene, no_draw
from tests.domain.caravanserai.oracle import Oracle
from tests.domain.caravanserai.position_files import dump_position


def searched(state: State) -> dict[str, Any]:
    """Return the expected result of `count_placements`, by playing every placement."""
    by_pieces: Counter[int] = Counter()
    omitted: list[int] = []

    def search(now: State) -> None:
        if now.missing is not None:  # whom the good is taken from is not counted
            now = played(now, rules.choices(now, now.seat)[0])
        for choice in rules.choices(now, now.seat):
            if type(choice) is PlaceCamel:
                by_pieces[now.placement.pieces + 1] += 1
                omitted.append(now.placement.omitted)
            else:
                search(played(now, choice))

    if state.players[state.seat].camels:
        search(state)
    return {
        "placements": len(omitted),
        "by_pieces": {str(pieces): by_pieces[pieces] for pieces in sorted(by_pieces)},
        "omitted_total": sum(omitted),
        "omitted_best": max(omitted, default=0),
    }


def played(state: State, command: Any) -> State:
    for event in rules.decide(state, state.seat, command, no_draw).events:
        state = rules.evolve(state, event)
    return state


def turn_start(rng: random.Random, seats: int, expert: bool, steps: int) -> State:
    """Return the start of a turn some steps into a random game."""
    state: Any = None
    for event in rules.setup(rules.Options(expert=expert), seats, rng.randrange).events:
        state = rules.evolve(state, event)
    found = None
    while state.ranking is None and (steps > 0 or found is None):
        if current_step(state) == "place" and not state.placement.laid:
            found = state
        state = played(state, rng.choice(rules.choices(state, state.seat)))
        steps -= 1
    assert found is not None
    return found


def cramped(state: State, rng: random.Random) -> State:
    """Return an unusual version of the position: few goods and camels, an empty market, poor
    opponents, many standing goods, other caravans in the way."""
    me = state.players[state.seat]
    few = rng.choice([1, 2, 3, 4])
    me = replace(
        me,
        goods=tuple(rng.randint(0, few) for _ in range(5)),
        camels=rng.choice([0, 1, 2, 2, 3, 3]),
    )
    players = [
        me
        if seat == state.seat
        else replace(player, goods=tuple(rng.choice([0, 0, 0, 1]) for _ in range(5)))
        for seat, player in enumerate(state.players)
    ]
    state = replace(
        state,
        players=tuple(players),
        market=tuple(rng.choice([0, 0, 1]) for _ in range(5)),
        ground=cover_cells(state.ground, standing_cells(state), FREE),
    )
    free = [cell for cell, what in enumerate(state.ground) if what == FREE]
    if len(players) > 1:
        walls = tuple(cell for cell in free if rng.random() < 0.3)
        state = replace(state, ground=cover_cells(state.ground, walls, TAKEN))
        other = (state.seat + 1) % len(players)
        players[other] = replace(
            players[other],
            cells=walls + players[other].cells,
            kinds=("red",) * len(walls) + players[other].kinds,
        )
        free = [cell for cell in free if cell not in walls]
    share = rng.choice([0.0, 0.3, 0.7, 1.0])
    chosen = tuple(
        cell for cell in free if state.board.colours[cell] is not None and rng.random() < share
    )
    ground = cover_cells(state.ground, chosen, STANDING)
    return replace(state, players=tuple(players), ground=ground)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_random_positions(seed: int) -> None:
    """Base, expert and solo, unchanged and made unusual, through a position file: bulk counting,
    playing by the rules, and the oracle agree."""
    rng = random.Random(seed)
    for _ in range(20):
        state = turn_start(rng, rng.randint(1, 6), rng.random() < 0.6, rng.randint(5, 120))
        if rng.random() < 0.8:
            state = cramped(state, rng)
        counted = count_placements(load_position(dump_position(state)))
        if counted["placements"] <= 2000:
            assert counted == searched(state)
            assert counted == Oracle(dump_position(state)).run()
            return
    raise AssertionError("no position small enough")


def test_by_hand_one_colour_on_a_line() -> None:
    """A camel alone, or one or two goods before it."""
    # only red: 1 camel; 1 red + camel; 2 red + camel; all straight on
    assert count_placements(Scene("@ . . .", own="rr").state) == {
        "placements": 3,
        "by_pieces": {"1": 1, "2": 1, "3": 1},
        "omitted_total": 0,
        "omitted_best": 0,
    }


def test_by_hand_using_and_declining_are_two() -> None:
    """The contract: using and declining a standing good of the block's colour are two."""
    # camel on the white cell; white used + camel; white declined + camel; black + camel
    assert count_placements(Scene("@ W .", own="wk").state) == {
        "placements": 4,
        "by_pieces": {"1": 1, "2": 3},
        "omitted_total": 1,
        "omitted_best": 1,
    }


def test_by_hand_the_lying_camel() -> None:
    """Expert on four cells with one red good: C; rC; lC; rlC; and l needs a second camel."""
    expert = Scene("@ . . .", expert=True, own="r")
    assert count_placements(expert.state)["by_pieces"] == {"1": 1, "2": 2, "3": 1}
    single = Scene("@ . . .", expert=True, own="r", camels=1)
    assert count_placements(single.state)["by_pieces"] == {"1": 1, "2": 1}


@pytest.mark.parametrize(
    ("market", "others", "blocks"),
    [("r", ("",), 1), ("", ("r",), 1), ("", ("",), 0), ("", ("r", "r"), 1)],
)
def test_by_hand_what_the_lying_camel_brings(
    market: str, others: tuple[str, ...], blocks: int
) -> None:
    """Ruling 9: from the market, else from an opponent (whom is not counted), else nothing;
    with one red of one's own a second makes a block of two possible after the camel."""
    picture = "@ r . . . .\n\n\n\na . b"
    scene = Scene(picture, expert=True, own="r", market=market, others=others)
    assert count_placements(scene.state) == searched(scene.state)
    assert count_placements(scene.state)["by_pieces"].get("4", 0) == blocks


def test_by_hand_ruling_24_in_perft() -> None:
    """Ruling 24: the red good that a white block returns is there for the lying camel, which
    makes a block of three reds possible with two of one's own."""
    scene = Scene("@ R r . . . . .", expert=True, own="wrr", market="")
    without = Scene("@ r r . . . . .", expert=True, own="wrr", market="")
    assert count_placements(scene.state) == searched(scene.state)
    assert count_placements(without.state) == searched(without.state)
    assert count_placements(scene.state)["by_pieces"].get("6", 0) == 1
    assert count_placements(without.state)["by_pieces"].get("6", 0) == 0


def test_no_camel_no_placement() -> None:
    """A seat that cannot place has none."""
    nothing = {"placements": 0, "by_pieces": {}, "omitted_total": 0, "omitted_best": 0}
    assert count_placements(Scene("@ . . .", camels=0).state) == nothing
    assert count_placements(Scene("1 @", caravan=("red",)).state) == nothing


def test_only_the_start_of_a_turn_is_counted() -> None:
    """In the middle of a turn there is no whole placement to count, nor a file to write."""
    scene = Scene("@ . . . .")
    scene.lay("red", "E")
    with pytest.raises(ValueError, match="start of a turn"):
        count_placements(scene.state)
    with pytest.raises(ValueError, match="start of a turn"):
        dump_position(scene.state)
