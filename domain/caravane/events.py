"""Commands and events of Caravane.

Stages are 1, 2, 3. A field that may be None is blanked for viewers who may not know it. Tuples
of a round have one entry for each seat. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.game import Seat

# --- commands -------------------------------------------------------------------------------


class Allot(Struct, frozen=True, tag=True):
    """Set gourds aside for the seat's next stage (ruling 10); the third gets the rest."""

    gourds: int


class PackBags(Struct, frozen=True, tag=True):
    """Put one food bag on each level: the bags of stages 1, 2 and 3 (ruling 12)."""

    bags: tuple[int, ...]


class Bid(Struct, frozen=True, tag=True):
    """Bid gourds, and with ``bag`` the food bag of this stage too."""

    gourds: int
    bag: bool = False


class Revise(Struct, frozen=True, tag=True):
    """The final gourds of a seat that bid no bag, once bags are announced (ruling 12)."""

    gourds: int


# --- events: before the race ----------------------------------------------------------------


class RaceLaidOut(Struct, frozen=True, tag=True):
    """The camels stand at the start. ``stocks`` is empty when each seat splits its gourds."""

    seats: int
    stocks: tuple[int, ...]
    food: bool
    keep_secrets: bool


class GourdsAllotted(Struct, frozen=True, tag=True):
    """Secret: a seat set gourds aside for a stage."""

    seat: Seat
    stage: int
    gourds: int | None


class BagsPacked(Struct, frozen=True, tag=True):
    """Secret: a seat laid its food bags on the three levels."""

    seat: Seat
    bags: tuple[int, ...] | None


# --- events: the race -----------------------------------------------------------------------


class StageBegun(Struct, frozen=True, tag=True):
    """All camels stand at the start of the stage with its gourds; older ones are lost."""

    stage: int


class RoundBegun(Struct, frozen=True, tag=True):
    """The racing seats bid. Rounds count on through the stages."""

    number: int


class BidMade(Struct, frozen=True, tag=True):
    """Secret: a seat has bid."""

    seat: Seat
    gourds: int | None
    bag: bool | None


class GourdsRevealed(Struct, frozen=True, tag=True):
    """All gourds are open, bags are announced without their worth (ruling 12).

    None in ``gourds`` is a seat that no longer races.
    """

    gourds: tuple[int | None, ...]
    bags: tuple[bool, ...]


class BidRevised(Struct, frozen=True, tag=True):
    """Secret: a seat without a bag chose its final gourds."""

    seat: Seat
    gourds: int | None


class ChoiceWithdrawn(Struct, frozen=True, tag=True):
    """A seat took its secret choice back; ``what``: allotment, bags, bid or revision."""

    seat: Seat
    what: str


class BidsRevealed(Struct, frozen=True, tag=True):
    """All is open. ``bags``: worth of the bag, 0 for none; ``steps``: how far each camel goes."""

    gourds: tuple[int | None, ...]
    bags: tuple[int, ...]
    steps: tuple[int, ...]


class CamelAdvanced(Struct, frozen=True, tag=True):
    """A camel stands on a new square of the stage."""

    seat: Seat
    square: int


class WaterFound(Struct, frozen=True, tag=True):
    """Gourds for the rest of this stage."""

    seat: Seat
    gourds: int


class WaterLeaked(Struct, frozen=True, tag=True):
    """Gourds lost; how many is secret, because 0 or 1 would tell that there were no more."""

    seat: Seat
    gourds: int | None


class BaleFound(Struct, frozen=True, tag=True):
    """A bale of silk found on the way."""

    seat: Seat


class BaleDamaged(Struct, frozen=True, tag=True):
    """A damaged bale: 1 lost, or 0 when there was none."""

    seat: Seat
    bales: int


class CamelArrived(Struct, frozen=True, tag=True):
    """A camel is at the palace; ``place`` is 1 plus the camels of earlier rounds."""

    seat: Seat
    place: int


class PalaceRewarded(Struct, frozen=True, tag=True):
    """All camels have arrived and get their bales."""

    stage: int
    bales: tuple[int, ...]


class RaceEnded(Struct, frozen=True, tag=True):
    """The last camel is at the third palace. Final rank and place there of each seat."""

    ranks: tuple[int, ...]
    places: tuple[int, ...]


Command: TypeAlias = Allot | PackBags | Bid | Revise
COMMANDS: tuple[type, ...] = (Allot, PackBags, Bid, Revise)
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
