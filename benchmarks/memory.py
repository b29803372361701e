"""Memory of loaded matches of each game, opened from their stored bytes as the service does."""

import gc
import random
import tracemalloc
from typing import Any

from domain.contract.registry import TITLES
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from service.matches.match_cache import estimate_bytes
from tests.game_contract.play import opened, random_steps

MATCHES = 20
DECISIONS = 240


def encode_match(slug: str, seed: int) -> list[bytes]:
    """Return the stored decisions of a match: `DECISIONS`, or as many as the game lasts."""
    timeline = opened((slug, TITLES[slug].seats[0], {}), seed)
    dice = random.Random(seed)
    for _ in random_steps(timeline, dice, DECISIONS):
        pass
    codec = codec_of(slug)
    return [codec.encode(decision) for decision in timeline.decisions]


def measure_memory(slug: str, matches: int = MATCHES) -> tuple[int, float, float]:
    """Return decisions per match, and bytes per match as allocated and as the service estimates."""
    codec = codec_of(slug)
    logs = [encode_match(slug, seed) for seed in range(matches)]
    # Load what all matches share, such as boards, before anything is counted.
    kept: list[Any] = [Timeline(codec.rules, map(codec.decode, logs[0]))]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept += [Timeline(codec.rules, map(codec.decode, log)) for log in logs]
    gc.collect()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    told = sum(estimate_bytes(timeline) for timeline in kept[1:])
    return sum(map(len, logs)) // matches, taken / matches, told / matches


def main() -> None:
    for slug in TITLES:
        decisions, taken, told = measure_memory(slug)
        print(
            f"{slug:14} a match of {decisions:4} decisions {taken / 1000:6.0f} KB,"
            f" {taken / decisions:6.0f} bytes a decision; 1,000 live ones {taken / 1000:6.0f} MB;"
            f" the cache reckons {told / taken:.2f} of it",
            flush=True,
        )


if __name__ == "__main__":
    main()
