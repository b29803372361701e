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


def selection(kind: str | None = None, path: tuple[int, ...] = (), moves: Any = MOVES) -> Any:
    """Return a selection among moves of which a kind and a path are chosen."""
    choosing = move_selection.MoveSelection()
    choosing.set_commands(moves)
    choosing.kind, choosing.path = kind, path
    return choosing


def path_after_tap(choosing: Any, cell: int) -> tuple[int, ...] | None:
    """Tap a cell; return the path then, or None if the tap changed nothing."""
    return choosing.path if choosing.tap(cell) else None


def test_only_laying_moves_are_candidates() -> None:
    found = selection().found
    assert len(found) == len(MOVES) - 1
    assert move_selection.possible_kinds(found) == {"white", "red", "camel", "lying"}


def test_a_kind_or_a_cell_may_come_first() -> None:
    """The kind of piece may be chosen before the cell, or the cell before the kind."""
    assert selection().next_cells() == {1, 4}
    assert selection("red").further_cells() == {1, 2, 4}
    remaining = selection(None, (4,)).remaining_moves()
    assert move_selection.possible_kinds(remaining) == {"red", "camel", "lying"}


def test_a_tap_leads_on_the_shortest_way_or_cuts_back() -> None:
    """A tap extends the path by the shortest route; a tap on a cell of the path shortens it."""
    assert path_after_tap(selection("white"), 3) == (1, 3)
    assert path_after_tap(selection("white", (1, 3)), 3) == (1,)
    assert path_after_tap(selection("white", (1,)), 1) == ()
    assert path_after_tap(selection("white"), 4) is None


BLOCKS = [LayBlock("red", path) for path in ((1,), (2,), (1, 2))]


def test_a_marked_cell_extends_the_block_even_next_to_the_camel() -> None:
    """A cell that could also start a block continues the one that has been started."""
    assert path_after_tap(selection(moves=BLOCKS), 2) == (2,)
    assert path_after_tap(selection(None, (1,), BLOCKS), 2) == (1, 2)
    assert path_after_tap(selection(None, (2,), BLOCKS), 1) == (1,), "nothing continues with it"
    assert path_after_tap(selection(None, (1,), BLOCKS), 1) == ()


def test_a_tap_does_not_settle_a_block_while_a_longer_one_is_possible() -> None:
    assert selection("red", (2,), BLOCKS).only_move() is None
    assert selection("red", (1, 2), BLOCKS).only_move() is not None


def test_a_move_is_settled_when_nothing_more_can_be_chosen() -> None:
    """A selection determines a move once only one candidate matches and none extends it."""
    assert selection("white", (1, 2)).only_move() is not None
    assert selection("white", (1, 3)).only_move() is None, "use or decline is open"
    assert selection("red", (1,)).only_move() is None, "it may become a block of two"
    assert selection("red", (4,)).only_move() is None, "another block of red is longer"
    assert selection("red", (1, 2)).only_move() is not None
    assert selection("camel", (1,)).only_move() is not None
    assert selection(None, (4,)).only_move() is None


def test_using_and_declining_a_standing_good_are_both_offered() -> None:
    both = selection("white", (1, 3)).complete_moves()
    assert [move[2] for move in both] == [(), (3,)]


def test_a_kind_with_one_place_is_chosen_but_not_laid() -> None:
    """Choosing a kind that fits one cell only does not yet determine the move."""
    choosing = selection()
    choosing.pick("lying")
    assert choosing.next_cells() == {4}
    assert choosing.only_move() is None
    choosing.pick("camel")
    assert choosing.next_cells() == {1, 4}, "another kind may still be chosen"
    choosing.pick("lying")
    choosing.tap(4)
    assert choosing.only_move()[3] == LayCamelDown(4)
