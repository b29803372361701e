"""Information states of Caravane and their determinisation.

The gourds that other seats have left are hidden, but public bids and moves limit them. A
determinised race is consistent with everything that was public.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Draw, Seat
from domain.games.caravane.board import (
    BAG_VALUES,
    SPILL_GOURDS,
    STAGE_GOURDS,
    STAGE_LENGTHS,
    TOTAL_GOURDS,
    square_effect,
    stage_length,
)
from domain.games.caravane.state import BID, REVISE, Phase, Racer, Round, State


class Rival(Struct, frozen=True):
    """The public information on another seat.

    ``allotted``: number of stages whose gourds are allotted; ``packed``: whether the bags are
    assigned; ``ready``: whether the choice of this phase is made. ``bid`` and ``adds_bag``: what
    was announced, None before that.
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
    """The information state of a seat.

    ``mine``: everything about the seat; ``rivals``: the public part of the others, in seat order
    without it; the other fields: the public state of the race.
    """

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
    """Return the seat's information state."""
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


# --- determinisation ------------------------------------------------------------------------


def determinise(seen: Observation, seat: Seat, draw: Draw) -> State:
    """Return a race consistent with an information state; ``draw`` decides what is hidden."""
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
    """Draw gourds for each stage that suffice for everything the rival has bid."""
    if not seen.split:
        return STAGE_GOURDS
    least = [_min_gourds(seen, seat, stage, rival) for stage in range(1, len(STAGE_LENGTHS) + 1)]
    spare = TOTAL_GOURDS - sum(least)
    first, second = sorted([draw(spare + 1), draw(spare + 1)])
    parts = (least[0] + first, least[1] + second - first, least[2] + spare - second)
    return parts[: rival.allotted]


def _min_gourds(seen: Observation, seat: Seat, stage: int, rival: Rival) -> int:
    """Return the fewest gourds of a stage with which the seat can have made its bids."""
    now = rival.bid or 0 if stage == seen.stage else 0
    for gourds in range(TOTAL_GOURDS):
        left = stock_after(seen, seat, gourds, stage)
        if left is not None and left >= now:
            return gourds
    return TOTAL_GOURDS


def stock_after(seen: Observation, seat: Seat, gourds: int, stage: int = 0) -> int | None:
    """Return what a seat has left after the public rounds of a stage.

    ``gourds``: its stock at the beginning of the stage; ``stage``: by default the present one. None
    if it could not have paid for its bids.
    """
    stage, square = stage or seen.stage, 0
    for seen_round in seen.rounds:
        bid = seen_round.gourds[seat]
        if seen_round.stage != stage or bid is None:
            continue
        if bid > gourds:
            return None
        square = min(square + seen_round.steps[seat], stage_length(stage))
        gourds -= bid
        match square_effect(stage, square):
            case "water":
                gourds += SPILL_GOURDS
            case "leak":
                gourds -= min(SPILL_GOURDS, gourds)
    return gourds


def _bags(seen: Observation, seat: Seat, draw: Draw) -> tuple[int, ...]:
    """Draw an assignment of bags in which the revealed ones are where they were revealed."""
    known = {each.stage: each.bags[seat] for each in seen.rounds if each.bags[seat]}
    left = [bag for bag in BAG_VALUES if bag not in known.values()]
    return tuple(
        [
            known[stage] if stage in known else left.pop(draw(len(left)))
            for stage in range(1, len(STAGE_LENGTHS) + 1)
        ]
    )
