"""Views and redaction of Caravane. Ships to the browser."""

from typing import Any

from domain.contract.game import ALL_SEEING, Seat, Viewer
from domain.games.caravane import events
from domain.games.caravane.board import PALACE_BALES, SPECIAL_SQUARES, STAGE_LENGTHS
from domain.games.caravane.options import Options
from domain.games.caravane.state import REVISE, Round, State, missing_choice


def reveals(event: Any) -> bool:
    """Return whether an event reveals secret bids."""
    return isinstance(event, (events.GourdsRevealed, events.BidsRevealed))


def keeps_secrets(options: Options) -> bool:
    """Return whether the options keep hidden information hidden after the end."""
    return options.keep_secrets


def redact(event: Any, viewer: Viewer) -> Any:
    """Return the event as the viewer may see it, with other seats' choices and leaks blanked.

    `ALL_SEEING` sees everything, so callers must not pass it in a match with ``keep_secrets``,
    which the events themselves do not carry.
    """
    if viewer == ALL_SEEING:
        return event
    match event:
        case events.GourdsAllotted(seat=seat, stage=stage) if seat != viewer:
            return events.GourdsAllotted(seat, stage, None)
        case events.BagsPacked(seat=seat) if seat != viewer:
            return events.BagsPacked(seat, None)
        case events.BidMade(seat=seat) if seat != viewer:
            return events.BidMade(seat, None, None)
        case events.BidRevised(seat=seat) if seat != viewer:
            return events.BidRevised(seat, None)
        case events.WaterLeaked(seat=seat) if seat != viewer:
            return events.WaterLeaked(seat, None)
        case _:
            return event


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return what the viewer may see, as JSON values.

    ``{phase: "prepare"|"bid"|"revise"|"move"|"over", stage: 0-3 (0: before the race), round,
    split, food, track: [{stage, length, special: {square: "water"|"leak"|"bale"|"damage"},
    palace: [bales by place]}], racers: [racer by seat], rounds: [revealed rounds of the current
    stage, oldest first], last: the latest revealed round or None, rewards: [[bales by seat] of
    each palace reached], ranks: [by seat, empty before the end]}``.

    A racer is ``{seat, square, place (0: still racing), bales, ready, bag_spent, stock,
    allotted, bags, bid: {gourds, bag}, revised}``; hidden values are None. A round is
    ``{stage, round, gourds, bags, steps}``, the last three lists by seat as in `BidsRevealed`.
    With ``keep_secrets`` hidden information stays hidden even from `ALL_SEEING`.
    """
    all_seeing = viewer == ALL_SEEING and not state.keep_secrets
    return {
        "phase": state.phase,
        "stage": state.stage,
        "round": state.number,
        "split": state.split,
        "food": state.food,
        "track": _track(),
        "racers": [
            _racer_view(state, seat, all_seeing or seat == viewer)
            for seat in range(len(state.racers))
        ],
        "rounds": [_round_view(seen) for seen in state.rounds if seen.stage == state.stage],
        "last": _round_view(state.rounds[-1]) if state.rounds else None,
        "rewards": [list(bales) for bales in state.rewards],
        "ranks": list(state.ranks),
    }


def _track() -> list[dict[str, Any]]:
    return [
        {
            "stage": i + 1,
            "length": STAGE_LENGTHS[i],
            "special": {str(square): what for square, what in SPECIAL_SQUARES[i].items()},
            "palace": list(PALACE_BALES[i]),
        }
        for i in range(len(STAGE_LENGTHS))
    ]


def _racer_view(state: State, seat: Seat, own: bool) -> dict[str, Any]:
    racer = state.racers[seat]
    bid = None
    if racer.bid is not None and (own or state.phase == REVISE):
        bid = {"gourds": racer.bid, "bag": racer.adds_bag}
    return {
        "seat": seat,
        "square": racer.square,
        "place": racer.place,
        "bales": racer.bales,
        "ready": missing_choice(state, seat) is None,
        "bag_spent": racer.bag_spent,
        "stock": racer.stock if own else None,
        "allotted": list(racer.allotted) if own or not state.split else None,
        "bags": list(racer.bags) if own else None,
        "bid": bid,
        "revised": racer.revised if own else None,
    }


def _round_view(seen: Round) -> dict[str, Any]:
    return {
        "stage": seen.stage,
        "round": seen.number,
        "gourds": list(seen.gourds),
        "bags": list(seen.bags),
        "steps": list(seen.steps),
    }
