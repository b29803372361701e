"""Commands and events of Caravansérail.

A field that may be None is blanked for viewers who may not know it. ``wares`` and the like are
``{ware: tokens}`` without zeros. Positions, trails and stores are written as in `board`. Ships to
the browser.
"""

from msgspec import Struct

# --- commands: before the journeys ----------------------------------------------------------


class ChooseHome(Struct, frozen=True, tag=True):
    """Take a caravanserai that is still free (ruling 16)."""

    place: str


class Done(Struct, frozen=True, tag=True):
    """Have done with talking or with business; no more offers are taken in this phase."""


# --- commands: the programme, always in this order, each once a caravan ----------------------


class Order(Struct, frozen=True, tag=True):
    """Where a caravan is to be after the move; the place it is at to stay."""

    caravan: int
    to: str


class SendLooters(Struct, frozen=True, tag=True):
    """The trail to raid, None to raid nowhere."""

    trail: str | None


class Load(Struct, frozen=True, tag=True):
    """What a caravan leaving home carries; nothing for every other (ruling 5)."""

    caravan: int
    wares: dict[str, int]


# --- commands: movement and raid --------------------------------------------------------------


class PayTax(Struct, frozen=True, tag=True):
    """The token that a visiting caravan pays for its lodging."""

    caravan: int
    ware: str


class ChooseCaravan(Struct, frozen=True, tag=True):
    """Attack this one of several caravans, without having seen what they carry (ruling 11)."""

    victim: int
    caravan: int


class Loot(Struct, frozen=True, tag=True):
    """Take up to two tokens from the caravan attacked."""

    wares: dict[str, int]


# --- commands: business -----------------------------------------------------------------------


class Listen(Struct, frozen=True, tag=True):
    """Want nothing more, but be asked again as soon as anybody makes or answers an offer."""


class Draft(Struct, frozen=True, tag=True):
    """Begin an offer between the store ``mine`` and the partner's store ``theirs``."""

    mine: int
    partner: int
    theirs: int


class Give(Struct, frozen=True, tag=True):
    """What the offer begun gives."""

    wares: dict[str, int]


class Ask(Struct, frozen=True, tag=True):
    """What the offer begun asks for; this makes the offer."""

    wares: dict[str, int]


class DropDraft(Struct, frozen=True, tag=True):
    """Throw the offer begun away."""


class Withdraw(Struct, frozen=True, tag=True):
    """Take back the own offer that waits for an answer."""


class Accept(Struct, frozen=True, tag=True):
    """Exchange the wares as the offer says."""

    offerer: int


class Decline(Struct, frozen=True, tag=True):
    """Turn the offer down."""

    offerer: int


class Shift(Struct, frozen=True, tag=True):
    """Move wares between two own caravans at the same place."""

    source: int
    target: int
    wares: dict[str, int]


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

    seat: int
    place: str


class TreasureDealt(Struct, frozen=True, tag=True):
    """Secret: a seat drew a treasure card; ``card`` counts from 1."""

    seat: int
    card: int | None
    start: dict[str, int] | None
    goal: dict[str, int] | None


class DiplomacyBegun(Struct, frozen=True, tag=True):
    """All may talk before the first programme."""


class SeatDone(Struct, frozen=True, tag=True):
    """A seat has done with talking or with business; offers to it lapse, its own stands."""

    seat: int


class SeatListening(Struct, frozen=True, tag=True):
    """A seat wants nothing more until anybody makes or answers an offer."""

    seat: int


class SeatReturned(Struct, frozen=True, tag=True):
    """A seat that was done or listening takes part again."""

    seat: int


# --- events: programme and movement -------------------------------------------------------------


class TurnBegun(Struct, frozen=True, tag=True):
    """All plan in secret."""

    turn: int


class OrderGiven(Struct, frozen=True, tag=True):
    """Secret: where a caravan is to go."""

    seat: int
    caravan: int
    to: str | None


class LootersSent(Struct, frozen=True, tag=True):
    """Secret: the trail to raid, "" for none."""

    seat: int
    trail: str | None


class CaravanLoaded(Struct, frozen=True, tag=True):
    """Secret: what a caravan is to carry."""

    seat: int
    caravan: int
    wares: dict[str, int] | None


class ProgrammeWithdrawn(Struct, frozen=True, tag=True):
    """A seat took steps of its programme back; ``steps`` are left."""

    seat: int
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

    seat: int
    caravan: int
    wares: dict[str, int] | None


class CaravanLodged(Struct, frozen=True, tag=True):
    """A caravan entered another's caravanserai; it owes a tax unless it is empty (ruling 7)."""

    seat: int
    caravan: int
    owner: int
    owes: bool


class TaxPaid(Struct, frozen=True, tag=True):
    """A visitor paid; only the two know with what."""

    seat: int
    caravan: int
    owner: int
    ware: str | None


# --- events: raid ---------------------------------------------------------------------------------


class LootersClashed(Struct, frozen=True, tag=True):
    """Several bands on one trail fight each other and loot nobody (ruling 9)."""

    trail: str
    raiders: tuple[int, ...]


class RaidMissed(Struct, frozen=True, tag=True):
    """There was no caravan on the trail."""

    seat: int
    trail: str


class RaidBegun(Struct, frozen=True, tag=True):
    """A band has found one caravan or several."""

    seat: int
    trail: str


class CaravanSearched(Struct, frozen=True, tag=True):
    """The raider looks into the caravan; only raider and victim know what is in it."""

    seat: int
    victim: int
    caravan: int
    wares: dict[str, int] | None


class WaresLooted(Struct, frozen=True, tag=True):
    """What the raider took, known to the two only, is in the raider's treasure."""

    seat: int
    victim: int
    caravan: int
    wares: dict[str, int] | None


# --- events: business ---------------------------------------------------------------------------


class BusinessBegun(Struct, frozen=True, tag=True):
    """All may trade where their caravans are."""


class OfferDrafted(Struct, frozen=True, tag=True):
    """Known to the seat only: it thinks of an offer."""

    seat: int | None
    mine: int | None
    partner: int | None
    theirs: int | None


class GiftNamed(Struct, frozen=True, tag=True):
    """Known to the seat only: what the offer is to give."""

    seat: int | None
    wares: dict[str, int] | None


class DraftDropped(Struct, frozen=True, tag=True):
    """Known to the seat only: it thought better of it."""

    seat: int | None


class OfferMade(Struct, frozen=True, tag=True):
    """Known to the two: an offer. ``counter``: it replaces an offer of the partner to the seat."""

    seat: int | None
    mine: int | None
    partner: int | None
    theirs: int | None
    gives: dict[str, int] | None
    asks: dict[str, int] | None
    counter: bool | None


class OfferWithdrawn(Struct, frozen=True, tag=True):
    """Known to the two: the offer is gone."""

    seat: int | None
    partner: int | None


class OfferDeclined(Struct, frozen=True, tag=True):
    """Known to the two: ``seat`` turned the partner's offer down."""

    seat: int | None
    partner: int | None


class WaresExchanged(Struct, frozen=True, tag=True):
    """Known to the two: ``seat`` accepted the partner's offer.

    ``gets`` went from the partner's store ``theirs`` into the seat's store ``mine``, ``pays``
    the other way.
    """

    seat: int | None
    mine: int | None
    partner: int | None
    theirs: int | None
    gets: dict[str, int] | None
    pays: dict[str, int] | None


class WaresShifted(Struct, frozen=True, tag=True):
    """Known to the seat only: wares went from one own caravan to another."""

    seat: int | None
    source: int | None
    target: int | None
    wares: dict[str, int] | None


# --- events: the end ------------------------------------------------------------------------------


class GameEnded(Struct, frozen=True, tag=True):
    """These seats have all the wares of their cards in their treasures."""

    winners: tuple[int, ...]


COMMANDS: tuple[type, ...] = (
    ChooseHome,
    Done,
    Order,
    SendLooters,
    Load,
    PayTax,
    ChooseCaravan,
    Loot,
    Listen,
    Draft,
    Give,
    Ask,
    DropDraft,
    Withdraw,
    Accept,
    Decline,
    Shift,
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
    GameEnded,
)
