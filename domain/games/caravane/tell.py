"""Labels of commands and descriptions of events of Caravane. Ships to the browser."""

from collections.abc import Callable
from typing import Any

from domain.contract.game import Label, Seat, event_message
from domain.games.caravane import events
from domain.games.caravane.board import TOTAL_GOURDS
from domain.games.caravane.commands import Allot, Bid, Command, PackBags, Revise
from domain.games.caravane.state import State


def label(state: State, seat: Seat, command: Command) -> Label:
    """Return the label of a legal command."""
    racer = state.racers[seat]
    match command:
        case Allot(gourds=gourds) if not racer.allotted:
            return Label("allot", {"gourds": gourds, "stage": 1})
        case Allot(gourds=gourds):
            rest = TOTAL_GOURDS - sum(racer.allotted) - gourds
            return Label("allot-rest", {"gourds": gourds, "stage": 2, "rest": rest})
        case PackBags(bags=bags):
            return Label("pack", _levels(bags))
        case Bid(gourds=gourds, bag=bag):
            return Label("bid-bag" if bag else "bid", {"gourds": gourds})
        case Revise(gourds=gourds):
            return Label("stay" if gourds == racer.bid else "change", {"gourds": gourds})
    raise TypeError(command)


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the description of an event, redacted or not: a message id and its arguments."""
    return _secret(event) or _TELLERS[type(event)](event)


def _secret(event: Any) -> tuple[str, dict[str, Any]] | None:
    match event:
        case events.GourdsAllotted(seat=seat, stage=stage, gourds=None):
            return "allotted-hidden", {"who": seat, "stage": stage}
        case events.GourdsAllotted(seat=seat, stage=stage, gourds=gourds):
            return "allotted", {"who": seat, "stage": stage, "gourds": gourds}
        case events.BagsPacked(seat=seat, bags=None):
            return "packed-hidden", {"who": seat}
        case events.BagsPacked(seat=seat, bags=bags):
            return "packed", {"who": seat, **_levels(bags)}
        case events.BidMade(seat=seat, gourds=None):
            return "bid-hidden", {"who": seat}
        case events.BidMade(seat=seat, gourds=gourds, bag=bag):
            return ("bid-made-bag" if bag else "bid-made"), {"who": seat, "gourds": gourds}
        case events.BidRevised(seat=seat, gourds=None):
            return "revised-hidden", {"who": seat}
        case events.BidRevised(seat=seat, gourds=gourds):
            return "bid-revised", {"who": seat, "gourds": gourds}
        case events.WaterLeaked(seat=seat, gourds=None):
            return "leak-hidden", {"who": seat}
        case events.WaterLeaked(seat=seat, gourds=gourds):
            return "water-leaked", {"who": seat, "gourds": gourds}
        case _:
            return None


def _levels(bags: Any) -> dict[str, Any]:
    return {"first": bags[0], "second": bags[1], "third": bags[2]}


def _bids(gourds: Any, bags: Any) -> list[Any]:
    """Return the entries of a list of bids such as "3 (Ann), 1+2 (Bea)".

    Seats whose camel has arrived are left out.
    """
    return _of_seats(
        [None if bid is None else _shown_bid(bid, bags[seat]) for seat, bid in enumerate(gourds)]
    )


def _of_seats(amounts: Any) -> list[Any]:
    """Return messages with an amount and its seat; ``amounts``: None for seats without one."""
    return [
        {"key": "of-seat", "args": {"amount": amount, "owner": seat}}
        for seat, amount in enumerate(amounts)
        if amount is not None
    ]


def _shown_bid(bid: int, bag: Any) -> Any:
    """Return a number, or a nested message if there is a bag."""
    if not bag:
        return bid
    key = "shown-bag" if bag == "bag" else "shown-added"
    return {"key": key, "args": {"gourds": bid, "bag": bag}}


def _gourds_revealed(event: events.GourdsRevealed) -> tuple[str, dict[str, Any]]:
    bags = ["bag" if adds_bag else 0 for adds_bag in event.bags]
    return "gourds-revealed", {"bids": _bids(event.gourds, bags)}


def _bids_revealed(event: events.BidsRevealed) -> tuple[str, dict[str, Any]]:
    return "bids-revealed", {"bids": _bids(event.gourds, event.bags)}


def _damaged(event: events.BaleDamaged) -> tuple[str, dict[str, Any]]:
    if event.bales:
        return "bale-damaged", {"owner": event.seat}
    return "bale-unharmed", {"who": event.seat}


def _rewarded(event: events.PalaceRewarded) -> tuple[str, dict[str, Any]]:
    return "rewarded", {"stage": event.stage, "bales": _of_seats(event.bales)}


_TELLERS: dict[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    events.RaceLaidOut: event_message("laid-out"),
    events.StageBegun: event_message("stage-begun", stage="stage"),
    events.RoundBegun: event_message("round-begun", number="number"),
    events.GourdsRevealed: _gourds_revealed,
    events.ChoiceWithdrawn: event_message("withdrawn", who="seat"),
    events.BidsRevealed: _bids_revealed,
    events.CamelAdvanced: event_message("advanced", who="seat", square="square"),
    events.WaterFound: event_message("water-found", who="seat", gourds="gourds"),
    events.BaleFound: event_message("bale-found", who="seat"),
    events.BaleDamaged: _damaged,
    events.CamelArrived: event_message("arrived", who="seat", place="place"),
    events.PalaceRewarded: _rewarded,
    events.RaceEnded: event_message("ended"),
}
