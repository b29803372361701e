"""The business phase: secret trade (rulebook, phase 4; rulings 12 and 14).

An offer is between two *stores* at the same place: caravans lodging there, and the treasure of the
seat whose home it is. It is drafted in secret in three steps, one event each regardless of the
amounts, and the partner sees it after the third. A seat has at most one draft or one offer at a
time, and its own wares do not change while its offer is open. Therefore the offering seat can
always honour it, and whether it can be accepted depends only on what the partner knows.

A seat that is *done* has no legal commands and gets no offers. A seat that *listens* has none
either until any seat makes, answers or withdraws an offer; then all listening seats become active,
so that no seat can tell which one was concerned. Offers to a seat lapse when it is done, and the
seats that made them must learn of it. Therefore, once any offer was made in the phase, each seat
that becomes done wakes all listening seats, whether or not it had an offer. The phase ends when
every seat is done or listens.

From the types of blanked events and the version numbers, other seats learn only that an offer was
drafted, dropped, made, withdrawn, declined or accepted, or that wares were moved between caravans;
never by which seat, to which seat or which wares. The stores at a place are public, so if only two
seats on the whole board can trade, it is clear who traded, as at a physical table. Ships to the
browser.
"""

from typing import Any

from domain.contract.game import AmountRange, IllegalMove, Seat
from domain.games.caravanserail import commands, events
from domain.games.caravanserail.board import CARAVAN_CAPACITY, TREASURE, max_asked
from domain.games.caravanserail.combinations import amount_range, is_selection
from domain.games.caravanserail.state import (
    Offer,
    Sheikh,
    State,
    board,
    holds,
    in_order,
    size,
    wares_in,
)


def stores(sheikh: Sheikh) -> list[tuple[int, str]]:
    """Return ``(store, place)`` of all stores with which the seat may trade.

    These are the treasure at home and each caravan at another place, but not caravans at home,
    which are empty, nor caravans on trails.
    """
    lodging = [
        (caravan, position)
        for caravan, position in enumerate(sheikh.positions)
        if len(position) == 1 and position != sheikh.home
    ]
    return [(TREASURE, sheikh.home), *lodging]


def is_active(sheikh: Sheikh) -> bool:
    """Return whether the business phase waits for the seat."""
    return not sheikh.done and not sheikh.listening


def wakes_listeners(state: State, event: Any) -> bool:
    """Return whether an event makes listening seats active without a new or answered offer.

    This reveals nothing: it is public whether any offer was made and which seats listen.
    """
    return isinstance(event, events.SeatDone | events.OfferWithdrawn) and bool(
        listeners_to_wake(state)
    )


def listeners_to_wake(state: State) -> list[int]:
    """Return the seats that become active when another seat is done.

    These are all listening seats, if any offer was made in this phase.
    """
    if not any(sheikh.offers for sheikh in state.sheikhs):
        return []
    return [seat for seat, sheikh in enumerate(state.sheikhs) if sheikh.listening]


def incoming_offers(state: State, seat: Seat) -> list[tuple[int, Offer]]:
    """Return ``(offerer, offer)`` for each open offer to the seat."""
    return [
        (offerer, sheikh.offer)
        for offerer, sheikh in enumerate(state.sheikhs)
        if sheikh.offer is not None and sheikh.offer.partner == seat
    ]


# --- choices ----------------------------------------------------------------------------------


def list_commands(state: State, seat: Seat) -> list[commands.Command | AmountRange]:
    """Return the seat's legal commands and ranges, `Done` first; none if it is not active."""
    sheikh = state.sheikhs[seat]
    if not is_active(sheikh):
        return []
    if sheikh.draft:
        return [commands.Done(), commands.DropDraft(), _drafting(state, sheikh, sheikh.draft)]
    offers = incoming_offers(state, seat)
    declines = [commands.Decline(who) for who, _ in offers]
    if sheikh.offer:
        return [commands.Done(), commands.Listen(), commands.Withdraw(), *declines]
    accepts = [commands.Accept(who) for who, offer in offers if can_accept(sheikh, offer)]
    return [
        commands.Done(),
        commands.Listen(),
        *accepts,
        *declines,
        *_drafts(state, seat),
        *_shifts(sheikh),
    ]


def can_accept(sheikh: Sheikh, offer: Offer) -> bool:
    """Return whether the partner ``sheikh`` has the requested wares, and capacity (ruling 12)."""
    assert offer.asks is not None
    assert offer.gives is not None
    wares = wares_in(sheikh, offer.theirs)
    after = size(wares) - size(offer.asks) + size(offer.gives)
    return holds(wares, offer.asks) and (offer.theirs == TREASURE or after <= CARAVAN_CAPACITY)


def _drafts(state: State, seat: Seat) -> list[commands.Draft]:
    """Return a draft for each own store and each store of another seat at the same place.

    Seats that are done are excluded.
    """
    return [
        commands.Draft(mine, partner, theirs)
        for mine, place in stores(state.sheikhs[seat])
        for partner, other in enumerate(state.sheikhs)
        if partner != seat and not other.done
        for theirs, there in stores(other)
        if there == place
    ]


def _free_capacity(sheikh: Sheikh, which: int) -> int:
    """Return the number of tokens that an offer can add to a store.

    For the treasure it is the capacity of a caravan, as no offer moves more.
    """
    return CARAVAN_CAPACITY if which == TREASURE else CARAVAN_CAPACITY - size(sheikh.loads[which])


def _drafting(state: State, sheikh: Sheikh, draft: Offer) -> AmountRange:
    """Return the range of wares that a draft may give or, in the next step, request.

    An offer must move at least one token in total.
    """
    if draft.gives is None:
        least = 0 if _free_capacity(sheikh, draft.mine) else 1
        return amount_range(
            commands.Give({}), wares_in(sheikh, draft.mine), CARAVAN_CAPACITY, least
        )
    least = 0 if draft.gives else 1
    return amount_range(commands.Ask({}), _any_wares(state), _max_asked(sheikh, draft), least)


def _any_wares(state: State) -> dict[str, int]:
    return dict.fromkeys(board(state).wares, CARAVAN_CAPACITY)


def _max_asked(sheikh: Sheikh, draft: Offer) -> int:
    assert draft.gives is not None
    return max_asked(draft.mine, size(wares_in(sheikh, draft.mine)), size(draft.gives))


def _shifts(sheikh: Sheikh) -> list[AmountRange]:
    """Return the ranges of wares that the seat may move between its caravans at the same place."""
    return [
        amount_range(
            commands.Shift(source, target, {}),
            sheikh.loads[source],
            CARAVAN_CAPACITY - size(sheikh.loads[target]),
            1,
        )
        for source, target in _own_pairs(sheikh)
    ]


def _own_pairs(sheikh: Sheikh) -> list[tuple[int, int]]:
    lodging = [(which, place) for which, place in stores(sheikh) if which != TREASURE]
    return [(a, b) for a, here in lodging for b, there in lodging if a != b and here == there]


# --- decisions --------------------------------------------------------------------------------


def decide_trade(state: State, seat: Seat, command: Any) -> Any:
    """Return the event of a command. Raises `IllegalMove` if the command is illegal."""
    sheikh = state.sheikhs[seat]
    if isinstance(command, commands.Done):
        return events.SeatDone(seat)
    if sheikh.draft:
        return _go_on_drafting(state, seat, sheikh.draft, command)
    match command:
        case commands.Listen():
            return events.SeatListening(seat)
        case commands.Withdraw() if sheikh.offer:
            return events.OfferWithdrawn(seat, sheikh.offer.partner)
        case commands.Decline(offerer=offerer):
            _offer_of(state, seat, offerer)
            return events.OfferDeclined(seat, offerer)
        case _ if sheikh.offer:
            raise IllegalMove("offer_waits", "refusal.offer_waits")
        case commands.Accept(offerer=offerer):
            return _accept(state, seat, offerer)
        case commands.Draft(mine=mine, partner=partner, theirs=theirs):
            if command not in _drafts(state, seat):
                raise IllegalMove("no_partner", "refusal.no_partner")
            return events.OfferDrafted(seat, mine, partner, theirs)
        case commands.Shift():
            return _shift(seat, sheikh, command)
        case _:
            raise IllegalMove("wrong_step", "refusal.not_in_trade")


def _go_on_drafting(state: State, seat: Seat, draft: Offer, command: Any) -> Any:
    sheikh = state.sheikhs[seat]
    match command:
        case commands.DropDraft():
            return events.DraftDropped(seat)
        case commands.Give(wares=wares) if draft.gives is None:
            if not is_selection(wares, wares_in(sheikh, draft.mine), CARAVAN_CAPACITY):
                raise IllegalMove("not_yours", "refusal.not_yours")
            if not wares and not _free_capacity(sheikh, draft.mine):
                raise IllegalMove("no_room", "refusal.no_room")
            return events.GiftNamed(seat, in_order(wares))
        case commands.Ask(wares=wares) if draft.gives is not None:
            return _offer(state, seat, draft, wares)
        case _:
            raise IllegalMove("wrong_step", "refusal.draft_open")


_UP_TO = "refusal.asks_at_most"


def _offer(state: State, seat: Seat, draft: Offer, asks: commands.Wares) -> events.OfferMade:
    most = _max_asked(state.sheikhs[seat], draft)
    if not is_selection(asks, _any_wares(state), most):
        raise IllegalMove("too_much", _UP_TO, most=most)
    if not asks and not draft.gives:
        raise IllegalMove("nothing", "refusal.empty_offer")
    counter = draft.partner in [offerer for offerer, _ in incoming_offers(state, seat)]
    return events.OfferMade(
        seat, draft.mine, draft.partner, draft.theirs, draft.gives, in_order(asks), counter
    )


def _offer_of(state: State, seat: Seat, offerer: Seat) -> Offer:
    for who, offer in incoming_offers(state, seat):
        if who == offerer:
            return offer
    raise IllegalMove("no_offer", "refusal.no_offer")


def _accept(state: State, seat: Seat, offerer: Seat) -> events.WaresExchanged:
    offer = _offer_of(state, seat, offerer)
    if not can_accept(state.sheikhs[seat], offer):
        raise IllegalMove("cannot_pay", "refusal.cannot_pay")
    return events.WaresExchanged(seat, offer.theirs, offerer, offer.mine, offer.gives, offer.asks)


def _shift(seat: Seat, sheikh: Sheikh, shift: commands.Shift) -> events.WaresShifted:
    if (shift.source, shift.target) not in _own_pairs(sheikh):
        raise IllegalMove("not_together", "refusal.not_together")
    room = CARAVAN_CAPACITY - size(sheikh.loads[shift.target])
    if not shift.wares or not is_selection(shift.wares, sheikh.loads[shift.source], room):
        raise IllegalMove("wrong_load", "refusal.wrong_shift")
    return events.WaresShifted(seat, shift.source, shift.target, in_order(shift.wares))


def take_back(state: State, seat: Seat) -> list[Any]:
    """Return the event that makes a done or listening seat active again, or drops its draft.

    Empty if neither applies.
    """
    sheikh = state.sheikhs[seat]
    if not is_active(sheikh):
        return [events.SeatReturned(seat)]
    return [events.DraftDropped(seat)] if sheikh.draft else []
