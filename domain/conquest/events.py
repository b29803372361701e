"""Events of Caravan Conquest.

A place is ``(row, column)`` from 0, the northernmost row and westernmost column first. Resources
are "gold", "silk", "spice"; tiles are the letters of the maps. Ships to the browser.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.game import Seat

Place: TypeAlias = tuple[int, int]
Step: TypeAlias = Literal["", "move", "oasis", "fortune", "card", "extra", "camp", "city", "over"]
"""What the seat to act has to do; "" while rules work on, for the events of one decision only."""

# --- the map, rounds and turns ------------------------------------------------------


class MapLaid(Struct, frozen=True, tag=True):
    """The map, the treasure on it and the caravans at the start.

    ``kind`` is the option it comes from, ``seed`` that of a generated map, else 0; ``name`` that
    of a drawn one, else ""; ``patience``: rounds after which a game without a finisher ends.
    """

    seats: int
    kind: str
    name: str
    seed: int
    rows: tuple[str, ...]
    treasure: tuple[Place, ...]
    patience: int


class StartingGearSet(Struct, frozen=True, tag=True):
    """What every caravan begins with, as the table's options say.

    In a game without this event, of the first version of the rules, that is what the rulebook
    recommends: a basic caravan, two donkeys, 10 gold, 10 spice and 5 silk.
    """

    gold: int
    spice: int
    silk: int
    animals: tuple[str, str]
    caravan: str


class StarterDrawn(Struct, frozen=True, tag=True):
    """The seat that begins, and with which every round begins."""

    seat: Seat


class RoundOpened(Struct, frozen=True, tag=True):
    """A round begins; goods are worth so much from now on."""

    number: int
    silk: int
    spice: int


class TurnOpened(Struct, frozen=True, tag=True):
    """A turn begins with so many steps; ``bonus`` of them are a card's (ruling 26)."""

    seat: Seat
    speed: int
    bonus: int


class TurnMissed(Struct, frozen=True, tag=True):
    """A turn passes by itself, as a card demanded (ruling 27)."""

    seat: Seat


# --- on the way ---------------------------------------------------------------------


class LoadDropped(Struct, frozen=True, tag=True):
    """Resources thrown away, and the speed of the turn that follows from the load left."""

    seat: Seat
    what: str
    amount: int
    speed: int


class CaravanMoved(Struct, frozen=True, tag=True):
    """One step."""

    seat: Seat
    to: Place


class CaravanStayed(Struct, frozen=True, tag=True):
    """A turn without a step: nothing happens on the tile."""

    seat: Seat


class CaravanStopped(Struct, frozen=True, tag=True):
    """The movement ends; so many ``cards`` of the ``deck`` are to come ("": none)."""

    seat: Seat
    deck: str
    cards: int


class TreasureTaken(Struct, frozen=True, tag=True):
    """The chest of the tile."""

    seat: Seat
    at: Place


class FinishReached(Struct, frozen=True, tag=True):
    """The seat's way is over; its wealth is what it is worth at this moment's prices."""

    seat: Seat
    number: int
    wealth: int


# --- gains and losses ---------------------------------------------------------------


class Gained(Struct, frozen=True, tag=True):
    """Resources from the tile, or with ``card`` from the card that was drawn."""

    seat: Seat
    what: str
    amount: int
    card: bool = False


class Lost(Struct, frozen=True, tag=True):
    """Resources given up to a card: as many as there were."""

    seat: Seat
    what: str
    amount: int


class Bartered(Struct, frozen=True, tag=True):
    """A card's trade; nothing is got (``amount`` 0) for a card that is kept."""

    seat: Seat
    gives: str
    gets: str
    amount: int


class Sold(Struct, frozen=True, tag=True):
    """Goods sold to a trade camp."""

    seat: Seat
    what: str
    amount: int
    gold: int


class Bought(Struct, frozen=True, tag=True):
    """Goods bought from a trade camp."""

    seat: Seat
    what: str
    amount: int
    gold: int


class Refitted(Struct, frozen=True, tag=True):
    """Old equipment exchanged for new; ``gold`` is what was paid, below 0 what was got."""

    seat: Seat
    old: str
    new: str
    gold: int


# --- cards --------------------------------------------------------------------------


class DeckShuffled(Struct, frozen=True, tag=True):
    """The discards of a deck become its cards again (ruling 21)."""

    deck: str


class EncounterDrawn(Struct, frozen=True, tag=True):
    """A card is turned; two decks have cards of the same name."""

    seat: Seat
    deck: str
    card: str


class EncounterOver(Struct, frozen=True, tag=True):
    """The drawn card goes to the discards, or with ``kept`` lies before the seat (ruling 33)."""

    seat: Seat
    deck: str
    card: str
    kept: bool = False


class EncounterIgnored(Struct, frozen=True, tag=True):
    """The drawn card does nothing; it goes to the discards."""

    seat: Seat
    deck: str
    card: str


class KeptCardSpent(Struct, frozen=True, tag=True):
    """A card that lay before the seat goes to the discards: used, or lapsed."""

    seat: Seat
    deck: str
    card: str
    lapsed: bool = False


class OasisDried(Struct, frozen=True, tag=True):
    """An oasis whose card was drawn is desert from now on."""

    at: Place


class RestImposed(Struct, frozen=True, tag=True):
    """The seat will miss one more turn (ruling 10)."""

    seat: Seat


class StepGranted(Struct, frozen=True, tag=True):
    """A card grants an extra step."""

    seat: Seat


class StepForgone(Struct, frozen=True, tag=True):
    """An extra step is not made: declined, or there is nowhere to go (ruling 25)."""

    seat: Seat


class ChoiceOffered(Struct, frozen=True, tag=True):
    """The seat has to choose: what of the tile or of the card, says the step."""

    seat: Seat
    step: Step


class MarketLeft(Struct, frozen=True, tag=True):
    """The seat is done at the trade camp or in the city, or nothing is left to do there."""

    seat: Seat


class JourneyOver(Struct, frozen=True, tag=True):
    """The end: rank and final wealth of each seat; 0 for those not at the finish."""

    ranks: tuple[int, ...]
    wealth: tuple[int, ...]


Event: TypeAlias = (
    MapLaid
    | StartingGearSet
    | StarterDrawn
    | RoundOpened
    | TurnOpened
    | TurnMissed
    | LoadDropped
    | CaravanMoved
    | CaravanStayed
    | CaravanStopped
    | TreasureTaken
    | FinishReached
    | Gained
    | Lost
    | Bartered
    | Sold
    | Bought
    | Refitted
    | DeckShuffled
    | EncounterDrawn
    | EncounterOver
    | EncounterIgnored
    | KeptCardSpent
    | OasisDried
    | RestImposed
    | StepGranted
    | StepForgone
    | ChoiceOffered
    | MarketLeft
    | JourneyOver
)
EVENTS: tuple[type, ...] = (
    MapLaid,
    StartingGearSet,
    StarterDrawn,
    RoundOpened,
    TurnOpened,
    TurnMissed,
    LoadDropped,
    CaravanMoved,
    CaravanStayed,
    CaravanStopped,
    TreasureTaken,
    FinishReached,
    Gained,
    Lost,
    Bartered,
    Sold,
    Bought,
    Refitted,
    DeckShuffled,
    EncounterDrawn,
    EncounterOver,
    EncounterIgnored,
    KeptCardSpent,
    OasisDried,
    RestImposed,
    StepGranted,
    StepForgone,
    ChoiceOffered,
    MarketLeft,
    JourneyOver,
)
