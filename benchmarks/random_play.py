"""Random steps per second of every game, compared with python-chess.

A step of a game is one call of ``choices`` and of ``decide`` (which folds); a step of chess is the
list of legal moves and ``push``. All games alternate in the same run.
"""

import random
from collections.abc import Callable
from statistics import median, quantiles
from time import process_time

import chess
import msgspec

from domain.contract.registry import TITLES, rules_of
from tests.game_contract.play import Table, tables

SLICE_CPU_S = 0.1
"""CPU seconds that each game gets in turn, so that conditions are the same for all games."""
SLICES = 40
MAX_STEPS = 2_000
"""Maximum steps of a game: some random games never end."""


def play(table: Table, rng: random.Random) -> int:
    """Play one random game; return its number of steps."""
    slug, seats, options = table
    rules = rules_of(slug)
    version = TITLES[slug].rules_version
    given = msgspec.convert(options, TITLES[slug].options)
    state = rules.setup(given, seats, rng.randrange, version).state
    steps = 0
    while steps < MAX_STEPS and (acting := rules.to_act(state)):
        seat = acting[0] if len(acting) == 1 else rng.choice(acting)
        choice = rng.choice(rules.choices(state, seat))
        state = rules.decide(state, seat, choice, rng.randrange, version).state
        steps += 1
    return steps


def chess_game(rng: random.Random) -> int:
    """Play one random game of chess, for at most 200 moves; return its number of moves.

    The game ends when there are no legal moves, that is, by mate or stalemate.
    """
    board = chess.Board()
    moves = 0
    while moves < 200 and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
        moves += 1
    return moves


class Runner:
    """A player of the games number 0, 1, 2, ... of one table, one slice of CPU time after another.

    ``rates``: steps per second in each slice.
    """

    def __init__(self, game: Callable[[int], int]) -> None:
        self.game = game
        self.number = 0
        self.rates: list[float] = []

    def run(self) -> None:
        steps = 0
        start = process_time()
        while process_time() - start < SLICE_CPU_S:
            steps += self.game(self.number)
            self.number += 1
        self.rates.append(steps / (process_time() - start))


def main() -> None:
    rng = random.Random(1)
    all_tables = tables()
    runners = {}
    for slug in TITLES:
        mine = [table for table in all_tables if table[0] == slug]
        runners[slug] = Runner(lambda n, mine=mine: play(mine[n % len(mine)], rng))  # type: ignore[misc]
    theirs = Runner(lambda _n: chess_game(rng))
    for _ in range(SLICES):
        for runner in (*runners.values(), theirs):
            runner.run()
    rate = median(theirs.rates)
    print(f"python-chess {chess.__version__}, random games: {rate:9.0f} moves/s")
    for slug, runner in runners.items():
        # Compare slices that are adjacent in time, as a busy machine slows both.
        paired = [mine / other for mine, other in zip(runner.rates, theirs.rates, strict=True)]
        low, ratio, high = quantiles(paired, n=4)
        rate = median(runner.rates)
        print(
            f"{slug:16} {rate:9.0f} steps/s, ratio {ratio:.2f} (half of them {low:.2f}-{high:.2f})"
        )


if __name__ == "__main__":
    main()
