"""Information states of Caravane and their determinisation.

The remaining gourds of other seats are hidden, but constrained by public bids and moves. A
determinised race is consistent with all public information.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Draw, Seat
from domain.games.caravane import board
from domain.games.caravane.state import BID, REVISE, Racer, State


class Rival(Struct, frozen=True):
    """The public information about another seat.

    ``allotted``: number of stages with allotted gourds; ``packed``: whether the bags are assigned;
    ``ready``: whether the seat has bid or, in the revision phase, revised its bid; ``bid`` and
    ``adds_bag``: its announced bid, None outside the revision phase.
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

    ``mine``: everything about the seat; ``rivals``: public information about the other seats, in
    seat order; ``public``: the state of the race without its racers.
    """

    mine: Racer
    rivals: tuple[Rival, ...]
    public: State


def observe(state: State, seat: Seat) -> Observation:
    """Return the seat's information state."""
    rivals = [_rival(state, racer) for other, racer in enumerate(state.racers) if other != seat]
    return Observation(state.racers[seat], tuple(rivals), replace(state, racers=()))


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
    """Return a race consistent with an information state; hidden information is drawn at random."""
    racers = []
    rivals = iter(seen.rivals)
    for other in range(len(seen.rivals) + 1):
        racers.append(seen.mine if other == seat else _racer(seen, other, next(rivals), draw))
    return replace(seen.public, racers=tuple(racers))


def _racer(seen: Observation, seat: Seat, rival: Rival, draw: Draw) -> Racer:
    allotted = _allotted(seen, seat, rival, draw)
    stock = stock_after(seen, seat, allotted[seen.public.stage - 1]) if seen.public.stage else 0
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
    if seen.public.phase == BID and rival.ready:
        adds = seen.public.food and not rival.bag_spent and draw(3) == 0
        return replace(racer, bid=draw(racer.stock + 1), adds_bag=adds)
    return racer


def _allotted(seen: Observation, seat: Seat, rival: Rival, draw: Draw) -> tuple[int, ...]:
    """Return allotted gourds for the rival, at random but sufficient for all its public bids."""
    if not seen.public.split:
        return board.STAGE_GOURDS
    least = [
        _min_gourds(seen, seat, stage, rival) for stage in range(1, len(board.STAGE_LENGTHS) + 1)
    ]
    spare = board.TOTAL_GOURDS - sum(least)
    first, second = sorted([draw(spare + 1), draw(spare + 1)])
    parts = (least[0] + first, least[1] + second - first, least[2] + spare - second)
    return parts[: rival.allotted]


def _min_gourds(seen: Observation, seat: Seat, stage: int, rival: Rival) -> int:
    """Return the smallest allotment to a stage with which the rival can have made its bids."""
    now = rival.bid or 0 if stage == seen.public.stage else 0
    for gourds in range(board.TOTAL_GOURDS):
        left = stock_after(seen, seat, gourds, stage)
        if left is not None and left >= now:
            return gourds
    return board.TOTAL_GOURDS


def stock_after(seen: Observation, seat: Seat, gourds: int, stage: int = 0) -> int | None:
    """Return the gourds a seat has left after the revealed rounds of a stage.

    Return None if it could not have paid for its bids. ``gourds``: its stock at the beginning of
    the stage; ``stage``: 0 means the current stage.
    """
    stage, square = stage or seen.public.stage, 0
    for seen_round in seen.public.rounds:
        bid = seen_round.gourds[seat]
        if seen_round.stage != stage or bid is None:
            continue
        if bid > gourds:
            return None
        square = min(square + seen_round.steps[seat], board.stage_length(stage))
        gourds -= bid
        match board.square_effect(stage, square):
            case "water":
                gourds += board.SPILL_GOURDS
            case "leak":
                gourds -= min(board.SPILL_GOURDS, gourds)
    return gourds


def _bags(seen: Observation, seat: Seat, draw: Draw) -> tuple[int, ...]:
    """Return a random assignment of bags to stages, consistent with the revealed bags."""
    known = {each.stage: each.bags[seat] for each in seen.public.rounds if each.bags[seat]}
    left = [bag for bag in board.BAG_VALUES if bag not in known.values()]
    return tuple(
        [
            known[stage] if stage in known else left.pop(draw(len(left)))
            for stage in range(1, len(board.STAGE_LENGTHS) + 1)
        ]
    )
