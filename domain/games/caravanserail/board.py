"""The two boards, the wares and the treasure cards (sections (b) and (c) of the rule notes).

A place is a letter. A trail is named after its two ends in alphabetical order ("AF"). The position
of a caravan is its place or, on a trail, the two ends in its direction: "AF" towards F, "FA"
towards A. Ships to the browser.
"""

from msgspec import Struct

from domain.games.caravanserail.commands import Wares

TREASURE = -1
"""Store number of the treasure at home; the caravans are 0 to 2."""

CARAVANS_PER_SEAT = 3
CARAVAN_CAPACITY = 6
"""Maximum number of tokens that a caravan can carry (rulebook, last section; ruling 12)."""

MAX_LOOT = 2
"""Maximum number of tokens that looters take from a caravan (rulebook, phase 3)."""

WARES = ("silk", "spices", "incense", "salt", "dates", "ivory", "coffee", "carpets")


class Place(Struct, frozen=True):
    """A caravanserai or an oasis, with its coordinates on the map.

    ``x``: to the right; ``y``: down; the caravanserais are at distance 1 from (0, 0).
    """

    letter: str
    name: str
    oasis: bool
    x: float
    y: float


class Card(Struct, frozen=True):
    """A treasure card: the wares a seat starts with and those it must collect."""

    start: Wares
    goal: Wares


class Board(Struct, frozen=True):
    """One side of the board: its places, trails, kinds of wares and cards.

    ``neighbours``: the adjacent places of each place; ``distance``: the minimum number of trails
    between two places.
    """

    places: tuple[Place, ...]
    trails: tuple[str, ...]
    wares: tuple[str, ...]
    cards: tuple[Card, ...]
    neighbours: dict[str, tuple[str, ...]]
    distance: dict[str, dict[str, int]]


def _neighbours(trails: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for trail in trails:
        found.setdefault(trail[0], []).append(trail[1])
        found.setdefault(trail[1], []).append(trail[0])
    return {place: tuple(sorted(found[place])) for place in sorted(found)}


def _distances(neighbours: dict[str, tuple[str, ...]], start: str) -> dict[str, int]:
    far = {start: 0}
    rim = [start]
    while rim:
        place = rim.pop(0)
        for neighbour in neighbours[place]:
            if neighbour not in far:
                far[neighbour] = far[place] + 1
                rim.append(neighbour)
    return far


def _board(
    places: tuple[Place, ...], trails: tuple[str, ...], wares: int, cards: tuple[Card, ...]
) -> Board:
    neighbours = _neighbours(trails)
    distance = {place: _distances(neighbours, place) for place in neighbours}
    return Board(places, trails, WARES[:wares], cards, neighbours, distance)


def _cards6() -> tuple[Card, ...]:
    """Return the cards for six seats; the goal is three of each ware not in the start."""
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
    """Return the cards for eight seats.

    The goal is three tokens of one ware and two of each other ware that is not a starting ware.
    """
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
"""The board for each number of seats."""

PLACE_NAMES = {seats: {p.letter: p.name for p in board.places} for seats, board in BOARDS.items()}


def caravanserais(board: Board) -> tuple[str, ...]:
    """Return the places that can be a home."""
    return tuple(place.letter for place in board.places if not place.oasis)


def trail_of(position: str) -> str:
    """Return the name of the trail of a position, or "" if the position is a place."""
    if len(position) < 2:
        return ""
    return position if position[0] < position[1] else position[1] + position[0]


def continuations(board: Board, position: str) -> tuple[str, ...]:
    """Return the possible positions of a caravan after a move: first the place, then trails.

    A caravan at a place stays or leaves on a trail. A caravan on a trail goes to the place ahead or
    on to any other trail there, never back (rulebook, phase 1 and example 3; ruling 2).
    """
    place = position[-1]
    behind = position[:-1]
    return (
        place,
        *[place + neighbour for neighbour in board.neighbours[place] if neighbour != behind],
    )


def destination(board: Board, position: str, order: str | None) -> str:
    """Return a caravan's position after a move with this order.

    If the order is illegal or None, the caravan stays, or stops at the place ahead (ruling 4).
    """
    positions = continuations(board, position)
    return order if order in positions else positions[0]


def leaves_home(home: str, position: str, order: str) -> bool:
    """Return whether a caravan is at home and ordered to leave, so may be loaded (ruling 5)."""
    return position == home != order


def trails_without(trails: tuple[str, ...], orders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the trails on which no caravan with these orders will be.

    Looters may be sent only to a trail without own caravans (rulebook, phase 3).
    """
    own = [trail_of(order) for order in orders]
    return tuple([trail for trail in trails if trail not in own])


def max_asked(mine: int, held: int, given: int) -> int:
    """Return the maximum number of tokens that an offer may request.

    The offering seat's store ``mine`` holds ``held`` tokens, of which the offer gives ``given``; no
    caravan carries more than its capacity (ruling 12).
    """
    return (
        CARAVAN_CAPACITY
        if mine == TREASURE
        else min(CARAVAN_CAPACITY, CARAVAN_CAPACITY - held + given)
    )
