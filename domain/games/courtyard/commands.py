"""Commands of the courtyard game. Goods are given as ``{good: amount}``. Ships to the browser."""

from msgspec import Struct

from domain.games.courtyard.board import Good, Space, Wares


class Command(Struct, frozen=True, tag=True):
    """Base class of the game's commands."""


class Settle(Command, frozen=True):
    """Choose a starting gate and a first good, before the first turn (ruling 20)."""

    gate: Space
    good: Good


# --- moving -----------------------------------------------------------------------------------


class Roll(Command, frozen=True):
    """Roll the die, which limits the next move (ruling 3)."""


class Reroll(Command, frozen=True):
    """Roll the die again; the second result counts (T4)."""


class Move(Command, frozen=True):
    """Make a whole move to a space."""

    to: Space


class EndTurn(Command, frozen=True):
    """End the turn."""


# --- the action of a space --------------------------------------------------------------------


class Borrow(Command, frozen=True):
    """Borrow coins at a money changer."""

    coins: int


class Buy(Command, frozen=True):
    """Buy units of the stall's good or, with T14, of any metal at a metal stall."""

    good: Good
    units: int


class Trade(Command, frozen=True):
    """Make the rest area's current trade ``times`` times; ``bronze``: take one bronze too (T13)."""

    times: int
    bronze: bool = False


class Sell(Command, frozen=True):
    """Sell goods at the selling pavilion."""

    goods: Wares


class Exchange(Command, frozen=True):
    """Exchange goods at the exchange pavilion for as many of equal value."""

    goods: Wares


class VisitGate(Command, frozen=True):
    """Act at the North Gate: buy an ability, turn the fountain, or both (ruling 15)."""

    ability: str | None = None
    turn: bool = False


class FillOrder(Command, frozen=True):
    """Complete the tower's major order; ``turn``: turn the fountain first (T16)."""

    turn: bool = False


class DrawOrders(Command, frozen=True):
    """Draw minor orders to choose from at the South Gate."""


class KeepOrder(Command, frozen=True):
    """Choose a drawn minor order by index; ``now``: complete it at once instead of keeping it."""

    which: int
    now: bool = False


class Share(Command, frozen=True):
    """Split an income: ``repay`` for the debt, ``save`` for the purse; the rest becomes wealth."""

    repay: int
    save: int


class Discard(Command, frozen=True):
    """Discard goods down to the storage limit (ruling 31)."""

    goods: Wares


# --- at any time in the player's own turn -----------------------------------------------------


class FillKept(Command, frozen=True):
    """Complete the kept minor order (ruling 14)."""


class Repay(Command, frozen=True):
    """Repay debt from the purse."""

    coins: int


class ExpandPurse(Command, frozen=True):
    """Raise the purse's limit by one coin for a bronze or an amber."""

    good: Good


class FillPurse(Command, frozen=True):
    """Raise the purse's limit to the maximum and fill it, once per game (P3).

    ``good``: the price, a bronze or an amber.
    """

    good: Good


class WidenCredit(Command, frozen=True):
    """Raise the credit by one, once per game (P5); ``good``: the price, a bronze or an amber."""

    good: Good


class SwapTwo(Command, frozen=True):
    """Exchange one or two goods on any space, once per turn (T2)."""

    goods: Wares


class SellTwo(Command, frozen=True):
    """Sell one or two goods on any space, once per turn (T5)."""

    goods: Wares


COMMANDS: tuple[type, ...] = tuple(Command.__subclasses__())
