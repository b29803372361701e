"""The scenes of Caravane."""

from collections.abc import Iterator

from tests.browser.scenes import Scene, close, first, kept, look_back, uncover
from tests.browser.test_caravane import bids, choose, race
from tests.browser.test_caravanserail import NAMES


def scenes(base: str) -> Iterator[Scene]:
    """Caravane: each secret choice covered and open, after a round, the hand-over, the end."""
    here = ".game.my-turn .cover-button"
    people, match_id = race(base, *NAMES[:5], food=True, split=True)
    ann = people[0]
    at = f"/m/{match_id}"
    split = Scene("a split, covered", ann, at, here)
    yield split
    yield split.then("a split, open", uncover)
    for seat in range(5):
        for _ in range(2):
            choose(people, match_id, seat, 12)
        if seat == 0:
            packing = Scene("packing, covered", ann, at, here)
            yield packing
            yield packing.then("packing, open", uncover)
        choose(people, match_id, seat, seat)
    yield Scene("the first bid", ann, at, here, uncover)
    bids(people, match_id, 1, 1, 1, 1, 1)
    bidding = Scene("a later bid, covered", ann, at, here)
    yield bidding
    yield bidding.then("a later bid, open", uncover)
    yield Scene("the past of a race", ann, at, here, look_back)
    choose(people, match_id, 0, 2, "bid")
    yield Scene("chosen", ann, at, ".made")
    yield Scene("chosen beforehand", ann, at, ".plan-line", first(".plan-line"))
    round_one, one_phone = race(base, *NAMES[:4], one_phone=True)
    yield Scene("handing over", round_one[0], f"/m/{one_phone}", ".handover-page .primary")
    over = f"/m/{kept(ann, 'caravane-5-v1.json')}"
    result = Scene("the result of a race", ann, over, ".podium")
    yield result
    yield result.then("after a race", close)
