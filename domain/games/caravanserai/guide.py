"""Rules guide to Caravanserai in text and pictures; see `domain.contract.guide`.

Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.caravanserai.picture import (
    board_bounds,
    draw_caravan,
    draw_ground,
    draw_standing_goods,
)
from domain.text.i18n import N_

RULINGS = 28
_FIRST, _LAST = {-1: 0, 0: 0, 1: -1}, {-1: 7, 0: 6, 1: 6}
_TONES = {-1: "outer", 0: "intermediate", 1: "central"}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to the current step of a view."""
    if view["step"] == "place":
        return "end" if view["final_round"] else "blocks"
    return {"start": "start", "take": "stop", "set": "tail", "over": "end"}[str(view["step"])]


_HINTS = {
    "start": N_("You may start on any free caravanserai of the outer ring, and get its colour."),
    "first": N_("You may lay one or two goods of one colour, or your camel at once."),
    "expert": N_("You may lay one good, or your camel at once."),
    "next": N_("You may lay one more good of another colour than before, or end with your camel."),
    "take": N_("You may choose who gives you the good that the market lacks."),
    "set": N_("You may choose a good of the market and a free caravanserai of its colour."),
    "over": "",
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the current step, or "" if there is none."""
    step = view["step"]
    if step == "place":
        step = "next" if view["placement"]["blocks"] else "expert" if view["expert"] else "first"
    return _HINTS[step]


def _cells(courts: dict[tuple[int, int], str]) -> list[list[Any]]:
    """Return three rows of cells; ``courts``: the colours of caravanserais by ``(q, r)``."""
    return [
        [q, r, courts.get((q, r)), _TONES[r]]
        for r in (-1, 0, 1)
        for q in range(_FIRST[r], _LAST[r])
    ]


def _land(courts: dict[tuple[int, int], str]) -> tuple[Node, ...]:
    cells = _cells(courts)
    return draw_ground(cells, [r for _, r, _, _ in cells])


def _caravan(pieces: tuple[tuple[int, int, str], ...]) -> tuple[Node, ...]:
    halos, ribbons, beads = draw_caravan(0, pieces)
    return place_pieces([*halos, *ribbons, *beads])


def _placement() -> tuple[Node, ...]:
    """Draw a camel, one yellow and two white goods, and a camel.

    One of the white goods is on a white caravanserai.
    """
    line = ((0, 0, "camel"), (1, 0, "yellow"), (2, 0, "white"), (3, 0, "white"), (4, 0, "camel"))
    return (*_land({(3, 0): "white", (0, 0): "red", (5, -1): "black"}), *_caravan(line))


def _bend() -> tuple[Node, ...]:
    """Draw a caravan that turns on a purple caravanserai and ends on a red one."""
    line = ((0, 0, "camel"), (1, 0, "purple"), (2, 0, "purple"), (3, -1, "camel"))
    return (*_land({(2, 0): "purple", (3, -1): "red", (4, 1): "yellow"}), *_caravan(line))


def _goods() -> tuple[Node, ...]:
    """Draw two standing goods and an empty caravanserai."""
    courts = {(1, 0): "black", (3, 0): "yellow", (4, -1): "red"}
    return (*_land(courts), *place_pieces(draw_standing_goods(courts, [(1, 0), (3, 0)])))


_BOX = board_bounds(_cells({}))
GUIDE = (
    section(
        "aim",
        "What it is about",
        "Every player leads a caravan over the desert. A caravan moves like a snake: new pieces "
        "are laid in front of its leading camel, and about as many are taken back from its tail. "
        "Some goods may be left out of that count, and only by these does the caravan grow. When "
        "the game ends, the longest caravan wins.",
    ),
    section(
        "things",
        "The board and the pieces",
        "The board is laid anew for each game from tiles of seven cells. Two cells of each tile "
        "are caravanserais in one of five colours: white, black, purple, red or yellow. All other "
        "cells are sand. Each cell holds one piece.",
        points(
            "One or two players use 19 tiles, three use 24, four use 27, five or six use 30. The "
            "tiles form a middle, a ring round it and an outer ring.",
            "Everybody begins with 8 camels and 15 goods, 3 of each colour. This is your reserve.",
            "The market holds 30 goods, 6 of each colour. For each tile of the middle ring one of "
            "them stands on a caravanserai of its colour.",
        ),
        Picture(
            "Goods that stand on the board wait on a caravanserai of their colour. The red "
            "caravanserai is empty.",
            _BOX,
            _goods,
        ),
        ruling(
            "If the market has no good left of a tile's colour, the tile's other caravanserai is "
            "used; if that colour is out too, the tile gets none.",
            12,
        ),
        ruling(
            "A cell holds one piece and no more, also at the start. Five players use the board of "
            "six.",
            16,
            20,
        ),
    ),
    section(
        "start",
        "The start",
        "In turn order everybody puts a camel on a free caravanserai of the outer ring and takes "
        "a good of its colour from the market into the reserve.",
        ruling(
            "If the market lacks that colour, you take nothing.",
            26,
        ),
        ruling(
            "The first player is drawn, or it is the host if the table was opened so.",
            27,
        ),
    ),
    section(
        "turn",
        "A turn",
        "Your turn has three steps, and the table does the counting for you.",
        points(
            "Lay pieces in front of your leading camel: as many blocks of goods as you like, or "
            "none, and then a camel.",
            "Count the pieces that you laid, without the blocks that may be left out.",
            "Take as many pieces as you counted back from your tail into your reserve.",
        ),
        ruling(
            "You may lay a camel alone. It counts one, so the caravan steps forward by one cell.",
            7,
        ),
        ruling(
            "Who can lay nothing is skipped and may play again later; who can lay something must. "
            "If nobody could play for a whole round, the game ends.",
            14,
            21,
        ),
    ),
    section(
        "blocks",
        "Laying blocks",
        "A block is a run of goods of one colour out of your reserve. The first block has one or "
        "two goods. Each further block has exactly one good more than the block before it, and "
        "another colour than that block.",
        "The line runs straight on from your leading camel, in a direction that you choose at the "
        "start of the turn. It may bend only on a caravanserai. No cell may be used that holds a "
        "piece of any caravan, your own included.",
        Picture(
            "One yellow good, two white goods, then a camel. One of the white goods lies on a "
            "white caravanserai.",
            _BOX,
            _placement,
        ),
        ruling(
            "At the start of a turn the leading camel may point in any of the six directions, "
            "wherever it stands. On a caravanserai you may bend into any direction whose next "
            "cell is free, or go straight on.",
            1,
            2,
        ),
        ruling(
            "A colour may come again later in the same placement, as in one red, two yellow, "
            "three red.",
            6,
        ),
        ruling(
            "Only blocks are offered after which the placement can still be finished with a camel.",
            25,
        ),
        Picture(
            "The block of two purple goods bends on the purple caravanserai. The camel stops on "
            "the red one.",
            _BOX,
            _bend,
        ),
    ),
    section(
        "standing",
        "Goods that stand in the way",
        "If your line crosses a caravanserai with a good of the block's colour, you may use that "
        "good as one of the block's pieces instead of one of your own. Otherwise it returns to "
        "the market.",
        ruling(
            "A good used in its place counts as a piece that you laid. If you send the good back, "
            "that block cannot be left out of the count, even where its colour fits.",
            4,
            5,
        ),
        ruling(
            "A good that returns to the market is there at once, so you can take it again later "
            "in the same turn.",
            24,
        ),
    ),
    section(
        "stop",
        "A camel on a caravanserai",
        "If your camel comes to lie on a caravanserai, you take a good of its colour from the "
        "market into your reserve. If a good stood there, you take that one as well. If the "
        "market lacks the colour, you take a good of it from the reserve of an opponent; if "
        "nobody has one, you get nothing.",
        ruling(
            "If several opponents have the colour, you choose who gives it.",
            9,
            23,
        ),
    ),
    section(
        "count",
        "The count",
        "Count every piece of this turn, the camel too. Leave out each block that touches a "
        "caravanserai of its own colour.",
        ruling(
            "A block touches a caravanserai when one of its goods lies on it. Cells under camels "
            "belong to no block.",
            3,
        ),
        ruling(
            "A block that lies on two caravanserais of different colours is never left out.",
            8,
        ),
        "In the first picture above the two white goods are left out. The yellow good and the "
        "camel count, so two pieces come back and the caravan grows by two.",
    ),
    section(
        "tail",
        "Taking the tail back",
        "As many pieces as you counted go from your tail into your reserve. For each camel among "
        "them you take a good of your choice from the market and stand it on a free caravanserai "
        "of its colour.",
        ruling(
            "You never take back more than your caravan has: the camel that you have just laid "
            "always stays.",
            10,
        ),
        ruling(
            "First all pieces come back, then the goods are set one by one, so cells that have "
            "just become free may be used. If no colour of the market has a free caravanserai, "
            "nothing is set.",
            11,
            22,
        ),
    ),
    section(
        "end",
        "The end",
        "When somebody takes the last good of the market, the round is played to its end and "
        "everybody has one more turn. Then the caravans are counted, camels and goods alike. The "
        "longest wins; with equal length the fuller reserve; after that, who played later in the "
        "last round.",
        ruling(
            "Goods that return to the market later do not stop the end.",
            13,
        ),
        ruling(
            "Later means later in the turn order of the last round.",
            15,
        ),
        ruling(
            "A table may be opened so that long games end: after 20 rounds in a row in which the "
            "market did not change, the caravans are counted. This is announced five rounds "
            "before, and any change of the market cancels it.",
            28,
        ),
    ),
    section(
        "expert",
        "The expert rules",
        "The market begins with 35 goods, and the first block of a placement has exactly one "
        "good. Once in each placement a camel that lies down may stand for one block of whatever "
        "size is due. It fills a single cell and lets the line turn, wherever it is. On a "
        "caravanserai it takes a good as any camel does, and you may lay that good in the same "
        "turn.",
        ruling(
            "The lying camel may stand for the first block too; the next block then has the "
            "following size. It counts one, and as it is a block of its own, the same colour may "
            "be laid before and after it.",
            17,
            18,
        ),
    ),
    section(
        "solo",
        "Alone",
        "Alone you try to build the longest caravan. For each camel that comes back from your "
        "tail two of the market's goods are set on the board. From a length of 25 you earn a "
        "title, and a better one at 30, 35, 40 and 45.",
        ruling(
            "If only one of the two goods can be set, one is set. The game ends after a turn that "
            "leaves no camel in your reserve or an empty market, or when you can lay nothing. The "
            "expert rules may be added.",
            19,
        ),
    ),
)
