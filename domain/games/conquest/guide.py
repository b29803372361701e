"""Rules guide to Caravan Conquest in text and pictures.

See `domain.contract.guide`. Ships to the browser.
"""

from typing import Any

from domain.contract.game import Seat
from domain.contract.guide import Picture, place_pieces, points, ruling, section
from domain.drawing.scene import Node
from domain.games.conquest.picture import MARGIN, SIDE, caravans, chests, land
from domain.text.i18n import N_

RULINGS = 39
_OPEN, _TOWNS = ("GDMO",), ("SPCR",)
_MAP = ("BGDGD", "GRMOF", "DGSDP")
_TOPICS = {"camp": "camps", "city": "city", "move": "moving", "extra": "cards", "over": "end"}


def topic(view: dict[str, Any], seat: Seat | None) -> str:
    """Return the name of the section relevant to a view; ``seat``: the reader's, or None."""
    if view["step"] == "move" and seat is not None:
        player = view["players"][seat]
        if player["load"] > player["capacity"] or not player["speed"]:
            return "load"
    return _TOPICS.get(view["step"], "cards")


_HINTS = {
    "move": N_("You may go as far as your speed allows. Only the tile where you stop counts."),
    "heavy": N_("You may leave some load behind to get faster, before your first step."),
    "oasis": N_("You may choose which resource the oasis gives you."),
    "fortune": N_("You may give up the Fortune Teller's card to ignore this one."),
    "card": N_("You may choose among what the card offers."),
    "extra": N_("You may go one step more, or stay."),
    "camp": N_("You may sell and buy what this camp trades, as often as you like."),
    "city": N_("You may change an animal or the caravan for a better one."),
}


def hint(view: dict[str, Any], seat: Seat) -> str:
    """Return the hint for the seat to act, or "" if there is none."""
    if view["step"] == "move" and topic(view, seat) == "load":
        return _HINTS["heavy"]
    return _HINTS.get(view["step"], "")


def _box(rows: tuple[str, ...]) -> tuple[float, float, float, float]:
    wide, high = SIDE * len(rows[0]), SIDE * len(rows)
    return (-MARGIN, -MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN)


def _map() -> tuple[Node, ...]:
    """Draw a small map with two caravans and a chest."""
    players = {"players": [{"at": (1, 0)}, {"at": (0, 2)}]}
    return (
        *land(_MAP),
        *place_pieces(chests([(2, 0)])),
        *place_pieces(caravans(players, ("A", "B"))),
    )


def _open() -> tuple[Node, ...]:
    """Draw one tile of each kind of open ground."""
    return land(_OPEN)


def _towns() -> tuple[Node, ...]:
    """Draw the two camps, a city and a river."""
    return land(_TOWNS)


GUIDE = (
    section(
        "aim",
        "What it is about",
        "Each player leads a merchant's caravan over a map of tiles, from the start to the "
        "finish. On the way you gather silk, spice, gold and treasure, trade them, and buy "
        "stronger animals and a larger caravan. You must reach the finish; among those who do, "
        "the wealthiest wins.",
        Picture(
            "A small map: the start above on the left, the finish on the right, two caravans on "
            "their way and a treasure chest.",
            _box(_MAP),
            _map,
        ),
    ),
    section(
        "start",
        "The start",
        "All caravans begin on the start tile. Each has a basic caravan, two donkeys, 10 gold, 10 "
        "spice and 5 silk.",
        "A table may be opened with other amounts, animals or another caravan. If the load is more "
        "than the caravan can hold, the first turn is slower, or you have to leave some of it "
        "behind before you can go.",
        ruling(
            "Who begins is drawn; two to six play, one after the other.",
            22,
        ),
        ruling(
            "Any number of caravans may stand on one tile.",
            6,
        ),
    ),
    section(
        "moving",
        "Moving",
        "In your turn you go step by step to one of the four neighbouring tiles. A river cannot "
        "be entered. You may make as many steps as your speed allows, and you may stop earlier, "
        "but not on the tile on which your turn began.",
        ruling(
            "Who can move must make at least one step. The way may lead back over the tile where "
            "the turn began, as long as another step can follow. A turn with no step left ends by "
            "itself.",
            5,
            23,
        ),
        ruling(
            "A turn that you have to miss passes by itself; several add up.",
            10,
            27,
        ),
    ),
    section(
        "load",
        "Speed and load",
        "Your speed is that of the slower of your two animals. It falls on rough ground and with "
        "too much load. Every unit of gold, silk, spice and treasure weighs one. If you carry "
        "more than your caravan can hold, your speed falls by one, and by one more for each ten "
        "units above that.",
        ruling(
            "A turn that begins on desert or mountains costs each animal one step; a camel does "
            "not mind the desert. The slower animal then counts.",
            1,
            2,
        ),
        ruling(
            "Before your first step you may leave gold, silk or spice behind, as much as you "
            "like, but no treasure. Speed does not fall below 0. With speed 0 you stay, and "
            "nothing happens to you on the tile.",
            4,
            24,
        ),
    ),
    section(
        "tiles",
        "Where the turn ends",
        "Only the tile on which your turn ends does anything for you. First it gives what it "
        "always gives, then you draw a card for its kind of ground.",
        Picture(
            "Grasslands give 1 spice, desert 1 silk, mountains 2 gold. An oasis gives 2 of gold, "
            "silk or spice, as you choose.",
            _box(_OPEN),
            _open,
        ),
        ruling(
            "The gain of the tile comes before its card. After its card has been drawn an oasis "
            "is desert.",
            3,
            31,
        ),
        ruling(
            "An oasis gives no treasure.",
            11,
        ),
        ruling(
            "Treasure belongs to the first who ends a turn on its tile. You may carry any number "
            "of chests.",
            16,
        ),
    ),
    section(
        "cards",
        "Encounter cards",
        "Grasslands, desert, mountains and oases each have ten cards. A card takes effect at "
        "once. If it takes more than you have, you lose only what you have. Camps, cities, start "
        "and finish have no cards.",
        ruling(
            "Where a card takes a good, it means silk or spice. You choose among what you can pay "
            "at least in part; who has nothing loses nothing.",
            7,
            28,
        ),
        ruling(
            "A trade on a card is offered once and may be declined. It names its own rates, which "
            "never fall.",
            9,
            29,
        ),
        ruling(
            "A card may grant one more step, at once. The new tile gives what it gives but no "
            "card, and so an oasis stays an oasis there. The step may not end where the turn "
            "began, may lead to the finish, and may be declined.",
            8,
            25,
        ),
        ruling(
            "The Fortune Teller's card lies open before you. You may give it up to ignore one "
            "card after you have seen it. Cards that wait lie open until they are used.",
            12,
            33,
        ),
        ruling(
            "After the Desert Nomad you draw two cards of the same ground the next time you draw, "
            "one after the other. If you stay at speed 0 instead, the second one is lost.",
            13,
            32,
        ),
        ruling(
            "Healing Waters give 2 more speed in the next turn that you begin.",
            26,
        ),
        ruling(
            "A tile is next to mountains if one of its four neighbours is mountains.",
            30,
        ),
        ruling(
            "When a deck is empty its used cards are shuffled.",
            21,
        ),
    ),
    section(
        "camps",
        "Trade camps",
        "A turn that ends at a camp lets you trade: silk at 10 gold in a silk camp, spice at 5 "
        "gold in a spice camp, both ways and as much as you like.",
        Picture(
            "From the left: a silk camp, a spice camp, a city and a river.",
            _box(_TOWNS),
            _towns,
        ),
        ruling(
            "A camp trades its own resource only. When prices have begun to fall, its price falls "
            "too; at 0 nothing is traded.",
            14,
            34,
        ),
    ),
    section(
        "city",
        "Cities",
        "A turn that ends in a city lets you change equipment: an old piece for a new one, and "
        "half of the old one's price, rounded down, is paid to you.",
        points(
            "A donkey goes 3 steps and costs 5 gold.",
            "Roach, a horse, goes 4 steps and costs 10 gold.",
            "Fidget, a camel, goes 4 steps and costs 15 gold.",
            "Epona, a horse, goes 5 steps and costs 20 gold.",
            "A basic caravan holds 90 units and costs 40 gold; a reinforced one holds 200 and "
            "costs 60.",
        ),
        ruling(
            "You always have two animals and one caravan, so nothing is bought or sold alone. "
            "There are enough pieces for everybody. Cities sell no goods.",
            15,
            35,
        ),
    ),
    section(
        "end",
        "The end",
        "Who reaches the finish stops there and plays no more turns. Then a countdown begins: ten "
        "rounds are left, and each round silk and spice lose 1 gold of their worth. The game ends "
        "earlier if all have arrived.",
        points(
            "Gold counts as it is, silk 10 and spice 5 each before the fall, a chest 40.",
            "Animals and caravan count half of what they cost.",
            "Who has not arrived has a wealth of 0.",
        ),
        ruling(
            "Prices fall for the first time in the round after the first arrival. Your own prices "
            "stay as they were when you arrived. Gold and treasure keep their worth.",
            17,
            36,
        ),
        ruling(
            "Reaching the finish ends your movement. The last round is the tenth after that of "
            "the first arrival.",
            18,
            20,
        ),
        ruling(
            "Wealth is gold, goods at their prices, chests and half of the equipment together.",
            19,
        ),
        ruling(
            "A round begins with the place in the order that began the game, also when that "
            "player has arrived.",
            37,
        ),
        ruling(
            "Equal wealth shares a place.",
            38,
        ),
        ruling(
            "If nobody arrives in 60 rounds, or as many as the table says, the game ends and all "
            "share the last place.",
            39,
        ),
    ),
)
