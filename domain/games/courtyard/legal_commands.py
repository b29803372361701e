"""Legal commands of the courtyard game: one function for each type of command.

Each returns all legal commands of its type for the seat to act, in a fixed order; empty if there is
none. Ships to the browser.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from domain.contract.choice_groups import expand_range, groups_from_choices
from domain.contract.game import AmountRange, Seat
from domain.games.courtyard.board import (
    CHANGERS,
    EXCHANGING,
    GATES,
    LAST_LIMIT,
    MAX_MINORS,
    MAX_STORED_GOODS,
    METALS,
    NORTH,
    NUMBER,
    PRICES,
    RESTS,
    SELLING,
    SOUTH,
    STALLS,
    STRIDE_STEPS,
    TOWERS,
    Good,
    Goods,
    Wares,
    exchange_goods,
    holds,
    parse_wares,
    steps,
    wares,
)
from domain.games.courtyard.cards import (
    ABILITIES,
    DISCOUNTED_UNITS,
    DISCOUNTS,
    MAJORS,
    MINORS,
    TILES,
    Swap,
)
from domain.games.courtyard.commands import (
    Borrow,
    Buy,
    Command,
    Discard,
    DrawOrders,
    EndTurn,
    Exchange,
    ExpandPurse,
    FillKept,
    FillOrder,
    FillPurse,
    KeepOrder,
    Move,
    Repay,
    Reroll,
    Roll,
    Sell,
    SellTwo,
    Settle,
    Share,
    SwapTwo,
    Trade,
    VisitGate,
    WidenCredit,
)
from domain.games.courtyard.state import (
    DISCARD,
    INCOME,
    MINOR,
    START,
    TURN,
    Player,
    State,
    has_ability,
)

CommandLister: TypeAlias = Callable[[State, Player], list[Any]]

FIRST_GOODS: tuple[Good, ...] = ("silver", "emerald")
SMALL_GOODS: tuple[Good, ...] = ("bronze", "amber")
"""Goods with which a larger purse is paid."""


def active_player(state: State) -> Player:
    """Return the player who is to act."""
    return state.players[state.seat]


def may_act(state: State, me: Player, *places: str) -> bool:
    """Return whether the player is on one of the places and its action is still available."""
    return me.at in places and not state.acted and state.moves < 2


# --- moves ------------------------------------------------------------------------------------


def settlements(state: State, me: Player) -> list[Settle]:
    """List gates and first goods (ruling 20)."""
    return [Settle(gate, good) for gate in GATES for good in FIRST_GOODS]


def reachable_spaces(state: State) -> dict[str, int]:
    """Return the spaces on which the next move may end, with their steps; empty without a move."""
    if not state.moves:
        return {}
    me = active_player(state)
    others = {player.at for seat, player in enumerate(state.players) if seat != state.seat}
    limit = state.die or (STRIDE_STEPS + has_ability(state, "T6"))
    far = steps(me.at, tuple(sorted(others)))
    return {space: far[space] for space in far if far[space] <= limit}


def moves(state: State, me: Player) -> list[Move]:
    """List moves within the steps of the die, or of a stride (rulings 2, 3, 26, 27)."""
    return [Move(space) for space in reachable_spaces(state)]


def rolls(state: State, me: Player) -> list[Roll]:
    """List the roll: before a move, once a turn; with T1 before each."""
    free = state.moves and state.die is None and (not state.rolled or has_ability(state, "T1"))
    return [Roll()] if free else []


def rerolls(state: State, me: Player) -> list[Reroll]:
    """List the reroll: once for each roll, before the move (T4, ruling 27)."""
    return [Reroll()] if state.die and not state.again and has_ability(state, "T4") else []


def turn_ends(state: State, me: Player) -> list[EndTurn]:
    """List the end of the turn, which requires both moves (ruling 1)."""
    return [] if state.moves else [EndTurn()]


# --- money and goods --------------------------------------------------------------------------


def loans(state: State, me: Player) -> list[Borrow]:
    """List loans, limited by credit and purse (ruling 4)."""
    if not may_act(state, me, *CHANGERS):
        return []
    most = min(me.credit - me.debt, me.purse - me.coins)
    return [Borrow(coins) for coins in range(1, most + 1)]


def repayments(state: State, me: Player) -> list[Repay]:
    """List repayments, at any time in the player's turn (ruling 5)."""
    return [Repay(coins) for coins in range(1, min(me.debt, me.coins) + 1)]


def price(me: Player, good: Good, units: int) -> int:
    """Return what this many units cost the player (rulings 21 and 35)."""
    full = PRICES[NUMBER[good]] * units
    return full - min(units, DISCOUNTED_UNITS) if DISCOUNTS[good] in me.abilities else full


def purchases(state: State, me: Player) -> list[Buy]:
    """List purchases of the stall's good, or with T14 of any metal.

    As far as stock and purse allow (rulings 7, 36).
    """
    here = STALLS.get(me.at)
    if here is None or not may_act(state, me, me.at):
        return []
    kinds = METALS if here in METALS and "T14" in me.abilities else (here,)
    return [
        Buy(good, units)
        for good in kinds
        for units in range(1, state.stalls[NUMBER[good]] + 1)
        if price(me, good, units) <= me.coins
    ]


def offered_trade(state: State, area: str) -> Swap:
    """Return the trade that a rest area offers now."""
    rest = state.rests[RESTS.index(area)]
    return TILES[rest.tile][rest.trade - 1]


def trades(state: State, me: Player) -> list[Trade]:
    """List trades, as often as the goods allow (ruling 11); T13 adds a bronze (ruling 37)."""
    if not may_act(state, me, *RESTS):
        return []
    gives = offered_trade(state, me.at).gives
    most = min([there // need for there, need in zip(me.goods, gives, strict=True) if need])
    extras = (False, True) if "T13" in me.abilities else (False,)
    return [Trade(times, extra) for times in range(1, most + 1) for extra in extras]


_selection_cache: dict[tuple[Goods, int, int], list[Wares]] = {}
_MAX_CACHED_SELECTIONS = 10_000


def selections(goods: Goods, least: int, most: int) -> list[Wares]:
    """Return every selection of ``least`` to ``most`` goods."""
    key = (goods, least, most)
    known = _selection_cache.get(key)
    if known is None:
        if len(_selection_cache) >= _MAX_CACHED_SELECTIONS:
            _selection_cache.clear()
        some = AmountRange(Discard({}), "goods", wares(goods), least, most)
        known = _selection_cache[key] = [each.goods for each in expand_range(some)]
    return known


def sales(state: State, me: Player) -> list[Sell]:
    """List sales of any goods, also beyond the size of the purse (rulings 9 and 33)."""
    if not may_act(state, me, SELLING):
        return []
    return [Sell(some) for some in selections(me.goods, 1, sum(me.goods))]


def exchanges(state: State, me: Player) -> list[Exchange]:
    """List exchanges of any goods within their pairs, if they change anything (ruling 49)."""
    if not may_act(state, me, EXCHANGING):
        return []
    some = selections(me.goods, 1, sum(me.goods))
    return [Exchange(each) for each in some if not is_idle(state, each)]


def is_idle(state: State, some: Wares) -> bool:
    """Return whether an exchange of these goods changes nothing and so is not offered."""
    goods = parse_wares(some)
    return not state.idle_exchanges and exchange_goods(goods) == goods


def swaps_of_two(state: State, me: Player) -> list[SwapTwo]:
    """List exchanges of one or two, once a turn (T2, ruling 34)."""
    if "T2" not in me.abilities or "T2" in state.spent:
        return []
    return [SwapTwo(some) for some in selections(me.goods, 1, 2) if not is_idle(state, some)]


def sales_of_two(state: State, me: Player) -> list[SellTwo]:
    """List sales of one or two, once a turn (T5, ruling 34)."""
    if "T5" not in me.abilities or "T5" in state.spent:
        return []
    return [SellTwo(some) for some in selections(me.goods, 1, 2)]


def discards(state: State, me: Player) -> list[Discard]:
    """List discards down to exactly what the storage holds (rulings 10 and 31)."""
    excess = sum(me.goods) - MAX_STORED_GOODS
    return [Discard(some) for some in selections(me.goods, excess, excess)]


def _small(me: Player) -> list[Good]:
    return [good for good in SMALL_GOODS if me.goods[NUMBER[good]]]


def expansions(state: State, me: Player) -> list[ExpandPurse]:
    """List enlargements of the purse, at any time in the player's turn (ruling 6)."""
    return [ExpandPurse(good) for good in _small(me)] if me.purse < LAST_LIMIT else []


def fillings(state: State, me: Player) -> list[FillPurse]:
    """List the use of P3, also with the largest purse (ruling 39)."""
    ready = "P3" in me.abilities and "P3" not in me.used
    return [FillPurse(good) for good in _small(me)] if ready else []


def widenings(state: State, me: Player) -> list[WidenCredit]:
    """List the use of P5, while a marker is left on the credit track (ruling 39)."""
    ready = "P5" in me.abilities and "P5" not in me.used and me.credit < LAST_LIMIT
    return [WidenCredit(good) for good in _small(me)] if ready else []


# --- gates and orders -------------------------------------------------------------------------


def is_allowed(me: Player, name: str) -> bool:
    """Return whether the player holds no other card of the family."""
    family = ABILITIES[name].family
    return not family or all(ABILITIES[held].family != family for held in me.abilities)


def visits(state: State, me: Player) -> list[VisitGate]:
    """List a card, a turn of the fountain, or both in one action (rulings 15 and 40)."""
    if not may_act(state, me, NORTH):
        return []
    cards = [
        name
        for row in state.rows
        for name in row
        if holds(me.goods, ABILITIES[name].cost) and is_allowed(me, name)
    ]
    both = [VisitGate(name, turn) for name in cards for turn in (False, True)]
    return [VisitGate(None, True), *both]


def majors(state: State, me: Player) -> list[FillOrder]:
    """List the tower's order if its goods are there and no minor is open (rulings 13 and 38)."""
    if me.minor is not None or not may_act(state, me, *TOWERS):
        return []
    card = state.towers[TOWERS.index(me.at)]
    if card is None or not holds(me.goods, MAJORS[card].goods):
        return []
    return [FillOrder(turn) for turn in ((False, True) if "T16" in me.abilities else (False,))]


def draws(state: State, me: Player) -> list[DrawOrders]:
    """List the draw if no minor is open and fewer than three are held (rulings 13, 18, 29)."""
    if me.minor is not None or not may_act(state, me, SOUTH):
        return []
    left = sum(state.stock.minors) + len(state.stock.under)
    return [DrawOrders()] if left and len(me.minors) < MAX_MINORS else []


def keep_choices(state: State, me: Player) -> list[KeepOrder]:
    """List each drawn order, also to complete at once if its goods are there (ruling 29)."""
    found = []
    for which, card in enumerate(state.drawn):
        found.append(KeepOrder(which))
        if holds(me.goods, MINORS[card].goods):
            found.append(KeepOrder(which, True))
    return found


def kept_minor_choices(state: State, me: Player) -> list[FillKept]:
    """List the open minor if its goods are there (ruling 14)."""
    ready = me.minor is not None and holds(me.goods, MINORS[me.minor].goods)
    return [FillKept()] if ready else []


def shares(state: State, me: Player) -> list[Share]:
    """List every split between debt, purse and wealth (ruling 30)."""
    income, room = state.income, me.purse - me.coins
    return [
        Share(repay, save)
        for repay in range(min(income, me.debt) + 1)
        for save in range(min(income - repay, room) + 1)
    ]


# --- by step ----------------------------------------------------------------------------------

COMMAND_LISTERS: dict[str, dict[type, CommandLister]] = {
    START: {Settle: settlements},
    TURN: {
        EndTurn: turn_ends,
        Move: moves,
        Roll: rolls,
        Reroll: rerolls,
        Borrow: loans,
        Buy: purchases,
        Trade: trades,
        Sell: sales,
        Exchange: exchanges,
        VisitGate: visits,
        FillOrder: majors,
        DrawOrders: draws,
        FillKept: kept_minor_choices,
        Repay: repayments,
        ExpandPurse: expansions,
        FillPurse: fillings,
        WidenCredit: widenings,
        SwapTwo: swaps_of_two,
        SellTwo: sales_of_two,
    },
    DISCARD: {Discard: discards},
    INCOME: {Share: shares},
    MINOR: {KeepOrder: keep_choices},
}
"""Functions that list the commands of each step, in the order of the choices.

Commands that change least come first.
"""


def choices(state: State, seat: Seat) -> list[Command]:
    """Return every legal command of the seat; none if it is not to act."""
    if seat != state.seat:
        return []
    me = active_player(state)
    found: list[Command] = []
    for list_commands in COMMAND_LISTERS.get(state.step, {}).values():
        found.extend(list_commands(state, me))
    return found


groups = groups_from_choices(choices)


def is_ruined(player: Player) -> bool:
    """Return whether a player has no coins, goods or credit, and nothing is free (ruling 42)."""
    broke = not player.coins and player.debt == player.credit and not sum(player.goods)
    gifts = [good for good in SMALL_GOODS if DISCOUNTS[good] in player.abilities]
    return broke and not gifts
