"""The two boards, the wares and the treasure cards (sections (b) and (c) of the rule notes).

A place is one letter. A trail is named by its two ends in alphabetical order ("AF"). A caravan
on a trail stands at the trail written in its direction: "AF" heads for F, "FA" for A. Ships to
the browser.
"""

from msgspec import Struct

from domain.caravanserail.commands import Wares

TREASURE = -1
"""The store of a sheikh at home, where a caravan's number (0 to 2) names the others."""

CARAVANS = 3
CAPACITY = 6
"""Tokens that a caravan can carry (rulebook, last section; ruling 12)."""

LOOT = 2
"""Tokens that looters take at most (rulebook, phase 3)."""

WARES = ("silk", "spices", "incense", "salt", "dates", "ivory", "coffee", "carpets")


class Place(Struct, frozen=True):
    """A caravanserai or an oasis with its point on the map: x to the right, y down, the ring
    of caravanserais at distance 1 from (0, 0)."""

    letter: str
    name: str
    oasis: bool
    x: float
    y: float


class Card(Struct, frozen=True):
    """A treasure card: the wares to begin with and those to gather."""

    start: Wares
    goal: Wares


class Board(Struct, frozen=True):
    """One face of the board: its places, trails, kinds of wares and cards.

    ``ways`` gives the neighbours of each place, ``distance`` the trails between two places.
    """

    places: tuple[Place, ...]
    trails: tuple[str, ...]
    wares: tuple[str, ...]
    cards: tuple[Card, ...]
    ways: dict[str, tuple[str, ...]]
    distance: dict[str, dict[str, int]]


def _ways(trails: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for trail in trails:
        found.setdefault(trail[0], []).append(trail[1])
        found.setdefault(trail[1], []).append(trail[0])
    return {place: tuple(sorted(found[place])) for place in sorted(found)}


def _distances(ways: dict[str, tuple[str, ...]], start: str) -> dict[str, int]:
    far = {start: 0}
    rim = [start]
    while rim:
        place = rim.pop(0)
        for way in ways[place]:
            if way not in far:
                far[way] = far[place] + 1
                rim.append(way)
    return far


def _board(
    places: tuple[Place, ...], trails: tuple[str, ...], wares: int, cards: tuple[Card, ...]
) -> Board:
    ways = _ways(trails)
    distance = {place: _distances(ways, place) for place in ways}
    return Board(places, trails, WARES[:wares], cards, ways, distance)


def _cards6() -> tuple[Card, ...]:
    """Three of each ware that is not among those to begin with."""
    cards = []
    for start in (
        ("silk", "dates", "ivory"),
        ("silk", "spices", "ivory"),
        ("silk", "spices", "incense"),
        ("spices", "incense", "salt"),
        ("incense", "salt", "dates"),
        ("salt", "dates", "ivory"),
    ):
        goal = {ware: 3 for ware in WARES[:6] if ware not in start}
        cards.append(Card(dict.fromkeys(start, 4), goal))
    return tuple(cards)


def _cards8() -> tuple[Card, ...]:
    """Of each goal two tokens a ware, three of the one that is named."""
    cards = []
    for start, most in (
        (("silk", "dates", "coffee", "carpets"), "spices"),
        (("silk", "spices", "ivory", "carpets"), "incense"),
        (("silk", "spices", "incense", "coffee"), "salt"),
        (("spices", "incense", "salt", "carpets"), "dates"),
        (("silk", "incense", "salt", "dates"), "ivory"),
        (("spices", "salt", "dates", "ivory"), "coffee"),
        (("incense", "dates", "ivory", "coffee"), "carpets"),
        (("salt", "ivory", "coffee", "carpets"), "silk"),
    ):
        goal = {ware: 3 if ware == most else 2 for ware in WARES if ware not in start}
        cards.append(Card(dict.fromkeys(start, 3), goal))
    return tuple(cards)


BOARDS = {
    6: _board(
        (
            Place("A", "Agat el Djinn", False, -0.5, -0.866),
            Place("B", "Beni Marbat", False, -1.0, 0.0),
            Place("C", "Calam", False, -0.5, 0.866),
            Place("D", "Damman", False, 0.5, 0.866),
            Place("E", "El Harad", False, 1.0, 0.0),
            Place("F", "Fadhasin", False, 0.5, -0.866),
            Place("G", "Ghiyeh", True, 0.0, -0.45),
            Place("H", "Hawta", True, -0.39, 0.225),
            Place("I", "Ibb", True, 0.39, 0.225),
        ),
        (
            *("AB", "BC", "CD", "DE", "EF", "AF", "GH", "HI", "GI"),
            *("AG", "FG", "BH", "CH", "DI", "EI"),
        ),
        6,
        _cards6(),
    ),
    8: _board(
        (
            Place("A", "Agat el Djinn", False, -0.383, -0.924),
            Place("B", "Beni Marbat", False, -0.924, -0.383),
            Place("C", "Calam", False, -0.924, 0.383),
            Place("D", "Damman", False, -0.383, 0.924),
            Place("E", "El Harad", False, 0.383, 0.924),
            Place("F", "Fadhasin", False, 0.924, 0.383),
            Place("G", "Ghiyeh", False, 0.924, -0.383),
            Place("H", "Hawta", False, 0.383, -0.924),
            Place("I", "Ibb", True, 0.0, -0.5),
            Place("J", "Jawf", True, -0.5, 0.0),
            Place("K", "Khaybar", True, 0.0, 0.5),
            Place("M", "Marib", True, 0.5, 0.0),
        ),
        (
            *("AB", "BC", "CD", "DE", "EF", "FG", "GH", "AH", "AI", "HI"),
            *("BJ", "CJ", "DK", "EK", "FM", "GM", "IJ", "JK", "KM", "IM"),
        ),
        8,
        _cards8(),
    ),
}
"""The boards by number of seats."""

NAMES = {seats: {p.letter: p.name for p in board.places} for seats, board in BOARDS.items()}


def caravanserais(board: Board) -> tuple[str, ...]:
    """The places that can be a home."""
    return tuple(place.letter for place in board.places if not place.oasis)


def trail_of(position: str) -> str:
    """The trail's name for a caravan on it in either direction; "" for a place."""
    if len(position) < 2:
        return ""
    return position if position[0] < position[1] else position[1] + position[0]


def continuations(board: Board, position: str) -> tuple[str, ...]:
    """Where a caravan may be after a move: the place to stay or stop at first, then the trails.

    From a trail it goes to the place ahead or to any other trail there, never about
    (rulebook, phase 1 and example 3; ruling 2).
    """
    place = position[-1]
    behind = position[:-1]
    return (place, *[place + way for way in board.ways[place] if way != behind])


def destination(board: Board, position: str, order: str | None) -> str:
    """Where the order leads; without a lawful one a caravan stays, or stops at the place ahead
    (ruling 4)."""
    ways = continuations(board, position)
    return order if order in ways else ways[0]


def leaves_home(home: str, position: str, order: str) -> bool:
    """Whether a caravan may be loaded: it stands at home and is ordered away (ruling 5)."""
    return position == home != order


def trails_without(trails: tuple[str, ...], orders: tuple[str, ...]) -> tuple[str, ...]:
    """The trails that looters may be sent to: those where none of the caravans with these orders
    will be (rulebook, phase 3)."""
    own = [trail_of(order) for order in orders]
    return tuple([trail for trail in trails if trail not in own])


def most_asked(mine: int, held: int, given: int) -> int:
    """How many tokens an offer may ask for when the own store ``mine`` holds ``held`` tokens and
    the offer gives ``given`` of them: no caravan carries more than it can (ruling 12)."""
    return CAPACITY if mine == TREASURE else min(CAPACITY, CAPACITY - held + given)
