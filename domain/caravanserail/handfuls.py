"""Taking some wares out of a store. Ships to the browser."""

from typing import Any

from domain.caravanserail.commands import Wares
from domain.caravanserail.state import in_order, size
from domain.game import Amounts


def amounts(command: Any, stock: Wares, most: int, least: int = 0) -> Amounts:
    """Every way to fill the command's ``wares`` with so many tokens of the stock."""
    return Amounts(command, "wares", in_order(stock), least, most)


def is_handful(wares: Wares, stock: Wares, most: int) -> bool:
    """Whether it is a way to take at most so many tokens, nothing included."""
    taken = [0 < n <= stock.get(ware, 0) for ware, n in wares.items()]
    return all(taken) and size(wares) <= most
