"""Trades at camps, exchanges in cities, and amounts to jettison. Ships to the browser."""

from domain.contract.game import IllegalMove
from domain.games.conquest.board import CAMPS, CITY
from domain.games.conquest.caravan_stats import price
from domain.games.conquest.commands import Buy, Command, Done, Exchange, Jettison, Sell
from domain.games.conquest.equipment import COSTS, RESOURCES, SPEEDS, resale_price
from domain.games.conquest.events import Bought, Event, Refitted, Sold
from domain.games.conquest.state import Player, State

ROUND_AMOUNTS = (1, 5, 10)
"""Amounts offered besides the maximum (ruling 34); repeated trades give any other amount."""

DONE = Done()


def amount_held(player: Player, what: str) -> int:
    """Return the amount of a resource that a player has."""
    if what == "gold":
        return player.gold
    return player.silk if what == "silk" else player.spice


def offered_amounts(most: int) -> list[int]:
    """Return the amounts offered if ``most`` is possible: the round ones below it, then itself."""
    found = [n for n in ROUND_AMOUNTS if n < most]
    if most > 0:
        found.append(most)
    return found


def split_amount(wanted: int, most: int) -> list[int]:
    """Return offered amounts that add up to ``wanted``, largest first; ``most``: the maximum."""
    if wanted == most:
        return [most]
    found = []
    for size in reversed(ROUND_AMOUNTS):
        while wanted >= size:
            found.append(size)
            wanted -= size
    return found


def jettisons(player: Player) -> list[Command]:
    """Return the commands that throw away gold, silk or spice (ruling 24)."""
    return [
        Jettison(what, n) for what in RESOURCES for n in offered_amounts(amount_held(player, what))
    ]


# --- trade camps ----------------------------------------------------------------------------


def camp_good(state: State) -> str | None:
    """Return the good traded at the camp of the seat to act, or None if it is not at a camp."""
    return CAMPS.get(state.tiles[state.players[state.seat].at])


def trades(state: State) -> list[Command]:
    """Return the trades that the camp offers at the current price (rulings 14, 34, 36).

    Return none if the price is 0, or away from a camp.
    """
    good = camp_good(state)
    each = price(state, good) if good else 0
    if not good or not each:
        return []
    player = state.players[state.seat]
    sales: list[Command] = [Sell(n) for n in offered_amounts(amount_held(player, good))]
    return [*sales, *[Buy(n) for n in offered_amounts(player.gold // each)]]


def trade_event(state: State, command: Sell | Buy) -> Event:
    """Return the event of a trade. Raises `IllegalMove` if the trade is not offered."""
    good = camp_good(state)
    if command not in trades(state) or good is None:
        raise IllegalMove("wrong_amount", "refusal.wrong_amount")
    gold = command.amount * price(state, good)
    if isinstance(command, Sell):
        return Sold(state.seat, good, command.amount, gold)
    return Bought(state.seat, good, command.amount, gold)


# --- cities ---------------------------------------------------------------------------------


def in_city(state: State) -> bool:
    """Return whether the seat to act stands in a city."""
    return state.tiles[state.players[state.seat].at] == CITY


def exchange_cost(old: str, new: str) -> int:
    """Return the price of ``new`` minus the resale price of ``old``; it may be negative."""
    return COSTS[new] - resale_price(old)


def exchanges(player: Player) -> list[Command]:
    """Return the exchanges of old for new equipment that the player can pay (rulings 15, 35)."""
    one, other = player.animals
    old = [one] if one == other else [one, other]
    pairs = [(each, new) for each in old for new in SPEEDS]
    pairs += [(player.caravan, new) for new in COSTS if new not in SPEEDS]
    return [Exchange(a, b) for a, b in pairs if a != b and exchange_cost(a, b) <= player.gold]


def refit_event(state: State, command: Exchange) -> Event:
    """Return the event of an exchange. Raises `IllegalMove` if the exchange is not offered."""
    if command not in exchanges(state.players[state.seat]):
        raise IllegalMove("no_exchange", "refusal.no_exchange")
    return Refitted(state.seat, command.old, command.new, exchange_cost(command.old, command.new))
