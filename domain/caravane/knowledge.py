"""What a seat knows of a race of Caravane, and races that it may be.

Others' gourds left are hidden, but much of them can be worked out from what lay open: what was
bid, and where camels stopped. A race made up here fits all of that.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.caravane.board import ALL_GOURDS, BAGS, LENGTHS, SPILL, STOCKS, effect, length
from domain.caravane.state import BID, REVISE, Phase, Racer, Round, State
from domain.game import Draw, Seat


class Rival(Struct, frozen=True):
    """What is open of another seat.

    ``allotted``: how many stages have their gourds; ``packed``: whether the bags are laid;
    ``ready``: whether the choice of this phase is made. ``bid`` and ``adds_bag`` are those that
    were announced, None before.
    """

    square: int
    place: int
    bales: int
    bag_spent: bool
    allotted: int
    packed: bool
    ready: bool
    bid: int | None
    adds_bag: bool | None


class Observation(Struct, frozen=True):
    """What a seat knows: all of itself (``mine``), of the others what is open (``rivals`` in seat
    order, without the own seat), and the course of the race."""

    mine: Racer
    rivals: tuple[Rival, ...]
    split: bool
    food: bool
    keep_secrets: bool
    phase: Phase
    stage: int
    number: int
    rounds: tuple[Round, ...]
    rewards: tuple[tuple[int, ...], ...]
    ranks: tuple[int, ...]


def observe(state: State, seat: Seat) -> Observation:
    """What the seat knows."""
    rivals = [_rival(state, racer) for other, racer in enumerate(state.racers) if other != seat]
    return Observation(
        state.racers[seat],
        tuple(rivals),
        state.split,
        state.food,
        state.keep_secrets,
        state.phase,
        state.stage,
        state.number,
        state.rounds,
        state.rewards,
        state.ranks,
    )


def _rival(state: State, racer: Racer) -> Rival:
    announced = state.phase == REVISE and racer.bid is not None
    chosen = racer.revised if state.phase == REVISE else racer.bid
    return Rival(
        racer.square,
        racer.place,
        racer.bales,
        racer.bag_spent,
        len(racer.allotted),
        bool(racer.bags),
        chosen is not None,
        racer.bid if announced else None,
        racer.adds_bag if announced else None,
    )


# --- races that it may be -------------------------------------------------------------------


def determinise(seen: Observation, seat: Seat, draw: Draw) -> State:
    """A race in which the seat sees the same; ``draw`` decides what it does not see."""
    racers = []
    rivals = iter(seen.rivals)
    for other in range(len(seen.rivals) + 1):
        racers.append(seen.mine if other == seat else _racer(seen, other, next(rivals), draw))
    return State(
        tuple(racers),
        seen.split,
        seen.food,
        seen.keep_secrets,
        seen.phase,
        seen.stage,
        seen.number,
        seen.rounds,
        seen.rewards,
        seen.ranks,
    )


def _racer(seen: Observation, seat: Seat, rival: Rival, draw: Draw) -> Racer:
    allotted = _allotted(seen, seat, rival, draw)
    stock = stock_after(seen, seat, allotted[seen.stage - 1]) if seen.stage else 0
    racer = Racer(
        rival.square,
        rival.place,
        rival.bales,
        stock or 0,
        allotted,
        _bags(seen, seat, draw) if rival.packed else (),
        rival.bag_spent,
    )
    if rival.bid is not None:
        revised = draw(racer.stock + 1) if rival.ready and not rival.adds_bag else None
        return replace(racer, bid=rival.bid, adds_bag=bool(rival.adds_bag), revised=revised)
    if seen.phase == BID and rival.ready:
        adds = seen.food and not rival.bag_spent and draw(3) == 0
        return replace(racer, bid=draw(racer.stock + 1), adds_bag=adds)
    return racer


def _allotted(seen: Observation, seat: Seat, rival: Rival, draw: Draw) -> tuple[int, ...]:
    """Gourds of each stage that pay for all that was bid."""
    if not seen.split:
        return STOCKS
    least = [_least(seen, seat, stage, rival) for stage in range(1, len(LENGTHS) + 1)]
    spare = ALL_GOURDS - sum(least)
    first, second = sorted([draw(spare + 1), draw(spare + 1)])
    parts = (least[0] + first, least[1] + second - first, least[2] + spare - second)
    return parts[: rival.allotted]


def _least(seen: Observation, seat: Seat, stage: int, rival: Rival) -> int:
    """The fewest gourds of a stage with which the seat can have bid what it did."""
    now = rival.bid or 0 if stage == seen.stage else 0
    for gourds in range(ALL_GOURDS):
        left = stock_after(seen, seat, gourds, stage)
        if left is not None and left >= now:
            return gourds
    return ALL_GOURDS


def stock_after(seen: Observation, seat: Seat, gourds: int, stage: int = 0) -> int | None:
    """What a seat has left of the gourds it began a stage with (default: the present one), after
    the rounds that lay open; None when it could not have paid."""
    stage, square = stage or seen.stage, 0
    for seen_round in seen.rounds:
        bid = seen_round.gourds[seat]
        if seen_round.stage != stage or bid is None:
            continue
        if bid > gourds:
            return None
        square = min(square + seen_round.steps[seat], length(stage))
        gourds -= bid
        match effect(stage, square):
            case "water":
                gourds += SPILL
            case "leak":
                gourds -= min(SPILL, gourds)
    return gourds


def _bags(seen: Observation, seat: Seat, draw: Draw) -> tuple[int, ...]:
    """Those that lay open where they did, the others somewhere."""
    known = {each.stage: each.bags[seat] for each in seen.rounds if each.bags[seat]}
    left = [bag for bag in BAGS if bag not in known.values()]
    return tuple(
        [
            known[stage] if stage in known else left.pop(draw(len(left)))
            for stage in range(1, len(LENGTHS) + 1)
        ]
    )
