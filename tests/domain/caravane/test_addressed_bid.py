"""The texts about a secret bid, for each of its readers."""

import random

from tests.game_contract.play import bot_move, opened, play
from tests.game_contract.test_addressed_events import events_of


def test_secret_bid_has_four_texts() -> None:
    """For its player, alone or with others around, for the others, in the match."""
    timeline = opened(("caravane", 3, {}), 7)
    rng = random.Random(7)
    while "BidMade" not in [event.type for event in events_of(timeline, None)]:
        seat = timeline.to_act(timeline.latest)[0]
        play(timeline, seat, bot_move(timeline, seat, rng))
    mine, other, spectator = (
        next(event for event in events_of(timeline, player) if event.type == "BidMade")
        for player in ("player0", "player1", None)
    )
    gourds = mine.args["gourds"]
    assert mine.text == f"Seat 0 bid {gourds}."
    assert mine.own == f"You bid {gourds}."
    assert mine.public == "You’re ready."
    for event in (other, spectator):
        assert event.text == "Seat 0 is ready."
        assert not isinstance(event.own, str)
        assert not isinstance(event.public, str)
