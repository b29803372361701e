"""Folding, opening and verifying matches of the first game of the lobby in CPython.

Opening: decoding the stored bytes and folding every decision, as the service does for a match that
is not cached. Any version: looking up a moment of a loaded match, without folding. A move: deciding
and appending one move on a branch, as the service does, which does not depend on earlier moves.
"""

import random
from time import perf_counter
from typing import Any

import msgspec

from domain.contract.registry import TITLES
from domain.match.commands import Undo
from domain.match.timeline import Timeline
from domain.matchfile.codec import Codec, codec_of
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from tests.game_contract.play import Table, opened, play, random_steps

SLUG = next(iter(TITLES))
MATCH_SETUP: Table = SLUG, 4, {}


def long_match(decisions: int) -> Timeline:
    """Return a match of at least ``decisions`` decisions, with an undo every thirty moves."""
    timeline = opened(MATCH_SETUP, 1, people=1)
    rng = random.Random(1)
    begun = timeline.version
    while len(timeline.decisions) < decisions:
        for _ in random_steps(timeline, rng, 30):
            pass
        assert timeline.latest.status == "playing"
        play(timeline, 0, Undo(begun + 20))
    return timeline


def random_moves_after(timeline: Timeline, count: int) -> list[tuple[int, Any]]:
    """Return random moves that can be played on the timeline, without changing it."""
    twin = timeline.branch()
    begun = len(twin.decisions)
    for _ in random_steps(twin, random.Random(2), count):
        pass
    return [(d.seat or 0, d.command) for d in twin.decisions.tail(begun)]


def play_moves(timeline: Timeline, moves: list[tuple[int, Any]]) -> None:
    """Play each move on a new branch of the result of the previous one."""
    for seat, command in moves:
        timeline = timeline.branch()
        play(timeline, seat, command)


def time_action(action: object, times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        action()  # type: ignore[operator]
    return (perf_counter() - start) * 1000 / times


def main() -> None:
    codec = codec_of(SLUG)
    for size in (10, 2000):
        timeline = long_match(size)
        moves = random_moves_after(timeline, 40)
        took = time_action(lambda t=timeline, m=moves: play_moves(t, m), 20) / len(moves)
        print(f"a move after {len(timeline.decisions):5} decisions: {took * 1000:5.1f} µs")
    for size in (200, 1000):
        timeline = long_match(size)
        stored = [codec.encode(decision) for decision in timeline.decisions]
        count = len(stored)
        cold = time_action(lambda s=stored: open_match(codec, s), 20)
        rate = count / cold * 1000
        print(f"{count:5} decisions: open cold {cold:7.2f} ms ({rate:9.0f} decisions/s)")
        for version in (10, timeline.version // 2, timeline.version):
            look = time_action(lambda t=timeline, v=version: t.at(v), 2000)
            print(f"      version {version:5} of the open match: {look * 1000:7.2f} µs")
        document = msgspec.json.decode(msgspec.json.encode(export_match("id", timeline, None)))
        proof = time_action(lambda d=document: verify(d, lambda *_: None), 5)
        print(f"      verify: {proof:7.1f} ms ({count / proof * 1000:9.0f} decisions/s)")


def open_match(codec: Codec, stored: list[bytes]) -> Timeline:
    return Timeline(codec.rules, map(codec.decode, stored))


if __name__ == "__main__":
    main()
