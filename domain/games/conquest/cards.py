"""The forty encounter cards: ten different ones for each kind of open ground.

A card is identified by a number: ten times the index of its deck plus its index in the deck. Ships
to the browser.
"""

from msgspec import Struct

from domain.games.conquest.equipment import GOLD, SILK, SPICE

DECKS = ("grasslands", "desert", "mountains", "oasis")
DECK_OF = {"G": 0, "D": 1, "M": 2, "O": 3}
"""Index of each tile's deck; other tiles have none."""
CARDS_PER_DECK = 10
"""Number of cards in a deck."""

Amount = tuple[str, int]


class Card(Struct, frozen=True):
    """The effects of an encounter card.

    ``loses``: what the seat gives up (if it holds several of these, it chooses one); ``gains``:
    what it gets; ``takes``: it chooses one of these; ``gives``: it may give one unit of one of
    these for ``gets``; ``rests``: it misses a turn; ``steps``: it may make an extra step;
    ``keeps``: the card stays in front of the seat until used (with ``gives``: only if the seat
    pays); ``climbs``: the effect is `CLIMB`.
    """

    name: str
    loses: tuple[Amount, ...] = ()
    gains: tuple[Amount, ...] = ()
    takes: tuple[Amount, ...] = ()
    gives: tuple[str, ...] = ()
    gets: Amount | None = None
    rests: bool = False
    steps: bool = False
    keeps: bool = False
    climbs: bool = False


ANY_GOOD: tuple[Amount, ...] = ((SILK, 1), (SPICE, 1))
CLIMB: tuple[tuple[Amount, ...], tuple[Amount, ...]] = (((GOLD, 1),), ((SILK, 1),))
"""Loss from a climb next to mountains, and gain from one elsewhere (ruling 30)."""

NOMAD = "Desert Nomad"
HEALING = "Healing Waters"
FORTUNE = "Fortune Teller"

CARDS: tuple[Card, ...] = (
    # grasslands
    Card("Lost Sheep", gains=((SPICE, 1),)),
    Card("Harvest Festival", gains=((GOLD, 2),)),
    Card("Wild Animals", loses=ANY_GOOD),
    Card("Helpful Farmer", gains=((SILK, 1),)),
    Card("Trade Opportunity", gives=(SPICE,), gets=(GOLD, 2)),
    Card("Traveling Trader", gains=((SILK, 1),)),
    Card("Hidden Berry Patch", gains=((SPICE, 2),)),
    Card("Lost Child", gains=((GOLD, 1),)),
    Card("Local Herbalist", takes=ANY_GOOD),
    Card("Animal Tracks", gains=((SPICE, 1), (GOLD, 1))),
    # desert
    Card("Sandstorm", rests=True),
    Card("Desert Oasis", gains=((SPICE, 2), (GOLD, 1))),
    Card("Thirsty Traveler", gives=(SPICE,), gets=(GOLD, 3)),
    Card("Hidden Treasure", gains=((SILK, 2),)),
    Card("Scorpion Encounter", loses=ANY_GOOD),
    Card("Merchant Caravan", gives=(SILK,), gets=(GOLD, 3)),
    Card("Mirage", rests=True),
    Card("Ancient Ruins", gains=((SILK, 1), (GOLD, 2))),
    Card("Sand Dunes", steps=True),
    Card("Nomadic Tribe", gives=(SILK, SPICE), gets=(SPICE, 2)),
    # mountains
    Card("Rockslide", loses=ANY_GOOD, rests=True),
    Card("Mountain Guide", steps=True),
    Card("Pure Spring", gains=((SPICE, 1),)),
    Card("Climbing Challenge", climbs=True),
    Card("Wild Mountain Goat", steps=True),
    Card("Ancient Ruins", gains=((GOLD, 2), (SILK, 1))),
    Card("Lost Explorer", gains=((GOLD, 2), (SILK, 1))),
    Card("Rocky Path", loses=((SPICE, 1),)),
    Card("Mountain Springs", gains=((SPICE, 2),)),
    Card("High Altitude", loses=((SILK, 1), (SPICE, 2))),
    # oasis
    Card("Refreshing Waters", gains=((SPICE, 3),)),
    Card("Local Tribe", gives=(SILK,), gets=(SPICE, 4)),
    Card("Wildlife Encounter", gains=((SPICE, 2),)),
    Card("Rest Stop", gains=((SILK, 3),), rests=True),
    Card("Trade Fair", gains=((GOLD, 2), (SPICE, 1))),
    Card(NOMAD, keeps=True),
    Card(HEALING, keeps=True),
    Card(FORTUNE, gives=(GOLD,), keeps=True),
    Card("Resource Bounty", gains=((SILK, 1), (SPICE, 1))),
    Card("Festival of Colors", gains=((GOLD, 4), (SILK, 1))),
)

NUMBERS = {
    (DECKS[number // CARDS_PER_DECK], card.name): number for number, card in enumerate(CARDS)
}
"""Card numbers by deck name and card name."""

NOMAD_CARD = NUMBERS["oasis", NOMAD]
HEALING_CARD = NUMBERS["oasis", HEALING]
FORTUNE_CARD = NUMBERS["oasis", FORTUNE]


def deck_of(card: int) -> str:
    """Return the deck name of a card number."""
    return DECKS[card // CARDS_PER_DECK]


def name_of(card: int) -> str:
    """Return the name of a card number."""
    return CARDS[card].name
