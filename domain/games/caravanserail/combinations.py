"""Selections of wares from a store. Ships to the browser."""

from typing import Any

from domain.contract.game import AmountRange
from domain.games.caravanserail.commands import Wares
from domain.games.caravanserail.state import in_order, size


def amount_range(command: Any, stock: Wares, most: int, least: int = 0) -> AmountRange:
    """Return a range of commands whose ``wares`` are ``least`` to ``most`` tokens of the stock."""
    return AmountRange(command, "wares", in_order(stock), least, most)


def is_selection(wares: Wares, stock: Wares, most: int) -> bool:
    """Return whether the wares are a selection of 0 to ``most`` tokens of the stock."""
    taken = [0 < n <= stock.get(ware, 0) for ware, n in wares.items()]
    return all(taken) and size(wares) <= most
