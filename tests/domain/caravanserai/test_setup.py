"""Preparation (2), placement of caravans (3.1) and what the tiles are."""

import random
from collections import Counter
from typing import Any

import pytest

from domain.contract.game import IllegalMove
from domain.contract.options import schema_of
from domain.games.caravanserai import rules
from domain.games.caravanserai.board import (
    CLUSTERS,
    TILES,
    Board,
    board_of,
    cells_of,
    lay_tiles,
    layout,
    select_tiles,
    start_goods,
)
from domain.games.caravanserai.commands import StartAt
from domain.games.caravanserai.events import (
    BoardLaid,
    CaravanStarted,
    FirstPlayerDrawn,
    GoodsSetOut,
    GoodsTaken,
    TurnBegan,
)
from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import State
from domain.games.caravanserai.title import TITLE
from domain.toolkit.hexgrid import neighbours, surrounding_cells
from tests.domain.caravanserai.notation import no_draw, of
from tests.game_contract.strict_english import format_message, format_reason

SEATS = range(1, 7)
TILE_COUNT = {1: 19, 2: 19, 3: 24, 4: 27, 5: 30, 6: 30}
CELL_COUNT = {1: 133, 2: 133, 3: 168, 4: 189, 5: 210, 6: 210}
INTERMEDIATE = {1: 6, 2: 6, 3: 8, 4: 9, 5: 10, 6: 10}


def new_game(seats: int, seed: int = 1, expert: bool = False) -> tuple[list[Any], State]:
    """A game that seat 0 begins, right after the setup."""
    options = {"expert": expert, "begins": "host"}
    events = rules.setup(rules.Options(**options), seats, random.Random(seed).randrange).events
    state = None
    for event in events:
        state = rules.evolve(state, event)
    assert state is not None
    return events, state


def board(seats: int, seed: int = 1) -> Board:
    tiles = lay_tiles(seats, random.Random(seed).randrange)
    return board_of(*cells_of(seats, tiles)[:1], tiles, cells_of(seats, tiles)[1])


def test_the_thirty_tiles_hold_each_colour_twelve_times() -> None:
    """Derived 3 and 7: six categories of five tiles, each with every colour twice; every pair
    of colours occurs three times, each way of lying once in each category."""
    assert Counter(category for category, *_ in TILES) == dict.fromkeys("ABCDEF", 5)
    for category in "ABCDEF":
        colours = [c for cat, _, *pair in TILES if cat == category for c in pair]
        assert Counter(colours) == dict.fromkeys(COLOURS, 2)
    pairs = Counter(frozenset((first, second)) for _, _, first, second in TILES)
    assert len(pairs) == 10
    assert set(pairs.values()) == {3}
    assert {cat: rim for cat, rim, *_ in TILES} == {"A": 1, "B": 1, "C": 2, "D": 2, "E": 3, "F": 3}
    assert TILES[0] == ("A", 1, "white", "black")
    assert TILES[29] == ("F", 3, "red", "white")


@pytest.mark.parametrize("seats", SEATS)
def test_tiles_and_cells_by_number_of_seats(seats: int) -> None:
    """2 B and C, ruling 20: 19, 24, 27 or 30 tiles (30 for five players), two full rings around
    the cluster; seven cells each, none twice, all connected."""
    made = board(seats)
    assert len(made.tiles) == len({tile for *_, tile, _ in made.tiles}) == TILE_COUNT[seats]
    assert len(made.cells) == len({cell[:2] for cell in made.cells}) == CELL_COUNT[seats]
    assert Counter(made.tile_of) == dict.fromkeys(range(TILE_COUNT[seats]), 7)
    assert len([p for p in layout(seats) if p[2] == "intermediate"]) == INTERMEDIATE[seats]
    reached = {0}
    border = [0]
    while border:
        border = [to for cell in border for to in made.step[cell] if to >= 0 and to not in reached]
        reached.update(border)
    assert len(reached) == CELL_COUNT[seats]


@pytest.mark.parametrize(("seats", "line"), [(1, 12), (3, 14), (4, 14), (5, 17)])
def test_the_longest_straight_line(seats: int, line: int) -> None:
    """Derived 8: the longest placement of the rulebook fits on every board."""
    places = {cell[:2] for cell in board(seats).cells}

    def run(q: int, r: int, way: int) -> int:
        found = 0
        while (q, r) in places:
            q, r = neighbours(q, r)[way]
            found += 1
        return found

    assert max(run(q, r, way) for q, r in places for way in range(6)) == line


def polyhexes(size: int) -> set[frozenset[tuple[int, int]]]:
    """All connected clusters that hold the origin."""
    found = {frozenset({(0, 0)})}
    for _ in range(size - 1):
        found = {
            cluster | {cell} for cluster in found for cell in surrounding_cells(tuple(cluster))
        }
    return found


@pytest.mark.parametrize("seats", SEATS)
def test_no_other_cluster_makes_a_board_of_that_size(seats: int) -> None:
    """Derived 1: among clusters with two rings only this shape has the right number of tiles."""
    mine = CLUSTERS[seats]
    shapes = set()
    for cluster in polyhexes(len(mine)):
        inner = surrounding_cells(tuple(cluster))
        outer = surrounding_cells((*cluster, *inner))
        if len(cluster) + len(inner) + len(outer) == TILE_COUNT[seats]:
            shapes.add(len(inner))
            touching = sum(n in cluster for cell in cluster for n in neighbours(*cell))
            assert touching == sum(n in mine for cell in mine for n in neighbours(*cell))
    assert shapes == {INTERMEDIATE[seats]}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(5))
def test_discards(seats: int, seed: int) -> None:
    """2 B: nothing for 5 and 6; three of one category for 4; a category and one more tile for
    3; two categories and one more for 1 and 2."""
    kept = select_tiles(seats, random.Random(seed).randrange)
    gone = Counter(TILES[tile - 1][0] for tile in range(1, 31) if tile not in kept)
    expected = {1: [1, 5, 5], 2: [1, 5, 5], 3: [1, 5], 4: [3], 5: [], 6: []}
    assert sorted(gone.values()) == expected[seats]


def test_chance_reaches_every_category_tile_and_rotation() -> None:
    """2 B and C: what is discarded and how tiles lie is drawn, not fixed."""
    rng = random.Random(2)
    thrown = set()
    for _ in range(60):
        thrown |= set(range(1, 31)) - set(select_tiles(4, rng.randrange))
    assert len(thrown) >= 29
    laid = [lay_tiles(6, rng.randrange) for _ in range(20)]
    assert {tile[3] for tiles in laid for tile in tiles} == set(range(6))
    assert len({tiles[0][2] for tiles in laid}) > 8


@pytest.mark.parametrize("rotation", range(6))
def test_a_turned_tile_is_the_same_tile(rotation: int) -> None:
    """2 C: the caravanserais of tile 11 (rim 0 and 2) keep their places on a turned tile."""
    tiles = tuple(
        (u, v, tile, rotation) for (u, v, _), tile in zip(layout(5), range(1, 31), strict=True)
    )
    cells, tile_of = cells_of(5, tiles)
    u, v, _, _ = tiles[10]
    q, r = 2 * u - v, u + 3 * v
    around = neighbours(q, r)
    mine = {cell[:2]: cell[2] for cell, tile in zip(cells, tile_of, strict=True) if tile == 10}
    assert mine[q, r] is None
    assert mine[around[rotation]] == "white"
    assert mine[around[(rotation + 2) % 6]] == "black"
    assert sum(colour is not None for colour in mine.values()) == 2


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("expert", [False, True])
def test_start_goods_and_market(seats: int, expert: bool) -> None:
    """2 A, D, E and 6.1 a: 30 goods (expert 35), one on each intermediate tile, on a cell of
    its colour, the others in the market; 8 camels and 3 goods of each colour for everybody."""
    (laid, out), state = new_game(seats, expert=expert)
    assert isinstance(laid, BoardLaid)
    assert isinstance(out, GoodsSetOut)
    assert laid.market == dict.fromkeys(COLOURS, 7 if expert else 6)
    tiles = [state.board.tile_of[cell] for cell in out.cells]
    assert len(set(tiles)) == len(tiles) == INTERMEDIATE[seats]
    for cell in out.cells:
        assert state.board.cells[cell][3] == "intermediate"
        assert state.board.colours[cell] in COLOURS
    assert sum(state.market) == (35 if expert else 30) - INTERMEDIATE[seats]
    for colour, left in zip(COLOURS, state.market, strict=True):
        stands = sum(state.board.colours[cell] == colour for cell in out.cells)
        assert left == laid.market[colour] - stands
    assert all(p.camels == 8 and p.goods == (3,) * 5 and not p.cells for p in state.players)


def test_either_cell_of_an_intermediate_tile_may_be_drawn() -> None:
    """2 D: one of the two caravanserai cells at random."""
    made = board(1)
    chosen = set()
    for seed in range(12):
        draw = random.Random(seed).randrange
        chosen |= set(start_goods(made.cells, made.tile_of, 6, draw))
    assert len(chosen) == 12


def test_ruling_12_a_colour_that_has_run_out_when_seeding() -> None:
    """Ruling 12: the tile's other cell is used; when both colours are out the tile has none."""
    cells = tuple(
        (q, 0, colour, "intermediate")
        for q, colour in enumerate(["red", "white", "red", "white", "red", "red", "white", "red"])
    )
    tile_of = (0, 0, 1, 1, 2, 2, 3, 3)
    # one good of each colour: tile 0 takes red, tile 1 then white, tiles 2 and 3 nothing
    assert start_goods(cells, tile_of, 1, lambda n: 0) == (0, 3)
    # the second cell drawn: tile 0 takes white, tile 1 then red
    assert start_goods(cells, tile_of, 1, lambda n: 1) == (1, 2)


def test_the_example_of_a_four_player_start() -> None:
    """2.1: three tiles of one type are out, 27 make the board, 9 goods stand, 21 are left."""
    (laid, out), state = new_game(4)
    gone = {TILES[t - 1][0] for t in range(1, 31)} - {TILES[t[2] - 1][0] for t in laid.tiles}
    missing = Counter(c for c, *_ in TILES) - Counter(TILES[t[2] - 1][0] for t in laid.tiles)
    assert not gone
    assert list(missing.values()) == [3]
    assert len(laid.tiles) == 27
    assert len(out.cells) == 9
    assert sum(state.market) == 21


def test_the_example_of_the_first_caravan() -> None:
    """3.1 a: the first player's camel goes on a purple cell of an outer tile, and a purple good
    from the market into the reserve; then the next player starts. Ruling 16: one to a cell."""
    _, state = new_game(4)
    assert rules.to_act(state) == (0,)
    assert rules.turn(state) == 0
    starts = {choice.cell for choice in rules.choices(state, 0)}
    assert starts == {
        cell
        for cell, (_, _, colour, zone) in enumerate(state.board.cells)
        if zone == "outer" and colour is not None
    }
    purple = next(cell for cell in sorted(starts) if state.board.colours[cell] == "purple")
    market = state.market
    events = rules.decide(state, 0, StartAt(purple), no_draw).events
    assert events == [CaravanStarted(0, purple), GoodsTaken(0, "purple", "market", purple)]
    for event in events:
        state = rules.evolve(state, event)
    assert (state.players[0].camels, state.players[0].goods) == (7, (3, 3, 4, 3, 3))
    assert sum(market) - sum(state.market) == 1
    assert rules.to_act(state) == (1,)
    assert StartAt(purple) not in rules.choices(state, 1)
    with pytest.raises(IllegalMove) as refusal:
        rules.decide(state, 1, StartAt(purple), no_draw)
    assert refusal.value.code == "occupied"
    assert "one piece per cell" in format_reason("caravanserai", refusal.value)


@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_starts_in_turn_order_and_the_first_begins(seats: int) -> None:
    """3: clockwise from the first player; then turn 1 is the first player's."""
    _, state = new_game(seats)
    events: list[Any] = []
    for seat in range(seats):
        assert rules.to_act(state) == (seat,)
        events = rules.decide(state, seat, rules.choices(state, seat)[seat], no_draw).events
        for event in events:
            state = rules.evolve(state, event)
    assert of(TurnBegan, events) == [TurnBegan(0, 1, 1)]
    assert rules.turn(state) == 1
    assert rules.to_act(state) == (0,)


@pytest.mark.parametrize("seats", range(2, 7))
def test_ruling_27_the_first_player_is_drawn(seats: int) -> None:
    """Ruling 27 and 3: any seat may be; the caravans start and the turns go on from it, and with
    it every round begins."""
    drawn = set()
    for seed in range(40):
        events = rules.setup(
            rules.Options(expert=False, begins="drawn"), seats, random.Random(seed).randrange
        ).events
        assert type(events[-1]) is FirstPlayerDrawn
        state = folded(None, events)
        first = events[-1].seat
        drawn.add(first)
        in_turn = [(first + place) % seats for place in range(seats)]
        for seat in in_turn:
            assert rules.to_act(state) == (seat,)
            events = rules.decide(state, seat, rules.choices(state, seat)[seat], no_draw).events
            state = folded(state, events)
        assert of(TurnBegan, events) == [TurnBegan(first, 1, 1)]
        assert rules.view(state, None)["first"] == first
        for turn in range(2, 2 * seats + 2):
            state = folded(state, rules.decide(state, state.seat, a_camel(state), no_draw).events)
            while rules.view(state, None)["step"] != "place":
                command = rules.choices(state, state.seat)[0]
                state = folded(state, rules.decide(state, state.seat, command, no_draw).events)
            assert (state.turn, state.seat) == (turn, in_turn[(turn - 1) % seats])
    assert drawn == set(range(seats))


def a_camel(state: State) -> Any:
    """The command that ends the placement at once."""
    return rules.choices(state, state.seat)[-1]


def folded(state: Any, events: list[Any]) -> State:
    for event in events:
        state = rules.evolve(state, event)
    found: State = state
    return found


def test_ruling_27_the_host_may_begin_and_alone_nothing_is_drawn() -> None:
    """Ruling 27: an option of the table, which without a word of it is to draw."""
    shapes = {"host": 2, "drawn": 3}
    for begins, number in shapes.items():
        events = rules.setup(
            rules.Options(expert=False, begins=begins), 4, random.Random(5).randrange
        ).events
        assert len(events) == number
    assert schema_of(TITLE)["properties"]["begins"]["default"] == "drawn"
    assert (
        len(
            rules.setup(
                rules.Options(expert=False, begins="drawn"), 1, random.Random(5).randrange
            ).events
        )
        == 2
    )


def test_ruling_27_matches_of_the_first_version_begin_with_seat_0() -> None:
    """Ruling 27: the same draws and the same events as when they were opened."""
    old = rules.setup(rules.Options(expert=False), 4, random.Random(5).randrange, 1).events
    assert (
        old
        == rules.setup(
            rules.Options(expert=False, begins="host"), 4, random.Random(5).randrange
        ).events
    )
    assert folded(None, old).first == 0


def test_wrong_starts_are_refused() -> None:
    """3.1: on the board, on an outer tile, on a caravanserai."""
    _, state = new_game(2)
    codes, reasons = {}, {}
    for cell in (-1, len(state.board.cells), *range(len(state.board.cells))):
        try:
            rules.decide(state, 0, StartAt(cell), no_draw)
        except IllegalMove as refusal:
            codes[cell] = refusal.code
            reasons[cell] = format_reason("caravanserai", refusal)
    assert all(reasons.values())
    cells = state.board.cells
    for cell, code in codes.items():
        if not 0 <= cell < len(cells):
            assert code == "no_such_cell"
        elif cells[cell][3] != "outer":
            assert code == "not_outer"
        else:
            assert cells[cell][2] is None
            assert code == "not_a_caravanserai"
    assert len(codes) == 2 + len(cells) - 24


def test_ruling_26_a_start_on_a_colour_the_market_lacks_brings_nothing() -> None:
    """Ruling 26: no good is taken, not from an opponent either, and the label says so."""
    _, state = new_game(2)
    cell = rules.choices(state, 0)[0].cell
    said = format_message("caravanserai", *label_of(state, cell), ())
    assert "no " not in said
    colour = state.board.colours[cell]
    index = COLOURS.index(str(colour))
    laid = type(state)(
        state.board,
        state.expert,
        state.solo,
        tuple(0 if i == index else n for i, n in enumerate(state.market)),
        state.players,
        state.ground,
    )
    assert rules.decide(laid, 0, StartAt(cell), no_draw).events == [CaravanStarted(0, cell)]
    assert (
        format_message("caravanserai", *label_of(laid, cell), ())
        == f"{said} (no {colour} in the market)"
    )
    cells = [choice.cell for choice in rules.choices(laid, 0)]
    others = [cell for cell in cells if "without" not in label_of(laid, cell)[0]]
    assert {laid.board.colours[cell] for cell in others} == {*COLOURS} - {colour}


def label_of(state: State, cell: int) -> tuple[str, dict[str, Any]]:
    """Key and arguments of the choice to start on a cell."""
    assert StartAt(cell) in rules.choices(state, state.seat)
    label = rules.label(state, state.seat, StartAt(cell))
    return label.key, label.args
