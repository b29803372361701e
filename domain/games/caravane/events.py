"""Events of Caravane.

Stages are 1, 2, 3. A field that may be None is blanked for viewers who may not see it. Tuples with
values of a round have one entry for each seat. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat

# --- before the race ------------------------------------------------------------------------


class RaceLaidOut(Struct, frozen=True, tag=True):
    """The race is set up. ``stocks`` is empty if each seat splits its gourds itself."""

    seats: int
    stocks: tuple[int, ...]
    food: bool
    keep_secrets: bool


class GourdsAllotted(Struct, frozen=True, tag=True):
    """A seat set gourds aside for a stage; secret."""

    seat: Seat
    stage: int
    gourds: int | None


class BagsPacked(Struct, frozen=True, tag=True):
    """A seat assigned its food bags to the three stages; secret."""

    seat: Seat
    bags: tuple[int, ...] | None


# --- the race -------------------------------------------------------------------------------


class StageBegun(Struct, frozen=True, tag=True):
    """A stage begins: all camels are at its start with its gourds; unused gourds are lost."""

    stage: int


class RoundBegun(Struct, frozen=True, tag=True):
    """A bidding round begins. Rounds are numbered through all stages."""

    number: int


class BidMade(Struct, frozen=True, tag=True):
    """A seat has bid; secret."""

    seat: Seat
    gourds: int | None
    bag: bool | None


class GourdsRevealed(Struct, frozen=True, tag=True):
    """All bids of gourds are revealed, and bags announced without their value (ruling 12).

    ``gourds``: None for a seat that no longer races.
    """

    gourds: tuple[int | None, ...]
    bags: tuple[bool, ...]


class BidRevised(Struct, frozen=True, tag=True):
    """A seat without a bag chose its final gourds; secret."""

    seat: Seat
    gourds: int | None


class ChoiceWithdrawn(Struct, frozen=True, tag=True):
    """A seat withdrew its secret choice; ``what``: allotment, bags, bid or revision."""

    seat: Seat
    what: str


class BidsRevealed(Struct, frozen=True, tag=True):
    """All bids are revealed. ``bags``: value of each bag, 0 for none; ``steps``: of each camel."""

    gourds: tuple[int | None, ...]
    bags: tuple[int, ...]
    steps: tuple[int, ...]


class CamelAdvanced(Struct, frozen=True, tag=True):
    """A camel moved to another square of the stage."""

    seat: Seat
    square: int


class WaterFound(Struct, frozen=True, tag=True):
    """A camel found water: gourds for the rest of this stage."""

    seat: Seat
    gourds: int


class WaterLeaked(Struct, frozen=True, tag=True):
    """A seat lost gourds by a leak; the number is secret, as 0 or 1 would reveal an empty stock."""

    seat: Seat
    gourds: int | None


class BaleFound(Struct, frozen=True, tag=True):
    """A camel found a bale of silk."""

    seat: Seat


class BaleDamaged(Struct, frozen=True, tag=True):
    """A bale was damaged: 1 is lost, or 0 if the seat had none."""

    seat: Seat
    bales: int


class CamelArrived(Struct, frozen=True, tag=True):
    """A camel arrived at the palace; ``place``: 1 + the camels arrived in earlier rounds."""

    seat: Seat
    place: int


class PalaceRewarded(Struct, frozen=True, tag=True):
    """All camels have arrived at the palace and get their bales."""

    stage: int
    bales: tuple[int, ...]


class RaceEnded(Struct, frozen=True, tag=True):
    """The last camel has arrived at the third palace: final rank and place there of each seat."""

    ranks: tuple[int, ...]
    places: tuple[int, ...]


Event: TypeAlias = (
    RaceLaidOut
    | GourdsAllotted
    | BagsPacked
    | StageBegun
    | RoundBegun
    | BidMade
    | GourdsRevealed
    | BidRevised
    | ChoiceWithdrawn
    | BidsRevealed
    | CamelAdvanced
    | WaterFound
    | WaterLeaked
    | BaleFound
    | BaleDamaged
    | CamelArrived
    | PalaceRewarded
    | RaceEnded
)
EVENTS: tuple[type, ...] = (
    RaceLaidOut,
    GourdsAllotted,
    BagsPacked,
    StageBegun,
    RoundBegun,
    BidMade,
    GourdsRevealed,
    BidRevised,
    ChoiceWithdrawn,
    BidsRevealed,
    CamelAdvanced,
    WaterFound,
    WaterLeaked,
    BaleFound,
    BaleDamaged,
    CamelArrived,
    PalaceRewarded,
    RaceEnded,
)
