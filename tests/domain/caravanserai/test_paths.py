"""The fast path search finds exactly the paths that the cell-by-cell checks allow."""

import random
from itertools import product

import pytest

from domain.contract.game import IllegalMove
from domain.games.caravanserai import rules
from domain.games.caravanserai.legal_commands import check_path, legal_paths
from domain.games.caravanserai.state import STANDING, State, current_step


def moments(seed: int) -> list[State]:
    """Return moments of a random game at which blocks of up to four goods may be laid."""
    rng = random.Random(seed)
    options = rules.Options(expert=seed % 2 == 1)
    state = rules.setup(options, 1 + seed % 6, rng.randrange).state
    found = []
    while state.ranking is None:
        if current_step(state) == "place" and state.placement.size < 4:
            found.append(state)
        choice = rng.choice(rules.choices(state, state.seat))
        state = rules.decide(state, state.seat, choice, rng.randrange).state
    return rng.sample(found, min(12, len(found)))


def walks(state: State, size: int) -> list[tuple[int, ...]]:
    """Return every walk of this many steps, on or off the board, over any piece."""
    found = []
    for turns in product(range(6), repeat=size):
        cell, path = state.players[state.seat].cells[-1], ()
        for turn in turns:
            cell = state.board.step[cell][turn] if cell >= 0 else -1
            path += (cell,)
        found.append(path)
    return found


def allowed(state: State, path: tuple[int, ...]) -> bool:
    try:
        check_path(state, path)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("seed", range(12))
def test_the_paths_found_are_those_that_pass_the_checks(seed: int) -> None:
    count = 0
    for state in moments(seed):
        lead, way = state.players[state.seat].cells[-1], state.placement.way
        for size in range(1, 5):
            found = legal_paths(state.board, state.ground, lead, way, size)
            quick = [path for path, _ in found]
            for path, met in found:
                assert met == tuple(cell for cell in path if state.ground[cell] == STANDING)
            assert len(set(quick)) == len(quick)
            assert set(quick) == {path for path in walks(state, size) if allowed(state, path)}
            count += len(quick)
    assert count > 100
