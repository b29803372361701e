"""State transitions of Caravansérail, one per kind of event. Ships to the browser.

Secret events are typed as Any: their fields may be None for viewers, but never are in the log.
"""

from typing import Any

from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.caravanserail import events
from domain.games.caravanserail.board import CARAVANS_PER_SEAT, TREASURE
from domain.games.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    MOVEMENT,
    OVER,
    PROGRAMME,
    RAID,
    Debt,
    Offer,
    Raid,
    Sheikh,
    State,
    add_wares,
    minus,
    plus,
    wares_in,
    with_sheikh,
    with_store,
)


def evolve(state: Any, event: Any) -> Any:
    """Return the state after an event; ``state`` is None before the first event."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event)


def _set(state: State, seat: Seat, **changes: Any) -> State:
    return with_sheikh(state, seat, replace(state.sheikhs[seat], **changes))


def _all(state: State, **changes: Any) -> State:
    return replace(state, sheikhs=tuple([replace(each, **changes) for each in state.sheikhs]))


def _laid_out(_state: None, event: events.KingdomsLaidOut) -> State:
    return State(
        (Sheikh(),) * event.seats,
        event.order,
        event.business_minutes,
        event.diplomacy,
        event.keep_secrets,
    )


def _home(state: State, event: events.HomeChosen) -> State:
    return _set(state, event.seat, home=event.place, positions=(event.place,) * CARAVANS_PER_SEAT)


def _dealt(state: State, event: Any) -> State:
    return _set(state, event.seat, card=event.card, treasure=event.start, goal=event.goal)


def _diplomacy(state: State, event: events.DiplomacyBegun) -> State:
    return replace(_all(state, done=False), phase=DIPLOMACY)


def _done(state: State, event: events.SeatDone) -> State:
    """Return the state after a seat is done.

    Offers and drafts to it and its own draft are removed; its own offer remains.
    """
    sheikhs = [_without_offers_to(event.seat, sheikh) for sheikh in state.sheikhs]
    state = replace(state, sheikhs=tuple(sheikhs))
    return _set(state, event.seat, done=True, listening=False, draft=None)


def _without_offers_to(seat: Seat, sheikh: Sheikh) -> Sheikh:
    offer, draft = sheikh.offer, sheikh.draft
    if offer and offer.partner == seat:
        offer = None
    if draft and draft.partner == seat:
        draft = None
    return replace(sheikh, offer=offer, draft=draft)


def _listening(state: State, event: events.SeatListening) -> State:
    return _set(state, event.seat, listening=True)


def _asked(state: State, _event: events.ListenersAsked) -> State:
    return _all(state, listening=False)


def _returned(state: State, event: events.SeatReturned) -> State:
    return _set(state, event.seat, done=False, listening=False)


def _turn(state: State, event: events.TurnBegun) -> State:
    rested = _all(state, done=False, listening=False, draft=None, offer=None)
    idle = _all(rested, orders=(), looters=None, packed=())
    return replace(idle, phase=PROGRAMME, turn=event.turn)


def _ordered(state: State, event: Any) -> State:
    return _set(state, event.seat, orders=(*state.sheikhs[event.seat].orders, event.to))


def _looters(state: State, event: Any) -> State:
    return _set(state, event.seat, looters=event.trail)


def _loaded(state: State, event: Any) -> State:
    return _set(state, event.seat, packed=(*state.sheikhs[event.seat].packed, event.wares))


def _withdrawn(state: State, event: events.ProgrammeWithdrawn) -> State:
    sheikh = state.sheikhs[event.seat]
    return _set(
        state,
        event.seat,
        orders=sheikh.orders[: event.steps],
        looters=sheikh.looters if event.steps > CARAVANS_PER_SEAT else None,
        packed=sheikh.packed[: max(0, event.steps - CARAVANS_PER_SEAT - 1)],
    )


def _programmes(state: State, event: events.ProgrammesRevealed) -> State:
    """Return the state with the loads moved from treasures to caravans and looters used (ruling 8).

    The programmes are cleared and recorded in ``revealed``.
    """
    sheikhs = []
    for seat, sheikh in enumerate(state.sheikhs):
        raided = state.turn if event.looters[seat] else sheikh.raided
        sheikh = replace(sheikh, raided=raided, orders=(), looters=None, packed=())
        for caravan, wares in enumerate(state.sheikhs[seat].packed):
            if wares:
                sheikh = with_store(sheikh, TREASURE, minus(sheikh.treasure, wares))
                sheikh = with_store(sheikh, caravan, plus(sheikh.loads[caravan], wares))
        sheikhs.append(sheikh)
    revealed = tuple([(orders, event.looters[i]) for i, orders in enumerate(event.orders)])
    return replace(state, sheikhs=tuple(sheikhs), phase=MOVEMENT, revealed=revealed)


def _moved(state: State, event: events.CaravansMoved) -> State:
    sheikhs = [
        replace(sheikh, positions=event.positions[seat])
        for seat, sheikh in enumerate(state.sheikhs)
    ]
    return replace(state, sheikhs=tuple(sheikhs))


def _carry(state: State, giver: tuple[int, int], taker: tuple[int, int], wares: Any) -> State:
    """Return the state with wares moved from one ``(seat, store)`` to another."""
    sheikh = state.sheikhs[giver[0]]
    left = minus(wares_in(sheikh, giver[1]), wares)
    state = with_sheikh(state, giver[0], with_store(sheikh, giver[1], left))
    return add_wares(state, *taker, wares)


def _unloaded(state: State, event: Any) -> State:
    seat = event.seat
    return _carry(state, (seat, event.caravan), (seat, TREASURE), event.wares)


def _lodged(state: State, event: events.CaravanLodged) -> State:
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


def _raid(state: State, event: events.RaidBegun) -> State:
    return replace(state, phase=RAID, raids=(*state.raids, Raid(event.seat, event.trail)))


def _searched(state: State, event: events.CaravanSearched) -> State:
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


def _business(state: State, event: events.BusinessBegun) -> State:
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
    """Return the state with a new offer; a counter-offer replaces the offer that it answers."""
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


def _ended(state: State, event: events.GameEnded) -> State:
    return replace(state, phase=OVER, winners=event.winners, debts=(), raids=())


_CHANGES: dict[type, Any] = {
    events.KingdomsLaidOut: _laid_out,
    events.HomeChosen: _home,
    events.TreasureDealt: _dealt,
    events.DiplomacyBegun: _diplomacy,
    events.SeatDone: _done,
    events.SeatListening: _listening,
    events.SeatReturned: _returned,
    events.ListenersAsked: _asked,
    events.TurnBegun: _turn,
    events.OrderGiven: _ordered,
    events.LootersSent: _looters,
    events.CaravanLoaded: _loaded,
    events.ProgrammeWithdrawn: _withdrawn,
    events.ProgrammesRevealed: _programmes,
    events.CaravansMoved: _moved,
    events.CaravanUnloaded: _unloaded,
    events.CaravanLodged: _lodged,
    events.TaxPaid: _paid,
    events.RaidBegun: _raid,
    events.CaravanSearched: _searched,
    events.WaresLooted: _looted,
    events.BusinessBegun: _business,
    events.OfferDrafted: _drafted,
    events.GiftNamed: _gift,
    events.DraftDropped: _dropped,
    events.OfferMade: _offered,
    events.OfferWithdrawn: _offer_withdrawn,
    events.OfferDeclined: _declined,
    events.WaresExchanged: _exchanged,
    events.WaresShifted: _shifted,
    events.GameEnded: _ended,
}
