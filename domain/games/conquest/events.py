"""Events of Caravan Conquest.

A place is ``(row, column)`` from 0, the northernmost row and westernmost column first. Resources
are "gold", "silk", "spice"; tiles are the letters of the maps. Ships to the browser.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.contract.game import Seat

Place: TypeAlias = tuple[int, int]
Step: TypeAlias = Literal["", "move", "oasis", "fortune", "card", "extra", "camp", "city", "over"]
"""What the seat to act must do; "" only between the events of one decision."""

# --- the map, rounds and turns ------------------------------------------------------


class MapLaid(Struct, frozen=True, tag=True):
    """The map, its treasure and the caravans at the start were laid out.

    ``kind``: the option it comes from; ``seed``: of a generated map, else 0; ``name``: of a drawn
    map, else ""; ``patience``: rounds after which a game without a finisher ends.
    """

    seats: int
    kind: str
    name: str
    seed: int
    rows: tuple[str, ...]
    treasure: tuple[Place, ...]
    patience: int


class StartingGearSet(Struct, frozen=True, tag=True):
    """The starting gear of every caravan, as in the options.

    A game without this event, of rules version 1, uses the rulebook's recommendation: a basic
    caravan, two donkeys, 10 gold, 10 spice and 5 silk.
    """

    gold: int
    spice: int
    silk: int
    animals: tuple[str, str]
    caravan: str


class StarterDrawn(Struct, frozen=True, tag=True):
    """The seat that begins was drawn; every round begins with it."""

    seat: Seat


class RoundOpened(Struct, frozen=True, tag=True):
    """A round began, with the prices of goods from now on."""

    number: int
    silk: int
    spice: int


class TurnOpened(Struct, frozen=True, tag=True):
    """A turn began with a number of steps; ``bonus`` of them come from a card (ruling 26)."""

    seat: Seat
    speed: int
    bonus: int


class TurnMissed(Struct, frozen=True, tag=True):
    """A turn was skipped because of a card (ruling 27)."""

    seat: Seat


# --- on the way ---------------------------------------------------------------------


class LoadDropped(Struct, frozen=True, tag=True):
    """Resources were thrown away; the speed of the turn follows from the remaining load."""

    seat: Seat
    what: str
    amount: int
    speed: int


class CaravanMoved(Struct, frozen=True, tag=True):
    """A caravan made one step."""

    seat: Seat
    to: Place


class CaravanStayed(Struct, frozen=True, tag=True):
    """A caravan stayed for a whole turn, without any effect of the tile."""

    seat: Seat


class CaravanStopped(Struct, frozen=True, tag=True):
    """A movement ended; ``cards`` of the ``deck`` are to be drawn ("": none)."""

    seat: Seat
    deck: str
    cards: int


class TreasureTaken(Struct, frozen=True, tag=True):
    """A seat took the chest of the tile."""

    seat: Seat
    at: Place


class FinishReached(Struct, frozen=True, tag=True):
    """A seat reached the finish; its wealth is fixed at the prices of this moment."""

    seat: Seat
    number: int
    wealth: int


# --- gains and losses ---------------------------------------------------------------


class Gained(Struct, frozen=True, tag=True):
    """A seat got resources from the tile or, with ``card``, from the drawn card."""

    seat: Seat
    what: str
    amount: int
    card: bool = False


class Lost(Struct, frozen=True, tag=True):
    """A seat lost resources to a card, as many as it had."""

    seat: Seat
    what: str
    amount: int


class Bartered(Struct, frozen=True, tag=True):
    """A seat accepted a card's trade; ``amount`` is 0 for a card that is kept."""

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
    """Old equipment was exchanged for new; ``gold``: the price paid, negative if received."""

    seat: Seat
    old: str
    new: str
    gold: int


# --- cards --------------------------------------------------------------------------


class DeckShuffled(Struct, frozen=True, tag=True):
    """The discards of a deck were shuffled into it (ruling 21)."""

    deck: str


class EncounterDrawn(Struct, frozen=True, tag=True):
    """A card was drawn; two decks have cards of the same name."""

    seat: Seat
    deck: str
    card: str


class EncounterOver(Struct, frozen=True, tag=True):
    """The drawn card was discarded or, if ``kept``, lies before the seat (ruling 33)."""

    seat: Seat
    deck: str
    card: str
    kept: bool = False


class EncounterIgnored(Struct, frozen=True, tag=True):
    """The drawn card was ignored and discarded."""

    seat: Seat
    deck: str
    card: str


class KeptCardSpent(Struct, frozen=True, tag=True):
    """A kept card was discarded: used, or lapsed."""

    seat: Seat
    deck: str
    card: str
    lapsed: bool = False


class OasisDried(Struct, frozen=True, tag=True):
    """An oasis whose card was drawn turned into desert."""

    at: Place


class RestImposed(Struct, frozen=True, tag=True):
    """The seat will miss one more turn (ruling 10)."""

    seat: Seat


class StepGranted(Struct, frozen=True, tag=True):
    """A card granted an extra step."""

    seat: Seat


class StepForgone(Struct, frozen=True, tag=True):
    """An extra step was not made: declined, or there is nowhere to go (ruling 25)."""

    seat: Seat


class ChoiceOffered(Struct, frozen=True, tag=True):
    """The seat must choose; the step says what, for the tile or for the card."""

    seat: Seat
    step: Step


class MarketLeft(Struct, frozen=True, tag=True):
    """The seat left the trade camp or city, or nothing is left to do there."""

    seat: Seat


class JourneyOver(Struct, frozen=True, tag=True):
    """The game ended: rank and final wealth of each seat; 0 for those not at the finish."""

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
