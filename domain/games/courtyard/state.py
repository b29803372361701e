"""State of a match of the courtyard game. Ships to the browser."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.courtyard.board import FIRST_COINS, FIRST_LIMIT, NOTHING, Goods, Space
from domain.toolkit.deck import Deck

Step: TypeAlias = Literal["start", "turn", "discard", "income", "minor", "over"]
START: Final = "start"
TURN: Final = "turn"
DISCARD: Final = "discard"
INCOME: Final = "income"
MINOR: Final = "minor"
OVER: Final = "over"
"""What the game waits for.

In this order: gate and first good; a command of a turn; a discard; the split of an income; the
choice of a drawn minor order; nothing, as the game is over.
"""


ROUNDS_ANNOUNCED = 5
"""Number of rounds by which the end of a long game is announced in advance."""


class Player(Struct, frozen=True):
    """The state of a seat.

    ``at``: its space, "" before it has settled; ``purse`` and ``credit``: the limits of ``coins``
    and ``debt``; ``majors`` and ``minors``: completed orders; ``minor``: the open minor order, or
    None; ``used``: one-time abilities that it has used.
    """

    at: Space = ""
    wealth: int = 0
    coins: int = FIRST_COINS
    purse: int = FIRST_LIMIT
    debt: int = 0
    credit: int = FIRST_LIMIT
    goods: Goods = NOTHING
    majors: tuple[int, ...] = ()
    minors: tuple[int, ...] = ()
    minor: int | None = None
    abilities: tuple[str, ...] = ()
    used: tuple[str, ...] = ()


class Rest(Struct, frozen=True):
    """The tile of a rest area, and the number of its current trade, 1 to 3."""

    tile: str
    trade: int = 1


class Stock(Struct, frozen=True):
    """The cards left in each deck; see `domain.toolkit.deck`.

    ``under``: minor orders returned under the deck ``minors``, in the order in which they are
    drawn; only the player who returned one knows it. ``tiles`` and ``old`` (the discarded tiles)
    are in the order of `LETTERS`, ``abilities`` in the order of `COLOURS`.
    """

    majors: Deck
    minors: Deck
    under: tuple[int, ...]
    abilities: tuple[Deck, Deck]
    tiles: tuple[Deck, Deck]
    old: tuple[Deck, Deck]


class Score(Struct, frozen=True):
    """A player's points: ``total`` is wealth + coins - debt + sets + points of abilities.

    ``abilities``: pairs of a name and its points. Abilities that double coins or cancel debt count
    there; ``coins`` and ``debt`` are unchanged (ruling 43).
    """

    wealth: int
    coins: int
    debt: int
    sets: int
    abilities: tuple[tuple[str, int], ...]
    total: int


class State(Struct, frozen=True):
    """The state of a match.

    ``drawn``: minor orders to choose from, hidden from the other seats; see `Stock` for other
    hidden information. ``rows``: the face-up turquoise and purple abilities. ``moves`` and
    ``actions``: those left in this turn; ``acted``: whether the stop's action is used. ``die``: the
    roll that limits the next move, or None; ``rolled``: whether the die was rolled this turn;
    ``again``: whether the current roll is a reroll. ``spent``: once-per-turn abilities used this
    turn. ``income``: still to be split; ``order``: the tower of its major order, "" for a minor
    order. ``trigger``: the seat that reached the goal wealth, or None.

    ``round``: the current round, 0 before the first turn; ``round_limit``: number of rounds after
    which the game ends, 0 for no limit; ``idle_exchanges``: whether exchanges that change nothing
    are legal.
    """

    players: tuple[Player, ...]
    starter: Seat
    seat: Seat
    keep_secrets: bool
    fountain: int
    towers: tuple[int | None, ...]
    rows: tuple[tuple[str, ...], tuple[str, ...]]
    rests: tuple[Rest, ...]
    stalls: Goods
    stock: Stock
    step: Step = START
    turn: int = 0
    moves: int = 0
    actions: int = 0
    acted: bool = False
    die: int | None = None
    rolled: bool = False
    again: bool = False
    spent: tuple[str, ...] = ()
    drawn: tuple[int, ...] = ()
    income: int = 0
    order: Space = ""
    trigger: Seat | None = None
    scores: tuple[Score, ...] = ()
    ranks: tuple[int, ...] = ()
    round: int = 0
    round_limit: int = 0
    idle_exchanges: bool = True


LETTERS = "AB"
"""Letters of the kinds of tiles, in the order of ``Stock.tiles``."""
COLOURS = "TP"
"""Letters of the kinds of abilities, turquoise and purple, in the order of ``State.rows``."""


def rounds_left(state: State) -> int | None:
    """Return the number of rounds until the round limit, including the current one.

    Return None if there is no limit, before the end is announced, once the last turns have begun,
    and after the end.
    """
    if not state.round_limit or state.trigger is not None or state.step == OVER:
        return None
    left = state.round_limit - state.round + 1
    return left if left <= ROUNDS_ANNOUNCED else None


def has_ability(state: State, ability: str) -> bool:
    """Return whether the seat to act holds an ability."""
    return ability in state.players[state.seat].abilities
