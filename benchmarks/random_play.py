"""Random steps per second: the hex game through choices, decide and evolve, beside
python-chess through its list of legal moves and push, taken in turns in the same run."""

import random
from collections.abc import Callable
from time import process_time

import chess

from domain.caravanserai import rules

SLICE = 0.1
"""Seconds of processor time for each game in turn, so that both meet the same weather."""
SLICES = 40


def hex_game(rng: random.Random, seats: int, expert: bool) -> int:
    """One whole random game; its steps."""
    state = None
    for event in rules.setup({"expert": expert}, seats, rng.randrange):
        state = rules.evolve(state, event)
    steps = 0
    while seats_to_act := rules.to_act(state):
        seat = seats_to_act[0]
        choice = rng.choice(rules.choices(state, seat))
        for event in rules.decide(state, seat, choice.command, rng.randrange):
            state = rules.evolve(state, event)
        steps += 1
    return steps


def chess_game(rng: random.Random) -> int:
    """One random game of chess to mate, stalemate or 200 moves; its moves."""
    board = chess.Board()
    moves = 0
    while moves < 200 and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
        moves += 1
    return moves


class Runner:
    """Plays games number 0, 1, 2, ... and keeps count of steps and seconds."""

    def __init__(self, game: Callable[[int], int]) -> None:
        self.game = game
        self.number = 0
        self.steps = 0
        self.seconds = 0.0

    def run(self) -> None:
        start = process_time()
        while process_time() - start < SLICE:
            self.steps += self.game(self.number)
            self.number += 1
        self.seconds += process_time() - start

    @property
    def rate(self) -> float:
        return self.steps / self.seconds


def main() -> None:
    kinds = [(seats, expert) for expert in (False, True) for seats in range(1, 7)]
    rng = random.Random(1)
    ours = Runner(lambda n: hex_game(rng, *kinds[n % len(kinds)]))
    theirs = Runner(lambda _n: chess_game(rng))
    for _ in range(SLICES):
        ours.run()
        theirs.run()
    print(f"hex game, 1 to 6 seats, base and expert: {ours.rate:9.0f} steps/s")
    print(f"python-chess {chess.__version__}, random games:    {theirs.rate:9.0f} moves/s")
    print(f"ratio: {ours.rate / theirs.rate:.2f}")


if __name__ == "__main__":
    main()
