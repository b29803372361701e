"""Commands of the courtyard game. Amounts of goods are ``{good: n}``. Ships to the browser."""

from typing import TypeAlias

from msgspec import Struct

from domain.courtyard.board import Good, Space, Wares


class Settle(Struct, frozen=True, tag=True):
    """Before the first turn: the gate to stand at, and the good to begin with (ruling 20)."""

    gate: Space
    good: Good


# --- moving -----------------------------------------------------------------------------------


class Roll(Struct, frozen=True, tag=True):
    """Roll the die: it bounds the next move (ruling 3)."""


class Reroll(Struct, frozen=True, tag=True):
    """Roll once more; the second result stands (T4)."""


class Move(Struct, frozen=True, tag=True):
    """One whole move."""

    to: Space


class EndTurn(Struct, frozen=True, tag=True):
    """Nothing more to do."""


# --- the action of a space --------------------------------------------------------------------


class Borrow(Struct, frozen=True, tag=True):
    """At a money changer."""

    coins: int


class Buy(Struct, frozen=True, tag=True):
    """At a stall; with T14 any metal at the stall of a metal."""

    good: Good
    units: int


class Trade(Struct, frozen=True, tag=True):
    """At a rest area: the shown trade so many times, ``bronze``: one more of it (T13)."""

    times: int
    bronze: bool = False


class Sell(Struct, frozen=True, tag=True):
    """At the selling pavilion."""

    goods: Wares


class Exchange(Struct, frozen=True, tag=True):
    """At the other one: these goods for as many of the same worth."""

    goods: Wares


class VisitGate(Struct, frozen=True, tag=True):
    """At the North Gate: buy an ability, or turn the fountain, or both (ruling 15)."""

    ability: str | None = None
    turn: bool = False


class FillOrder(Struct, frozen=True, tag=True):
    """Complete the major order of a tower; ``turn`` the fountain before (T16)."""

    turn: bool = False


class DrawOrders(Struct, frozen=True, tag=True):
    """At the South Gate: draw minor orders to choose from."""


class KeepOrder(Struct, frozen=True, tag=True):
    """Keep one of those drawn; ``now``: complete it at once."""

    which: int
    now: bool = False


class Share(Struct, frozen=True, tag=True):
    """Split an income: so much for the debt, so much for the purse, the rest is wealth."""

    repay: int
    save: int


class Discard(Struct, frozen=True, tag=True):
    """Make the storage fit again (ruling 31)."""

    goods: Wares


# --- at any time in the own turn --------------------------------------------------------------


class FillKept(Struct, frozen=True, tag=True):
    """Complete the minor order that was kept (ruling 14)."""


class Repay(Struct, frozen=True, tag=True):
    """Repay debt from the purse."""

    coins: int


class ExpandPurse(Struct, frozen=True, tag=True):
    """Room for one coin more, for a bronze or an amber."""

    good: Good


class FillPurse(Struct, frozen=True, tag=True):
    """P3, once in the game: all room there is, and coins to fill it."""

    good: Good


class WidenCredit(Struct, frozen=True, tag=True):
    """P5, once in the game: one more of credit."""

    good: Good


class SwapTwo(Struct, frozen=True, tag=True):
    """T2, once a turn: exchange one or two."""

    goods: Wares


class SellTwo(Struct, frozen=True, tag=True):
    """T5, once a turn: sell one or two."""

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
