"""State transitions of Caravane, one per kind of event. Ships to the browser."""

from collections.abc import Callable
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


def _laid_out(_state: object, event: events.RaceLaidOut) -> State:
    racer = Racer(allotted=event.stocks)
    return State((racer,) * event.seats, not event.stocks, event.food, event.keep_secrets)


def _allotted(state: State, event: events.GourdsAllotted) -> State:
    allotted = state.racers[event.seat].allotted
    return _set(state, event.seat, allotted=(*allotted[: event.stage - 1], event.gourds))


def _stage_begun(state: State, event: events.StageBegun) -> State:
    racers = tuple(
        replace(r, square=0, place=0, stock=r.allotted[event.stage - 1], bag_spent=False)
        for r in state.racers
    )
    return replace(state, stage=event.stage, racers=racers)


def _gourds_revealed(state: State, event: events.GourdsRevealed) -> State:
    racers = tuple(
        replace(racer, bid=event.gourds[seat], adds_bag=event.bags[seat])
        for seat, racer in enumerate(state.racers)
    )
    return replace(state, phase=REVISE, racers=racers)


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


def _leak(state: State, event: events.WaterLeaked) -> State:
    return _set(state, event.seat, stock=state.racers[event.seat].stock - (event.gourds or 0))


def _rewarded(state: State, event: events.PalaceRewarded) -> State:
    racers = tuple(
        replace(racer, bales=racer.bales + event.bales[seat])
        for seat, racer in enumerate(state.racers)
    )
    return replace(state, racers=racers, rewards=(*state.rewards, event.bales))


_CHANGES: dict[type, Callable[[State, Any], State]] = {
    events.RaceLaidOut: _laid_out,
    events.GourdsAllotted: _allotted,
    events.BagsPacked: lambda s, e: _set(s, e.seat, bags=e.bags),
    events.StageBegun: _stage_begun,
    events.RoundBegun: lambda s, e: replace(s, phase=BID, number=e.number),
    events.BidMade: lambda s, e: _set(s, e.seat, bid=e.gourds, adds_bag=e.bag),
    events.GourdsRevealed: _gourds_revealed,
    events.BidRevised: lambda s, e: _set(s, e.seat, revised=e.gourds),
    events.ChoiceWithdrawn: _withdrawn,
    events.BidsRevealed: _bids_revealed,
    events.CamelAdvanced: lambda s, e: _set(s, e.seat, square=e.square),
    events.WaterFound: lambda s, e: _set(s, e.seat, stock=s.racers[e.seat].stock + e.gourds),
    events.WaterLeaked: _leak,
    events.BaleFound: lambda s, e: _set(s, e.seat, bales=s.racers[e.seat].bales + 1),
    events.BaleDamaged: lambda s, e: _set(s, e.seat, bales=s.racers[e.seat].bales - e.bales),
    events.CamelArrived: lambda s, e: _set(s, e.seat, place=e.place),
    events.PalaceRewarded: _rewarded,
    events.RaceEnded: lambda s, e: replace(s, phase=OVER, ranks=e.ranks),
}
