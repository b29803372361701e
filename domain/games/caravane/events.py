"""Events of Caravane.

Stages are numbered 1 to 3. In a secret event, fields are None for viewers who may not see them.
Tuples of bids, steps, bales, ranks and places have one entry per seat. Ships to the browser.
"""

from msgspec import Struct

from domain.contract.game import Seat, leaf_classes


class Event(Struct, frozen=True, tag=True):
    """Base class of the game's events."""


class SeatEvent(Event, frozen=True):
    """Base class of the events of one seat."""

    seat: Seat


# --- before the race ------------------------------------------------------------------------


class RaceLaidOut(Event, frozen=True):
    """The race was set up.

    ``stocks``: gourds for each stage, empty if each seat splits its gourds itself; ``food``: with
    food bags; ``keep_secrets``: hidden information stays hidden after the end.
    """

    seats: int
    stocks: tuple[int, ...]
    food: bool
    keep_secrets: bool


class GourdsAllotted(SeatEvent, frozen=True):
    """A seat allotted gourds to a stage; secret."""

    stage: int
    gourds: int | None


class BagsPacked(SeatEvent, frozen=True):
    """A seat assigned its food bags to the three stages; secret."""

    bags: tuple[int, ...] | None


# --- the race -------------------------------------------------------------------------------


class StageBegun(Event, frozen=True):
    """A stage began: all camels are at its start with its gourds; unused gourds were lost."""

    stage: int


class RoundBegun(Event, frozen=True):
    """A bidding round began. Rounds are numbered consecutively across all stages."""

    number: int


class BidMade(SeatEvent, frozen=True):
    """A seat bid; secret."""

    gourds: int | None
    bag: bool | None


class GourdsRevealed(Event, frozen=True):
    """All bids of gourds were revealed, and bags announced without their value (ruling 12).

    ``gourds``: None for a seat whose camel has arrived.
    """

    gourds: tuple[int | None, ...]
    bags: tuple[bool, ...]


class BidRevised(SeatEvent, frozen=True):
    """A seat that bid no bag changed or confirmed its bid of gourds; secret."""

    gourds: int | None


class ChoiceWithdrawn(SeatEvent, frozen=True):
    """A seat withdrew a secret choice; ``what``: "allotment", "bags", "bid" or "revision"."""

    what: str


class BidsRevealed(Event, frozen=True):
    """All bids were revealed.

    ``gourds``: None for a seat whose camel has arrived; ``bags``: the value of each seat's bag, 0
    for none; ``steps``: the steps of each camel.
    """

    gourds: tuple[int | None, ...]
    bags: tuple[int, ...]
    steps: tuple[int, ...]


class CamelAdvanced(SeatEvent, frozen=True):
    """A camel moved to another square of the stage."""

    square: int


class WaterFound(SeatEvent, frozen=True):
    """A camel found water; its seat got gourds for the rest of this stage."""

    gourds: int


class WaterLeaked(SeatEvent, frozen=True):
    """A seat lost gourds to a leak; the number is secret, as 0 or 1 would reveal an empty stock."""

    gourds: int | None


class BaleFound(SeatEvent, frozen=True):
    """A camel found a bale of silk."""


class BaleDamaged(SeatEvent, frozen=True):
    """A seat lost a damaged bale; ``bales``: 1, or 0 if it had none."""

    bales: int


class CamelArrived(SeatEvent, frozen=True):
    """A camel arrived at the palace; ``place``: 1 + the number that arrived in earlier rounds."""

    place: int


class PalaceRewarded(Event, frozen=True):
    """The last camel arrived at the palace, and all seats got their reward in bales."""

    stage: int
    bales: tuple[int, ...]


class RaceEnded(Event, frozen=True):
    """The race ended: the final rank and the place at the third palace of each seat."""

    ranks: tuple[int, ...]
    places: tuple[int, ...]


EVENTS = leaf_classes(Event)
