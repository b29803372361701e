"""Rules guide to the courtyard game in text and pictures.

See `domain.contract.guide`. Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.courtyard.board import TOWERS
from domain.games.courtyard.cards import MAJORS
from domain.games.courtyard.geometry import HEIGHT, SPOTS, WIDTH
from domain.games.courtyard.picture import figures, fountain, offers
from domain.games.courtyard.static_board import static_nodes
from domain.text.i18n import N_

RULINGS = 49
_TOPICS = {"start": "start", "discard": "stalls", "income": "orders", "minor": "south"}
_SPACES = {
    "S_": "stalls",
    "M_": "money",
    "R_": "rests",
    "P_": "pavilions",
    "G_N": "north",
    "G_S": "south",
    "T_": "towers",
}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to a view."""
    if view["step"] != "turn":
        return _TOPICS.get(view["step"], "end")
    at = view["players"][view["to_move"]]["at"] or ""
    if view["moves_left"] == 2 or view["acted"]:
        return "moving"
    return _SPACES.get(at) or _SPACES[at[:2]]


_HINTS = {
    "start": N_("You may choose a gate to begin at, and silver or emerald."),
    "move": N_("You may move up to three steps, or first roll the die and move by its number."),
    "act": N_("You may do once what this place offers, or leave it."),
    "on": N_("You may move once more and act there."),
    "end": N_("You may end the turn; what needs no action may still be done before."),
    "discard": N_("You may choose which goods you give up, until seven are left."),
    "income": N_("You may use the income for your debt and your purse; the rest becomes wealth."),
    "minor": N_("You may keep one of the orders. The others go under the deck."),
    "over": "",
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the seat to act, or "" at the end."""
    if view["step"] != "turn":
        return _HINTS[view["step"]]
    if view["moves_left"] == 2:
        return _HINTS["move"]
    if not view["acted"] and view["actions_left"]:
        return _HINTS["act"]
    return _HINTS["on" if view["moves_left"] else "end"]


def _court() -> tuple[Node, ...]:
    """Draw the whole courtyard at the start of a match."""
    towers = {
        space: {"value": card.value, "goods": card.names, "frame": card.frame}
        for space, card in zip(TOWERS, MAJORS[-4:], strict=True)
    }
    stalls = (5, 4, 4, 5, 3, 3)
    spaces = ("S_bronze", "S_silver", "S_emerald", "S_amber", "S_diamond", "S_gold")
    rests = ("R_A1", "R_A2", "R_A3", "R_B1", "R_B2", "R_B3")
    view = {
        "towers": towers,
        "stalls": dict(zip(spaces, stalls, strict=True)),
        "rests": {space: {"tile": space[2:], "trade": 1} for space in rests},
    }
    medals, tags = figures(["G_N", "G_S"], ("A", "B"))
    return (*static_nodes(), *place_pieces([fountain(0), *offers(view), *medals, *tags]))


def _near(*spaces: str) -> tuple[float, float, float, float]:
    """Return the visible area ``(x, y, width, height)`` that shows these spaces."""
    xs, ys = [SPOTS[space][0] for space in spaces], [SPOTS[space][1] for space in spaces]
    return (min(xs) - 60, min(ys) - 62, max(xs) - min(xs) + 120, max(ys) - min(ys) + 124)


_WHOLE, _UPPER = (0, 0, WIDTH, HEIGHT), (0, 0, WIDTH, 3 * HEIGHT // 4)
GUIDE = (
    section(
        "aim",
        "What it is about",
        "You are a young hand in the courtyard of a caravanserai. Buy goods, trade and exchange "
        "them, borrow when you must, and deliver orders: they pay in dirhams. Whoever first has a "
        "wealth of 32 brings on the last round; then the highest total wins.",
        Picture(
            "The courtyard from above: orders on the four towers, stalls and money changers along "
            "the walls, rest areas at the sides, two pavilions and the fountain inside.",
            _WHOLE,
            _court,
        ),
    ),
    section(
        "start",
        "The start",
        "Everybody chooses a gate and a first good, silver or emerald. You have 2 dirhams in your "
        "purse, no debt and no wealth yet. Purse and credit each reach to 3 at first.",
        ruling(
            "The highest roll of a die begins; equal rolls are rolled again. Gate and good are "
            "chosen in turn order, and everybody sees them.",
            20,
            46,
        ),
        ruling(
            "Goods never run out; only the stalls have a stock.",
            8,
        ),
    ),
    section(
        "turn",
        "A turn",
        "In a turn you move twice. After each move you may do the one action of the space on "
        "which you have stopped.",
        ruling(
            "Both moves must be made; actions may be left out.",
            1,
        ),
        ruling(
            "An action belongs to its stop and comes before the next move. One left out at the "
            "first stop cannot be made up for at the second.",
            28,
        ),
    ),
    section(
        "moving",
        "Moving",
        "A move is one, two or three steps along the ways, in any direction, never to the same "
        "space twice and never back to where it began. Spaces on which others stand are skipped: "
        "passing them costs no step.",
        ruling(
            "A move may end where others stand, and that costs a step as any other space does.",
            2,
            26,
        ),
        "Once a turn, before a move, you may roll the die. Then the roll is the most you may "
        "move, even if it is less than three.",
        ruling(
            "After a roll you may go fewer steps, but at least one.",
            3,
        ),
    ),
    section(
        "stalls",
        "Stalls",
        "Each of the six stalls sells one good: bronze and amber cost 1 dirham, silver and "
        "emerald 2, gold and diamond 3. Buy as many as the stall has and your purse can pay.",
        ruling(
            "A stall is filled again after your action only if you have bought it empty.",
            7,
        ),
        ruling(
            "You can store seven goods. If you get more, take them all and then give up what you "
            "choose until seven are left. Otherwise goods are never given up.",
            10,
            31,
        ),
    ),
    section(
        "money",
        "Money changers",
        "Here you borrow: your debt rises, and as many dirhams come into your purse. Your credit "
        "limits your debt, and the purse limits what it can hold.",
        ruling(
            "You may borrow what credit and purse both still have room for, at least 1.",
            4,
        ),
        ruling(
            "You may pay debt back out of the purse at any time in your turn, without an action.",
            5,
        ),
        ruling(
            "At any time in your turn you may widen the purse by one for a bronze or an amber.",
            6,
        ),
    ),
    section(
        "rests",
        "Rest areas",
        "Travellers barter here: for the goods in the upper half of the tile they give those in "
        "the lower half, which are worth 1 dirham more.",
        Picture(
            "Three rest areas. The dots say which of its three trades a tile offers now.",
            _near("R_A1", "R_A2", "R_A3"),
            _court,
        ),
        ruling(
            "One action may repeat the trade as often as you can. After it the tile goes on to "
            "its next trade, and after the third it is replaced. Without a trade it stays as it "
            "is.",
            11,
            12,
        ),
        ruling(
            "When tiles run out, those used up are shuffled.",
            41,
        ),
    ),
    section(
        "pavilions",
        "Pavilions",
        "At one pavilion you sell goods for what the stalls ask. At the other you exchange goods "
        "of equal worth, as many as you like: bronze and amber, silver and emerald, gold and "
        "diamond.",
        ruling(
            "Your purse takes in only what it has room for. You may sell more all the same; the "
            "page warns you that the rest is lost.",
            9,
            33,
        ),
        ruling(
            "An exchange that would change nothing is not offered.",
            49,
        ),
    ),
    section(
        "towers",
        "Towers and the fountain",
        "On each tower hangs a major order. If you stop there with all its goods, you may deliver "
        "them, take the card and receive its value.",
        "The fountain adds to that: a green arrow that points to the place brings 2 dirhams more, "
        "a red one costs 1. After each major order the fountain turns by one place, and another "
        "order comes to the tower.",
        Picture(
            "The upper half of the courtyard. The fountain's arrows with +2 and –1 point to the "
            "orders that pay more or less.",
            _UPPER,
            _court,
        ),
        ruling(
            "The arrows follow each other round the fountain: green, red, none, and the same "
            "again.",
            25,
        ),
        ruling(
            "When no major orders are left a tower stays empty. When no minor orders are left "
            "none can be drawn.",
            18,
        ),
    ),
    section(
        "south",
        "The south gate: minor orders",
        "Draw two minor orders and keep one. If you have its goods you may deliver it at once, "
        "and the fountain counts. Otherwise it lies open before you until you deliver it: then no "
        "action is needed and no arrow counts.",
        ruling(
            "While a minor order lies open before you, you may not complete any other order and "
            "not draw another one. Three minor orders are the most that anybody may have.",
            13,
        ),
        ruling(
            "An open minor order may be completed at any time in your turn.",
            14,
        ),
        ruling(
            "You may keep an order open although you have its goods. What you do not keep goes "
            "under the deck.",
            29,
        ),
        ruling(
            "Nobody ever receives goods in another player's turn.",
            47,
        ),
    ),
    section(
        "orders",
        "The income of an order",
        "An order is paid in steps, and the page leads you through them.",
        points(
            "Pay back as much of your debt as you like out of the income.",
            "Save as much of the rest in your purse as it has room for.",
            "What is left becomes wealth.",
            "Your credit grows by one, if it can.",
        ),
        ruling(
            "The goods are paid and the card is taken first; nothing else can be done in between.",
            30,
        ),
    ),
    section(
        "north",
        "The north gate: abilities",
        "Here you may take one open ability card and pay the goods that it shows, turn the "
        "fountain by one place, or do both. Of some kinds of cards you may have one only.",
        ruling(
            "Both together are one action, in the order that you like. The row is filled after "
            "the action.",
            15,
            40,
        ),
        ruling(
            "Whoever reaches 32 finishes the turn; from then on it is the last round.",
            16,
            32,
        ),
        "Turquoise cards help while you play, purple ones mostly count at the end. What a card "
        "does is told when you touch it.",
        ruling(
            "At the end debt is taken off. Coins may be doubled by a card, and another card "
            "cancels the debt. The card for credit counts what is free of it before that.",
            19,
            43,
        ),
        ruling(
            "A discount counts for two goods a stop, by itself, also at another metal's stall.",
            21,
            35,
        ),
        ruling(
            "The card for green arrows gives 2 more whatever the fountain says. The card that "
            "turns the fountain may be used only directly before a major order that you can "
            "complete there.",
            22,
            38,
        ),
        ruling(
            "With a roll, the roll is the limit, whatever your cards say. The second roll of a "
            "card that rolls again stands.",
            27,
        ),
        ruling(
            "The cards that exchange or sell two goods work at any time in your turn, once a turn.",
            34,
        ),
        ruling(
            "The card for metals sells the metal at the price and out of the stock of its own "
            "stall. The card that adds a bronze to a trade does so once an action, after all "
            "trades.",
            36,
            37,
        ),
        ruling(
            "The cards that open the purse or the credit work once, and stay among your cards.",
            39,
        ),
        ruling(
            "Cards that roll or draw at the end do so openly, in the order of play.",
            44,
        ),
    ),
    section(
        "end",
        "The end",
        "When somebody has reached a wealth of 32, each of the others has one more turn. Then to "
        "the wealth are added the coins less the debt, what the ability cards bring, and sets of "
        "major orders by the colour of their frames.",
        points(
            "Four of one colour, or one of each of four, bring 9.",
            "Three of one colour, or three different ones, bring 5.",
            "Two of one colour bring 2.",
        ),
        ruling(
            "Each card is part of one set only, and the best way to divide them is found for you.",
            17,
        ),
        ruling(
            "The last round begins at 32.",
            24,
        ),
        ruling(
            "With equal totals more goods left win, then the goods of higher worth; after that "
            "the victory is shared.",
            23,
        ),
        ruling(
            "Who shares a place leaves the next one empty.",
            45,
        ),
        ruling(
            "A table may be opened so that long games end: after 60 rounds everything is counted, "
            "unless somebody has reached 32 by then. This is announced five rounds before.",
            48,
        ),
        ruling(
            "Who has no coins, no goods and no credit left, and nothing that could change it, is "
            "passed over. If that happens to all, the game ends.",
            42,
        ),
    ),
)
