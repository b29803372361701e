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
    yield Scene("a split, covered", ann, at, here)
    yield Scene("a split, open", ann, at, here, uncover)
    for seat in range(5):
        for _ in range(2):
            choose(people, match_id, seat, 12)
        if seat == 0:
            yield Scene("packing, covered", ann, at, here)
            yield Scene("packing, open", ann, at, here, uncover)
        choose(people, match_id, seat, seat)
    yield Scene("the first bid", ann, at, here, uncover)
    bids(people, match_id, 1, 1, 1, 1, 1)
    yield Scene("a later bid, covered", ann, at, here)
    yield Scene("a later bid, open", ann, at, here, uncover)
    yield Scene("the past of a race", ann, at, here, look_back)
    choose(people, match_id, 0, 2, "bid")
    yield Scene("chosen", ann, at, ".made")
    yield Scene("chosen beforehand", ann, at, ".plan-line", first(".plan-line"))
    round_one, one_phone = race(base, *NAMES[:4], one_phone=True)
    yield Scene("handing over", round_one[0], f"/m/{one_phone}", ".handover-page .primary")
    over = f"/m/{kept(ann, 'caravane-5-v1.json')}"
    yield Scene("the result of a race", ann, over, ".podium")
    yield Scene("after a race", ann, over, ".podium", close)
