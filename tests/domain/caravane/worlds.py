"""States of a Caravane race that a viewer cannot distinguish from a given one."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from domain.contract.game import ALL_SEEING
from domain.games.caravane.board import BAG_VALUES, TOTAL_GOURDS, square_effect
from domain.games.caravane.state import BID, MOVE, PREPARE, REVISE, Racer, State

TRIES = 12


def other_world(
    state: State, viewer: int | None, draw: Callable[[int], int], same_bids: bool = False
) -> State | None:
    """A state that differs only in what is hidden from the viewer, or None if nothing may.

    The other seats get another split, other bags and other bids that fit everything the viewer
    has seen: every open round could have been played so, with the same squares reached and the
    same bags opened. With ``same_bids`` choices still secret stay, so that a reveal in both
    worlds shows the same. ``draw(n)`` gives 0..n-1. Events of a decision are not looked into:
    while camels move only the bags change.
    """
    if viewer == ALL_SEEING and not state.keep_secrets:
        return None
    racers = tuple(
        racer if seat == viewer else _other_racer(state, seat, draw, same_bids)
        for seat, racer in enumerate(state.racers)
    )
    other = replace(state, racers=racers)
    return None if other == state else other


def stock_after(state: State, seat: int, allotted: tuple[int, ...]) -> int | None:
    """Return the gourds left in the current stage had the seat split its gourds so; None if
    impossible.

    Replays the open rounds: bids are paid, the square that the camel stops on adds two gourds or
    takes two (or what there is).
    """
    stock = square = stage = 0
    for seen in state.rounds:
        if seen.stage != stage:
            stage, square, stock = seen.stage, 0, allotted[seen.stage - 1]
        bid = seen.gourds[seat]
        if bid is None:
            continue
        if bid > stock:
            return None
        square += seen.steps[seat]
        stock -= bid
        stock += {"water": 2, "leak": -min(2, stock)}.get(square_effect(stage, square) or "", 0)
    return allotted[state.stage - 1] if stage != state.stage else stock


def _other_racer(state: State, seat: int, draw: Any, same_bids: bool) -> Racer:
    racer = _with_other_bags(state, seat, draw, same_bids)
    if state.phase == MOVE:
        return racer
    if state.split:
        racer = _with_other_split(state, seat, racer, draw, same_bids)
    return racer if same_bids else _with_other_bid(state, racer, draw)


def _with_other_bags(state: State, seat: int, draw: Any, same_bids: bool) -> Racer:
    """Bags already opened stay, and with ``same_bids`` one that is bid now."""
    racer = state.racers[seat]
    if not racer.bags:
        return racer
    known = {seen.stage: seen.bags[seat] for seen in state.rounds if seen.bags[seat]}
    if same_bids and racer.adds_bag:
        known[state.stage] = racer.bags[state.stage - 1]
    fitting = [
        bags
        for bags in permutations(BAG_VALUES)
        if all(bags[stage - 1] == bag for stage, bag in known.items())
    ]
    return replace(racer, bags=fitting[draw(len(fitting))])


def _with_other_split(state: State, seat: int, racer: Racer, draw: Any, same: bool) -> Racer:
    if state.phase == PREPARE:
        return replace(racer, allotted=_some_split(racer.allotted, draw)[: len(racer.allotted)])
    least = _least_stock(state, racer, same)
    for _ in range(TRIES):
        allotted = _some_split(racer.allotted, draw)
        stock = stock_after(state, seat, allotted)
        if stock is not None and stock >= least:
            return replace(racer, allotted=allotted, stock=stock)
    return racer


def _least_stock(state: State, racer: Racer, same_bids: bool) -> int:
    """What the choices of this round that stay need."""
    bids = [racer.bid if same_bids or state.phase == REVISE else None]
    bids.append(racer.revised if same_bids else None)
    return max(bid or 0 for bid in bids)


def _some_split(allotted: tuple[int, ...], draw: Any) -> tuple[int, ...]:
    """Return a random split, or one close to the present one, which fits more often."""
    first = draw(TOTAL_GOURDS + 1)
    second = draw(TOTAL_GOURDS - first + 1)
    if len(allotted) == 3 and draw(2):
        first = min(max(allotted[0] + draw(9) - 4, 0), TOTAL_GOURDS)
        second = min(max(allotted[1] + draw(9) - 4, 0), TOTAL_GOURDS - first)
    return (first, second, TOTAL_GOURDS - first - second)


def _with_other_bid(state: State, racer: Racer, draw: Any) -> Racer:
    if state.phase == BID and racer.bid is not None:
        bag = state.food and not racer.bag_spent and draw(2) == 1
        return replace(racer, bid=draw(racer.stock + 1), adds_bag=bag)
    if state.phase == REVISE and racer.revised is not None:
        return replace(racer, revised=draw(racer.stock + 1))
    return racer
