"""Caravanserai: complete placements that `count_placements` counts per second.

It is compared with a plain depth-first search that plays every placement through ``choices`` and
``decide``.
"""

import random
from time import process_time

from domain.games.caravanserai import rules
from domain.games.caravanserai.commands import Command, PlaceCamel
from domain.games.caravanserai.perft import count_placements
from domain.games.caravanserai.state import State, current_step

POSITIONS = 24
MAX_SEARCHED_PLACEMENTS = 40_000
"""Maximum number of placements of a position that is also searched; others are only counted."""


def random_midgame(seed: int) -> State:
    """Return the start of a turn in a random game with 1 to 6 seats, basic or expert."""
    rng = random.Random(seed)
    state = rules.setup(rules.Options(expert=seed % 2 == 1), 1 + seed % 6, rng.randrange).state
    for _ in range(30 + seed % 60):
        if current_step(state) == "place" and not state.placement.laid:
            found = state
        choices = rules.choices(state, state.seat)
        if not choices:
            break
        state = play_command(state, rng.choice(choices))
    return found


def play_command(state: State, command: Command) -> State:
    return rules.decide(state, state.seat, command, random.randrange).state


def count_by_search(state: State) -> int:
    """Return the number of placements, counted by playing them one by one."""
    if state.missing is not None:
        return count_by_search(play_command(state, rules.choices(state, state.seat)[0]))
    found = 0
    for choice in rules.choices(state, state.seat):
        if type(choice) is PlaceCamel:
            found += 1
        else:
            found += count_by_search(play_command(state, choice))
    return found


def main() -> None:
    counted = plain = 0
    counting = searching = 0.0
    for seed in range(POSITIONS):
        state = random_midgame(seed)
        start = process_time()
        placements = count_placements(state)["placements"]
        counting += process_time() - start
        counted += placements
        if placements > MAX_SEARCHED_PLACEMENTS:
            continue
        start = process_time()
        found = count_by_search(state)
        searching += process_time() - start
        plain += found
        assert found == placements, f"position {seed}: {placements} counted, {found} searched"
    print(f"perft, {POSITIONS} positions, base and expert: {counted / counting:9.0f} placements/s")
    print(f"plain depth-first search:              {plain / searching:9.0f} placements/s")


if __name__ == "__main__":
    main()
