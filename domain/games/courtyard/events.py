"""Events of the courtyard game.

Orders are indexes into the tables in `domain.games.courtyard.cards`. ``cards`` is None for viewers
who may not know them. Ships to the browser.
"""

from msgspec import Struct

from domain.contract.game import Seat, leaf_classes
from domain.games.courtyard.board import Good, Space, Wares
from domain.games.courtyard.state import Score


class Event(Struct, frozen=True, tag=True):
    """Base class of the game's events."""


class SeatEvent(Event, frozen=True):
    """Base class of the events of one seat."""

    seat: Seat


# --- before the first turn --------------------------------------------------------------------


class CourtyardLaidOut(Event, frozen=True):
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


class IdleExchangesBarred(Event, frozen=True):
    """Exchanges that change nothing were ruled out (ruling 49), since rules version 2.

    Without this event they are legal.
    """


class RoundLimitSet(Event, frozen=True):
    """A limit on the number of full rounds was set (ruling 48).

    Without this event a match has no such limit.
    """

    rounds: int


class PlayerSettled(SeatEvent, frozen=True):
    """A player chose a starting gate and a first good."""

    gate: Space
    good: Good


# --- turns and moves --------------------------------------------------------------------------


class TurnBegan(SeatEvent, frozen=True):
    """A turn began; turns are numbered from 1."""

    number: int


class TurnPassed(SeatEvent, frozen=True):
    """A ruined player's turn was skipped (ruling 42)."""


class MoveDieRolled(SeatEvent, frozen=True):
    """The die was rolled for the next move; ``again``: this roll replaces the previous one (T4)."""

    result: int
    again: bool


class PlayerMoved(SeatEvent, frozen=True):
    """A player moved to another space."""

    to: Space


# --- money and goods --------------------------------------------------------------------------


class MoneyBorrowed(SeatEvent, frozen=True):
    """A player borrowed coins as the stop's action."""

    coins: int


class DebtRepaid(SeatEvent, frozen=True):
    """A player repaid debt from the purse."""

    coins: int


class GoodsBought(SeatEvent, frozen=True):
    """A player bought goods from the stock of the good's own stall, as the stop's action."""

    good: Good
    units: int
    paid: int


class StallRestocked(Event, frozen=True):
    """An empty stall was refilled."""

    good: Good


class GoodsTraded(SeatEvent, frozen=True):
    """A player traded with the travellers of a rest area, as the stop's action."""

    area: Space
    times: int
    gave: Wares
    got: Wares


class TileTurned(Event, frozen=True):
    """A tile was turned to its next trade; ``trade``: its number, 2 or 3."""

    area: Space
    trade: int


class TileReplaced(Event, frozen=True):
    """A used-up tile was replaced by ``tile``.

    ``shuffled``: the discards, including the used-up tile, were first shuffled into a new deck
    (ruling 41).
    """

    area: Space
    tile: str
    shuffled: bool


class GoodsSold(SeatEvent, frozen=True):
    """A player sold goods.

    ``earned``: coins added to the purse; ``lost``: coins that did not fit; ``ability``:
    "T5", or "" for the stop's action.
    """

    goods: Wares
    earned: int
    lost: int
    ability: str


class GoodsExchanged(SeatEvent, frozen=True):
    """A player exchanged goods; ``ability``: "T2", or "" for the stop's action."""

    gave: Wares
    got: Wares
    ability: str


class StorageOverfilled(SeatEvent, frozen=True):
    """A player has ``excess`` goods too many and must discard them before anything else."""

    excess: int


class GoodsDiscarded(SeatEvent, frozen=True):
    """A player discarded goods down to the storage limit."""

    goods: Wares


class PurseExpanded(SeatEvent, frozen=True):
    """A player paid a good to raise the purse's limit by one coin."""

    good: Good


class PurseFilled(SeatEvent, frozen=True):
    """A player used P3, paying a good: the purse has its maximum size and is full."""

    good: Good


class CreditWidened(SeatEvent, frozen=True):
    """A player used P5, paying a good: the credit rose by one."""

    good: Good


# --- gates and orders -------------------------------------------------------------------------


class AbilityBought(SeatEvent, frozen=True):
    """A player bought an ability as the stop's action."""

    ability: str


class AbilityTurnedUp(Event, frozen=True):
    """An ability was turned up to refill its row."""

    ability: str


class FountainTurned(SeatEvent, frozen=True):
    """The fountain was turned to a position.

    ``why``: "gate" (the stop's action), "ability" (T16) or "order".
    """

    position: int
    why: str


class MajorCompleted(SeatEvent, frozen=True):
    """A player completed a major order as the stop's action, paying its goods.

    The income is still to be split.
    """

    tower: Space
    card: int
    income: int


class OrderTurnedUp(Event, frozen=True):
    """A new major order was turned up on a tower."""

    tower: Space
    card: int


class MinorsDrawn(SeatEvent, frozen=True):
    """A player drew minor orders to choose from, as the stop's action; ``cards`` are secret."""

    cards: tuple[int, ...] | None


class MinorKept(SeatEvent, frozen=True):
    """A player kept a drawn minor order, now visible to all, to complete it later."""

    card: int


class MinorsReturned(SeatEvent, frozen=True):
    """The other drawn minor orders were put under the deck in this order; ``cards`` are secret."""

    cards: tuple[int, ...] | None


class MinorCompleted(SeatEvent, frozen=True):
    """A player completed a minor order, paying its goods; the income is still to be split.

    ``drawn``: whether it was completed as soon as it was drawn.
    """

    card: int
    income: int
    drawn: bool


class IncomeShared(SeatEvent, frozen=True):
    """An income was split into debt, purse and wealth."""

    repaid: int
    saved: int
    gained: int


class CreditGrown(SeatEvent, frozen=True):
    """A player's credit rose by one after an order."""


# --- the end ----------------------------------------------------------------------------------


class LastTurnsBegan(SeatEvent, frozen=True):
    """A player reached the goal wealth; all other players have one more turn."""


class EndAnnounced(Event, frozen=True):
    """The end was announced: ``rounds`` full rounds are left, of which the first begins now."""

    rounds: int


class RoundLimitReached(Event, frozen=True):
    """The limit on full rounds was reached, so the game ends (ruling 48)."""

    rounds: int


class ScoringDieRolled(SeatEvent, frozen=True):
    """The die of P13 was rolled for the final scoring."""

    result: int


class ScoringMinorDrawn(SeatEvent, frozen=True):
    """The minor order of P15 was drawn for the final scoring; it is not returned to the deck."""

    card: int


class GameScored(Event, frozen=True):
    """The game ended and was scored; scores and ranks are by seat."""

    scores: tuple[Score, ...]
    ranks: tuple[int, ...]


EVENTS = leaf_classes(Event)
