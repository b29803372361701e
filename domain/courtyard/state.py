"""Where a game in the courtyard stands, and how events change it. Ships to the browser."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from domain.courtyard.board import (
    FIRST_COINS,
    FIRST_LIMIT,
    NOTHING,
    Goods,
    Space,
)
from domain.courtyard.scoring import Score
from domain.deck import Deck
from domain.game import Seat

Step: TypeAlias = Literal["start", "turn", "discard", "income", "minor", "over"]
START: Final = "start"
TURN: Final = "turn"
DISCARD: Final = "discard"
INCOME: Final = "income"
MINOR: Final = "minor"
OVER: Final = "over"
"""What the game waits for: a gate and a good; anything of a turn; too many goods; an income to be
split; one of the minors drawn; nothing."""


NOTICE_ROUNDS = 5
"""Rounds before the end of a long game at which it is announced."""


class Player(Struct, frozen=True):
    """One seat. ``at`` is "" before it has settled; ``minor`` is the one kept and not completed;
    ``used`` are the one-time abilities spent."""

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
    """The tile of a rest area and which of its trades is shown, 1 to 3."""

    tile: str
    trade: int = 1


class Stock(Struct, frozen=True):
    """What lies beside the board: decks by what is left of them (see `domain.deck`).

    ``under`` are minors put back, the first one drawn first; who put them there knows them, and
    so how the ``minors`` above are is nobody's to know. ``tiles`` and ``old`` (the discards)
    are by letter, as ``abilities``.
    """

    majors: Deck
    minors: Deck
    under: tuple[int, ...]
    abilities: tuple[Deck, Deck]
    tiles: tuple[Deck, Deck]
    old: tuple[Deck, Deck]


class State(Struct, frozen=True):
    """The whole game. Hidden: ``drawn`` from all but the seat, and what `Stock` says.

    ``rows`` are the turquoise and the purple abilities face up. ``die`` bounds the next move,
    ``rolled`` says that it was used this turn, ``again`` that this roll was a second one.
    ``spent`` are once-a-turn abilities. ``order`` is where the order was completed whose income
    is to be split: a tower, or "".

    ``round`` counts from 1, 0 before the first turn; ``round_limit``: rounds after which the game
    ends, 0 for no such end; ``idle_exchanges``: an exchange that changes nothing is offered.
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
"""Of the tiles, in the order of ``Stock.tiles``."""
COLOURS = "TP"
"""Of the abilities, in the order of ``State.rows``."""


def rounds_left(state: State) -> int | None:
    """Rounds until a long game ends, the one under way included; None without such an end, before
    it is announced, and when somebody has brought on the last turns."""
    if not state.round_limit or state.trigger is not None or state.step == OVER:
        return None
    left = state.round_limit - state.round + 1
    return left if left <= NOTICE_ROUNDS else None


def has(state: State, ability: str) -> bool:
    """Whether the seat whose turn it is holds the card."""
    return ability in state.players[state.seat].abilities
