"""The board, cards and tiles are those of the rule notes, sections (b) and (c)."""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.courtyard.board import (
    FOUNTAIN_PLACES,
    GOODS,
    NEIGHBOURS,
    NUMBER,
    PAVILIONS,
    PRICES,
    RING,
    SPACES,
    STOCKS,
    TOWERS,
    arrow_effect,
    exchange_goods,
    steps,
    turn_fountain,
    worth,
)
from domain.games.courtyard.cards import (
    ABILITIES,
    FRAMES,
    MAJORS,
    MIN_FIRST_MAJOR_VALUE,
    MINORS,
    PURPLE,
    TILES,
    TURQUOISE,
)
from domain.games.courtyard.scoring import best_sets

NOTES: dict[str, Any] = msgspec.json.decode(
    Path(__file__).with_name("rule_notes.json").read_bytes()
)


def names(goods: tuple[int, ...]) -> list[str]:
    return sorted(good for good in GOODS for _ in range(goods[NUMBER[good]]))


def test_the_board_is_that_of_the_notes() -> None:
    """22 spaces, 26 ways, diameter 7."""
    assert {*SPACES} == {*NOTES["board"]["nodes"]}
    edges = {frozenset(edge) for edge in NOTES["board"]["edges"]}
    assert {frozenset((a, b)) for a in NEIGHBOURS for b in NEIGHBOURS[a]} == edges
    assert len(edges) == 26
    assert len(RING) == 20
    assert len(PAVILIONS) == 2
    assert max(max(steps(space, ()).values()) for space in SPACES) == 7


def test_orders_are_those_of_the_notes() -> None:
    """32 majors, each value once in each colour; 16 minors; values above their goods' prices."""
    assert [
        {"value": m.value, "goods": [*m.names], "frame": m.frame, "cost": worth(m.goods)}
        for m in MAJORS
    ] == NOTES["major"]
    assert [
        {"value": m.value, "goods": [*m.names], "cost": worth(m.goods)} for m in MINORS
    ] == NOTES["minor"]
    assert {(m.value, m.frame) for m in MAJORS} == {*itertools.product(range(5, 13), FRAMES)}
    assert sum(m.value >= MIN_FIRST_MAJOR_VALUE for m in MAJORS) == 8
    assert all(names(m.goods) == sorted(m.names) for m in (*MAJORS, *MINORS))


def test_tiles_are_those_of_the_notes() -> None:
    """Eight of each letter, three trades each, every trade worth one more (rulebook)."""
    for letter in "AB":
        for number, trades in enumerate(NOTES[letter], start=1):
            for trade, (gives, gets) in zip(TILES[f"{letter}{number}"], trades, strict=True):
                assert names(trade.gives) == sorted([gives] if isinstance(gives, str) else gives)
                assert names(trade.gets) == sorted([gets] if isinstance(gets, str) else gets)
    assert len(TILES) == 16
    trades = [trade for tile in TILES.values() for trade in tile]
    assert all(worth(trade.gets) == worth(trade.gives) + 1 for trade in trades)
    assert not any(a and b for t in trades for a, b in zip(t.gives, t.gets, strict=True)), (
        "no trade feeds itself, so many at once are as many one by one"
    )


def test_abilities_are_those_of_the_notes() -> None:
    """16 and 16, their costs and families."""
    assert [(a.name, sorted(names(a.cost)), a.family or None) for a in ABILITIES.values()] == [
        (a["id"], sorted(a["cost"]), a["family"]) for a in NOTES["abilities"]
    ]
    assert len(TURQUOISE) == len(PURPLE) == 16


def test_prices_stocks_and_the_exchange_chart() -> None:
    assert dict(zip(GOODS, PRICES, strict=True)) == {
        "bronze": 1,
        "amber": 1,
        "silver": 2,
        "emerald": 2,
        "gold": 3,
        "diamond": 3,
    }
    assert STOCKS == (5, 5, 4, 4, 3, 3)
    assert exchange_goods((1, 2, 3, 4, 5, 6)) == (2, 1, 4, 3, 6, 5)


def test_every_order_place_meets_every_arrow_equally_often() -> None:
    for place in (*TOWERS, "G_S"):
        assert Counter(arrow_effect(f, place) for f in range(6)) == {2: 2, -1: 2, 0: 2}


def test_ruling_25_the_first_green_side_points_to_position_f() -> None:
    for fountain in range(6):
        sides = [arrow_effect(fountain, FOUNTAIN_PLACES[(fountain + i) % 6]) for i in range(6)]
        assert sides == [2, -1, 0, 2, -1, 0]
        assert turn_fountain(fountain) == (fountain + 1) % 6


# --- moves: every way tried one by one --------------------------------------------------------


def walked(start: str, occupied: set[str], limit: int) -> set[str]:
    """Ends of all ways without a space twice, occupied ones jumped over (rulings 2 and 26)."""
    ends: set[str] = set()

    def go(way: tuple[str, ...], made: int) -> None:
        for there in NEIGHBOURS[way[-1]]:
            if there in way:
                continue
            if made + 1 <= limit:
                ends.add(there)
            cost = 0 if there in occupied else 1
            if made + cost <= limit:
                go((*way, there), made + cost)

    go((start,), 0)
    return ends


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 6])
def test_reach_equals_all_ways_walked(limit: int) -> None:
    """For every start and every two others; with three others for a part."""
    others = [*itertools.combinations(SPACES, 2), *[*itertools.combinations(SPACES, 3)][::17]]
    step = 1 if limit < 4 else 7
    for start in SPACES:
        for occupied in [(), *others][::step]:
            blocked = tuple(sorted({*occupied}))
            far = steps(start, blocked)
            assert {s for s, n in far.items() if n <= limit} == walked(
                start, {*occupied} - {start}, limit
            )


# --- sets -------------------------------------------------------------------------------------

POINTS = {(4, 1): 9, (4, 4): 9, (3, 1): 5, (3, 3): 5, (2, 1): 2}


def partitioned(cards: tuple[int, ...]) -> int:
    """The best of all partitions of the cards themselves."""
    if not cards:
        return 0
    head, rest = cards[0], cards[1:]
    best = 0
    for size in range(4):
        for picked in itertools.combinations(range(len(rest)), size):
            group = (head, *[rest[i] for i in picked])
            points = POINTS.get((len(group), len({*group})), 0)
            left = tuple(card for i, card in enumerate(rest) if i not in picked)
            best = max(best, points + partitioned(left))
    return best


def test_ruling_17_sets_are_the_best_partition() -> None:
    """Against every partition of every hand of up to seven majors."""
    checked = 0
    for counts in itertools.product(range(6), repeat=4):
        if sum(counts) <= 7:
            cards = tuple(colour for colour, n in enumerate(counts) for _ in range(n))
            assert best_sets(counts) == partitioned(cards), counts
            checked += 1
    assert checked > 250


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((4, 0, 0, 0), 9),
        ((1, 1, 1, 1), 9),
        ((3, 0, 0, 0), 5),
        ((1, 1, 1, 0), 5),
        ((2, 0, 0, 0), 2),
        ((1, 1, 0, 0), 0),
        ((2, 2, 0, 0), 4),
        ((2, 1, 1, 0), 5),
        ((2, 2, 1, 1), 10),
        ((8, 8, 8, 8), 72),
    ],
)
def test_sets_of_the_rulebook(counts: tuple[int, ...], points: int) -> None:
    assert best_sets(counts) == points
