"""State transitions of Caravane, one per kind of event. Ships to the browser."""

from typing import Any

from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.caravane import events
from domain.games.caravane.state import BID, MOVE, OVER, REVISE, Racer, Round, State


def evolve(state: Any, event: Any) -> Any:
    """Return the state after an event; ``state`` is None before the first event."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event)


def _set(state: State, seat: Seat, **changes: Any) -> State:
    racers = list(state.racers)
    racers[seat] = replace(racers[seat], **changes)
    return replace(state, racers=tuple(racers))


def _laid_out(_state: None, event: events.RaceLaidOut) -> State:
    racer = Racer(allotted=event.stocks)
    return State((racer,) * event.seats, not event.stocks, event.food, event.keep_secrets)


def _allotted(state: State, event: events.GourdsAllotted) -> State:
    allotted = state.racers[event.seat].allotted
    return _set(state, event.seat, allotted=(*allotted[: event.stage - 1], event.gourds))


def _packed(state: State, event: events.BagsPacked) -> State:
    return _set(state, event.seat, bags=event.bags)


def _stage_begun(state: State, event: events.StageBegun) -> State:
    racers = tuple(
        replace(r, square=0, place=0, stock=r.allotted[event.stage - 1], bag_spent=False)
        for r in state.racers
    )
    return replace(state, stage=event.stage, racers=racers)


def _round_begun(state: State, event: events.RoundBegun) -> State:
    return replace(state, phase=BID, number=event.number)


def _bid(state: State, event: events.BidMade) -> State:
    return _set(state, event.seat, bid=event.gourds, adds_bag=event.bag)


def _gourds_revealed(state: State, event: events.GourdsRevealed) -> State:
    racers = tuple(
        replace(racer, bid=event.gourds[seat], adds_bag=event.bags[seat])
        for seat, racer in enumerate(state.racers)
    )
    return replace(state, phase=REVISE, racers=racers)


def _revised(state: State, event: events.BidRevised) -> State:
    return _set(state, event.seat, revised=event.gourds)


def _withdrawn(state: State, event: events.ChoiceWithdrawn) -> State:
    allotted = state.racers[event.seat].allotted
    match event.what:
        case "allotment":  # the second choice set stages 2 and 3, the first set stage 1
            return _set(state, event.seat, allotted=allotted[:1] if len(allotted) > 1 else ())
        case "bags":
            return _set(state, event.seat, bags=())
        case "bid":
            return _set(state, event.seat, bid=None, adds_bag=False)
        case _:
            return _set(state, event.seat, revised=None)


def _bids_revealed(state: State, event: events.BidsRevealed) -> State:
    racers = tuple(
        replace(
            racer,
            stock=racer.stock - (event.gourds[seat] or 0),
            bag_spent=racer.bag_spent or event.bags[seat] > 0,
            bid=None,
            adds_bag=False,
            revised=None,
        )
        for seat, racer in enumerate(state.racers)
    )
    seen = Round(state.stage, state.number, event.gourds, event.bags, event.steps)
    return replace(state, phase=MOVE, racers=racers, rounds=(*state.rounds, seen))


def _advanced(state: State, event: events.CamelAdvanced) -> State:
    return _set(state, event.seat, square=event.square)


def _water(state: State, event: events.WaterFound) -> State:
    return _set(state, event.seat, stock=state.racers[event.seat].stock + event.gourds)


def _leak(state: State, event: events.WaterLeaked) -> State:
    return _set(state, event.seat, stock=state.racers[event.seat].stock - (event.gourds or 0))


def _bale(state: State, event: events.BaleFound) -> State:
    return _set(state, event.seat, bales=state.racers[event.seat].bales + 1)


def _damage(state: State, event: events.BaleDamaged) -> State:
    return _set(state, event.seat, bales=state.racers[event.seat].bales - event.bales)


def _arrived(state: State, event: events.CamelArrived) -> State:
    return _set(state, event.seat, place=event.place)


def _rewarded(state: State, event: events.PalaceRewarded) -> State:
    racers = tuple(
        replace(racer, bales=racer.bales + event.bales[seat])
        for seat, racer in enumerate(state.racers)
    )
    return replace(state, racers=racers, rewards=(*state.rewards, event.bales))


def _ended(state: State, event: events.RaceEnded) -> State:
    return replace(state, phase=OVER, ranks=event.ranks)


_CHANGES: dict[type, Any] = {
    events.RaceLaidOut: _laid_out,
    events.GourdsAllotted: _allotted,
    events.BagsPacked: _packed,
    events.StageBegun: _stage_begun,
    events.RoundBegun: _round_begun,
    events.BidMade: _bid,
    events.GourdsRevealed: _gourds_revealed,
    events.BidRevised: _revised,
    events.ChoiceWithdrawn: _withdrawn,
    events.BidsRevealed: _bids_revealed,
    events.CamelAdvanced: _advanced,
    events.WaterFound: _water,
    events.WaterLeaked: _leak,
    events.BaleFound: _bale,
    events.BaleDamaged: _damage,
    events.CamelArrived: _arrived,
    events.PalaceRewarded: _rewarded,
    events.RaceEnded: _ended,
}
