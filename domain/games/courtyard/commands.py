"""Commands of the courtyard game. Amounts of goods are ``{good: n}``. Ships to the browser."""

from typing import TypeAlias

from msgspec import Struct

from domain.games.courtyard.board import Good, Space, Wares


class Settle(Struct, frozen=True, tag=True):
    """Choose the gate to start at and the first good, before the first turn (ruling 20)."""

    gate: Space
    good: Good


# --- moving -----------------------------------------------------------------------------------


class Roll(Struct, frozen=True, tag=True):
    """Roll the die, which limits the next move (ruling 3)."""


class Reroll(Struct, frozen=True, tag=True):
    """Roll again; the second result counts (T4)."""


class Move(Struct, frozen=True, tag=True):
    """Make one whole move to a space."""

    to: Space


class EndTurn(Struct, frozen=True, tag=True):
    """End the turn."""


# --- the action of a space --------------------------------------------------------------------


class Borrow(Struct, frozen=True, tag=True):
    """Borrow at a money changer."""

    coins: int


class Buy(Struct, frozen=True, tag=True):
    """Buy at a stall; with T14 any metal at the stall of a metal."""

    good: Good
    units: int


class Trade(Struct, frozen=True, tag=True):
    """Make the shown trade of a rest area ``times`` times; ``bronze``: plus one bronze (T13)."""

    times: int
    bronze: bool = False


class Sell(Struct, frozen=True, tag=True):
    """Sell at the selling pavilion."""

    goods: Wares


class Exchange(Struct, frozen=True, tag=True):
    """Exchange goods at the other pavilion for as many of the same value."""

    goods: Wares


class VisitGate(Struct, frozen=True, tag=True):
    """Act at the North Gate: buy an ability, turn the fountain, or both (ruling 15)."""

    ability: str | None = None
    turn: bool = False


class FillOrder(Struct, frozen=True, tag=True):
    """Complete the major order of a tower; ``turn``: turn the fountain before (T16)."""

    turn: bool = False


class DrawOrders(Struct, frozen=True, tag=True):
    """Draw minor orders to choose from, at the South Gate."""


class KeepOrder(Struct, frozen=True, tag=True):
    """Keep one of the drawn orders; ``now``: complete it at once."""

    which: int
    now: bool = False


class Share(Struct, frozen=True, tag=True):
    """Split an income: amounts for the debt and for the purse, the rest becomes wealth."""

    repay: int
    save: int


class Discard(Struct, frozen=True, tag=True):
    """Discard goods down to the limit of the storage (ruling 31)."""

    goods: Wares


# --- at any time in the player's own turn -----------------------------------------------------


class FillKept(Struct, frozen=True, tag=True):
    """Complete the minor order that was kept (ruling 14)."""


class Repay(Struct, frozen=True, tag=True):
    """Repay debt from the purse."""

    coins: int


class ExpandPurse(Struct, frozen=True, tag=True):
    """Enlarge the purse by one coin for a bronze or an amber."""

    good: Good


class FillPurse(Struct, frozen=True, tag=True):
    """Enlarge the purse to its maximum and fill it, once in the game (P3)."""

    good: Good


class WidenCredit(Struct, frozen=True, tag=True):
    """Raise the credit by one, once in the game (P5)."""

    good: Good


class SwapTwo(Struct, frozen=True, tag=True):
    """Exchange one or two goods, once a turn (T2)."""

    goods: Wares


class SellTwo(Struct, frozen=True, tag=True):
    """Sell one or two goods, once a turn (T5)."""

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
