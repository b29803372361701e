"""Where a game of Caravansérail stands, and how events change it. Ships to the browser."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.caravanserail.board import BOARDS, CARAVANS, TREASURE, WARES, Board
from domain.caravanserail.events import (
    BusinessBegun,
    CaravanLoaded,
    CaravanLodged,
    CaravanSearched,
    CaravansMoved,
    CaravanUnloaded,
    DiplomacyBegun,
    DraftDropped,
    GameEnded,
    GiftNamed,
    HomeChosen,
    KingdomsLaidOut,
    LootersSent,
    OfferDeclined,
    OfferDrafted,
    OfferMade,
    OfferWithdrawn,
    OrderGiven,
    ProgrammesRevealed,
    ProgrammeWithdrawn,
    RaidBegun,
    SeatDone,
    SeatListening,
    SeatReturned,
    TaxPaid,
    TreasureDealt,
    TurnBegun,
    WaresExchanged,
    WaresLooted,
    WaresShifted,
)

HOMES, DIPLOMACY, PROGRAMME, MOVEMENT, RAID, BUSINESS, OVER = (
    "homes",
    "diplomacy",
    "programme",
    "movement",
    "raid",
    "business",
    "over",
)
"""Phases."""

STEPS = CARAVANS + 1 + CARAVANS
"""Steps of a programme: an order for each caravan, the looters, a load for each caravan."""

NO_WARES: tuple[dict[str, int], ...] = ({},) * CARAVANS


class Offer(Struct, frozen=True):
    """An offer of a seat, or its draft while ``gives`` or ``asks`` is still None."""

    mine: int
    partner: int
    theirs: int
    gives: dict[str, int] | None = None
    asks: dict[str, int] | None = None


class Sheikh(Struct, frozen=True):
    """One seat.

    Hidden from the others: ``card``, ``goal``, ``treasure``, ``loads``, ``draft``; ``offer``
    except from its partner; and until the reveal ``orders``, ``looters`` (None: not said yet,
    "": nowhere) and ``packed``, the programme so far. ``raided`` is the turn in which the
    looters were used last, ``offers`` how many the seat has made in this phase.
    """

    home: str = ""
    card: int = 0
    goal: dict[str, int] = {}
    treasure: dict[str, int] = {}
    positions: tuple[str, ...] = ()
    loads: tuple[dict[str, int], ...] = NO_WARES
    raided: int = -1
    orders: tuple[str, ...] = ()
    looters: str | None = None
    packed: tuple[dict[str, int], ...] = ()
    done: bool = False
    listening: bool = False
    draft: Offer | None = None
    offer: Offer | None = None
    offers: int = 0


class Debt(Struct, frozen=True):
    """A visiting caravan still has to pay for its lodging."""

    seat: int
    caravan: int
    owner: int


class Raid(Struct, frozen=True):
    """A raid under way; ``victim`` is None until the raider has picked a caravan."""

    seat: int
    trail: str
    victim: int | None = None
    caravan: int | None = None


class State(Struct, frozen=True):
    """The whole game. ``revealed`` are the latest open programmes: orders and looters by seat."""

    sheikhs: tuple[Sheikh, ...]
    order: tuple[int, ...]
    business_minutes: int
    diplomacy: bool
    keep_secrets: bool
    phase: str = HOMES
    turn: int = 0
    revealed: tuple[tuple[tuple[str, ...], str], ...] = ()
    debts: tuple[Debt, ...] = ()
    raids: tuple[Raid, ...] = ()
    winners: tuple[int, ...] = ()


def board(state: State) -> Board:
    """The face of the board that is played on."""
    return BOARDS[len(state.sheikhs)]


# --- wares ------------------------------------------------------------------------------------


def in_order(wares: dict[str, int]) -> dict[str, int]:
    """The same wares in the one order that is used everywhere, without zeros."""
    return {ware: wares[ware] for ware in WARES if wares.get(ware)}


def plus(wares: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    """Both together."""
    return in_order({ware: wares.get(ware, 0) + more.get(ware, 0) for ware in (*wares, *more)})


def minus(wares: dict[str, int], fewer: dict[str, int]) -> dict[str, int]:
    """What is left; there must be enough."""
    return in_order({ware: wares[ware] - fewer.get(ware, 0) for ware in wares})


def holds(wares: dict[str, int], some: dict[str, int]) -> bool:
    """Whether there is at least as much of each."""
    return all(wares.get(ware, 0) >= some[ware] for ware in some)


def size(wares: dict[str, int]) -> int:
    """Tokens in all."""
    return sum(wares.values())


def store(sheikh: Sheikh, which: int) -> dict[str, int]:
    """The wares of a seat's treasure or of one of its caravans."""
    return sheikh.treasure if which == TREASURE else sheikh.loads[which]


def stored(sheikh: Sheikh, which: int, wares: dict[str, int]) -> Sheikh:
    """The seat with other wares in the store."""
    if which == TREASURE:
        return replace(sheikh, treasure=wares)
    loads = [*sheikh.loads]
    loads[which] = wares
    return replace(sheikh, loads=tuple(loads))


# --- the fold: secret events, whose fields are never None in a log, are taken as Any -----------


def evolve(state: Any, event: Any) -> Any:
    """The state after the event; ``state`` is None before the first."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event)


def _put(state: State, seat: int, sheikh: Sheikh) -> State:
    sheikhs = [*state.sheikhs]
    sheikhs[seat] = sheikh
    return replace(state, sheikhs=tuple(sheikhs))


def _set(state: State, seat: int, **changes: Any) -> State:
    return _put(state, seat, replace(state.sheikhs[seat], **changes))


def _all(state: State, **changes: Any) -> State:
    return replace(state, sheikhs=tuple([replace(each, **changes) for each in state.sheikhs]))


def _laid_out(_state: None, event: KingdomsLaidOut) -> State:
    return State(
        (Sheikh(),) * event.seats,
        event.order,
        event.business_minutes,
        event.diplomacy,
        event.keep_secrets,
    )


def _home(state: State, event: HomeChosen) -> State:
    return _set(state, event.seat, home=event.place, positions=(event.place,) * CARAVANS)


def _dealt(state: State, event: Any) -> State:
    return _set(state, event.seat, card=event.card, treasure=event.start, goal=event.goal)


def _diplomacy(state: State, event: DiplomacyBegun) -> State:
    return replace(_all(state, done=False), phase=DIPLOMACY)


def _done(state: State, event: SeatDone) -> State:
    """What is offered to it, or was about to be, is gone; its own offer stands."""
    sheikhs = [_without_offers_to(event.seat, sheikh) for sheikh in state.sheikhs]
    state = replace(state, sheikhs=tuple(sheikhs))
    return _set(state, event.seat, done=True, listening=False, draft=None)


def _without_offers_to(seat: int, sheikh: Sheikh) -> Sheikh:
    offer, draft = sheikh.offer, sheikh.draft
    if offer and offer.partner == seat:
        offer = None
    if draft and draft.partner == seat:
        draft = None
    return replace(sheikh, offer=offer, draft=draft)


def _listening(state: State, event: SeatListening) -> State:
    return _set(state, event.seat, listening=True)


def _returned(state: State, event: SeatReturned) -> State:
    return _set(state, event.seat, done=False, listening=False)


def _turn(state: State, event: TurnBegun) -> State:
    idle = _all(state, orders=(), looters=None, packed=(), done=False, draft=None, offer=None)
    return replace(idle, phase=PROGRAMME, turn=event.turn)


def _ordered(state: State, event: Any) -> State:
    return _set(state, event.seat, orders=(*state.sheikhs[event.seat].orders, event.to))


def _looters(state: State, event: Any) -> State:
    return _set(state, event.seat, looters=event.trail)


def _loaded(state: State, event: Any) -> State:
    return _set(state, event.seat, packed=(*state.sheikhs[event.seat].packed, event.wares))


def _withdrawn(state: State, event: ProgrammeWithdrawn) -> State:
    sheikh = state.sheikhs[event.seat]
    return _set(
        state,
        event.seat,
        orders=sheikh.orders[: event.steps],
        looters=sheikh.looters if event.steps > CARAVANS else None,
        packed=sheikh.packed[: max(0, event.steps - CARAVANS - 1)],
    )


def _programmes(state: State, event: ProgrammesRevealed) -> State:
    """What was packed leaves the treasure; looters named are used (ruling 8)."""
    sheikhs = []
    for seat, sheikh in enumerate(state.sheikhs):
        raided = state.turn if event.looters[seat] else sheikh.raided
        sheikh = replace(sheikh, raided=raided, orders=(), looters=None, packed=())
        for caravan, wares in enumerate(state.sheikhs[seat].packed):
            if wares:
                sheikh = stored(sheikh, TREASURE, minus(sheikh.treasure, wares))
                sheikh = stored(sheikh, caravan, plus(sheikh.loads[caravan], wares))
        sheikhs.append(sheikh)
    revealed = tuple([(orders, event.looters[i]) for i, orders in enumerate(event.orders)])
    return replace(state, sheikhs=tuple(sheikhs), phase=MOVEMENT, revealed=revealed)


def _moved(state: State, event: CaravansMoved) -> State:
    sheikhs = [
        replace(sheikh, positions=event.positions[seat])
        for seat, sheikh in enumerate(state.sheikhs)
    ]
    return replace(state, sheikhs=tuple(sheikhs))


def _carry(state: State, giver: tuple[int, int], taker: tuple[int, int], wares: Any) -> State:
    """Wares go from one ``(seat, store)`` to another."""
    sheikh = state.sheikhs[giver[0]]
    left = minus(store(sheikh, giver[1]), wares)
    state = _put(state, giver[0], stored(sheikh, giver[1], left))
    sheikh = state.sheikhs[taker[0]]
    return _put(state, taker[0], stored(sheikh, taker[1], plus(store(sheikh, taker[1]), wares)))


def _unloaded(state: State, event: Any) -> State:
    seat = event.seat
    return _carry(state, (seat, event.caravan), (seat, TREASURE), event.wares)


def _lodged(state: State, event: CaravanLodged) -> State:
    if not event.owes:
        return state
    debt = Debt(event.seat, event.caravan, event.owner)
    return replace(state, debts=(*state.debts, debt))


def _paid(state: State, event: Any) -> State:
    debts = [
        debt for debt in state.debts if (debt.seat, debt.caravan) != (event.seat, event.caravan)
    ]
    state = replace(state, debts=tuple(debts))
    giver = (event.seat, event.caravan)
    return _carry(state, giver, (event.owner, TREASURE), {event.ware: 1})


def _raid(state: State, event: RaidBegun) -> State:
    return replace(state, phase=RAID, raids=(*state.raids, Raid(event.seat, event.trail)))


def _searched(state: State, event: CaravanSearched) -> State:
    raids = [
        replace(raid, victim=event.victim, caravan=event.caravan)
        if raid.seat == event.seat
        else raid
        for raid in state.raids
    ]
    return replace(state, raids=tuple(raids))


def _looted(state: State, event: Any) -> State:
    raids = [raid for raid in state.raids if raid.seat != event.seat]
    state = replace(state, raids=tuple(raids))
    giver = (event.victim, event.caravan)
    return _carry(state, giver, (event.seat, TREASURE), event.wares)


def _business(state: State, event: BusinessBegun) -> State:
    idle = _all(state, done=False, listening=False, draft=None, offer=None, offers=0)
    return replace(idle, phase=BUSINESS)


def _drafted(state: State, event: Any) -> State:
    return _set(state, event.seat, draft=Offer(event.mine, event.partner, event.theirs))


def _gift(state: State, event: Any) -> State:
    draft = replace(state.sheikhs[event.seat].draft, gives=event.wares)
    return _set(state, event.seat, draft=draft)


def _dropped(state: State, event: Any) -> State:
    return _set(state, event.seat, draft=None)


def _offered(state: State, event: Any) -> State:
    """A counter-offer takes the place of the offer that it answers."""
    state = _all(state, listening=False)
    if event.counter:
        state = _set(state, event.partner, offer=None)
    offer = Offer(event.mine, event.partner, event.theirs, event.gives, event.asks)
    made = state.sheikhs[event.seat].offers + 1
    return _set(state, event.seat, draft=None, offer=offer, offers=made)


def _offer_withdrawn(state: State, event: Any) -> State:
    return _set(state, event.seat, offer=None)


def _declined(state: State, event: Any) -> State:
    return _set(_all(state, listening=False), event.partner, offer=None)


def _exchanged(state: State, event: Any) -> State:
    state = _set(_all(state, listening=False), event.partner, offer=None)
    mine, theirs = (event.seat, event.mine), (event.partner, event.theirs)
    return _carry(_carry(state, theirs, mine, event.gets), mine, theirs, event.pays)


def _shifted(state: State, event: Any) -> State:
    seat = event.seat
    return _carry(state, (seat, event.source), (seat, event.target), event.wares)


def _ended(state: State, event: GameEnded) -> State:
    return replace(state, phase=OVER, winners=event.winners, debts=(), raids=())


_CHANGES: dict[type, Any] = {
    KingdomsLaidOut: _laid_out,
    HomeChosen: _home,
    TreasureDealt: _dealt,
    DiplomacyBegun: _diplomacy,
    SeatDone: _done,
    SeatListening: _listening,
    SeatReturned: _returned,
    TurnBegun: _turn,
    OrderGiven: _ordered,
    LootersSent: _looters,
    CaravanLoaded: _loaded,
    ProgrammeWithdrawn: _withdrawn,
    ProgrammesRevealed: _programmes,
    CaravansMoved: _moved,
    CaravanUnloaded: _unloaded,
    CaravanLodged: _lodged,
    TaxPaid: _paid,
    RaidBegun: _raid,
    CaravanSearched: _searched,
    WaresLooted: _looted,
    BusinessBegun: _business,
    OfferDrafted: _drafted,
    GiftNamed: _gift,
    DraftDropped: _dropped,
    OfferMade: _offered,
    OfferWithdrawn: _offer_withdrawn,
    OfferDeclined: _declined,
    WaresExchanged: _exchanged,
    WaresShifted: _shifted,
    GameEnded: _ended,
}
