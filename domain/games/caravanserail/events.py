"""Events of Caravansérail.

A field whose type allows None is None for viewers who may not see it. ``wares`` and similar fields
are ``{ware: tokens}`` without zeros. Positions, trails and stores are represented as in `board`.
Ships to the browser.
"""

from msgspec import Struct

from domain.contract.game import Seat, leaf_classes
from domain.games.caravanserail.commands import Ware, Wares


class Event(Struct, frozen=True, tag=True):
    """Base class of the game's events."""


class SeatEvent(Event, frozen=True):
    """Base class of the events of one seat."""

    seat: Seat


# --- events: before the journeys ----------------------------------------------------------------


class KingdomsLaidOut(Event, frozen=True):
    """The board was laid out; ``order``: the order in which homes are chosen."""

    seats: int
    order: tuple[int, ...]
    business_minutes: int
    diplomacy: bool
    keep_secrets: bool


class HomeChosen(SeatEvent, frozen=True):
    """A seat placed its caravans and its looters in a caravanserai."""

    place: str


class TreasureDealt(SeatEvent, frozen=True):
    """A seat drew a treasure card; secret. ``card``: its number, from 1."""

    card: int | None
    start: Wares | None
    goal: Wares | None


class DiplomacyBegun(Event, frozen=True):
    """The diplomacy phase began, before the first programme."""


class SeatDone(SeatEvent, frozen=True):
    """A seat is done with diplomacy or business.

    Offers to it and its own draft lapse; its own offer remains.
    """


class SeatListening(SeatEvent, frozen=True):
    """A seat waits until any seat makes, answers or withdraws an offer."""


class SeatReturned(SeatEvent, frozen=True):
    """A seat that was done or listening takes part again."""


# --- events: programme and movement -------------------------------------------------------------


class TurnBegun(Event, frozen=True):
    """A turn began, in which all seats first plan in secret."""

    turn: int


class OrderGiven(SeatEvent, frozen=True):
    """A seat gave a caravan its order; secret."""

    caravan: int
    to: str | None


class LootersSent(SeatEvent, frozen=True):
    """A seat chose the trail to raid ("": no raid); secret."""

    trail: str | None


class CaravanLoaded(SeatEvent, frozen=True):
    """A seat chose a caravan's load; secret."""

    caravan: int
    wares: Wares | None


class ProgrammeWithdrawn(SeatEvent, frozen=True):
    """A seat withdrew steps of its programme; ``steps``: number of steps left."""

    steps: int


class ProgrammesRevealed(Event, frozen=True):
    """All orders and looters' trails ("": no raid) were revealed, by seat; loads stay secret."""

    orders: tuple[tuple[str, ...], ...]
    looters: tuple[str, ...]


class CaravansMoved(Event, frozen=True):
    """All caravans moved; ``positions``: those of each seat's caravans."""

    positions: tuple[tuple[str, ...], ...]


class CaravanUnloaded(SeatEvent, frozen=True):
    """A caravan came home, and its secret load was added to the treasure."""

    caravan: int
    wares: Wares | None


class CaravanLodged(SeatEvent, frozen=True):
    """A caravan entered another seat's home; it owes a tax unless it is empty (ruling 7)."""

    caravan: int
    owner: Seat
    owes: bool


class TaxPaid(SeatEvent, frozen=True):
    """A visitor paid the tax; ``ware`` is known only to the two seats."""

    caravan: int
    owner: Seat
    ware: Ware | None


# --- events: raid -------------------------------------------------------------------------------


class LootersClashed(Event, frozen=True):
    """Several bands of looters met on a trail and fought each other, so none loots (ruling 9)."""

    trail: str
    raiders: tuple[int, ...]


class RaidMissed(SeatEvent, frozen=True):
    """Looters found no caravan on the trail."""

    trail: str


class RaidBegun(SeatEvent, frozen=True):
    """Looters found one or more caravans on the trail."""

    trail: str


class CaravanSearched(SeatEvent, frozen=True):
    """A raider searched a caravan; ``wares``: its load, known only to raider and victim."""

    victim: Seat
    caravan: int
    wares: Wares | None


class WaresLooted(SeatEvent, frozen=True):
    """A raider looted wares; only the raider and the victim see which."""

    victim: Seat
    caravan: int
    wares: Wares | None


# --- events: business ---------------------------------------------------------------------------


class BusinessBegun(Event, frozen=True):
    """The business phase began."""


class OfferDrafted(Event, frozen=True):
    """A seat began an offer; known only to that seat."""

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None


class GiftNamed(Event, frozen=True):
    """A seat chose what its draft gives; known only to that seat."""

    seat: Seat | None
    wares: Wares | None


class DraftDropped(Event, frozen=True):
    """A seat dropped its draft; known only to that seat."""

    seat: Seat | None


class OfferMade(Event, frozen=True):
    """A seat made an offer; known only to both seats.

    ``counter``: whether it replaces an offer from the partner to the seat.
    """

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None
    gives: Wares | None
    asks: Wares | None
    counter: bool | None


class ListenersAsked(Event, frozen=True):
    """All listening seats became active, as an offer was withdrawn or may have lapsed."""


class OfferWithdrawn(Event, frozen=True):
    """A seat withdrew its offer; known only to both seats."""

    seat: Seat | None
    partner: Seat | None


class OfferDeclined(Event, frozen=True):
    """A seat declined the partner's offer; known only to both seats."""

    seat: Seat | None
    partner: Seat | None


class WaresExchanged(Event, frozen=True):
    """A seat accepted the partner's offer; known only to both seats.

    ``gets`` went from the partner's store ``theirs`` into the seat's store ``mine``, and ``pays``
    in the opposite direction.
    """

    seat: Seat | None
    mine: int | None
    partner: Seat | None
    theirs: int | None
    gets: Wares | None
    pays: Wares | None


class WaresShifted(Event, frozen=True):
    """A seat moved wares between two of its caravans; known only to that seat."""

    seat: Seat | None
    source: int | None
    target: int | None
    wares: Wares | None


# --- events: the end ----------------------------------------------------------------------------


class GameEnded(Event, frozen=True):
    """The game ended; ``winners``: the seats with all wares of their card in their treasure."""

    winners: tuple[int, ...]


EVENTS = leaf_classes(Event)
