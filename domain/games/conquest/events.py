"""Events of Caravan Conquest.

A place is ``(row, column)``, counted from 0 at the north-west corner. Resources are "gold", "silk",
"spice"; tiles are the letters of the maps. Ships to the browser.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.contract.game import Seat, leaf_classes

Place: TypeAlias = tuple[int, int]
Step: TypeAlias = Literal["", "move", "oasis", "fortune", "card", "extra", "camp", "city", "over"]
"""What the seat to act must choose; "" only between the events of one decision."""


class Event(Struct, frozen=True, tag=True):
    """Base class of the game's events."""


class SeatEvent(Event, frozen=True):
    """Base class of the events of one seat."""

    seat: Seat


# --- the map, rounds and turns ------------------------------------------------------


class MapLaid(Event, frozen=True):
    """The map and its treasure were laid out, with all caravans at the start.

    ``kind``: the value of the ``map`` option; ``name``: the name of a drawn map, otherwise "";
    ``seed``: the seed of a generated map, otherwise 0; ``patience``: the number of rounds after
    which a game without a finisher ends.
    """

    seats: int
    kind: str
    name: str
    seed: int
    rows: tuple[str, ...]
    treasure: tuple[Place, ...]
    patience: int


class StartingGearSet(Event, frozen=True):
    """Every caravan got the starting gear from the options.

    Rules version 1 has no such event; it uses the rulebook's recommendation: a basic caravan, two
    donkeys, 10 gold, 10 spice and 5 silk.
    """

    gold: int
    spice: int
    silk: int
    animals: tuple[str, str]
    caravan: str


class StarterDrawn(SeatEvent, frozen=True):
    """The seat that begins every round was drawn."""


class RoundOpened(Event, frozen=True):
    """A round began; ``silk`` and ``spice``: their prices in it."""

    number: int
    silk: int
    spice: int


class TurnOpened(SeatEvent, frozen=True):
    """A turn began with ``speed`` steps, ``bonus`` of them from a card (ruling 26)."""

    speed: int
    bonus: int


class TurnMissed(SeatEvent, frozen=True):
    """A turn was skipped because of a card (ruling 27)."""


# --- on the way ---------------------------------------------------------------------


class LoadDropped(SeatEvent, frozen=True):
    """A seat threw resources away; ``speed``: the recomputed speed of its turn."""

    what: str
    amount: int
    speed: int


class CaravanMoved(SeatEvent, frozen=True):
    """A caravan made one step."""

    to: Place


class CaravanStayed(SeatEvent, frozen=True):
    """A caravan stayed for a whole turn; its tile had no effect."""


class CaravanStopped(SeatEvent, frozen=True):
    """A movement ended; ``cards`` cards of ``deck`` are to be drawn ("": the tile has no deck)."""

    deck: str
    cards: int


class TreasureTaken(SeatEvent, frozen=True):
    """A seat took the chest of the tile."""

    at: Place


class FinishReached(SeatEvent, frozen=True):
    """A seat reached the finish in round ``number``; its wealth is fixed at current prices."""

    number: int
    wealth: int


# --- gains and losses ---------------------------------------------------------------


class Gained(SeatEvent, frozen=True):
    """A seat got resources from its tile or, with ``card``, from the drawn card."""

    what: str
    amount: int
    card: bool = False


class Lost(SeatEvent, frozen=True):
    """A seat lost resources to a card; ``amount`` is at most what it had."""

    what: str
    amount: int


class Bartered(SeatEvent, frozen=True):
    """A seat accepted a card's trade; ``amount`` is 0 if it paid to keep the card."""

    gives: str
    gets: str
    amount: int


class Sold(SeatEvent, frozen=True):
    """A seat sold goods to a trade camp; ``gold``: the total price."""

    what: str
    amount: int
    gold: int


class Bought(SeatEvent, frozen=True):
    """A seat bought goods from a trade camp; ``gold``: the total price."""

    what: str
    amount: int
    gold: int


class Refitted(SeatEvent, frozen=True):
    """A seat exchanged old equipment for new; ``gold``: the price paid, negative if received."""

    old: str
    new: str
    gold: int


# --- cards --------------------------------------------------------------------------


class DeckShuffled(Event, frozen=True):
    """The discards of a deck were shuffled into it (ruling 21)."""

    deck: str


class EncounterDrawn(SeatEvent, frozen=True):
    """A seat drew a card; ``deck`` is needed because card names repeat across decks."""

    deck: str
    card: str


class EncounterOver(SeatEvent, frozen=True):
    """The drawn card was discarded or, if ``kept``, put in front of the seat (ruling 33)."""

    deck: str
    card: str
    kept: bool = False


class EncounterIgnored(SeatEvent, frozen=True):
    """The drawn card was ignored and discarded."""

    deck: str
    card: str


class KeptCardSpent(SeatEvent, frozen=True):
    """A kept card was used or, with ``lapsed``, lost its effect; it was discarded."""

    deck: str
    card: str
    lapsed: bool = False


class OasisDried(Event, frozen=True):
    """An oasis whose card was drawn turned into desert."""

    at: Place


class RestImposed(SeatEvent, frozen=True):
    """The seat will miss one more turn (ruling 10)."""


class StepGranted(SeatEvent, frozen=True):
    """A card granted an extra step."""


class StepForgone(SeatEvent, frozen=True):
    """An extra step was declined, or was impossible (ruling 25)."""


class ChoiceOffered(SeatEvent, frozen=True):
    """The seat must make a choice for its tile or a card; ``step``: what to choose."""

    step: Step


class MarketLeft(SeatEvent, frozen=True):
    """The seat left the trade camp or city, by choice or because nothing is left to do there."""


class JourneyOver(Event, frozen=True):
    """The game ended; rank and final wealth by seat, wealth 0 for a seat not at the finish."""

    ranks: tuple[int, ...]
    wealth: tuple[int, ...]


EVENTS = leaf_classes(Event)
