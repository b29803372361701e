"""Commands of the courtyard game. Goods are given as ``{good: amount}``. Ships to the browser."""

from typing import TypeAlias

from msgspec import Struct

from domain.games.courtyard.board import Good, Space, Wares


class Settle(Struct, frozen=True, tag=True):
    """Choose a starting gate and a first good, before the first turn (ruling 20)."""

    gate: Space
    good: Good


# --- moving -----------------------------------------------------------------------------------


class Roll(Struct, frozen=True, tag=True):
    """Roll the die, which limits the next move (ruling 3)."""


class Reroll(Struct, frozen=True, tag=True):
    """Roll the die again; the second result counts (T4)."""


class Move(Struct, frozen=True, tag=True):
    """Make a whole move to a space."""

    to: Space


class EndTurn(Struct, frozen=True, tag=True):
    """End the turn."""


# --- the action of a space --------------------------------------------------------------------


class Borrow(Struct, frozen=True, tag=True):
    """Borrow coins at a money changer."""

    coins: int


class Buy(Struct, frozen=True, tag=True):
    """Buy units of the stall's good or, with T14, of any metal at a metal stall."""

    good: Good
    units: int


class Trade(Struct, frozen=True, tag=True):
    """Make the rest area's current trade ``times`` times; ``bronze``: take one bronze too (T13)."""

    times: int
    bronze: bool = False


class Sell(Struct, frozen=True, tag=True):
    """Sell goods at the selling pavilion."""

    goods: Wares


class Exchange(Struct, frozen=True, tag=True):
    """Exchange goods at the exchange pavilion for as many of equal value."""

    goods: Wares


class VisitGate(Struct, frozen=True, tag=True):
    """Act at the North Gate: buy an ability, turn the fountain, or both (ruling 15)."""

    ability: str | None = None
    turn: bool = False


class FillOrder(Struct, frozen=True, tag=True):
    """Complete the tower's major order; ``turn``: turn the fountain first (T16)."""

    turn: bool = False


class DrawOrders(Struct, frozen=True, tag=True):
    """Draw minor orders to choose from at the South Gate."""


class KeepOrder(Struct, frozen=True, tag=True):
    """Choose a drawn minor order by index; ``now``: complete it at once instead of keeping it."""

    which: int
    now: bool = False


class Share(Struct, frozen=True, tag=True):
    """Split an income: ``repay`` for the debt, ``save`` for the purse; the rest becomes wealth."""

    repay: int
    save: int


class Discard(Struct, frozen=True, tag=True):
    """Discard goods down to the storage limit (ruling 31)."""

    goods: Wares


# --- at any time in the player's own turn -----------------------------------------------------


class FillKept(Struct, frozen=True, tag=True):
    """Complete the kept minor order (ruling 14)."""


class Repay(Struct, frozen=True, tag=True):
    """Repay debt from the purse."""

    coins: int


class ExpandPurse(Struct, frozen=True, tag=True):
    """Raise the purse's limit by one coin for a bronze or an amber."""

    good: Good


class FillPurse(Struct, frozen=True, tag=True):
    """Raise the purse's limit to the maximum and fill it, once per game (P3).

    ``good``: the price, a bronze or an amber.
    """

    good: Good


class WidenCredit(Struct, frozen=True, tag=True):
    """Raise the credit by one, once per game (P5); ``good``: the price, a bronze or an amber."""

    good: Good


class SwapTwo(Struct, frozen=True, tag=True):
    """Exchange one or two goods on any space, once per turn (T2)."""

    goods: Wares


class SellTwo(Struct, frozen=True, tag=True):
    """Sell one or two goods on any space, once per turn (T5)."""

    goods: Wares


Command: TypeAlias = (
    Settle
    | Roll
    | Reroll
    | Move
    | EndTurn
    | Borrow
    | Buy
    | Trade
    | Sell
    | Exchange
    | VisitGate
    | FillOrder
    | DrawOrders
    | KeepOrder
    | Share
    | Discard
    | FillKept
    | Repay
    | ExpandPurse
    | FillPurse
    | WidenCredit
    | SwapTwo
    | SellTwo
)
COMMANDS: tuple[type, ...] = (
    Settle,
    Roll,
    Reroll,
    Move,
    EndTurn,
    Borrow,
    Buy,
    Trade,
    Sell,
    Exchange,
    VisitGate,
    FillOrder,
    DrawOrders,
    KeepOrder,
    Share,
    Discard,
    FillKept,
    Repay,
    ExpandPurse,
    FillPurse,
    WidenCredit,
    SwapTwo,
    SellTwo,
)
