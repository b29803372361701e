"""States of a game of Caravansérail that a viewer cannot distinguish from a given one."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.contract.choice_groups import expand_range, flatten_options
from domain.contract.game import ALL_SEEING
from domain.games.caravanserail import planning, trading
from domain.games.caravanserail.board import (
    CARAVAN_CAPACITY,
    CARAVANS_PER_SEAT,
    TREASURE,
    continuations,
)
from domain.games.caravanserail.combinations import amount_range
from domain.games.caravanserail.commands import Load
from domain.games.caravanserail.scoring import is_complete
from domain.games.caravanserail.state import (
    BUSINESS,
    OVER,
    PROGRAMME,
    Offer,
    Sheikh,
    State,
    board,
    minus,
    plus,
    size,
    wares_in,
    with_store,
)

Draw = Callable[[int], int]
SWAPS = 40
TRIES = 8


def other_world(
    state: State, viewer: int | None, draw: Draw, same_deeds: bool = False
) -> State | None:
    """A state that differs only in what is hidden from the viewer, or None if nothing does.

    The other seats get other cards, other wares in treasures and caravans, other programmes,
    drafts and offers among themselves; nobody has won in it who has not won already. What the
    viewer sees stays: offers to and from him with the stores they need, the load that he is
    looting, and that caravans owing a tax are not empty. With ``same_deeds`` orders, looters,
    drafts, offers and which caravans are empty stay too, so that a reveal in both worlds shows
    the same. Every world keeps the invariants of the game, so each of its choices is legal there.
    ``draw(n)`` gives 0..n-1.
    """
    if viewer == ALL_SEEING:
        if not state.keep_secrets:
            return None
        viewer = None
    others = [seat for seat in range(len(state.sheikhs)) if seat != viewer]
    if state.phase == OVER:
        others = [seat for seat in others if seat not in state.winners]
        if not state.keep_secrets:
            return None
    for _ in range(TRIES):
        other = _other(state, viewer, others, draw, same_deeds)
        won = [seat for seat, sheikh in enumerate(other.sheikhs) if is_complete(sheikh)]
        if other != state and set(won) <= set(state.winners):
            return other
    return None


def _other(
    state: State, viewer: int | None, others: list[int], draw: Draw, same_deeds: bool
) -> State:
    other = _with_other_cards(state, others, draw)
    other = _with_other_wares(other, viewer, others, draw, same_deeds)
    for seat in others:
        if state.phase == PROGRAMME:
            other = _with_other_programme(other, seat, draw, same_deeds)
        if state.phase == BUSINESS and not same_deeds:
            other = _with_other_offer(other, viewer, seat, draw)
    return other


def _put(state: State, seat: int, sheikh: Sheikh) -> State:
    sheikhs = list(state.sheikhs)
    sheikhs[seat] = sheikh
    return replace(state, sheikhs=tuple(sheikhs))


def _with_other_cards(state: State, others: list[int], draw: Draw) -> State:
    """Redraw the cards of the others; before the deal there are none."""
    left = [(state.sheikhs[seat].card, state.sheikhs[seat].goal) for seat in others]
    for seat in others:
        card, goal = left.pop(draw(len(left)))
        state = _put(state, seat, replace(state.sheikhs[seat], card=card, goal=goal))
    return state


def _with_other_wares(
    state: State, viewer: int | None, others: list[int], draw: Draw, same_sizes: bool
) -> State:
    """Tokens change places between stores that the viewer cannot look into."""
    stores = [
        (seat, which)
        for seat in others
        for which in (TREASURE, *range(CARAVANS_PER_SEAT))
        if not _known(state, viewer, seat, which)
        and (which == TREASURE or state.sheikhs[seat].positions[which : which + 1])
    ]
    for _ in range(SWAPS if stores else 0):
        a, b = (stores[draw(len(stores))] for _ in range(2))
        state = _swapped(state, a, b, draw, same_sizes)
    return state


def _known(state: State, viewer: int | None, seat: int, which: int) -> bool:
    """Return whether the viewer is looting this caravan, or has an offer from this store."""
    offer = state.sheikhs[seat].offer
    if offer and (offer.partner == viewer or offer.mine == which):
        return True
    return any(
        (raid.seat, raid.victim, raid.caravan) == (viewer, seat, which) for raid in state.raids
    )


def _swapped(
    state: State, a: tuple[int, int], b: tuple[int, int], draw: Draw, same_sizes: bool
) -> State:
    """One token of each store for one of the other, or one token in one direction only."""
    mine, theirs = (wares_in(state.sheikhs[seat], which) for seat, which in (a, b))
    if a == b or not mine:
        return state
    token = {list(mine)[draw(len(mine))]: 1}
    back: dict[str, int] = {}
    if same_sizes or draw(2):
        if not theirs:
            return state
        back = {list(theirs)[draw(len(theirs))]: 1}
    elif not _fits(state, a, size(mine) - 1) or not _fits(state, b, size(theirs) + 1):
        return state
    state = _put(state, a[0], with_store(state.sheikhs[a[0]], a[1], minus(plus(mine, back), token)))
    theirs = wares_in(state.sheikhs[b[0]], b[1])
    return _put(
        state, b[0], with_store(state.sheikhs[b[0]], b[1], minus(plus(theirs, token), back))
    )


def _fits(state: State, where: tuple[int, int], tokens: int) -> bool:
    """Return whether the store may hold this many tokens."""
    seat, which = where
    if which == TREASURE:
        return True
    sheikh = state.sheikhs[seat]
    owes = any((debt.seat, debt.caravan) == where for debt in state.debts)
    at_home = sheikh.positions[which] == sheikh.home
    return owes <= tokens <= (0 if at_home else CARAVAN_CAPACITY)


def _with_other_programme(state: State, seat: int, draw: Draw, same_orders: bool) -> State:
    """Return as many steps with other choices."""
    sheikh = state.sheikhs[seat]
    was = sheikh
    if not same_orders:
        orders = []
        for caravan in range(len(was.orders)):
            ways = continuations(board(state), was.positions[caravan])
            orders.append(ways[draw(len(ways))])
        sheikh = replace(was, orders=tuple(orders))
        state = _put(state, seat, sheikh)
        if was.looters is not None:
            trails = ("", *planning.raidable_trails(state, seat))
            sheikh = replace(sheikh, looters=trails[draw(len(trails))])
    sheikh = replace(sheikh, packed=())
    for caravan in range(len(was.packed)):
        left = sheikh.treasure
        for wares in sheikh.packed:
            left = minus(left, wares)
        most = CARAVAN_CAPACITY if planning.can_load(sheikh, caravan) else 0
        loads = [load.wares for load in expand_range(amount_range(Load(caravan, {}), left, most))]
        if same_orders:  # one token each, for which the treasure is large enough
            loads = [wares for wares in loads if size(wares) == bool(was.packed[caravan])]
        sheikh = replace(sheikh, packed=(*sheikh.packed, loads[draw(len(loads))]))
    return _put(state, seat, sheikh)


def _with_other_offer(state: State, viewer: int | None, seat: int, draw: Draw) -> State:
    """Another draft or offer, or none, where the viewer is not the partner of the offer."""
    sheikh = state.sheikhs[seat]
    if sheikh.offer and (sheikh.offer.partner == viewer or draw(3) == 0):
        return state
    sheikh = replace(sheikh, draft=None, offer=None)
    state = _put(state, seat, sheikh)
    drafts = trading._drafts(state, seat)
    if not drafts or draw(3) == 0:
        return state
    chosen = drafts[draw(len(drafts))]
    draft = Offer(chosen.mine, chosen.partner, chosen.theirs)
    state = _put(state, seat, replace(sheikh, draft=draft))
    if trading.is_active(sheikh) and draw(2):
        return state
    gives = _one_of(flatten_options(trading.list_commands(_awake(state, seat), seat))[2:], draw)
    draft = replace(draft, gives=gives)
    state = _put(state, seat, replace(sheikh, draft=draft))
    if chosen.partner == viewer:
        return state if trading.is_active(sheikh) else _put(state, seat, sheikh)
    asks = _one_of(flatten_options(trading.list_commands(_awake(state, seat), seat))[2:], draw)
    return _put(state, seat, replace(sheikh, offer=replace(draft, asks=asks)))


def _awake(state: State, seat: int) -> State:
    return _put(state, seat, replace(state.sheikhs[seat], done=False, listening=False))


def _one_of(choices: list[Any], draw: Draw) -> dict[str, int]:
    wares: dict[str, int] = choices[draw(len(choices))].wares
    return wares
