"""Suggested bids: an even share of the gourds over the rest of the stage."""

from typing import Any

import pytest

from domain.games.caravane.board import STAGE_LENGTHS
from domain.games.caravane.pace import rounds_left, suggest_gourds


def view(squares: tuple[int, ...], stock: int, arrived: int = 0) -> dict[str, Any]:
    """Return a view of stage 1 by seat 0, in which the last ``arrived`` camels have arrived."""
    racing = len(squares) - arrived
    racers = [
        {"seat": seat, "square": square, "place": 0 if seat < racing else 1, "stock": None}
        for seat, square in enumerate(squares)
    ]
    racers[0]["stock"] = stock
    special = {"4": "water", "10": "leak", "12": "damage"}
    track = [{"length": length, "special": special} for length in STAGE_LENGTHS]
    return {"stage": 1, "racers": racers, "track": track, "last": None}


def test_gourds_are_spread_evenly_over_the_expected_rounds() -> None:
    assert rounds_left(15, 3) == 8
    assert suggest_gourds(view((0, 0, 0), 16), 0) == 2


def test_last_round_gets_all_gourds() -> None:
    assert suggest_gourds(view((14, 3, 3), 5), 0) == 5


def test_only_racing_camel_bids_nothing() -> None:
    assert suggest_gourds(view((3, 15, 15), 9, arrived=2), 0) == 0


@pytest.mark.parametrize("stock", range(16))
def test_no_bid_exceeds_the_gourds(stock: int) -> None:
    for square in range(15):
        assert 0 <= suggest_gourds(view((square, 0), stock), 0) <= stock


@pytest.mark.parametrize(("square", "bid"), [(5, 2), (8, 3), (9, 2), (10, 3)])
def test_bid_avoids_a_square_that_costs_silk_or_water(square: int, bid: int) -> None:
    """The others bid 2 and 3 before: a bid of 2 leads two squares on, of 3 or more three."""
    now = view((square, 3, 3), 2 * rounds_left(15 - square, 3))
    now["last"] = {"stage": 1, "gourds": [1, 2, 3], "bags": [0, 0, 0]}
    assert suggest_gourds(now, 0) == bid
