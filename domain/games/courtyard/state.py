"""State of a game in the courtyard. Ships to the browser."""

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
"""What the game waits for: gate and first good; anything of a turn; a discard; the split of an
income; the choice of a drawn minor; nothing."""


ROUNDS_ANNOUNCED = 5
"""Number of rounds before the end of a long game at which it is announced."""


class Player(Struct, frozen=True):
    """One seat.

    ``at``: "" before it has settled; ``minor``: the one kept and not completed; ``used``: spent
    one-time abilities.
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
    """The tile of a rest area and the number of its shown trade, 1 to 3."""

    tile: str
    trade: int = 1


class Stock(Struct, frozen=True):
    """The decks beside the board, by the cards left (see `domain.toolkit.deck`).

    ``under``: minors put back, the first one drawn first. The player who put them back knows them,
    and no player knows the order of the ``minors`` above. ``tiles``, ``old`` (the discards) and
    ``abilities`` are by letter.
    """

    majors: Deck
    minors: Deck
    under: tuple[int, ...]
    abilities: tuple[Deck, Deck]
    tiles: tuple[Deck, Deck]
    old: tuple[Deck, Deck]


class Score(Struct, frozen=True):
    """A player's points: ``total`` is wealth + coins - debt + sets + those of the abilities.

    ``abilities`` are pairs of a name and its points (ruling 43: ``coins`` and ``debt`` are plain).
    """

    wealth: int
    coins: int
    debt: int
    sets: int
    abilities: tuple[tuple[str, int], ...]
    total: int


class State(Struct, frozen=True):
    """The state of a game. Hidden: ``drawn`` from all but the seat, and what `Stock` says.

    ``rows``: the turquoise and the purple abilities face up. ``die``: limits the next move;
    ``rolled``: it was used this turn; ``again``: this roll was a second one. ``spent``: used
    once-a-turn abilities. ``order``: where the order was completed whose income is to be split: a
    tower, or "".

    ``round``: from 1, 0 before the first turn; ``round_limit``: rounds after which the game ends, 0
    for no limit; ``idle_exchanges``: exchanges that change nothing are offered.
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
"""Letters of the tiles, in the order of ``Stock.tiles``."""
COLOURS = "TP"
"""Letters of the abilities, in the order of ``State.rows``."""


def rounds_left(state: State) -> int | None:
    """Return the rounds until a long game ends, the present one included.

    None without a limit, before the end is announced, and when the last turns have begun.
    """
    if not state.round_limit or state.trigger is not None or state.step == OVER:
        return None
    left = state.round_limit - state.round + 1
    return left if left <= ROUNDS_ANNOUNCED else None


def has_ability(state: State, ability: str) -> bool:
    """Return whether the seat whose turn it is holds the card."""
    return ability in state.players[state.seat].abilities
