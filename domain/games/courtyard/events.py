"""Events of the courtyard game.

Orders are indexes into the tables in `domain.games.courtyard.cards`. ``cards`` is None for viewers
who may not know them. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.courtyard.board import Good, Space, Wares
from domain.games.courtyard.state import Score

# --- before the first turn --------------------------------------------------------------------


class CourtyardLaidOut(Struct, frozen=True, tag=True):
    """The courtyard was set up.

    ``rolls``: rounds of rolls for the starting player, by seat (None: no longer rolling);
    ``starter``: the starting seat; ``fountain``: its position; ``towers``: their major orders;
    ``turquoise`` and ``purple``: the face-up abilities; ``tiles``: those of the rest areas.
    """

    seats: int
    keep_secrets: bool
    rolls: tuple[tuple[int | None, ...], ...]
    starter: Seat
    fountain: int
    towers: tuple[int, ...]
    turquoise: tuple[str, ...]
    purple: tuple[str, ...]
    tiles: tuple[str, ...]


class IdleExchangesBarred(Struct, frozen=True, tag=True):
    """Exchanges that change nothing were ruled out (ruling 49), since rules version 2.

    Without this event they are legal.
    """


class RoundLimitSet(Struct, frozen=True, tag=True):
    """A limit on the number of full rounds was set (ruling 48).

    Without this event a match has no such limit.
    """

    rounds: int


class PlayerSettled(Struct, frozen=True, tag=True):
    """A player chose a starting gate and a first good."""

    seat: Seat
    gate: Space
    good: Good


# --- turns and moves --------------------------------------------------------------------------


class TurnBegan(Struct, frozen=True, tag=True):
    """A turn began; turns are numbered from 1."""

    seat: Seat
    number: int


class TurnPassed(Struct, frozen=True, tag=True):
    """A ruined player's turn was skipped (ruling 42)."""

    seat: Seat


class MoveDieRolled(Struct, frozen=True, tag=True):
    """The die was rolled for the next move; ``again``: this roll replaces the previous one (T4)."""

    seat: Seat
    result: int
    again: bool


class PlayerMoved(Struct, frozen=True, tag=True):
    """A player moved to another space."""

    seat: Seat
    to: Space


# --- money and goods --------------------------------------------------------------------------


class MoneyBorrowed(Struct, frozen=True, tag=True):
    """A player borrowed coins as the stop's action."""

    seat: Seat
    coins: int


class DebtRepaid(Struct, frozen=True, tag=True):
    """A player repaid debt from the purse."""

    seat: Seat
    coins: int


class GoodsBought(Struct, frozen=True, tag=True):
    """A player bought goods from the stock of the good's own stall, as the stop's action."""

    seat: Seat
    good: Good
    units: int
    paid: int


class StallRestocked(Struct, frozen=True, tag=True):
    """An empty stall was refilled."""

    good: Good


class GoodsTraded(Struct, frozen=True, tag=True):
    """A player traded with the travellers of a rest area, as the stop's action."""

    seat: Seat
    area: Space
    times: int
    gave: Wares
    got: Wares


class TileTurned(Struct, frozen=True, tag=True):
    """A tile was turned to its next trade; ``trade``: its number, 2 or 3."""

    area: Space
    trade: int


class TileReplaced(Struct, frozen=True, tag=True):
    """A used-up tile was replaced by ``tile``.

    ``shuffled``: the discards, including the used-up tile, were first shuffled into a new deck
    (ruling 41).
    """

    area: Space
    tile: str
    shuffled: bool


class GoodsSold(Struct, frozen=True, tag=True):
    """A player sold goods.

    ``earned``: coins added to the purse; ``lost``: coins that did not fit; ``ability``:
    "T5", or "" for the stop's action.
    """

    seat: Seat
    goods: Wares
    earned: int
    lost: int
    ability: str


class GoodsExchanged(Struct, frozen=True, tag=True):
    """A player exchanged goods; ``ability``: "T2", or "" for the stop's action."""

    seat: Seat
    gave: Wares
    got: Wares
    ability: str


class StorageOverfilled(Struct, frozen=True, tag=True):
    """A player has ``excess`` goods too many and must discard them before anything else."""

    seat: Seat
    excess: int


class GoodsDiscarded(Struct, frozen=True, tag=True):
    """A player discarded goods down to the storage limit."""

    seat: Seat
    goods: Wares


class PurseExpanded(Struct, frozen=True, tag=True):
    """A player paid a good to raise the purse's limit by one coin."""

    seat: Seat
    good: Good


class PurseFilled(Struct, frozen=True, tag=True):
    """A player used P3, paying a good: the purse has its maximum size and is full."""

    seat: Seat
    good: Good


class CreditWidened(Struct, frozen=True, tag=True):
    """A player used P5, paying a good: the credit rose by one."""

    seat: Seat
    good: Good


# --- gates and orders -------------------------------------------------------------------------


class AbilityBought(Struct, frozen=True, tag=True):
    """A player bought an ability as the stop's action."""

    seat: Seat
    ability: str


class AbilityTurnedUp(Struct, frozen=True, tag=True):
    """An ability was turned up to refill its row."""

    ability: str


class FountainTurned(Struct, frozen=True, tag=True):
    """The fountain was turned to a position.

    ``why``: "gate" (the stop's action), "ability" (T16) or "order".
    """

    seat: Seat
    position: int
    why: str


class MajorCompleted(Struct, frozen=True, tag=True):
    """A player completed a major order as the stop's action, paying its goods.

    The income is still to be split.
    """

    seat: Seat
    tower: Space
    card: int
    income: int


class OrderTurnedUp(Struct, frozen=True, tag=True):
    """A new major order was turned up on a tower."""

    tower: Space
    card: int


class MinorsDrawn(Struct, frozen=True, tag=True):
    """A player drew minor orders to choose from, as the stop's action; ``cards`` are secret."""

    seat: Seat
    cards: tuple[int, ...] | None


class MinorKept(Struct, frozen=True, tag=True):
    """A player kept a drawn minor order, now visible to all, to complete it later."""

    seat: Seat
    card: int


class MinorsReturned(Struct, frozen=True, tag=True):
    """The other drawn minor orders were put under the deck in this order; ``cards`` are secret."""

    seat: Seat
    cards: tuple[int, ...] | None


class MinorCompleted(Struct, frozen=True, tag=True):
    """A player completed a minor order, paying its goods; the income is still to be split.

    ``drawn``: whether it was completed as soon as it was drawn.
    """

    seat: Seat
    card: int
    income: int
    drawn: bool


class IncomeShared(Struct, frozen=True, tag=True):
    """An income was split into debt, purse and wealth."""

    seat: Seat
    repaid: int
    saved: int
    gained: int


class CreditGrown(Struct, frozen=True, tag=True):
    """A player's credit rose by one after an order."""

    seat: Seat


# --- the end ----------------------------------------------------------------------------------


class LastTurnsBegan(Struct, frozen=True, tag=True):
    """A player reached the goal wealth; all other players have one more turn."""

    seat: Seat


class EndAnnounced(Struct, frozen=True, tag=True):
    """The end was announced: ``rounds`` full rounds are left, of which the first begins now."""

    rounds: int


class RoundLimitReached(Struct, frozen=True, tag=True):
    """The limit on full rounds was reached, so the game ends (ruling 48)."""

    rounds: int


class ScoringDieRolled(Struct, frozen=True, tag=True):
    """The die of P13 was rolled for the final scoring."""

    seat: Seat
    result: int


class ScoringMinorDrawn(Struct, frozen=True, tag=True):
    """The minor order of P15 was drawn for the final scoring; it is not returned to the deck."""

    seat: Seat
    card: int


class GameScored(Struct, frozen=True, tag=True):
    """The game ended and was scored; scores and ranks are by seat."""

    scores: tuple[Score, ...]
    ranks: tuple[int, ...]


Event: TypeAlias = (
    CourtyardLaidOut
    | IdleExchangesBarred
    | RoundLimitSet
    | PlayerSettled
    | TurnBegan
    | TurnPassed
    | MoveDieRolled
    | PlayerMoved
    | MoneyBorrowed
    | DebtRepaid
    | GoodsBought
    | StallRestocked
    | GoodsTraded
    | TileTurned
    | TileReplaced
    | GoodsSold
    | GoodsExchanged
    | StorageOverfilled
    | GoodsDiscarded
    | PurseExpanded
    | PurseFilled
    | CreditWidened
    | AbilityBought
    | AbilityTurnedUp
    | FountainTurned
    | MajorCompleted
    | OrderTurnedUp
    | MinorsDrawn
    | MinorKept
    | MinorsReturned
    | MinorCompleted
    | IncomeShared
    | CreditGrown
    | LastTurnsBegan
    | EndAnnounced
    | RoundLimitReached
    | ScoringDieRolled
    | ScoringMinorDrawn
    | GameScored
)
EVENTS: tuple[type, ...] = (
    CourtyardLaidOut,
    IdleExchangesBarred,
    RoundLimitSet,
    PlayerSettled,
    TurnBegan,
    TurnPassed,
    MoveDieRolled,
    PlayerMoved,
    MoneyBorrowed,
    DebtRepaid,
    GoodsBought,
    StallRestocked,
    GoodsTraded,
    TileTurned,
    TileReplaced,
    GoodsSold,
    GoodsExchanged,
    StorageOverfilled,
    GoodsDiscarded,
    PurseExpanded,
    PurseFilled,
    CreditWidened,
    AbilityBought,
    AbilityTurnedUp,
    FountainTurned,
    MajorCompleted,
    OrderTurnedUp,
    MinorsDrawn,
    MinorKept,
    MinorsReturned,
    MinorCompleted,
    IncomeShared,
    CreditGrown,
    LastTurnsBegan,
    EndAnnounced,
    RoundLimitReached,
    ScoringDieRolled,
    ScoringMinorDrawn,
    GameScored,
)
