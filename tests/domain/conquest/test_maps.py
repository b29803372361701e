"""Maps: those of the game, those by a number, those that somebody drew."""

import json
from collections import Counter
from typing import Any

import pytest

from domain.contract.options import schema_of
from domain.games.conquest import rules
from domain.games.conquest.board import distances, ground_of
from domain.games.conquest.generator import (
    MAX_SEED,
    SIZES,
    bag_of,
    choose_treasure_places,
    generate_map,
)
from domain.games.conquest.maps import COUNTS, PRESETS, Chart, flaws
from domain.games.conquest.options import DrawnMap, drawn_map
from domain.games.conquest.title import TITLE
from service.matches.options import InvalidOption, check_options, fill_options
from tests.domain.conquest.builders import fold, no_draw
from tests.game_contract.strict_english import format_message


def steps(rows: tuple[str, ...]) -> int:
    """The shortest way from start to finish, worked out here anew."""
    tiles = {(r, c): t for r, row in enumerate(rows) for c, t in enumerate(row) if t != "R"}
    edge = {place for place, tile in tiles.items() if tile == "B"}
    seen, count = set(edge), 0
    while not any(tiles[place] == "F" for place in edge):
        edge = {(r + a, c + b) for r, c in edge for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        edge = {place for place in edge if place in tiles} - seen
        seen |= edge
        count += 1
    return count


PINNED = Chart(
    ("RDGRDDSP", "MGDDODPP", "DCDROGDF", "BDGGDDRD", "GCGDGGMP", "SGOCMMRM"),
    ((0, 1), (1, 5), (4, 3), (5, 7)),
)
PRINTED = {
    "short": ((6, 8), 8, "D14 O3 M5 G10 R5 C3 S2 P4 B1 F1"),
    "standard": ((8, 12), 12, "D28 O6 M11 G20 R11 C7 S4 P7 B1 F1"),
    "full": ((10, 17), 19, "D50 O10 M20 G36 R20 C12 S7 P13 B1 F1"),
}


@pytest.mark.parametrize("kind", PRINTED)
def test_a_map_of_the_game(kind: str) -> None:
    """Size, shortest way and counts as the rule notes print them; treasure on remote ground."""
    size, way, counts = PRINTED[kind]
    chart = PRESETS[kind]
    assert (len(chart.rows), len(chart.rows[0])) == size
    assert steps(chart.rows) == way
    laid = Counter("".join(chart.rows))
    assert {f"{letter}{n}" for letter, n in laid.items()} == set(counts.split())
    assert len(chart.treasure) == 4
    assert {chart.rows[row][column] for row, column in chart.treasure} <= {"D", "M"}
    assert flaws("", chart.rows, chart.treasure) == []


def test_the_whole_set_is_170_tiles() -> None:
    assert sum(COUNTS.values()) == 170 == 17 * 10


@pytest.mark.parametrize("size", SIZES)
def test_the_bag_is_the_whole_set_in_proportion(size: str) -> None:
    high, wide = SIZES[size]
    assert Counter([*bag_of(high * wide), "B", "F"]) == Counter("".join(PRESETS[size].rows))


@pytest.mark.parametrize("size", SIZES)
def test_maps_by_a_number(size: str) -> None:
    """All reachable, the way as long as the map is wide at least, cities apart, always the same."""
    high, wide = SIZES[size]
    known = set()
    for seed in [*range(1, 61), MAX_SEED]:
        chart = generate_map(size, seed)
        assert chart == generate_map(size, seed)
        known.add(chart)
        assert flaws("", chart.rows, chart.treasure) == []
        assert (len(chart.rows), len(chart.rows[0])) == (high, wide)
        assert (chart.rows[high // 2][0], chart.rows[high // 2 - 1][-1]) == ("B", "F")
        assert steps(chart.rows) >= wide
        land = "/".join(chart.rows)
        everything = len(land) - land.count("/") - land.count("R")
        assert len(distances(land, land.index("B"))) == everything
        columns = ["".join(column) for column in zip(*chart.rows, strict=True)]
        if size != "full":
            assert not any("CC" in line for line in [*chart.rows, *columns])
        assert len(chart.treasure) == 4
        assert {chart.rows[row][column] for row, column in chart.treasure} <= {"D", "M"}
    assert len(known) == 61


def test_a_map_by_a_number_is_the_same_for_ever() -> None:
    """Pinned: a seed in an old match's options must mean this map."""
    assert generate_map("short", 1) == PINNED


def test_remote_places_on_a_map_with_hardly_any() -> None:
    assert choose_treasure_places(("BGDF",)) == ((0, 2),)
    assert choose_treasure_places(("BGGF",)) == ()


def laid(**options: Any) -> Any:
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return 4 % n

    events = rules.setup(rules.Options(**options), 2, draw).events
    return events[0], asked


def test_the_seed_is_drawn_when_none_is_named() -> None:
    event, asked = laid(map="generated", size="short")
    assert asked == [MAX_SEED, 2]
    assert event.seed == 5
    assert laid(map="generated", size="short", seed=5)[0] == event
    assert laid(map="generated", size="short", seed=5)[1] == [2]
    assert event.rows == generate_map("short", 5).rows


GOOD: dict[str, Any] = {"rows": ["BGDF", "MOCS"], "treasure": [[1, 0], [0, 2]], "name": "Oase"}


def test_a_drawn_map_travels_in_the_options() -> None:
    """As the struct, as JSON from the page, as the plain lists of a file."""
    options = fill_options(TITLE, {"map": "custom", "custom": GOOD})
    assert options["custom"] == GOOD
    check_options(TITLE, options)
    event, _ = laid(**options)
    assert (event.kind, event.name) == ("custom", "Oase")
    assert event.rows == ("BGDF", "MOCS")
    assert event.treasure == ((1, 0), (0, 2))
    state = fold(None, [event])
    view = rules.view(state, None)
    assert view["tiles"] == GOOD["rows"]
    assert view["treasure"] == [[1, 0], [0, 2]]
    assert view["map"] == {
        "kind": "custom",
        "name": "Oase",
        "seed": 0,
        "rows": GOOD["rows"],
        "start": [0, 0],
        "finish": [0, 3],
    }
    assert drawn_map(drawn_map(GOOD)) == DrawnMap(("BGDF", "MOCS"), ((1, 0), (0, 2)), "Oase")


FLAWED = [
    ({"rows": ["BGRF", "GGRG"]}, "The finish can’t be reached"),
    ({"rows": ["BGGG"]}, "exactly one finish; this one has 0"),
    ({"rows": ["BFGB"]}, "exactly one start; this one has 2"),
    ({"rows": ["BGF", "GG"]}, "same length"),
    ({"rows": ["BGF", "GXG"]}, "letters"),
    ({"rows": ["BGF", "G/G"]}, "letters"),
    ({"rows": []}, "at least one tile"),
    ({"rows": ["", ""]}, "at least one tile"),
    ({"rows": ["BF" + "O" * 11]}, "10 oases; this map has 11"),
    ({"rows": ["B" + "G" * 19, "G" * 19 + "F"]}, "36 grassland tiles; this map has 38"),
    ({"rows": ["BGF"], "treasure": [[0, 3]]}, "off the map"),
    ({"rows": ["BGF"], "treasure": [[-1, 0]]}, "off the map"),
    ({"rows": ["BGF"], "treasure": [[0, 1], [0, 1]]}, "two treasures at row 1, column 2"),
    (
        {"rows": ["BGF"], "treasure": [[0, 0]]},
        "at the start or at the finish: check row 1, column 1",
    ),
    (
        {"rows": ["BGF"], "treasure": [[0, 2]]},
        "at the start or at the finish: check row 1, column 3",
    ),
    ({"rows": ["BGFR"], "treasure": [[0, 3]]}, "in a river, .* check row 1, column 4"),
    ({"rows": ["BGFRG"], "treasure": [[0, 4]]}, "treasure at row 1, column 5 can’t be reached"),
    ({"rows": ["BGGGGGF"], "treasure": [[0, n] for n in range(1, 6)]}, "4 treasure chests"),
    ({"rows": ["BGF"], "name": "a\u202eb"}, "visible characters for the name"),
    ({"rows": ["BGF"], "name": " "}, "visible characters for the name"),
    ({"rows": ["BGF"], "name": "x" * 41}, "40"),
    ({"rows": ["BGF" + "D" * 18]}, "20"),
    ({"rows": ["B", "F", *["D"] * 19]}, "20"),
    ({"rows": ["BGF"], "more": 1}, "more"),
    ({"rows": "BGF"}, "array"),
    ({"treasure": []}, "rows"),
    ([], "object"),
    (None, "object"),
]


@pytest.mark.parametrize(("drawn", "reason"), FLAWED)
def test_what_is_wrong_with_a_drawn_map_is_said(drawn: Any, reason: str) -> None:
    with pytest.raises(InvalidOption, match=reason) as refusal:
        fill_options(TITLE, {"map": "custom", "custom": drawn})
    assert refusal.value.field.startswith("custom")


def test_all_flaws_are_found_at_once() -> None:
    keys = [key for key, _ in flaws("", ("BRF", "OOO"), ((0, 1), (0, 9)))]
    assert keys == ["map-chest-tile", "map-chest-off"]
    keys = [key for key, _ in flaws("", ("BRF", "ORO"), ((0, 1), (1, 2), (0, 9)))]
    assert keys == ["map-cut-off", "map-chest-tile", "map-chest-cut-off", "map-chest-off"]
    for key, args in flaws(" ", ("BXF", "O"), ()):
        assert format_message("conquest", key, args)


def test_the_largest_map_fits() -> None:
    """20 rows of 8 are near the budget of 170; one of 20 by 20 has more tiles than there are."""
    tiles = [t for t, n in COUNTS.items() if t not in "BFR" for _ in range(n)]
    row = "B" + "".join(tiles[:19])
    rows = [row, *["".join(tiles[19 + 20 * i : 39 + 20 * i]) for i in range(6)]]
    rows.append("".join(tiles[139:148]) + "RRRRRRRRRR" + "F")
    assert len("".join(rows)) == 160
    chests = [[1, n] for n in range(4)]
    options = fill_options(TITLE, {"custom": {"rows": rows, "treasure": chests, "name": "王" * 40}})
    assert options["custom"]["name"] == "王" * 40
    assert max(len(rows), len(rows[0])) == 20
    most = schema_of(TITLE)["properties"]["custom"]["attachment"]["bytes"]
    assert len(json.dumps(options["custom"])) < most


def test_the_ground_knows_its_ways() -> None:
    ground = ground_of("BRG/GGF")
    assert ground.places[0] == (0, 0)
    assert [ground.places[cell] for cell in ground.neighbours[0]] == [(1, 0)]
    assert ground.cell((1, 2)) == 6
    assert [ground.cell(place) for place in ((-1, 0), (2, 0), (0, 3), (0, -1))] == [-1] * 4
    for number in range(40):  # more maps than are kept
        assert ground_of("B" + "G" * number + "F").finish == number + 1


def test_without_chance_a_map_of_the_game_is_laid_by_its_rows() -> None:
    with pytest.raises(AssertionError, match="no chance"):
        rules.setup(rules.Options(), 2, no_draw)
    assert laid(map="short")[1] == [2]
