"""Rules guide to Caravane in text and pictures; see `domain.contract.guide`.

Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.caravane.board import STAGE_LENGTHS
from domain.games.caravane.picture import BOX, EFFECT_LABELS, draw_square, draw_square_label, scene
from domain.games.caravane.road_geometry import SPOTS
from domain.text.i18n import N_

RULINGS = 16
_LETTERS = ("A", "B", "C", "D")


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to the phase of a view."""
    names = {"prepare": "gourds", "bid": "bids", "revise": "bags", "over": "end"}
    return names.get(view["phase"], "squares")


_HINTS = {
    "prepare": N_("You may put aside what you like for each stage; nobody else sees it."),
    "bid": N_("You may bid none, some or all of your gourds. The higher bid goes further."),
    "revise": N_("You may change your bid of gourds, as somebody has bid a food bag."),
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the current phase, or "" if there is none."""
    return _HINTS.get(view["phase"], "")


def _road(*squares: int) -> tuple[Node, ...]:
    """Draw the whole road with a camel on each of these squares of the first stage."""
    racers = [{"seat": seat, "square": at, "bales": 0} for seat, at in enumerate(squares)]
    track = [{"length": length} for length in STAGE_LENGTHS]
    view = {"racers": racers, "track": track, "phase": "bid", "stage": 1, "round": 1, "last": None}
    shown = scene(view, _LETTERS)
    return (*shown.ground, *place_pieces(shown.pieces))


def _start() -> tuple[Node, ...]:
    """Draw the road before the race."""
    return _road(0, 0, 0, 0)


def _moved() -> tuple[Node, ...]:
    """Draw the road after bids of 3, 1, 1 and 0."""
    return _road(4, 3, 3, 1)


def _signs() -> tuple[Node, ...]:
    """Draw one special square of each kind with its label."""
    found: list[Node] = []
    for spot, what in zip((2, 3, 4, 5), ("water", "bale", "leak", "damage"), strict=True):
        found += draw_square(spot, what)
        found += place_pieces([draw_square_label(spot, EFFECT_LABELS[what])])
    return tuple(found)


_FIRST_ROW = (230, SPOTS[0][1] - 60, 400, 130)
_SIGNS = (SPOTS[5][0] - 60, SPOTS[0][1] - 50, SPOTS[2][0] - SPOTS[5][0] + 120, 130)
GUIDE = (
    section(
        "aim",
        "What it is about",
        "Each player rides one camel along the silk road, in three stages with a palace at the "
        "end of each. Camels drink: every round all players secretly bid gourds of water, and who "
        "bids more goes further. The palaces pay in bales of silk, most of all to those who come "
        "first. Most bales after the third palace win.",
        Picture(
            "The road begins at the tent below and climbs through three stages. The numbers at a "
            "palace are the bales for the first to arrive, the second and so on.",
            BOX,
            _start,
        ),
        ruling(
            "Three to five play as the game was made; two may play here as well.",
            1,
        ),
    ),
    section(
        "gourds",
        "Gourds",
        "For the first stage you have 15 gourds of water, for the second 25 and for the third 20. "
        "Everybody sees how many gourds were bid, so with a good memory you know what the others "
        "have left; the page shows you only your own.",
        ruling(
            "Gourds and bags that you have not used are lost when a stage ends.",
            11,
        ),
        ruling(
            "If the table was opened with a free split, everybody divides 60 gourds over the "
            "three stages in secret before the race begins. A stage may even get none.",
            10,
        ),
        ruling(
            "What is left of a stock is secret during a stage; bales always lie open.",
            16,
        ),
    ),
    section(
        "bids",
        "A round of bids",
        "All players who are still on the road bid at the same time, in secret. A bid may be "
        "zero. When all have bid, the bids are opened and the gourds are gone.",
        "With a number of camels on the road, the highest bid moves as many squares as there are "
        "camels, the next highest one square less, and so on. Equal bids share the better place, "
        "and the places that are skipped in this way stay empty.",
        Picture(
            "Four camels have bid 3, 1, 1 and 0 gourds. They move 4, 3, 3 and 1 squares.",
            _FIRST_ROW,
            _moved,
        ),
        ruling(
            "If all bid zero, all are first and move as far as there are camels on the road.",
            7,
        ),
        ruling(
            "A camel that is alone on the road moves one square each round, whatever is bid. Who "
            "has no gourds left bids zero.",
            8,
            9,
        ),
    ),
    section(
        "squares",
        "Special squares",
        "When all camels have moved, each looks at the square on which it has stopped. Several "
        "camels may share a square, and each of them gets what it gives.",
        points(
            "A full gourd adds two gourds to your stock of this stage.",
            "A leaking gourd costs you two gourds.",
            "A bale is one bale of silk for you.",
            "A torn bale costs you one bale.",
        ),
        Picture(
            "From the right: two gourds more, one bale more, two gourds less, one bale less.",
            _SIGNS,
            _signs,
        ),
        ruling(
            "Only the square on which a camel stops counts. Squares that it passes do nothing, "
            "and nothing moves it further.",
            4,
        ),
        ruling(
            "Gourds that are found belong to this stage only. Who has less than is to be lost "
            "loses what there is.",
            5,
            6,
        ),
    ),
    section(
        "palace",
        "The palaces",
        "A camel that reaches a palace waits there. It bids no more and does not count as a camel "
        "on the road until the last one has arrived; then the next stage begins.",
        points(
            "The first palace pays 4, 3, 2, 1 and 0 bales.",
            "The second palace pays 5, 4, 3, 2 and 1 bales.",
            "The third palace pays 7, 5, 4, 3 and 2 bales.",
        ),
        "Camels that arrive in the same round share the better place, and the next to arrive gets "
        "as many places less as there were camels before it. With fewer than five players the "
        "last places are not used.",
        ruling(
            "Steps beyond a palace are lost. It does not matter how far a camel would have gone: "
            "the round counts.",
            2,
            3,
        ),
    ),
    section(
        "bags",
        "Food bags",
        "If the table was opened with food bags, everybody also has three of them, worth 1, 2 and "
        "3 gourds, and hides one in each stage. A bag may be bid once in its stage, alone or with "
        "gourds.",
        ruling(
            "When bids are opened, it is told who has added a bag, but not how much the bag is "
            "worth. Those who bid no bag in this round may then change their bid of gourds, up or "
            "down, in secret and at the same time. Who has bid a bag may not, and nobody may add "
            "one now.",
            12,
        ),
        ruling(
            "Squares that give or take gourds do not touch bags.",
            13,
        ),
    ),
    section(
        "end",
        "The end",
        "The race is over when the last camel has reached the third palace. Most bales win.",
        ruling(
            "With equal bales the better place at the third palace counts, and after that the "
            "victory is shared.",
            14,
        ),
        ruling(
            "There are always bales enough.",
            15,
        ),
    ),
)
