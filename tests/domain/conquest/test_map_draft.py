"""The map editor: every editing step, and every fault at the place to fix it."""

import random
from collections import Counter
from typing import Any

import pytest

from domain.games.conquest import map_draft as d
from domain.games.conquest.map_draft import Draft, DraftHistory, Fault
from domain.games.conquest.maps import COUNTS, SHORT, flaws
from domain.text.english import english_messages
from tests.game_contract.strict_english import format_message

GOOD = Draft(("BGDF", "MOCS"), ((1, 0),))


def test_a_tile_is_laid_and_taken_away() -> None:
    assert d.paint(GOOD, [(1, 1), (0, 1)], "R").rows == ("BRDF", "MRCS")
    assert d.paint(GOOD, [(0, 2)], ".").rows == ("BG.F", "MOCS")


@pytest.mark.parametrize(
    ("place", "letter", "rows"),
    [
        ((1, 2), "B", ("CGDF", "MOBS")),
        ((0, 0), "B", ("BGDF", "MOCS")),
        ((0, 0), "F", ("FGD.", "MOCS")),
    ],
)
def test_start_and_finish_move(place: Any, letter: str, rows: tuple[str, ...]) -> None:
    """What lay in the new place goes to the old one; nothing lies where the other end was."""
    moved = d.paint(GOOD, [place, (1, 3)], letter)
    if letter == "F":
        assert moved.rows == ("FGDB", "MOCS")
    else:
        assert moved.rows == rows


def test_a_chest_comes_and_goes() -> None:
    assert d.paint(GOOD, [(0, 2)], "T").treasure == ((1, 0), (0, 2))
    assert d.paint(GOOD, [(1, 0)], "T").treasure == ()


def test_an_area_is_all_that_hangs_together() -> None:
    draft = Draft(("DDG", "GDG", "DGD"))
    assert set(d.connected_area(draft, (0, 0))) == {(0, 0), (0, 1), (1, 1)}
    assert d.connected_area(draft, (2, 2)) == [(2, 2)]


@pytest.mark.parametrize(
    ("one", "other", "over"),
    [
        ((0, 0), (0, 3), [(0, 1), (0, 2), (0, 3)]),
        ((3, 3), (0, 0), [(2, 2), (1, 1), (0, 0)]),
        ((0, 0), (2, 1), [(1, 1), (2, 1)]),
        ((1, 1), (1, 1), []),
    ],
)
def test_a_finger_leaves_no_gaps(one: Any, other: Any, over: Any) -> None:
    assert d.places_between(one, other) == over


def test_another_size() -> None:
    assert d.resize(GOOD, 3, 5).rows == ("BGDF.", "MOCS.", ".....")
    smaller = d.resize(GOOD, 1, 2)
    assert (smaller.rows, smaller.treasure) == (("BG",), ())
    assert d.blank_draft(2, 3).rows == ("...", "...")


def test_what_is_left_of_the_170_tiles() -> None:
    left = d.count_remaining_tiles(GOOD)
    assert left["D"] == 49
    assert left["B"] == left["F"] == 0
    assert left["T"] == 3
    assert d.count_remaining_tiles(Draft(("O" * 12,)))["O"] == -2


@pytest.mark.parametrize("chance", range(5))
def test_the_rest_is_laid_out_of_what_is_left(chance: int) -> None:
    rng = random.Random(chance)
    begun = Draft(("BRRRR", ".....", ".....", "....."), ((3, 3),))
    draft = d.fill_bare_tiles(begun, rng.randrange)
    assert draft.rows[0] == "BRRRR"
    assert draft.treasure == ((3, 3),)
    laid = Counter("".join(draft.rows))
    assert laid["."] == 0
    assert laid["B"] == laid["F"] == 1
    assert all(laid[letter] <= most for letter, most in COUNTS.items())


def test_a_map_larger_than_the_game_keeps_bare_tiles() -> None:
    draft = d.fill_bare_tiles(d.blank_draft(20, 20), random.Random(1).randrange)
    assert Counter("".join(draft.rows))["."] == 400 - 170
    assert {fault.key for fault in d.faults("", draft)} >= {"map-too-large"}


FAULTY = [
    ("a\u202eb", GOOD, Fault("map-name", {"most": 40})),
    ("", Draft(("BG.F",)), Fault("map-bare", {"bare": 1}, (0, 2))),
    ("", d.blank_draft(20, 9), Fault("map-too-large", {"tiles": 180, "most": 170})),
    ("", Draft(("GGF",)), Fault("map-one-B", {"laid": 0}, None, "B")),
    ("", Draft(("BFF",)), Fault("map-one-F", {"laid": 2}, None, "F")),
    ("", Draft(("BRF",)), Fault("map-cut-off", {}, (0, 2))),
    *[
        (
            "",
            Draft(tuple(["B" + letter * 19 + "F"] * (COUNTS[letter] // 19 + 1))),
            Fault(
                f"map-many-{letter}",
                {"laid": 19 * (COUNTS[letter] // 19 + 1), "most": COUNTS[letter]},
                None,
                letter,
            ),
        )
        for letter in "DOMGRCSP"
    ],
    (
        "",
        Draft(("BGGGGGF",), tuple([(0, n) for n in range(1, 6)])),
        Fault("map-chests", {"laid": 5, "most": 4}, None, "T"),
    ),
    ("", Draft(("BGF",), ((0, 5),)), Fault("map-chest-off", {"row": 1, "column": 6}, (0, 5))),
    (
        "",
        Draft(("BGF",), ((0, 1), (0, 1))),
        Fault("map-chest-twice", {"row": 1, "column": 2}, (0, 1)),
    ),
    ("", Draft(("BGF",), ((0, 2),)), Fault("map-chest-tile", {"row": 1, "column": 3}, (0, 2))),
    (
        "",
        Draft(("BGFRG",), ((0, 4),)),
        Fault("map-chest-cut-off", {"row": 1, "column": 5}, (0, 4)),
    ),
]


@pytest.mark.parametrize(("name", "draft", "fault"), FAULTY, ids=lambda it: getattr(it, "key", ""))
def test_what_is_wrong_and_where_it_is_mended(name: str, draft: Draft, fault: Fault) -> None:
    assert fault in d.faults(name, draft)
    assert format_message("conquest", fault.key, fault.args)


def test_every_flaw_that_can_be_drawn_is_told() -> None:
    """Rows of different length, no rows and strange letters cannot be drawn."""
    told = {fault.key for _, _, fault in FAULTY}
    flaws_of_maps = {key for key in english_messages("conquest") if key.startswith("map-")}
    assert told == flaws_of_maps - {"map-laid", "map-size", "map-uneven", "map-letters"}


def test_a_draft_without_faults_is_a_map_and_no_other() -> None:
    assert d.faults("", GOOD) == []
    assert flaws("", GOOD.rows, GOOD.treasure) == []
    assert d.route_length(GOOD) == 3
    assert d.route_length(Draft(("BRF",))) == d.route_length(Draft(("GGG",))) == 0


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "BGF",
        {},
        {"rows": "BGF"},
        {"rows": []},
        {"rows": [""]},
        {"rows": ["BGF", "GG"]},
        {"rows": ["BXF"]},
        {"rows": ["B.F"]},
        {"rows": [3]},
        {"rows": ["B" * 21]},
        {"rows": ["BGF"] * 21},
        {"rows": ["BGF"], "more": 1},
        {"rows": ["BGF"], "name": 3},
        {"rows": ["BGF"], "name": "x" * 41},
        {"rows": ["BGF"], "treasure": 3},
        {"rows": ["BGF"], "treasure": [[0]]},
        {"rows": ["BGF"], "treasure": [3]},
        {"rows": ["BGF"], "treasure": [["0", 1]]},
        {"rows": ["BGF"], "treasure": [[0, 3]]},
        {"rows": ["BGF"], "treasure": [[0, 1]] * 21},
    ],
)
def test_what_has_not_the_shape_of_a_map(value: Any) -> None:
    assert d.parse_draft(value) is None


def test_what_has_the_shape_of_a_map() -> None:
    value = {"rows": ["BGDF", "MOCS"], "treasure": [[1, 0]], "name": "Oase"}
    assert d.parse_draft(value) == GOOD
    assert d.parse_draft({"rows": ("B.F",)}, "BF.") == Draft(("B.F",))
    assert d.parse_draft({"rows": SHORT.rows, "treasure": SHORT.treasure}) == Draft(
        SHORT.rows, SHORT.treasure
    )


def test_steps_are_taken_back_and_done_again() -> None:
    steps = DraftHistory(GOOD)
    assert not steps.undo()
    assert not steps.redo()
    assert not steps.go(GOOD)
    one, two = d.paint(GOOD, [(0, 1)], "D"), d.paint(GOOD, [(0, 1)], "M")
    assert steps.go(one)
    assert steps.go(two)
    assert steps.undo()
    assert steps.now == one
    assert steps.redo()
    assert steps.now == two
    assert steps.undo()
    assert steps.undo()
    assert steps.now == GOOD
    assert steps.go(two)
    assert not steps.redo()


def test_so_many_steps_are_remembered() -> None:
    steps = DraftHistory(GOOD)
    for number in range(d.MAX_UNDO_STEPS + 50):
        steps.go(Draft(GOOD.rows, ((0, number),)))
    taken = 0
    while steps.undo():
        taken += 1
    assert taken == d.MAX_UNDO_STEPS
