"""Events of Caravansérail.

A field that may be None is blanked for viewers who may not see it. ``wares`` and the like are
``{ware: tokens}`` without zeros. Positions, trails and stores are written as in `board`. Ships to
the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.caravanserail.commands import Ware, Wares

# --- events: before the journeys ----------------------------------------------------------------


class KingdomsLaidOut(Struct, frozen=True, tag=True):
    """The board was laid out; ``order``: the order in which homes are chosen."""

    seats: int
    order: tuple[int, ...]
    business_minutes: int
    diplomacy: bool
    keep_secrets: bool


class HomeChosen(Struct, frozen=True, tag=True):
    """A seat placed its caravans and its looters in a caravanserai."""

    seat: Seat
    place: str


class TreasureDealt(Struct, frozen=True, tag=True):
    """A seat drew a treasure card, numbered from 1; secret."""

    seat: Seat
    card: int | None
    start: Wares | None
    goal: Wares | None


class DiplomacyBegun(Struct, frozen=True, tag=True):
    """The diplomacy phase began, before the first programme."""


class SeatDone(Struct, frozen=True, tag=True):
    """A seat is done with talking or business; offers to it lapse, its own stays."""

    seat: Seat


class SeatListening(Struct, frozen=True, tag=True):
    """A seat listens: it will be asked again when any seat makes or answers an offer."""

    seat: Seat


class SeatReturned(Struct, frozen=True, tag=True):
    """A seat that was done or listening takes part again."""

    seat: Seat


# --- events: programme and movement -------------------------------------------------------------


class TurnBegun(Struct, frozen=True, tag=True):
    """A turn began: all plan in secret."""

    turn: int


class OrderGiven(Struct, frozen=True, tag=True):
    """A seat gave a caravan its order; secret."""

    seat: Seat
    caravan: int
    to: str | None


class LootersSent(Struct, frozen=True, tag=True):
    """A seat chose the trail to raid, "" for none; secret."""

    seat: Seat
    trail: str | None


class CaravanLoaded(Struct, frozen=True, tag=True):
    """A seat chose what a caravan is to carry; secret."""

    seat: Seat
    caravan: int
    wares: Wares | None


class ProgrammeWithdrawn(Struct, frozen=True, tag=True):
    """A seat withdrew steps of its programme; ``steps`` are left."""

    seat: Seat
    steps: int


class ProgrammesRevealed(Struct, frozen=True, tag=True):
    """All orders and looters' trails ("" for none) were revealed, by seat; loads stay secret."""

    orders: tuple[tuple[str, ...], ...]
    looters: tuple[str, ...]


class CaravansMoved(Struct, frozen=True, tag=True):
    """All caravans moved; their positions by seat."""

    positions: tuple[tuple[str, ...], ...]


class CaravanUnloaded(Struct, frozen=True, tag=True):
    """A caravan came home; its load is secret and now in the treasure."""

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
    """A visitor paid the tax; only the two seats know with what."""

    seat: Seat
    caravan: int
    owner: Seat
    ware: Ware | None


# --- events: raid -------------------------------------------------------------------------------


class LootersClashed(Struct, frozen=True, tag=True):
    """Several bands on one trail fought each other and do not loot (ruling 9)."""

    trail: str
    raiders: tuple[int, ...]


class RaidMissed(Struct, frozen=True, tag=True):
    """Looters found no caravan on the trail."""

    seat: Seat
    trail: str


class RaidBegun(Struct, frozen=True, tag=True):
    """Looters found one caravan or several."""

    seat: Seat
    trail: str


class CaravanSearched(Struct, frozen=True, tag=True):
    """The raider searched the caravan; only raider and victim know its load."""

    seat: Seat
    victim: Seat
    caravan: int
    wares: Wares | None


class WaresLooted(Struct, frozen=True, tag=True):
    """The raider took wares, known only to the two, into its treasure."""

    seat: Seat
    victim: Seat
    caravan: int
    wares: Wares | None


# --- events: business ---------------------------------------------------------------------------


class BusinessBegun(Struct, frozen=True, tag=True):
    """The business phase began: all may trade where their caravans are."""


class OfferDrafted(Struct, frozen=True, tag=True):
    """A seat began an offer; known only to the seat."""

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None


class GiftNamed(Struct, frozen=True, tag=True):
    """A seat chose what its offer gives; known only to the seat."""

    seat: Seat | None
    wares: Wares | None


class DraftDropped(Struct, frozen=True, tag=True):
    """A seat dropped its draft; known only to the seat."""

    seat: Seat | None


class OfferMade(Struct, frozen=True, tag=True):
    """An offer was made; known to the two.

    ``counter``: it replaces an offer of the partner to the seat.
    """

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None
    gives: Wares | None
    asks: Wares | None
    counter: bool | None


class ListenersAsked(Struct, frozen=True, tag=True):
    """All listening seats are asked again: an offer was withdrawn, or one may have lapsed."""


class OfferWithdrawn(Struct, frozen=True, tag=True):
    """An offer was withdrawn; known to the two."""

    seat: Seat | None
    partner: Seat | None


class OfferDeclined(Struct, frozen=True, tag=True):
    """``seat`` declined the partner's offer; known to the two."""

    seat: Seat | None
    partner: Seat | None


class WaresExchanged(Struct, frozen=True, tag=True):
    """``seat`` accepted the partner's offer; known to the two.

    ``gets`` went from the partner's store ``theirs`` into the seat's store ``mine``, ``pays`` the
    other way.
    """

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None
    gets: Wares | None
    pays: Wares | None


class WaresShifted(Struct, frozen=True, tag=True):
    """Wares moved from one own caravan to another; known only to the seat."""

    seat: Seat | None
    source: int | None
    target: int | None
    wares: Wares | None


# --- events: the end ----------------------------------------------------------------------------


class GameEnded(Struct, frozen=True, tag=True):
    """The game ended: these seats have all the wares of their cards in their treasures."""

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
