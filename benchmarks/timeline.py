"""Folding, opening and proving matches of the hex game in CPython.

Opening = decoding the stored bytes and folding every decision, as a service does that has never
seen the match; any version = the moment of an opened match, which is looked up, not folded.
"""

import random
from time import perf_counter

from domain.codec import Codec, codec_of
from domain.match import Timeline, Undo
from domain.matchfile import export, verify
from tests.kit.play import opened, play, random_steps

HEX = ("caravanserai", 4, {"expert": False})


def long_match(decisions: int) -> Timeline:
    """A match of at least so many decisions that goes back and on again every thirty."""
    timeline = opened(HEX, 1, people=1)
    rng = random.Random(1)
    begun = timeline.version
    while len(timeline.decisions) < decisions:
        for _ in random_steps(timeline, rng, 30):
            pass
        assert timeline.now.status == "playing"
        play(timeline, 0, Undo(begun + 20))
    return timeline


def milliseconds(action: object, times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        action()  # type: ignore[operator]
    return (perf_counter() - start) * 1000 / times


def main() -> None:
    codec = codec_of("caravanserai")
    for size in (200, 1000):
        timeline = long_match(size)
        stored = [codec.encode(decision) for decision in timeline.decisions]
        count = len(stored)
        cold = milliseconds(lambda s=stored: open_match(codec, s), 20)
        rate = count / cold * 1000
        print(f"{count:5} decisions: open cold {cold:7.2f} ms ({rate:9.0f} decisions/s)")
        for version in (10, timeline.version // 2, timeline.version):
            look = milliseconds(lambda t=timeline, v=version: t.at(v), 2000)
            print(f"      version {version:5} of the open match: {look * 1000:7.2f} µs")
        document = export("id", timeline, None)
        proof = milliseconds(lambda d=document: verify(d, lambda *_: None), 5)
        print(f"      verify: {proof:7.1f} ms ({count / proof * 1000:9.0f} decisions/s)")


def open_match(codec: Codec, stored: list[bytes]) -> Timeline:
    return Timeline(codec.rules, map(codec.decode, stored))


if __name__ == "__main__":
    main()
