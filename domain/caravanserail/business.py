"""Secret trade (rulebook, phase 4; rulings 12 and 14).

An offer stands between two *stores* at one place: caravans lodging there and the treasure of the
sheikh whose home it is. It is drafted in secret in three steps, one event each however much is
given and asked, and has reached the partner with the third. A seat has one draft or one offer at
a time, and while its offer waits its own wares do not change: so an offer can always be kept by
the one who made it, and whether it can be accepted depends only on what the partner knows.

A seat that is *done* has no choices and gets no offers. One that *listens* has no choices either,
until anybody makes or answers an offer; then all who listen are asked again, so that nobody can
tell whom it concerned. The phase ends when every seat is done or listens.

What others can tell: that somewhere an offer was begun, made, declined or kept, from the types of
the blanked events and the number of versions; never by whom, with whom or with what. The stores at
a place are open to all, so when only two seats can trade on the whole board it is clear who it
was, as it is at a table. Ships to the browser.
"""

from collections.abc import Iterator
from typing import Any

from domain.caravanserail.board import CAPACITY, TREASURE, most_asked
from domain.caravanserail.events import (
    Accept,
    Ask,
    Decline,
    Done,
    Draft,
    DraftDropped,
    DropDraft,
    GiftNamed,
    Give,
    Listen,
    OfferDeclined,
    OfferDrafted,
    OfferMade,
    OfferWithdrawn,
    SeatDone,
    SeatListening,
    SeatReturned,
    Shift,
    WaresExchanged,
    WaresShifted,
    Withdraw,
)
from domain.caravanserail.handfuls import handfuls, is_handful
from domain.caravanserail.state import Offer, Sheikh, State, board, holds, in_order, size, store
from domain.caravanserail.words import listed, store_name
from domain.game import Choice, IllegalMove


def stores(sheikh: Sheikh) -> list[tuple[int, str]]:
    """``(store, place)`` of all that the seat may trade from: the treasure at home and each
    caravan at another place; not those at home, which are empty, nor those on trails."""
    lodging = [
        (caravan, position)
        for caravan, position in enumerate(sheikh.positions)
        if len(position) == 1 and position != sheikh.home
    ]
    return [(TREASURE, sheikh.home), *lodging]


def active(sheikh: Sheikh) -> bool:
    """Whether the business phase waits for the seat."""
    return not sheikh.done and not sheikh.listening


def incoming(state: State, seat: int) -> list[tuple[int, Offer]]:
    """``(offerer, offer)`` of the offers that wait for the seat's answer."""
    return [
        (offerer, sheikh.offer)
        for offerer, sheikh in enumerate(state.sheikhs)
        if sheikh.offer is not None and sheikh.offer.partner == seat
    ]


# --- choices ----------------------------------------------------------------------------------


def choices(state: State, seat: int) -> list[Choice]:
    """Everything the seat can do now; Done is always the first."""
    sheikh = state.sheikhs[seat]
    if not active(sheikh):
        return []
    done = Choice(Done(), "done", {})
    if sheikh.draft:
        drop = Choice(DropDraft(), "drop", {})
        return [done, drop, *_draft_choices(state, sheikh, sheikh.draft)]
    listen = Choice(Listen(), "listen", {})
    declines = [Choice(Decline(who), "decline", {"whom": who}) for who, _ in incoming(state, seat)]
    if sheikh.offer:
        withdraw = Choice(Withdraw(), "withdraw", {"partner": sheikh.offer.partner})
        return [done, listen, withdraw, *declines]
    accepts = [
        Choice(Accept(who), "accept", _accept_args(who, offer))
        for who, offer in incoming(state, seat)
        if can_accept(sheikh, offer)
    ]
    shifts = [_shift_choice(shift) for shift in _shifts(sheikh)]
    drafts = [_draft_choice(state, draft) for draft in _drafts(state, seat)]
    return [done, listen, *accepts, *declines, *drafts, *shifts]


def _accept_args(who: int, offer: Offer) -> dict[str, Any]:
    return {"whom": who, "gets": listed(offer.gives), "pays": listed(offer.asks)}


def can_accept(sheikh: Sheikh, offer: Offer) -> bool:
    """Whether the partner has what is asked, and room for what it gets (ruling 12)."""
    assert offer.asks is not None
    assert offer.gives is not None
    wares = store(sheikh, offer.theirs)
    after = size(wares) - size(offer.asks) + size(offer.gives)
    return holds(wares, offer.asks) and (offer.theirs == TREASURE or after <= CAPACITY)


def _drafts(state: State, seat: int) -> list[Draft]:
    """A draft for each own store and each store of another seat at the same place."""
    return [
        Draft(mine, partner, theirs)
        for mine, place in stores(state.sheikhs[seat])
        for partner, other in enumerate(state.sheikhs)
        if partner != seat and not other.done
        for theirs, there in stores(other)
        if there == place
    ]


def _draft_choice(state: State, draft: Draft) -> Choice:
    other = state.sheikhs[draft.partner]
    place = other.home if draft.theirs == TREASURE else other.positions[draft.theirs]
    args = {
        "partner": draft.partner,
        "mine": store_name(draft.mine),
        "theirs": store_name(draft.theirs),
        "place": place,
    }
    return Choice(draft, "draft", args)


def _room(sheikh: Sheikh, which: int) -> int:
    """Tokens that still fit into the own store; no offer moves more than a caravan holds."""
    return CAPACITY if which == TREASURE else CAPACITY - size(sheikh.loads[which])


def _draft_choices(state: State, sheikh: Sheikh, draft: Offer) -> list[Choice]:
    if draft.gives is None:
        return [
            Choice(Give(wares), "give", {"wares": listed(wares)})
            for wares in handfuls(store(sheikh, draft.mine), CAPACITY)
            if wares or _room(sheikh, draft.mine)
        ]
    return _asks(state, _most_asked(sheikh, draft), 0 if draft.gives else 1)


def _asks(state: State, most: int, least: int) -> list[Choice]:
    """The choices of what to ask for. The list is long (3,003 for eight wares) and depends on
    nothing secret, so each is made once."""
    key = len(board(state).wares), most, least
    if key not in _ASKS:
        _ASKS[key] = [
            Choice(Ask(wares), "ask", {"wares": listed(wares)})
            for wares in handfuls(_any_wares(state), most)
            if size(wares) >= least
        ]
    return _ASKS[key]


_ASKS: dict[tuple[int, int, int], list[Choice]] = {}


def _any_wares(state: State) -> dict[str, int]:
    return dict.fromkeys(board(state).wares, CAPACITY)


def _most_asked(sheikh: Sheikh, draft: Offer) -> int:
    assert draft.gives is not None
    return most_asked(draft.mine, size(store(sheikh, draft.mine)), size(draft.gives))


def _shifts(sheikh: Sheikh) -> Iterator[Shift]:
    """Free transfers between own caravans at one place."""
    for source, target in _own_pairs(sheikh):
        for wares in handfuls(sheikh.loads[source], CAPACITY - size(sheikh.loads[target])):
            if wares:
                yield Shift(source, target, wares)


def _own_pairs(sheikh: Sheikh) -> list[tuple[int, int]]:
    lodging = [(which, place) for which, place in stores(sheikh) if which != TREASURE]
    return [(a, b) for a, here in lodging for b, there in lodging if a != b and here == there]


def _shift_choice(shift: Shift) -> Choice:
    args = {"wares": listed(shift.wares), "source": shift.source + 1, "target": shift.target + 1}
    return Choice(shift, "shift", args)


# --- decisions --------------------------------------------------------------------------------


def decide(state: State, seat: int, command: Any) -> Any:
    """The one event of a command. Raises `IllegalMove`."""
    sheikh = state.sheikhs[seat]
    if isinstance(command, Done):
        return SeatDone(seat)
    if sheikh.draft:
        return _go_on_drafting(state, seat, sheikh.draft, command)
    match command:
        case Listen():
            return SeatListening(seat)
        case Withdraw() if sheikh.offer:
            return OfferWithdrawn(seat, sheikh.offer.partner)
        case Decline(offerer=offerer):
            _offer_of(state, seat, offerer)
            return OfferDeclined(seat, offerer)
        case _ if sheikh.offer:
            raise IllegalMove("offer_waits", "Your own offer waits for an answer; withdraw it.")
        case Accept(offerer=offerer):
            return _accept(state, seat, offerer)
        case Draft(mine=mine, partner=partner, theirs=theirs):
            if command not in _drafts(state, seat):
                raise IllegalMove("no_partner", "These two cannot trade here now.")
            return OfferDrafted(seat, mine, partner, theirs)
        case Shift():
            return _shift(seat, sheikh, command)
        case _:
            raise IllegalMove("wrong_step", "There is no such thing to do in business now.")


def _go_on_drafting(state: State, seat: int, draft: Offer, command: Any) -> Any:
    sheikh = state.sheikhs[seat]
    match command:
        case DropDraft():
            return DraftDropped(seat)
        case Give(wares=wares) if draft.gives is None:
            if not is_handful(wares, store(sheikh, draft.mine), CAPACITY):
                raise IllegalMove("not_yours", "You can give up to 6 tokens that are there.")
            if not wares and not _room(sheikh, draft.mine):
                raise IllegalMove("no_room", "The caravan is full: it has to give something.")
            return GiftNamed(seat, in_order(wares))
        case Ask(wares=wares) if draft.gives is not None:
            return _offer(state, seat, draft, wares)
        case _:
            raise IllegalMove("wrong_step", "First finish the offer that you began, or drop it.")


def _offer(state: State, seat: int, draft: Offer, asks: dict[str, int]) -> OfferMade:
    most = _most_asked(state.sheikhs[seat], draft)
    if not is_handful(asks, _any_wares(state), most):
        raise IllegalMove("too_much", f"You can ask for up to {most} tokens.")
    if not asks and not draft.gives:
        raise IllegalMove("nothing", "An offer gives something or asks for something.")
    counter = draft.partner in [offerer for offerer, _ in incoming(state, seat)]
    return OfferMade(
        seat, draft.mine, draft.partner, draft.theirs, draft.gives, in_order(asks), counter
    )


def _offer_of(state: State, seat: int, offerer: int) -> Offer:
    for who, offer in incoming(state, seat):
        if who == offerer:
            return offer
    raise IllegalMove("no_offer", "There is no such offer.")


def _accept(state: State, seat: int, offerer: int) -> WaresExchanged:
    offer = _offer_of(state, seat, offerer)
    if not can_accept(state.sheikhs[seat], offer):
        raise IllegalMove("cannot_pay", "You have not got all that, or no room for what you get.")
    return WaresExchanged(seat, offer.theirs, offerer, offer.mine, offer.gives, offer.asks)


def _shift(seat: int, sheikh: Sheikh, shift: Shift) -> WaresShifted:
    if (shift.source, shift.target) not in _own_pairs(sheikh):
        raise IllegalMove("not_together", "These caravans are not together away from home.")
    room = CAPACITY - size(sheikh.loads[shift.target])
    if not shift.wares or not is_handful(shift.wares, sheikh.loads[shift.source], room):
        raise IllegalMove("wrong_load", "Move tokens that are there and fit into the other.")
    return WaresShifted(seat, shift.source, shift.target, in_order(shift.wares))


def take_back(state: State, seat: int) -> list[Any]:
    """A seat that is done or listens comes back; a draft that nobody has seen is dropped."""
    sheikh = state.sheikhs[seat]
    if not active(sheikh):
        return [SeatReturned(seat)]
    return [DraftDropped(seat)] if sheikh.draft else []
