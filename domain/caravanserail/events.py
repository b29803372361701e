"""Events of Caravansérail.

A field that may be None is blanked for viewers who may not know it. ``wares`` and the like are
``{ware: tokens}`` without zeros. Positions, trails and stores are written as in `board`. Ships to
the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.caravanserail.commands import Ware, Wares
from domain.game import Seat

# --- events: before the journeys ---------------------------------------------------------------


class KingdomsLaidOut(Struct, frozen=True, tag=True):
    """The board lies on the table; ``order`` is the order in which homes are chosen."""

    seats: int
    order: tuple[int, ...]
    business_minutes: int
    diplomacy: bool
    keep_secrets: bool


class HomeChosen(Struct, frozen=True, tag=True):
    """A seat put its caravans and its looters into a caravanserai."""

    seat: Seat
    place: str


class TreasureDealt(Struct, frozen=True, tag=True):
    """Secret: a seat drew a treasure card; ``card`` counts from 1."""

    seat: Seat
    card: int | None
    start: Wares | None
    goal: Wares | None


class DiplomacyBegun(Struct, frozen=True, tag=True):
    """All may talk before the first programme."""


class SeatDone(Struct, frozen=True, tag=True):
    """A seat has done with talking or with business; offers to it lapse, its own stands."""

    seat: Seat


class SeatListening(Struct, frozen=True, tag=True):
    """A seat wants nothing more until anybody makes or answers an offer."""

    seat: Seat


class SeatReturned(Struct, frozen=True, tag=True):
    """A seat that was done or listening takes part again."""

    seat: Seat


# --- events: programme and movement -------------------------------------------------------------


class TurnBegun(Struct, frozen=True, tag=True):
    """All plan in secret."""

    turn: int


class OrderGiven(Struct, frozen=True, tag=True):
    """Secret: where a caravan is to go."""

    seat: Seat
    caravan: int
    to: str | None


class LootersSent(Struct, frozen=True, tag=True):
    """Secret: the trail to raid, "" for none."""

    seat: Seat
    trail: str | None


class CaravanLoaded(Struct, frozen=True, tag=True):
    """Secret: what a caravan is to carry."""

    seat: Seat
    caravan: int
    wares: Wares | None


class ProgrammeWithdrawn(Struct, frozen=True, tag=True):
    """A seat took steps of its programme back; ``steps`` are left."""

    seat: Seat
    steps: int


class ProgrammesRevealed(Struct, frozen=True, tag=True):
    """All orders and all looters' trails ("" for none) are open, by seat; loads stay secret."""

    orders: tuple[tuple[str, ...], ...]
    looters: tuple[str, ...]


class CaravansMoved(Struct, frozen=True, tag=True):
    """Where all caravans are now, by seat."""

    positions: tuple[tuple[str, ...], ...]


class CaravanUnloaded(Struct, frozen=True, tag=True):
    """A caravan came home; what it carried is secret and now in the treasure."""

    seat: Seat
    caravan: int
    wares: Wares | None


class CaravanLodged(Struct, frozen=True, tag=True):
    """A caravan entered another's caravanserai; it owes a tax unless it is empty (ruling 7)."""

    seat: Seat
    caravan: int
    owner: Seat
    owes: bool


class TaxPaid(Struct, frozen=True, tag=True):
    """A visitor paid; only the two know with what."""

    seat: Seat
    caravan: int
    owner: Seat
    ware: Ware | None


# --- events: raid ---------------------------------------------------------------------------------


class LootersClashed(Struct, frozen=True, tag=True):
    """Several bands on one trail fight each other and loot nobody (ruling 9)."""

    trail: str
    raiders: tuple[int, ...]


class RaidMissed(Struct, frozen=True, tag=True):
    """There was no caravan on the trail."""

    seat: Seat
    trail: str


class RaidBegun(Struct, frozen=True, tag=True):
    """A band has found one caravan or several."""

    seat: Seat
    trail: str


class CaravanSearched(Struct, frozen=True, tag=True):
    """The raider looks into the caravan; only raider and victim know what is in it."""

    seat: Seat
    victim: Seat
    caravan: int
    wares: Wares | None


class WaresLooted(Struct, frozen=True, tag=True):
    """What the raider took, known to the two only, is in the raider's treasure."""

    seat: Seat
    victim: Seat
    caravan: int
    wares: Wares | None


# --- events: business ---------------------------------------------------------------------------


class BusinessBegun(Struct, frozen=True, tag=True):
    """All may trade where their caravans are."""


class OfferDrafted(Struct, frozen=True, tag=True):
    """Known to the seat only: it thinks of an offer."""

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None


class GiftNamed(Struct, frozen=True, tag=True):
    """Known to the seat only: what the offer is to give."""

    seat: Seat | None
    wares: Wares | None


class DraftDropped(Struct, frozen=True, tag=True):
    """Known to the seat only: it thought better of it."""

    seat: Seat | None


class OfferMade(Struct, frozen=True, tag=True):
    """Known to the two: an offer. ``counter``: it replaces an offer of the partner to the seat."""

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None
    gives: Wares | None
    asks: Wares | None
    counter: bool | None


class ListenersAsked(Struct, frozen=True, tag=True):
    """All who listen are asked again: an offer was withdrawn, or one may have lapsed."""


class OfferWithdrawn(Struct, frozen=True, tag=True):
    """Known to the two: the offer is gone."""

    seat: Seat | None
    partner: Seat | None


class OfferDeclined(Struct, frozen=True, tag=True):
    """Known to the two: ``seat`` turned the partner's offer down."""

    seat: Seat | None
    partner: Seat | None


class WaresExchanged(Struct, frozen=True, tag=True):
    """Known to the two: ``seat`` accepted the partner's offer.

    ``gets`` went from the partner's store ``theirs`` into the seat's store ``mine``, ``pays``
    the other way.
    """

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None
    gets: Wares | None
    pays: Wares | None


class WaresShifted(Struct, frozen=True, tag=True):
    """Known to the seat only: wares went from one own caravan to another."""

    seat: Seat | None
    source: int | None
    target: int | None
    wares: Wares | None


# --- events: the end ------------------------------------------------------------------------------


class GameEnded(Struct, frozen=True, tag=True):
    """These seats have all the wares of their cards in their treasures."""

    winners: tuple[int, ...]


Event: TypeAlias = (
    KingdomsLaidOut
    | HomeChosen
    | TreasureDealt
    | DiplomacyBegun
    | SeatDone
    | SeatListening
    | SeatReturned
    | TurnBegun
    | OrderGiven
    | LootersSent
    | CaravanLoaded
    | ProgrammeWithdrawn
    | ProgrammesRevealed
    | CaravansMoved
    | CaravanUnloaded
    | CaravanLodged
    | TaxPaid
    | LootersClashed
    | RaidMissed
    | RaidBegun
    | CaravanSearched
    | WaresLooted
    | BusinessBegun
    | OfferDrafted
    | GiftNamed
    | DraftDropped
    | OfferMade
    | OfferWithdrawn
    | OfferDeclined
    | WaresExchanged
    | WaresShifted
    | ListenersAsked
    | GameEnded
)
EVENTS: tuple[type, ...] = (
    KingdomsLaidOut,
    HomeChosen,
    TreasureDealt,
    DiplomacyBegun,
    SeatDone,
    SeatListening,
    SeatReturned,
    TurnBegun,
    OrderGiven,
    LootersSent,
    CaravanLoaded,
    ProgrammeWithdrawn,
    ProgrammesRevealed,
    CaravansMoved,
    CaravanUnloaded,
    CaravanLodged,
    TaxPaid,
    LootersClashed,
    RaidMissed,
    RaidBegun,
    CaravanSearched,
    WaresLooted,
    BusinessBegun,
    OfferDrafted,
    GiftNamed,
    DraftDropped,
    OfferMade,
    OfferWithdrawn,
    OfferDeclined,
    WaresExchanged,
    WaresShifted,
    ListenersAsked,
    GameEnded,
)
