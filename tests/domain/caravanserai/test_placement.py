"""Placement and count (4.1, 4.2, 7.1 to 7.3, 6.1) on drawn positions."""

import pytest

from domain.games.caravanserai.commands import LayBlock, LayCamelDown, PlaceCamel, StartAt, TakeFrom
from domain.games.caravanserai.events import BlockLaid, GoodReturned, GoodsTaken, TailReturned
from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import standing_cells
from tests.domain.caravanserai.notation import WAYS, Scene, of

FIELD = "\n".join(
    [
        "   . . . . . . . . . . . . . . . . . .",
        "  @ . . . . . . . . . . . . . . . . .",
        "   . . . . . . . . . . . . . . . . . .",
    ]
)


def play(scene: Scene, series: list[str]) -> TailReturned:
    """Lays a series straight to the east: "2 red", "lying", ..., "camel"; what comes back."""
    for part in series:
        if part == "lying":
            scene.lie("E")
        elif part == "camel":
            return of(TailReturned, scene.camel("E"))[0]
        else:
            number, colour = part.split()
            scene.lay(colour, "E " * int(number))
    raise AssertionError("a placement ends with a camel")


@pytest.mark.parametrize(
    ("series", "pieces"),
    [
        (["1 yellow", "2 white", "3 red", "4 black", "camel"], 11),
        (["2 red", "3 black", "camel"], 6),
        (["1 red", "2 yellow", "3 red", "camel"], 7),
        (["2 white", "camel"], 3),
        (["camel"], 1),
    ],
)
def test_the_examples_of_correct_placements(series: list[str], pieces: int) -> None:
    """4.1 a, the five examples; the third is ruling 6, the last ruling 7."""
    scene = Scene(FIELD, own="k" * 4 + "w" * 3 + "p" * 3 + "r" * 4 + "y" * 3)
    back = play(scene, series)
    assert (back.pieces, back.omitted, len(back.back)) == (pieces, 0, pieces)


@pytest.mark.parametrize(
    ("series", "pieces"),
    [
        (["camel"], 1),
        (["lying", "camel"], 2),
        (["1 red", "lying", "3 red", "camel"], 6),
        (["1 black", "2 yellow", "lying", "4 black", "5 white", "camel"], 14),
        (["1 yellow", "2 red", "3 white", "lying", "camel"], 8),
    ],
)
def test_the_examples_of_expert_placements(series: list[str], pieces: int) -> None:
    """6.1 c, the five examples: the lying camel stands for one block of the series, counts one
    and may part two blocks of one colour (rulings 17 and 18)."""
    scene = Scene(FIELD, expert=True, own="kkkkkwwwwwrrrryyyy", camels=2)
    back = play(scene, series)
    assert (back.pieces, back.omitted) == (pieces, 0)
    assert scene.state.players[0].camels == [kind for _, kind in back.back].count("camel") + [
        kind for _, kind in back.back
    ].count("lying") + 2 - series.count("lying") - series.count("camel")


def test_the_example_of_figure_8() -> None:
    """4.1 d and 4.2: 1 purple, 2 yellow, then 3 purple that turn on a purple caravanserai, and
    the camel on a black one: 7 pieces, 3 omitted, the count is 4; a black good for the camel."""
    scene = Scene(
        """
    @ . . . p . .
     . . . . . . .
      . . . . . .
       . k . . . .
        """,
        own="wwwkkkpppprrryyy",
    )
    assert not of(BlockLaid, scene.lay("purple", "E"))[0].omitted
    assert not of(BlockLaid, scene.lay("yellow", "E E"))[0].omitted
    assert of(BlockLaid, scene.lay("purple", "E SW SW"))[0].omitted
    events = scene.camel("SW")
    assert of(GoodsTaken, events) == [GoodsTaken(0, "black", "market", scene.place("E SE SE SE"))]
    back = of(TailReturned, events)[0]
    assert (back.pieces, back.omitted, len(back.back)) == (7, 3, 4)


def test_ruling_1_the_lead_camel_is_pointed_any_way_at_the_start() -> None:
    """Ruling 1: all six directions, though the camel stands on plain desert, behind it none."""
    picture = """
        . . .
       . . . .
      . . @ . .
       . . . .
        . . .
    """
    scene = Scene(picture)
    for way in WAYS:
        assert scene.block("red", way) in scene.commands()
        assert PlaceCamel(scene.at(way)[0]) in scene.commands()
    behind = Scene(picture.replace(". @", "1 @"), caravan=("red",))
    assert behind.refused(behind.block("red", "W")) == "occupied"
    assert behind.refused(PlaceCamel(behind.at("W")[0])) == "occupied"
    assert len([c for c in behind.commands() if type(c) is PlaceCamel]) == 5


def test_goods_are_laid_straight_on() -> None:
    """4.1: on plain desert no block and no camel turns, neither inside a block nor after it."""
    scene = Scene(FIELD)
    assert scene.refused(scene.block("red", "E SE")) == "no_turn"
    scene.lay("red", "E")
    assert scene.refused(scene.block("white", "SE E")) == "no_turn"
    assert scene.refused(PlaceCamel(scene.at("NE")[0])) == "no_turn"
    assert PlaceCamel(scene.at("E")[0]) in scene.commands()


_ROWS = [". . . . . . . . . . . .", " . . . . . . . . . . . ."]
TURN = "\n".join([*_ROWS * 2, ". . . @ . w . . . . . .", *_ROWS[::-1] * 2, _ROWS[1]])


@pytest.mark.parametrize("way", ["E", "SE", "SW", "NW", "NE"])
def test_ruling_2_turns_on_a_caravanserai_are_free(way: str) -> None:
    """Ruling 2: straight on or any other way with a free next cell, in the midst of a block,
    between blocks, and before the camel; back is where one came from."""
    inside = Scene(TURN)
    inside.lay("white", "E")
    assert inside.block("red", f"E {way}") in inside.commands()
    assert inside.refused(inside.block("red", "E W")) == "occupied"
    between = Scene(TURN)
    between.lay("white", "E E")
    assert between.block("red", f"{way} {way} {way}") in between.commands()
    ending = Scene(TURN)
    ending.lay("red", "E E")
    assert PlaceCamel(ending.at(way)[0]) in ending.commands()
    assert ending.refused(PlaceCamel(ending.at("W")[0])) == "occupied"


def test_ruling_3_a_block_passes_the_cell_its_good_lies_on() -> None:
    """Ruling 3: the last good of the block on the caravanserai counts as passing it; the camel
    on a caravanserai belongs to no block."""
    scene = Scene("@ . w . . .")
    assert of(BlockLaid, scene.lay("white", "E E"))[0].omitted
    scene = Scene("@ . w . . .")
    assert not of(BlockLaid, scene.lay("white", "E"))[0].omitted
    assert of(TailReturned, scene.camel("E"))[0].omitted == 0


def test_ruling_4_a_standing_good_used_in_place() -> None:
    """4.1 b, rulings 4 and 5: the good on the crossed cell becomes a piece of the block, which
    costs one good less, is omitted, and counts among the pieces placed."""
    scene = Scene("@ . W . . .", own="w")
    path = tuple(scene.at("E E"))
    events = scene.lay("white", "E E")
    assert events == [BlockLaid(0, "white", path, path[1:], True, "match")]
    assert scene.own()["white"] == 0
    assert not standing_cells(scene.state)
    back = of(TailReturned, scene.camel("E"))[0]
    assert (back.pieces, back.omitted, len(back.back)) == (3, 2, 1)


def test_ruling_4_declining_a_standing_good() -> None:
    """Ruling 4: declined, it goes back to the market and the block is not omitted although it
    matches; an own good lies there instead."""
    scene = Scene("@ . W . . .", own="ww", market="k")
    events = scene.lay("white", "E E", declining="E E")
    cell = scene.place("E E")
    assert events[0] == GoodReturned(0, "white", cell)
    assert (events[1].used, events[1].omitted, events[1].why) == ((), False, "returned")
    assert scene.market()["white"] == 1
    assert scene.own()["white"] == 0
    assert not standing_cells(scene.state)
    assert of(TailReturned, scene.camel("E"))[0].omitted == 0


def test_ruling_4_declining_needs_a_good_of_ones_own() -> None:
    """Ruling 4: it costs an own good; only goods of the block's colour on its path can be
    declined, and each once."""
    scene = Scene("@ . W . . R .", own="w")
    assert scene.refused(scene.block("white", "E E", declining="E E")) == "too_few_goods"
    rich = Scene("@ . W . . R .", own="wwrr")
    assert rich.refused(rich.block("red", "E E", declining="E E")) == "not_declinable"
    assert rich.refused(rich.block("white", "E", declining="E E")) == "not_declinable"
    twice = LayBlock("white", tuple(rich.at("E E")), (rich.place("E E"),) * 2)
    assert rich.refused(twice) == "not_declinable"


def test_ruling_4_each_of_several_standing_goods_is_used_or_declined() -> None:
    """Ruling 4: two goods on one path make four blocks of their colour."""
    scene = Scene("@ W W . .", own="ww")
    path = tuple(scene.at("E E"))
    found = {c.declined for c in scene.commands() if type(c) is LayBlock and c.path == path}
    assert found == {(), path[:1], path[1:], path}
    poor = Scene("@ W W . .", own="")
    found = {c.declined for c in poor.commands() if type(c) is LayBlock and c.path == path}
    assert found == {()}


def test_ruling_4_a_matching_empty_cell_still_gives_the_omission() -> None:
    """Ruling 4, last sentence, and 4.2."""
    scene = Scene("@ w . . .")
    block = of(BlockLaid, scene.lay("white", "E"))[0]
    assert (block.used, block.omitted) == ((), True)


def test_ruling_5_a_used_good_counts_with_its_block() -> None:
    """Ruling 5: used in a block that is not omitted (two colours, 7.3) it is counted."""
    scene = Scene("@ W r . . .", own="w")
    block = of(BlockLaid, scene.lay("white", "E E"))[0]
    assert (len(block.used), block.omitted, block.why) == (1, False, "mixed")
    back = of(TailReturned, scene.camel("E"))[0]
    assert (back.pieces, back.omitted) == (3, 0)


def test_ruling_6_only_the_block_before_must_differ() -> None:
    """Ruling 6: 1 red, 2 yellow, 3 red; but not 1 red, 2 red."""
    scene = Scene(FIELD, own="rrrryy")
    scene.lay("red", "E")
    assert scene.refused(scene.block("red", "E E")) == "same_colour"
    scene.lay("yellow", "E E")
    assert scene.block("red", "E E E") in scene.commands()


def test_ruling_7_camel_only() -> None:
    """Ruling 7: legal, count 1, one piece back; the caravan steps one cell on."""
    scene = Scene("1 @ . . .", caravan=("red",), market="wk")
    back = of(TailReturned, scene.camel("E"))[0]
    assert (back.pieces, back.omitted, [kind for _, kind in back.back]) == (1, 0, ["red"])
    assert scene.state.players[0].cells == (scene.place(""), scene.place("E"))


@pytest.mark.parametrize(
    ("picture", "omitted", "why"),
    [
        ("@ w r . .", False, "mixed"),
        ("@ w w . .", True, "match"),
        ("@ r k . .", False, "other"),
        ("@ . w . .", True, "match"),
        ("@ . . . .", False, "plain"),
    ],
)
def test_ruling_8_blocks_over_two_caravanserais(picture: str, omitted: bool, why: str) -> None:
    """7.3, ruling 8: omitted only when every caravanserai it crosses has its colour."""
    scene = Scene(picture)
    block = of(BlockLaid, scene.lay("white", "E E"))[0]
    assert (block.omitted, block.why) == (omitted, why)


def test_sizes_of_blocks() -> None:
    """4.1: first 1 or 2, then exactly one more each time."""
    scene = Scene(FIELD, own="rrrrryyyyy")
    for wrong in (0, 3, 4):
        assert scene.refused(scene.block("red", "E " * wrong)) == "wrong_size"
    scene.lay("red", "E E")
    for wrong in (1, 2, 4):
        assert scene.refused(scene.block("yellow", "E " * wrong)) == "wrong_size"
    assert scene.block("yellow", "E E E") in scene.commands()


def test_only_goods_one_has_are_laid() -> None:
    """4.1: from the personal reserve."""
    scene = Scene(FIELD, own="r")
    assert scene.refused(scene.block("yellow", "E")) == "too_few_goods"
    assert scene.refused(scene.block("red", "E E")) == "too_few_goods"
    assert scene.refused(scene.block("silk", "E")) == "unknown_colour"


def test_caravans_cross_neither_others_nor_themselves() -> None:
    """7.2: occupied cells bar the way; lying beside them is allowed."""
    scene = Scene(
        """
        # # a .
       @ . . . .
        """,
        others=("",),
    )
    assert scene.refused(scene.block("red", "NE")) == "occupied"
    assert scene.block("red", "E E") in scene.commands()


def test_a_block_does_not_cross_itself() -> None:
    """7.2: a path that turns back onto its own cells is refused."""
    scene = Scene(
        """
          . w w .
         @ w w . .
          . w . .
        """,
        own="wwwwwwkkk",
    )
    scene.lay("white", "E E")
    ring = LayBlock("black", tuple(scene.at("NE W SE")))
    assert scene.refused(ring) == "occupied"


def test_pieces_are_laid_from_cell_to_cell_on_the_board() -> None:
    """4.1: adjacent cells of the board only."""
    scene = Scene(FIELD)
    far = scene.at("E E")[1]
    assert scene.refused(LayBlock("red", (far,))) == "not_adjacent"
    assert scene.refused(LayBlock("red", (-1,))) == "no_such_cell"
    assert scene.refused(LayBlock("red", (len(scene.state.board.cells),))) == "no_such_cell"
    assert scene.refused(PlaceCamel(far)) == "not_adjacent"
    assert scene.refused(PlaceCamel(-5)) == "no_such_cell"


def test_commands_of_other_steps_are_refused() -> None:
    """4: placement comes first; taking and setting only when there is something to do."""
    scene = Scene("@ w . .\n . . a .", others=("",), seat=0)
    assert scene.refused(StartAt(scene.place("E"))) == "wrong_step"
    assert scene.refused(TakeFrom(1)) == "wrong_step"


def test_ruling_17_the_expert_series() -> None:
    """Ruling 17: the first block is exactly 1; a lying camel can be first; the series goes on
    with the following size; it counts one."""
    scene = Scene(FIELD, expert=True)
    assert scene.refused(scene.block("red", "E E")) == "wrong_size"
    scene.lie("E")
    assert scene.refused(scene.block("red", "E")) == "wrong_size"
    scene.lay("red", "E E")
    assert scene.refused(LayCamelDown(scene.at("E")[0])) == "lying_used"
    assert scene.state.placement.pieces == 3


def test_ruling_17_no_lying_camel_in_the_base_game() -> None:
    """6.1: lying camels belong to the expert rules."""
    scene = Scene(FIELD)
    assert scene.refused(LayCamelDown(scene.at("E")[0])) == "not_expert"


def test_ruling_18_the_lying_camel_parts_blocks_of_one_colour() -> None:
    """Ruling 18 (and the third example of 6.1 c)."""
    scene = Scene(FIELD, expert=True, own="rrrr")
    scene.lay("red", "E")
    scene.lie("E")
    assert scene.block("red", "E E E") in scene.commands()


def test_the_lying_camel_allows_any_turn() -> None:
    """6.1 b: a change of direction away from any caravanserai, after it; not onto its cell."""
    picture = """
        . . . . .
       @ . . . . .
        . . . . .
         . . . .
    """
    scene = Scene(picture, expert=True)
    scene.lay("red", "E")
    assert scene.refused(LayCamelDown(scene.at("SE")[0])) == "no_turn"
    scene.lie("E")
    assert scene.block("white", "SE SE SE") not in scene.commands()
    for way in ("E", "SE", "SW", "NW", "NE"):
        assert PlaceCamel(scene.at(way)[0]) in scene.commands()


def test_the_lying_camel_takes_goods_for_the_blocks_that_follow() -> None:
    """6.1 b and ruling 9: the market good and the standing one can be laid at once."""
    scene = Scene("@ R . . . .", expert=True, own="", market="r")
    events = scene.lie("E")
    cell = scene.place("E")
    assert of(GoodsTaken, events) == [
        GoodsTaken(0, "red", "standing", cell),
        GoodsTaken(0, "red", "market", cell),
    ]
    assert scene.block("red", "E E") in scene.commands()


def test_the_lying_camel_takes_from_an_opponent_when_the_market_is_out() -> None:
    """6.1 b, ruling 9: from another player; then the placement goes on."""
    scene = Scene(
        """
        . . a
       @ r . . .
        """,
        expert=True,
        own="r",
        market="w",
        others=("r",),
    )
    events = scene.lie("E")
    assert of(GoodsTaken, events) == [GoodsTaken(0, "red", "opponent", scene.place("E"), 1)]
    assert scene.own(1)["red"] == 0
    assert scene.block("red", "E E") in scene.commands()


def test_ruling_23_several_opponents_hold_the_good_for_a_lying_camel() -> None:
    """Ruling 23: the player chooses; afterwards the placement goes on."""
    scene = Scene(
        """
        . . a b
       @ r . . .
        """,
        expert=True,
        own="r",
        market="w",
        others=("r", "rr"),
    )
    scene.lie("E")
    assert scene.commands() == [TakeFrom(1), TakeFrom(2)]
    assert scene.refused(TakeFrom(0)) == "no_such_good"
    assert scene.refused(PlaceCamel(scene.at("E")[0])) == "wrong_step"
    scene.take(2)
    assert (scene.own(0)["red"], scene.own(1)["red"], scene.own(2)["red"]) == (2, 1, 1)
    assert scene.block("red", "E E") in scene.commands()


def test_ruling_24_a_good_in_the_way_can_be_taken_again_at_once() -> None:
    """Ruling 24: a red good crossed by a white block is in the market when the lying camel
    stops on red later in the same placement."""
    scene = Scene("@ R r . . .", expert=True, own="w", market="k")
    events = scene.lay("white", "E")
    assert events[0] == GoodReturned(0, "red", scene.place("E"))
    assert scene.market()["red"] == 1
    events = scene.lie("E")
    assert of(GoodsTaken, events) == [GoodsTaken(0, "red", "market", scene.place("E E"))]
    assert scene.market()["red"] == 0


def test_ruling_25_no_block_into_a_dead_end() -> None:
    """Ruling 25: a free cell for the camel must be left after every block and lying camel."""
    scene = Scene("@ . .", expert=True)
    assert scene.block("red", "E") in scene.commands()
    scene.lay("red", "E")
    assert {type(command) for command in scene.commands()} == {PlaceCamel}
    assert scene.refused(LayCamelDown(scene.at("E")[0])) == "dead_end"
    base = Scene("@ . .")
    assert base.refused(base.block("red", "E E")) == "dead_end"


def test_ruling_25_a_camel_must_be_left_to_end_with() -> None:
    """Ruling 25: the last camel of the reserve cannot be laid down."""
    scene = Scene(FIELD, expert=True, camels=1)
    assert scene.refused(LayCamelDown(scene.at("E")[0])) == "too_few_camels"
    assert PlaceCamel(scene.at("E")[0]) in scene.commands()


def test_every_colour_can_be_laid() -> None:
    """4.1: five colours from the camel's place."""
    scene = Scene(FIELD)
    offered = {c.colour for c in scene.commands() if type(c) is LayBlock}
    assert offered == set(COLOURS)
