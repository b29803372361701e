"""Choosing a move of the hex game by taps, tested without a browser: which legal moves remain."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from domain.games.caravanserai.commands import LayBlock, LayCamelDown, PlaceCamel, SetGood

ROOT = Path(__file__).parents[2]


def _alone(path: str) -> Any:
    """Load a frontend module without importing its package, which needs a browser for its texts."""
    spec = spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


move_selection = _alone("frontend/app/games/caravanserai/move_selection.py")

MOVES = [
    LayBlock("white", (1, 2)),
    LayBlock("white", (1, 3)),
    LayBlock("white", (1, 3), (3,)),
    LayBlock("red", (1,)),
    LayBlock("red", (1, 2)),
    LayBlock("red", (4,)),
    LayCamelDown(4),
    PlaceCamel(1),
    PlaceCamel(4),
    SetGood("red", 9),
]
FOUND = move_selection.candidates(MOVES)


def test_only_laying_moves_are_candidates() -> None:
    assert len(FOUND) == len(MOVES) - 1
    assert move_selection.possible_kinds(FOUND) == {"white", "red", "camel", "lying"}


def test_a_kind_or_a_cell_may_come_first() -> None:
    """The kind of piece may be chosen before the cell, or the cell before the kind."""
    assert move_selection.next_cells(FOUND, ()) == {1, 4}
    reds = move_selection.filter_candidates(FOUND, "red", ())
    assert move_selection.far_cells(reds, ()) == {1, 2, 4}
    assert move_selection.possible_kinds(move_selection.filter_candidates(FOUND, None, (4,))) == {
        "red",
        "camel",
        "lying",
    }


def test_a_tap_leads_on_the_shortest_way_or_cuts_back() -> None:
    """A tap extends the path by the shortest route; a tap on a cell of the path shortens it."""
    whites = move_selection.filter_candidates(FOUND, "white", ())
    assert move_selection.path_after_tap(whites, (), 3) == (1, 3)
    assert move_selection.path_after_tap(whites, (1, 3), 3) == (1,)
    assert move_selection.path_after_tap(whites, (1,), 1) == ()
    assert move_selection.path_after_tap(whites, (), 4) is None


def test_a_marked_cell_extends_the_block_even_next_to_the_camel() -> None:
    """A cell that could also start a block continues the one that has been started."""
    found = move_selection.candidates([LayBlock("red", path) for path in ((1,), (2,), (1, 2))])
    assert move_selection.path_after_tap(found, (), 2) == (2,)
    assert move_selection.path_after_tap(found, (1,), 2) == (1, 2)
    assert move_selection.path_after_tap(found, (2,), 1) == (1,), "nothing continues with it"
    assert move_selection.path_after_tap(found, (1,), 1) == ()


def test_a_tap_does_not_settle_a_block_while_a_longer_one_is_possible() -> None:
    found = move_selection.candidates([LayBlock("red", path) for path in ((1,), (2,), (1, 2))])
    assert move_selection.only_move(found, "red", (2,)) is None
    assert move_selection.only_move(found, "red", (1, 2)) is not None


def test_a_move_is_settled_when_nothing_more_can_be_chosen() -> None:
    """A selection determines a move once only one candidate matches and none extends it."""
    assert move_selection.only_move(FOUND, "white", (1, 2)) is not None
    assert move_selection.only_move(FOUND, "white", (1, 3)) is None, "use or decline is open"
    assert move_selection.only_move(FOUND, "red", (1,)) is None, "it may become a block of two"
    assert move_selection.only_move(FOUND, "red", (4,)) is None, "another block of red is longer"
    assert move_selection.only_move(FOUND, "red", (1, 2)) is not None
    assert move_selection.only_move(FOUND, "camel", (1,)) is not None
    assert move_selection.only_move(FOUND, None, (4,)) is None


def test_using_and_declining_a_standing_good_are_both_offered() -> None:
    both = move_selection.complete_moves(FOUND, "white", (1, 3))
    assert [move[2] for move in both] == [(), (3,)]


def test_a_kind_with_one_place_is_chosen_but_not_laid() -> None:
    """Choosing a kind that fits one cell only does not yet determine the move."""
    choosing = move_selection.MoveSelection()
    choosing.set_commands(MOVES)
    choosing.pick("lying")
    assert choosing.next_cells() == {4}
    assert choosing.only_move() is None
    choosing.pick("camel")
    assert choosing.next_cells() == {1, 4}, "another kind may still be chosen"
    choosing.pick("lying")
    choosing.tap(4)
    assert choosing.only_move()[3] == LayCamelDown(4)
