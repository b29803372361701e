"""Legal commands of the courtyard game: one function per command type.

Each returns all legal commands of its type for the seat to act, in a fixed order; none if the
command is not legal now. Ships to the browser.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from domain.contract.choice_groups import expand_range, groups_from_choices
from domain.contract.game import AmountRange, Seat
from domain.games.courtyard import board, commands
from domain.games.courtyard.cards import (
    ABILITIES,
    DISCOUNTED_UNITS,
    DISCOUNTS,
    MAJORS,
    MINORS,
    TILES,
    Swap,
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

FIRST_GOODS: tuple[board.Good, ...] = ("silver", "emerald")
SMALL_GOODS: tuple[board.Good, ...] = ("bronze", "amber")
"""Goods that pay for a larger purse, and for the one-time abilities P3 and P5."""


def active_player(state: State) -> Player:
    """Return the player to act."""
    return state.players[state.seat]


def may_act(state: State, me: Player, *places: str) -> bool:
    """Return whether the player has moved to one of the places and can still take its action."""
    return me.at in places and not state.acted and state.moves < 2


# --- moves ------------------------------------------------------------------------------------


def settlements(state: State, me: Player) -> list[commands.Settle]:
    """List every combination of gate and first good (ruling 20)."""
    return [commands.Settle(gate, good) for gate in board.GATES for good in FIRST_GOODS]


def reachable_spaces(state: State) -> dict[str, int]:
    """Return the spaces on which the next move may end, with their number of steps.

    Empty if no move is left.
    """
    if not state.moves:
        return {}
    me = active_player(state)
    others = {player.at for seat, player in enumerate(state.players) if seat != state.seat}
    limit = state.die or (board.STRIDE_STEPS + has_ability(state, "T6"))
    far = board.steps(me.at, tuple(sorted(others)))
    return {space: far[space] for space in far if far[space] <= limit}


def moves(state: State, me: Player) -> list[commands.Move]:
    """List moves within the limit of the roll or, without one, a stride (rulings 2, 3, 26, 27)."""
    return [commands.Move(space) for space in reachable_spaces(state)]


def rolls(state: State, me: Player) -> list[commands.Roll]:
    """List the roll before a move: once per turn or, with T1, before each move."""
    free = state.moves and state.die is None and (not state.rolled or has_ability(state, "T1"))
    return [commands.Roll()] if free else []


def rerolls(state: State, me: Player) -> list[commands.Reroll]:
    """List the reroll before a move, once per roll (T4, ruling 27)."""
    return [commands.Reroll()] if state.die and not state.again and has_ability(state, "T4") else []


def turn_ends(state: State, me: Player) -> list[commands.EndTurn]:
    """List the end of the turn once both moves are made (ruling 1)."""
    return [] if state.moves else [commands.EndTurn()]


# --- money and goods --------------------------------------------------------------------------


def loans(state: State, me: Player) -> list[commands.Borrow]:
    """List loans, limited by credit and purse (ruling 4)."""
    if not may_act(state, me, *board.CHANGERS):
        return []
    most = min(me.credit - me.debt, me.purse - me.coins)
    return [commands.Borrow(coins) for coins in range(1, most + 1)]


def repayments(state: State, me: Player) -> list[commands.Repay]:
    """List repayments, which are possible at any time in the player's turn (ruling 5)."""
    return [commands.Repay(coins) for coins in range(1, min(me.debt, me.coins) + 1)]


def price(me: Player, good: board.Good, units: int) -> int:
    """Return the price of ``units`` of a good for the player (rulings 21 and 35)."""
    full = board.PRICES[board.NUMBER[good]] * units
    return full - min(units, DISCOUNTED_UNITS) if DISCOUNTS[good] in me.abilities else full


def purchases(state: State, me: Player) -> list[commands.Buy]:
    """List purchases of the stall's good or, at a metal stall with T14, of any metal.

    Stock and purse limit the number of units (rulings 7 and 36).
    """
    here = board.STALLS.get(me.at)
    if here is None or not may_act(state, me, me.at):
        return []
    kinds = board.METALS if here in board.METALS and "T14" in me.abilities else (here,)
    return [
        commands.Buy(good, units)
        for good in kinds
        for units in range(1, state.stalls[board.NUMBER[good]] + 1)
        if price(me, good, units) <= me.coins
    ]


def offered_trade(state: State, area: str) -> Swap:
    """Return the trade that a rest area currently offers."""
    rest = state.rests[board.RESTS.index(area)]
    return TILES[rest.tile][rest.trade - 1]


def trades(state: State, me: Player) -> list[commands.Trade]:
    """List trades for each number of times that the goods allow (ruling 11).

    With T13 each is also listed with an additional bronze (ruling 37).
    """
    if not may_act(state, me, *board.RESTS):
        return []
    gives = offered_trade(state, me.at).gives
    most = min([there // need for there, need in zip(me.goods, gives, strict=True) if need])
    extras = (False, True) if "T13" in me.abilities else (False,)
    return [commands.Trade(times, extra) for times in range(1, most + 1) for extra in extras]


_selection_cache: dict[tuple[board.Goods, int, int], list[board.Wares]] = {}
_MAX_CACHED_SELECTIONS = 10_000


def selections(goods: board.Goods, least: int, most: int) -> list[board.Wares]:
    """Return every selection of ``least`` to ``most`` units of the goods, cached."""
    key = (goods, least, most)
    known = _selection_cache.get(key)
    if known is None:
        if len(_selection_cache) >= _MAX_CACHED_SELECTIONS:
            _selection_cache.clear()
        some = AmountRange(commands.Discard({}), "goods", board.wares(goods), least, most)
        known = _selection_cache[key] = [each.goods for each in expand_range(some)]
    return known


def sales(state: State, me: Player) -> list[commands.Sell]:
    """List sales of any goods, even if the purse cannot hold the price (rulings 9 and 33)."""
    if not may_act(state, me, board.SELLING):
        return []
    return [commands.Sell(some) for some in selections(me.goods, 1, sum(me.goods))]


def exchanges(state: State, me: Player) -> list[commands.Exchange]:
    """List exchanges of any goods within their pairs, without idle ones (ruling 49)."""
    if not may_act(state, me, board.EXCHANGING):
        return []
    some = selections(me.goods, 1, sum(me.goods))
    return [commands.Exchange(each) for each in some if not is_idle(state, each)]


def is_idle(state: State, some: board.Wares) -> bool:
    """Return whether an exchange of these goods is not offered because it changes nothing."""
    goods = board.parse_wares(some)
    return not state.idle_exchanges and board.exchange_goods(goods) == goods


def swaps_of_two(state: State, me: Player) -> list[commands.SwapTwo]:
    """List exchanges of one or two goods, once per turn (T2, ruling 34)."""
    if "T2" not in me.abilities or "T2" in state.spent:
        return []
    return [
        commands.SwapTwo(some) for some in selections(me.goods, 1, 2) if not is_idle(state, some)
    ]


def sales_of_two(state: State, me: Player) -> list[commands.SellTwo]:
    """List sales of one or two goods, once per turn (T5, ruling 34)."""
    if "T5" not in me.abilities or "T5" in state.spent:
        return []
    return [commands.SellTwo(some) for some in selections(me.goods, 1, 2)]


def discards(state: State, me: Player) -> list[commands.Discard]:
    """List discards down to exactly the storage limit (rulings 10 and 31)."""
    excess = sum(me.goods) - board.MAX_STORED_GOODS
    return [commands.Discard(some) for some in selections(me.goods, excess, excess)]


def _small(me: Player) -> list[board.Good]:
    return [good for good in SMALL_GOODS if me.goods[board.NUMBER[good]]]


def expansions(state: State, me: Player) -> list[commands.ExpandPurse]:
    """List purchases of a larger purse, possible at any time in the player's turn (ruling 6)."""
    return (
        [commands.ExpandPurse(good) for good in _small(me)] if me.purse < board.LAST_LIMIT else []
    )


def fillings(state: State, me: Player) -> list[commands.FillPurse]:
    """List uses of P3, which is legal even with the largest purse (ruling 39)."""
    ready = "P3" in me.abilities and "P3" not in me.used
    return [commands.FillPurse(good) for good in _small(me)] if ready else []


def widenings(state: State, me: Player) -> list[commands.WidenCredit]:
    """List uses of P5, if a marker is left on the credit track (ruling 39)."""
    ready = "P5" in me.abilities and "P5" not in me.used and me.credit < board.LAST_LIMIT
    return [commands.WidenCredit(good) for good in _small(me)] if ready else []


# --- gates and orders -------------------------------------------------------------------------


def is_allowed(me: Player, name: str) -> bool:
    """Return whether the player may buy an ability, as they hold no other of its family."""
    family = ABILITIES[name].family
    return not family or all(ABILITIES[held].family != family for held in me.abilities)


def visits(state: State, me: Player) -> list[commands.VisitGate]:
    """List buying an ability, turning the fountain, or both in one action (rulings 15 and 40)."""
    if not may_act(state, me, board.NORTH):
        return []
    cards = [
        name
        for row in state.rows
        for name in row
        if board.holds(me.goods, ABILITIES[name].cost) and is_allowed(me, name)
    ]
    both = [commands.VisitGate(name, turn) for name in cards for turn in (False, True)]
    return [commands.VisitGate(None, True), *both]


def majors(state: State, me: Player) -> list[commands.FillOrder]:
    """List completing the tower's order, with T16 also after turning the fountain.

    The player needs its goods and must have no open minor order (rulings 13 and 38).
    """
    if me.minor is not None or not may_act(state, me, *board.TOWERS):
        return []
    card = state.towers[board.TOWERS.index(me.at)]
    if card is None or not board.holds(me.goods, MAJORS[card].goods):
        return []
    return [
        commands.FillOrder(turn) for turn in ((False, True) if "T16" in me.abilities else (False,))
    ]


def draws(state: State, me: Player) -> list[commands.DrawOrders]:
    """List drawing minor orders, unless one is open, three are completed or none is left.

    Rulings 13, 18 and 29.
    """
    if me.minor is not None or not may_act(state, me, board.SOUTH):
        return []
    left = sum(state.stock.minors) + len(state.stock.under)
    return [commands.DrawOrders()] if left and len(me.minors) < board.MAX_MINORS else []


def keep_choices(state: State, me: Player) -> list[commands.KeepOrder]:
    """List keeping each drawn order and, if the player has its goods, completing it (ruling 29)."""
    found = []
    for which, card in enumerate(state.drawn):
        found.append(commands.KeepOrder(which))
        if board.holds(me.goods, MINORS[card].goods):
            found.append(commands.KeepOrder(which, True))
    return found


def kept_minor_choices(state: State, me: Player) -> list[commands.FillKept]:
    """List completing the open minor order, if the player has its goods (ruling 14)."""
    ready = me.minor is not None and board.holds(me.goods, MINORS[me.minor].goods)
    return [commands.FillKept()] if ready else []


def shares(state: State, me: Player) -> list[commands.Share]:
    """List every split of the income between debt, purse and wealth (ruling 30)."""
    income, room = state.income, me.purse - me.coins
    return [
        commands.Share(repay, save)
        for repay in range(min(income, me.debt) + 1)
        for save in range(min(income - repay, room) + 1)
    ]


# --- by step ----------------------------------------------------------------------------------

COMMAND_LISTERS: dict[str, dict[type, CommandLister]] = {
    START: {commands.Settle: settlements},
    TURN: {
        commands.EndTurn: turn_ends,
        commands.Move: moves,
        commands.Roll: rolls,
        commands.Reroll: rerolls,
        commands.Borrow: loans,
        commands.Buy: purchases,
        commands.Trade: trades,
        commands.Sell: sales,
        commands.Exchange: exchanges,
        commands.VisitGate: visits,
        commands.FillOrder: majors,
        commands.DrawOrders: draws,
        commands.FillKept: kept_minor_choices,
        commands.Repay: repayments,
        commands.ExpandPurse: expansions,
        commands.FillPurse: fillings,
        commands.WidenCredit: widenings,
        commands.SwapTwo: swaps_of_two,
        commands.SellTwo: sales_of_two,
    },
    DISCARD: {commands.Discard: discards},
    INCOME: {commands.Share: shares},
    MINOR: {commands.KeepOrder: keep_choices},
}
"""For each step, the functions that list its commands by type, in the order of the choices.

Commands with the least effect come first.
"""


def choices(state: State, seat: Seat) -> list[commands.Command]:
    """Return all legal commands of the seat; none if it is not to act."""
    if seat != state.seat:
        return []
    me = active_player(state)
    found: list[commands.Command] = []
    for list_commands in COMMAND_LISTERS.get(state.step, {}).values():
        found.extend(list_commands(state, me))
    return found


groups = groups_from_choices(choices)


def is_ruined(player: Player) -> bool:
    """Return whether a player has no coins, goods or credit left (ruling 42).

    A player whose discount makes bronze or amber free is not ruined.
    """
    broke = not player.coins and player.debt == player.credit and not sum(player.goods)
    gifts = [good for good in SMALL_GOODS if DISCOUNTS[good] in player.abilities]
    return broke and not gifts
