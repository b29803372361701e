"""Every sentence of Caravane, and which one tells which event. Ships to the browser."""

from typing import Any

from domain.caravane.events import (
    BagsPacked,
    BaleDamaged,
    BaleFound,
    BidMade,
    BidRevised,
    BidsRevealed,
    CamelAdvanced,
    CamelArrived,
    ChoiceWithdrawn,
    GourdsAllotted,
    GourdsRevealed,
    PalaceRewarded,
    RaceEnded,
    RoundBegun,
    StageBegun,
    WaterFound,
    WaterLeaked,
)

TEXT: dict[str, str] = {
    # choices
    "allot": "Keep {gourds} gourds for stage {stage}",
    "allot-rest": "Keep {gourds} gourds for stage {stage}, {rest} for stage 3",
    "pack": "Bags of {first}, {second} and {third} for stages 1, 2 and 3",
    "bid": "Bid {gourds}",
    "bid-bag": "Bid {gourds} and the food bag",
    "stay": "Stay at {gourds}",
    "change": "Change to {gourds}",
    # events
    "laid-out": "The camels stand at the start.",
    "allotted": "{who} kept {gourds} gourds for stage {stage}.",
    "allotted-hidden": "{who} secretly put gourds aside for stage {stage}.",
    "packed": "{who} packed food bags of {first}, {second} and {third}.",
    "packed-hidden": "{who} secretly packed the food bags.",
    "stage-begun": "Stage {stage} begins.",
    "round-begun": "Round {number}: bids, please.",
    "bid-made": "{who} bid {gourds}.",
    "bid-made-bag": "{who} bid {gourds} and a food bag.",
    "bid-hidden": "{who} is ready.",
    "gourds-revealed": "Gourds on the table, in seat order: {bids}; a bag adds a secret amount.",
    "bid-revised": "{who} made it {gourds}.",
    "revised-hidden": "{who} is ready again.",
    "withdrawn": "{who} is thinking again.",
    "bids-revealed": "The bids, in seat order: {bids}.",
    "advanced": "{who} goes on to square {square}.",
    "water-found": "{who} finds {gourds} gourds of water.",
    "water-leaked": "{who} loses {gourds} gourds to a leak.",
    "leak-hidden": "{who} loses two gourds to a leak, or what is left.",
    "bale-found": "{who} finds a bale of silk.",
    "bale-damaged": "A bale of {owner} is damaged and lost.",
    "bale-unharmed": "{who} has no bale that could be damaged.",
    "arrived": "{who} reaches the palace in place {place}.",
    "rewarded": "Silk at palace {stage}, in seat order: {bales}.",
    "ended": "The race is over.",
}


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """The event in words: a key of ``TEXT`` and its arguments; redacted events too."""
    return _secret(event) or _public(event)


def _secret(event: Any) -> tuple[str, dict[str, Any]] | None:
    match event:
        case GourdsAllotted(seat=seat, stage=stage, gourds=None):
            return "allotted-hidden", {"who": seat, "stage": stage}
        case GourdsAllotted(seat=seat, stage=stage, gourds=gourds):
            return "allotted", {"who": seat, "stage": stage, "gourds": gourds}
        case BagsPacked(seat=seat, bags=None):
            return "packed-hidden", {"who": seat}
        case BagsPacked(seat=seat, bags=bags):
            return "packed", {"who": seat, **_levels(bags)}
        case BidMade(seat=seat, gourds=None):
            return "bid-hidden", {"who": seat}
        case BidMade(seat=seat, gourds=gourds, bag=bag):
            return ("bid-made-bag" if bag else "bid-made"), {"who": seat, "gourds": gourds}
        case BidRevised(seat=seat, gourds=None):
            return "revised-hidden", {"who": seat}
        case BidRevised(seat=seat, gourds=gourds):
            return "bid-revised", {"who": seat, "gourds": gourds}
        case WaterLeaked(seat=seat, gourds=None):
            return "leak-hidden", {"who": seat}
        case WaterLeaked(seat=seat, gourds=gourds):
            return "water-leaked", {"who": seat, "gourds": gourds}
        case _:
            return None


def _public(event: Any) -> tuple[str, dict[str, Any]]:  # noqa: C901  a table of cases
    match event:
        case StageBegun(stage=stage):
            return "stage-begun", {"stage": stage}
        case RoundBegun(number=number):
            return "round-begun", {"number": number}
        case GourdsRevealed(gourds=gourds, bags=bags):
            return "gourds-revealed", {"bids": _bids(gourds, ["bag" if b else 0 for b in bags])}
        case ChoiceWithdrawn(seat=seat):
            return "withdrawn", {"who": seat}
        case BidsRevealed(gourds=gourds, bags=bags):
            return "bids-revealed", {"bids": _bids(gourds, bags)}
        case CamelAdvanced(seat=seat, square=square):
            return "advanced", {"who": seat, "square": square}
        case WaterFound(seat=seat, gourds=gourds):
            return "water-found", {"who": seat, "gourds": gourds}
        case BaleFound(seat=seat):
            return "bale-found", {"who": seat}
        case BaleDamaged(seat=seat, bales=0):
            return "bale-unharmed", {"who": seat}
        case BaleDamaged(seat=seat):
            return "bale-damaged", {"owner": seat}
        case CamelArrived(seat=seat, place=place):
            return "arrived", {"who": seat, "place": place}
        case PalaceRewarded(stage=stage, bales=bales):
            return "rewarded", {"stage": stage, "bales": ", ".join([str(n) for n in bales])}
        case RaceEnded():
            return "ended", {}
        case _:
            return "laid-out", {}


def _levels(bags: Any) -> dict[str, Any]:
    return {"first": bags[0], "second": bags[1], "third": bags[2]}


def _bids(gourds: Any, bags: Any) -> str:
    """All bids in seat order, as "3, 1+2, –": a bag is added, a dash is a camel at rest."""
    shown = []
    for seat, bid in enumerate(gourds):
        bag = f"+{bags[seat]}" if bags[seat] else ""
        shown.append("–" if bid is None else f"{bid}{bag}")
    return ", ".join(shown)
