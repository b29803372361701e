"""Events of the courtyard game.

Orders are indexes into the tables in `domain.games.courtyard.cards`. ``cards`` is None for viewers
who may not know them. Ships to the browser.
"""

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.courtyard.board import Good, Space, Wares
from domain.games.courtyard.state import Score


class Event(Struct, frozen=True, tag=True):
    """Base class of the game's events."""


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


class PlayerSettled(Event, frozen=True):
    """A player chose a starting gate and a first good."""

    seat: Seat
    gate: Space
    good: Good


# --- turns and moves --------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    """A turn began; turns are numbered from 1."""

    seat: Seat
    number: int


class TurnPassed(Event, frozen=True):
    """A ruined player's turn was skipped (ruling 42)."""

    seat: Seat


class MoveDieRolled(Event, frozen=True):
    """The die was rolled for the next move; ``again``: this roll replaces the previous one (T4)."""

    seat: Seat
    result: int
    again: bool


class PlayerMoved(Event, frozen=True):
    """A player moved to another space."""

    seat: Seat
    to: Space


# --- money and goods --------------------------------------------------------------------------


class MoneyBorrowed(Event, frozen=True):
    """A player borrowed coins as the stop's action."""

    seat: Seat
    coins: int


class DebtRepaid(Event, frozen=True):
    """A player repaid debt from the purse."""

    seat: Seat
    coins: int


class GoodsBought(Event, frozen=True):
    """A player bought goods from the stock of the good's own stall, as the stop's action."""

    seat: Seat
    good: Good
    units: int
    paid: int


class StallRestocked(Event, frozen=True):
    """An empty stall was refilled."""

    good: Good


class GoodsTraded(Event, frozen=True):
    """A player traded with the travellers of a rest area, as the stop's action."""

    seat: Seat
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


class GoodsSold(Event, frozen=True):
    """A player sold goods.

    ``earned``: coins added to the purse; ``lost``: coins that did not fit; ``ability``:
    "T5", or "" for the stop's action.
    """

    seat: Seat
    goods: Wares
    earned: int
    lost: int
    ability: str


class GoodsExchanged(Event, frozen=True):
    """A player exchanged goods; ``ability``: "T2", or "" for the stop's action."""

    seat: Seat
    gave: Wares
    got: Wares
    ability: str


class StorageOverfilled(Event, frozen=True):
    """A player has ``excess`` goods too many and must discard them before anything else."""

    seat: Seat
    excess: int


class GoodsDiscarded(Event, frozen=True):
    """A player discarded goods down to the storage limit."""

    seat: Seat
    goods: Wares


class PurseExpanded(Event, frozen=True):
    """A player paid a good to raise the purse's limit by one coin."""

    seat: Seat
    good: Good


class PurseFilled(Event, frozen=True):
    """A player used P3, paying a good: the purse has its maximum size and is full."""

    seat: Seat
    good: Good


class CreditWidened(Event, frozen=True):
    """A player used P5, paying a good: the credit rose by one."""

    seat: Seat
    good: Good


# --- gates and orders -------------------------------------------------------------------------


class AbilityBought(Event, frozen=True):
    """A player bought an ability as the stop's action."""

    seat: Seat
    ability: str


class AbilityTurnedUp(Event, frozen=True):
    """An ability was turned up to refill its row."""

    ability: str


class FountainTurned(Event, frozen=True):
    """The fountain was turned to a position.

    ``why``: "gate" (the stop's action), "ability" (T16) or "order".
    """

    seat: Seat
    position: int
    why: str


class MajorCompleted(Event, frozen=True):
    """A player completed a major order as the stop's action, paying its goods.

    The income is still to be split.
    """

    seat: Seat
    tower: Space
    card: int
    income: int


class OrderTurnedUp(Event, frozen=True):
    """A new major order was turned up on a tower."""

    tower: Space
    card: int


class MinorsDrawn(Event, frozen=True):
    """A player drew minor orders to choose from, as the stop's action; ``cards`` are secret."""

    seat: Seat
    cards: tuple[int, ...] | None


class MinorKept(Event, frozen=True):
    """A player kept a drawn minor order, now visible to all, to complete it later."""

    seat: Seat
    card: int


class MinorsReturned(Event, frozen=True):
    """The other drawn minor orders were put under the deck in this order; ``cards`` are secret."""

    seat: Seat
    cards: tuple[int, ...] | None


class MinorCompleted(Event, frozen=True):
    """A player completed a minor order, paying its goods; the income is still to be split.

    ``drawn``: whether it was completed as soon as it was drawn.
    """

    seat: Seat
    card: int
    income: int
    drawn: bool


class IncomeShared(Event, frozen=True):
    """An income was split into debt, purse and wealth."""

    seat: Seat
    repaid: int
    saved: int
    gained: int


class CreditGrown(Event, frozen=True):
    """A player's credit rose by one after an order."""

    seat: Seat


# --- the end ----------------------------------------------------------------------------------


class LastTurnsBegan(Event, frozen=True):
    """A player reached the goal wealth; all other players have one more turn."""

    seat: Seat


class EndAnnounced(Event, frozen=True):
    """The end was announced: ``rounds`` full rounds are left, of which the first begins now."""

    rounds: int


class RoundLimitReached(Event, frozen=True):
    """The limit on full rounds was reached, so the game ends (ruling 48)."""

    rounds: int


class ScoringDieRolled(Event, frozen=True):
    """The die of P13 was rolled for the final scoring."""

    seat: Seat
    result: int


class ScoringMinorDrawn(Event, frozen=True):
    """The minor order of P15 was drawn for the final scoring; it is not returned to the deck."""

    seat: Seat
    card: int


class GameScored(Event, frozen=True):
    """The game ended and was scored; scores and ranks are by seat."""

    scores: tuple[Score, ...]
    ranks: tuple[int, ...]


EVENTS: tuple[type, ...] = tuple(Event.__subclasses__())
