"""Labels of commands and descriptions of events of Caravane. Ships to the browser."""

from typing import Any

from domain.contract.game import Label, Seat
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
    return _secret(event) or _public(event)


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


def _public(event: Any) -> tuple[str, dict[str, Any]]:  # noqa: C901  a table of cases
    match event:
        case events.StageBegun(stage=stage):
            return "stage-begun", {"stage": stage}
        case events.RoundBegun(number=number):
            return "round-begun", {"number": number}
        case events.GourdsRevealed(gourds=gourds, bags=bags):
            return "gourds-revealed", {"bids": _bids(gourds, ["bag" if b else 0 for b in bags])}
        case events.ChoiceWithdrawn(seat=seat):
            return "withdrawn", {"who": seat}
        case events.BidsRevealed(gourds=gourds, bags=bags):
            return "bids-revealed", {"bids": _bids(gourds, bags)}
        case events.CamelAdvanced(seat=seat, square=square):
            return "advanced", {"who": seat, "square": square}
        case events.WaterFound(seat=seat, gourds=gourds):
            return "water-found", {"who": seat, "gourds": gourds}
        case events.BaleFound(seat=seat):
            return "bale-found", {"who": seat}
        case events.BaleDamaged(seat=seat, bales=0):
            return "bale-unharmed", {"who": seat}
        case events.BaleDamaged(seat=seat):
            return "bale-damaged", {"owner": seat}
        case events.CamelArrived(seat=seat, place=place):
            return "arrived", {"who": seat, "place": place}
        case events.PalaceRewarded(stage=stage, bales=bales):
            return "rewarded", {"stage": stage, "bales": _of_seats(bales)}
        case events.RaceEnded():
            return "ended", {}
        case _:
            return "laid-out", {}


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
