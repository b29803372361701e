"""Events of the courtyard game.

Cards are numbers of the tables in `domain.courtyard.cards`. A field that may be None is blanked
for viewers who may not know it. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.courtyard.board import Good, Space, Wares
from domain.courtyard.scoring import Score
from domain.game import Seat

# --- before the first turn --------------------------------------------------------------------


class CourtyardLaidOut(Struct, frozen=True, tag=True):
    """Rolls for the start by seat, round after round (None: out of it); the fountain's position;
    the majors of the towers; abilities face up; the tiles of the rest areas."""

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
    """An exchange that changes nothing is not offered (ruling 49); it was before this event came
    with the second version of the rules."""


class RoundLimitSet(Struct, frozen=True, tag=True):
    """The game ends after so many full rounds (ruling 48), without this event after none."""

    rounds: int


class PlayerSettled(Struct, frozen=True, tag=True):
    """A player stands at a gate with the first good."""

    seat: Seat
    gate: Space
    good: Good


# --- turns and moves --------------------------------------------------------------------------


class TurnBegan(Struct, frozen=True, tag=True):
    """A turn begins; turns count from 1."""

    seat: Seat
    number: int


class TurnPassed(Struct, frozen=True, tag=True):
    """A ruined player's turn goes by (ruling 42)."""

    seat: Seat


class MoveDieRolled(Struct, frozen=True, tag=True):
    """The next move is bounded; ``again``: this takes the place of the first roll (T4)."""

    seat: Seat
    result: int
    again: bool


class PlayerMoved(Struct, frozen=True, tag=True):
    """A player stands on another space."""

    seat: Seat
    to: Space


# --- money and goods --------------------------------------------------------------------------


class MoneyBorrowed(Struct, frozen=True, tag=True):
    """Debt and coins grow; this was the stop's action."""

    seat: Seat
    coins: int


class DebtRepaid(Struct, frozen=True, tag=True):
    """From the purse."""

    seat: Seat
    coins: int


class GoodsBought(Struct, frozen=True, tag=True):
    """From the good's own stall; this was the stop's action."""

    seat: Seat
    good: Good
    units: int
    paid: int


class StallRestocked(Struct, frozen=True, tag=True):
    """An empty stall is full again."""

    good: Good


class GoodsTraded(Struct, frozen=True, tag=True):
    """With the travellers of a rest area; this was the stop's action."""

    seat: Seat
    area: Space
    times: int
    gave: Wares
    got: Wares


class TileTurned(Struct, frozen=True, tag=True):
    """A caravan tile shows its next trade."""

    area: Space
    trade: int


class TileReplaced(Struct, frozen=True, tag=True):
    """A tile is done with and another lies there; ``shuffled``: the discards, this one too, were
    the deck (ruling 41)."""

    area: Space
    tile: str
    shuffled: bool


class GoodsSold(Struct, frozen=True, tag=True):
    """``earned`` went into the purse, ``lost`` found no room; ``ability``: "T5", or "" for the
    stop's action."""

    seat: Seat
    goods: Wares
    earned: int
    lost: int
    ability: str


class GoodsExchanged(Struct, frozen=True, tag=True):
    """``ability``: "T2", or "" for the stop's action."""

    seat: Seat
    gave: Wares
    got: Wares
    ability: str


class StorageOverfilled(Struct, frozen=True, tag=True):
    """The player has to discard so many goods before anything else."""

    seat: Seat
    excess: int


class GoodsDiscarded(Struct, frozen=True, tag=True):
    """The storage fits again."""

    seat: Seat
    goods: Wares


class PurseExpanded(Struct, frozen=True, tag=True):
    """Room for one more, paid with a good."""

    seat: Seat
    good: Good


class PurseFilled(Struct, frozen=True, tag=True):
    """P3 is used: the largest purse, and full."""

    seat: Seat
    good: Good


class CreditWidened(Struct, frozen=True, tag=True):
    """P5 is used: one more of credit."""

    seat: Seat
    good: Good


# --- gates and orders -------------------------------------------------------------------------


class AbilityBought(Struct, frozen=True, tag=True):
    """This was the stop's action."""

    seat: Seat
    ability: str


class AbilityTurnedUp(Struct, frozen=True, tag=True):
    """The row is full again."""

    ability: str


class FountainTurned(Struct, frozen=True, tag=True):
    """To a position; ``why``: "gate" (the stop's action), "ability" (T16) or "order"."""

    seat: Seat
    position: int
    why: str


class MajorCompleted(Struct, frozen=True, tag=True):
    """Paid and taken; the income is to be split. This was the stop's action."""

    seat: Seat
    tower: Space
    card: int
    income: int


class OrderTurnedUp(Struct, frozen=True, tag=True):
    """A tower's next major."""

    tower: Space
    card: int


class MinorsDrawn(Struct, frozen=True, tag=True):
    """Secret: orders to choose from. This was the stop's action."""

    seat: Seat
    cards: tuple[int, ...] | None


class MinorKept(Struct, frozen=True, tag=True):
    """One is kept, open to all, to be completed later."""

    seat: Seat
    card: int


class MinorsReturned(Struct, frozen=True, tag=True):
    """Secret: the others are under the deck, in this order."""

    seat: Seat
    cards: tuple[int, ...] | None


class MinorCompleted(Struct, frozen=True, tag=True):
    """Paid; the income is to be split. ``drawn``: at once, as it came from the deck."""

    seat: Seat
    card: int
    income: int
    drawn: bool


class IncomeShared(Struct, frozen=True, tag=True):
    """What went to the debt, to the purse and to the wealth."""

    seat: Seat
    repaid: int
    saved: int
    gained: int


class CreditGrown(Struct, frozen=True, tag=True):
    """One more of credit after an order."""

    seat: Seat


# --- the end ----------------------------------------------------------------------------------


class LastTurnsBegan(Struct, frozen=True, tag=True):
    """A player has the wealth; all others have one more turn."""

    seat: Seat


class EndAnnounced(Struct, frozen=True, tag=True):
    """So many full rounds are left until the game ends; the first of them begins."""

    rounds: int


class RoundLimitReached(Struct, frozen=True, tag=True):
    """So many full rounds have been played: the game ends (ruling 48)."""

    rounds: int


class ScoringDieRolled(Struct, frozen=True, tag=True):
    """P13."""

    seat: Seat
    result: int


class ScoringMinorDrawn(Struct, frozen=True, tag=True):
    """P15; the card does not go back."""

    seat: Seat
    card: int


class GameScored(Struct, frozen=True, tag=True):
    """The end: scores and ranks by seat."""

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
