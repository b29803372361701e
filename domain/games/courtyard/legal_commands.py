"""Legal commands of the courtyard game: one function per command type.

Each returns all legal commands of its type for the seat to act, in a fixed order; none if the
command is not legal now. Ships to the browser.
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
"""Goods that pay for a larger purse, and for the one-time abilities P3 and P5."""


def active_player(state: State) -> Player:
    """Return the player to act."""
    return state.players[state.seat]


def may_act(state: State, me: Player, *places: str) -> bool:
    """Return whether the player has moved to one of the places and can still take its action."""
    return me.at in places and not state.acted and state.moves < 2


# --- moves ------------------------------------------------------------------------------------


def settlements(state: State, me: Player) -> list[Settle]:
    """List every combination of gate and first good (ruling 20)."""
    return [Settle(gate, good) for gate in GATES for good in FIRST_GOODS]


def reachable_spaces(state: State) -> dict[str, int]:
    """Return the spaces on which the next move may end, with their number of steps.

    Empty if no move is left.
    """
    if not state.moves:
        return {}
    me = active_player(state)
    others = {player.at for seat, player in enumerate(state.players) if seat != state.seat}
    limit = state.die or (STRIDE_STEPS + has_ability(state, "T6"))
    far = steps(me.at, tuple(sorted(others)))
    return {space: far[space] for space in far if far[space] <= limit}


def moves(state: State, me: Player) -> list[Move]:
    """List moves within the limit of the roll or, without one, a stride (rulings 2, 3, 26, 27)."""
    return [Move(space) for space in reachable_spaces(state)]


def rolls(state: State, me: Player) -> list[Roll]:
    """List the roll before a move: once per turn or, with T1, before each move."""
    free = state.moves and state.die is None and (not state.rolled or has_ability(state, "T1"))
    return [Roll()] if free else []


def rerolls(state: State, me: Player) -> list[Reroll]:
    """List the reroll before a move, once per roll (T4, ruling 27)."""
    return [Reroll()] if state.die and not state.again and has_ability(state, "T4") else []


def turn_ends(state: State, me: Player) -> list[EndTurn]:
    """List the end of the turn once both moves are made (ruling 1)."""
    return [] if state.moves else [EndTurn()]


# --- money and goods --------------------------------------------------------------------------


def loans(state: State, me: Player) -> list[Borrow]:
    """List loans, limited by credit and purse (ruling 4)."""
    if not may_act(state, me, *CHANGERS):
        return []
    most = min(me.credit - me.debt, me.purse - me.coins)
    return [Borrow(coins) for coins in range(1, most + 1)]


def repayments(state: State, me: Player) -> list[Repay]:
    """List repayments, which are possible at any time in the player's turn (ruling 5)."""
    return [Repay(coins) for coins in range(1, min(me.debt, me.coins) + 1)]


def price(me: Player, good: Good, units: int) -> int:
    """Return the price of ``units`` of a good for the player (rulings 21 and 35)."""
    full = PRICES[NUMBER[good]] * units
    return full - min(units, DISCOUNTED_UNITS) if DISCOUNTS[good] in me.abilities else full


def purchases(state: State, me: Player) -> list[Buy]:
    """List purchases of the stall's good or, at a metal stall with T14, of any metal.

    Stock and purse limit the number of units (rulings 7 and 36).
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
    """Return the trade that a rest area currently offers."""
    rest = state.rests[RESTS.index(area)]
    return TILES[rest.tile][rest.trade - 1]


def trades(state: State, me: Player) -> list[Trade]:
    """List trades for each number of times that the goods allow (ruling 11).

    With T13 each is also listed with an additional bronze (ruling 37).
    """
    if not may_act(state, me, *RESTS):
        return []
    gives = offered_trade(state, me.at).gives
    most = min([there // need for there, need in zip(me.goods, gives, strict=True) if need])
    extras = (False, True) if "T13" in me.abilities else (False,)
    return [Trade(times, extra) for times in range(1, most + 1) for extra in extras]


_selection_cache: dict[tuple[Goods, int, int], list[Wares]] = {}
_MAX_CACHED_SELECTIONS = 10_000


def selections(goods: Goods, least: int, most: int) -> list[Wares]:
    """Return every selection of ``least`` to ``most`` units of the goods, cached."""
    key = (goods, least, most)
    known = _selection_cache.get(key)
    if known is None:
        if len(_selection_cache) >= _MAX_CACHED_SELECTIONS:
            _selection_cache.clear()
        some = AmountRange(Discard({}), "goods", wares(goods), least, most)
        known = _selection_cache[key] = [each.goods for each in expand_range(some)]
    return known


def sales(state: State, me: Player) -> list[Sell]:
    """List sales of any goods, even if the purse cannot hold the price (rulings 9 and 33)."""
    if not may_act(state, me, SELLING):
        return []
    return [Sell(some) for some in selections(me.goods, 1, sum(me.goods))]


def exchanges(state: State, me: Player) -> list[Exchange]:
    """List exchanges of any goods within their pairs, without idle ones (ruling 49)."""
    if not may_act(state, me, EXCHANGING):
        return []
    some = selections(me.goods, 1, sum(me.goods))
    return [Exchange(each) for each in some if not is_idle(state, each)]


def is_idle(state: State, some: Wares) -> bool:
    """Return whether an exchange of these goods is not offered because it changes nothing."""
    goods = parse_wares(some)
    return not state.idle_exchanges and exchange_goods(goods) == goods


def swaps_of_two(state: State, me: Player) -> list[SwapTwo]:
    """List exchanges of one or two goods, once per turn (T2, ruling 34)."""
    if "T2" not in me.abilities or "T2" in state.spent:
        return []
    return [SwapTwo(some) for some in selections(me.goods, 1, 2) if not is_idle(state, some)]


def sales_of_two(state: State, me: Player) -> list[SellTwo]:
    """List sales of one or two goods, once per turn (T5, ruling 34)."""
    if "T5" not in me.abilities or "T5" in state.spent:
        return []
    return [SellTwo(some) for some in selections(me.goods, 1, 2)]


def discards(state: State, me: Player) -> list[Discard]:
    """List discards down to exactly the storage limit (rulings 10 and 31)."""
    excess = sum(me.goods) - MAX_STORED_GOODS
    return [Discard(some) for some in selections(me.goods, excess, excess)]


def _small(me: Player) -> list[Good]:
    return [good for good in SMALL_GOODS if me.goods[NUMBER[good]]]


def expansions(state: State, me: Player) -> list[ExpandPurse]:
    """List purchases of a larger purse, possible at any time in the player's turn (ruling 6)."""
    return [ExpandPurse(good) for good in _small(me)] if me.purse < LAST_LIMIT else []


def fillings(state: State, me: Player) -> list[FillPurse]:
    """List uses of P3, which is legal even with the largest purse (ruling 39)."""
    ready = "P3" in me.abilities and "P3" not in me.used
    return [FillPurse(good) for good in _small(me)] if ready else []


def widenings(state: State, me: Player) -> list[WidenCredit]:
    """List uses of P5, if a marker is left on the credit track (ruling 39)."""
    ready = "P5" in me.abilities and "P5" not in me.used and me.credit < LAST_LIMIT
    return [WidenCredit(good) for good in _small(me)] if ready else []


# --- gates and orders -------------------------------------------------------------------------


def is_allowed(me: Player, name: str) -> bool:
    """Return whether the player may buy an ability, as they hold no other of its family."""
    family = ABILITIES[name].family
    return not family or all(ABILITIES[held].family != family for held in me.abilities)


def visits(state: State, me: Player) -> list[VisitGate]:
    """List buying an ability, turning the fountain, or both in one action (rulings 15 and 40)."""
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
    """List completing the tower's order, with T16 also after turning the fountain.

    The player needs its goods and must have no open minor order (rulings 13 and 38).
    """
    if me.minor is not None or not may_act(state, me, *TOWERS):
        return []
    card = state.towers[TOWERS.index(me.at)]
    if card is None or not holds(me.goods, MAJORS[card].goods):
        return []
    return [FillOrder(turn) for turn in ((False, True) if "T16" in me.abilities else (False,))]


def draws(state: State, me: Player) -> list[DrawOrders]:
    """List drawing minor orders, unless one is open, three are completed or none is left.

    Rulings 13, 18 and 29.
    """
    if me.minor is not None or not may_act(state, me, SOUTH):
        return []
    left = sum(state.stock.minors) + len(state.stock.under)
    return [DrawOrders()] if left and len(me.minors) < MAX_MINORS else []


def keep_choices(state: State, me: Player) -> list[KeepOrder]:
    """List keeping each drawn order and, if the player has its goods, completing it (ruling 29)."""
    found = []
    for which, card in enumerate(state.drawn):
        found.append(KeepOrder(which))
        if holds(me.goods, MINORS[card].goods):
            found.append(KeepOrder(which, True))
    return found


def kept_minor_choices(state: State, me: Player) -> list[FillKept]:
    """List completing the open minor order, if the player has its goods (ruling 14)."""
    ready = me.minor is not None and holds(me.goods, MINORS[me.minor].goods)
    return [FillKept()] if ready else []


def shares(state: State, me: Player) -> list[Share]:
    """List every split of the income between debt, purse and wealth (ruling 30)."""
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
"""For each step, the functions that list its commands by type, in the order of the choices.

Commands with the least effect come first.
"""


def choices(state: State, seat: Seat) -> list[Command]:
    """Return all legal commands of the seat; none if it is not to act."""
    if seat != state.seat:
        return []
    me = active_player(state)
    found: list[Command] = []
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
