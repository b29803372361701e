"""State of a match of Caravan Conquest; see `evolve` for its transitions. Ships to the browser."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.conquest.cards import CARDS_PER_DECK, DECKS
from domain.games.conquest.equipment import BASIC, DONKEY
from domain.games.conquest.events import Place, Step
from domain.toolkit.deck import Deck

MOVE: Final = "move"
OASIS_STEP: Final = "oasis"
FORTUNE_STEP: Final = "fortune"
CARD: Final = "card"
EXTRA: Final = "extra"
CAMP: Final = "camp"
CITY_STEP: Final = "city"
OVER: Final = "over"
"""The values of `Step`, except ""."""


class Player(Struct, frozen=True, gc=False):
    """The state of a seat.

    ``at``: its cell; ``treasure``: its number of chests; ``skip``: turns it still has to miss;
    ``kept``: numbers of its kept cards; ``finished``: the round in which it reached the finish, 0
    before that; ``wealth``: its wealth when it did.
    """

    at: int
    gold: int = 10
    silk: int = 5
    spice: int = 10
    treasure: int = 0
    animals: tuple[str, str] = (DONKEY, DONKEY)
    caravan: str = BASIC
    skip: int = 0
    kept: tuple[int, ...] = ()
    finished: int = 0
    wealth: int = 0


class State(Struct, frozen=True, gc=False):
    """The state of a match; cells are those of `domain.games.conquest.board`.

    ``land``: the original map; ``tiles``: the current map; ``treasure``: cells of the remaining
    chests; ``first_finish``: the round of the first finish, 0 before that; ``silk`` and ``spice``:
    current prices; ``scores``: final wealth by seat.

    Fields of the current turn: ``began``: its first cell; ``speed``: its number of steps;
    ``bonus``: how many of them come from a card; ``walked``: steps made; ``deck`` and ``cards``:
    deck (-1: none) and number of cards still to be drawn; ``drawn``: the card being resolved, or
    -1; ``extra``: extra steps left.
    """

    land: str
    stride: int
    kind: str
    name: str
    seed: int
    patience: int
    tiles: str
    treasure: tuple[int, ...]
    players: tuple[Player, ...]
    decks: tuple[Deck, ...] = ((1,) * CARDS_PER_DECK,) * len(DECKS)
    discards: tuple[Deck, ...] = ((0,) * CARDS_PER_DECK,) * len(DECKS)
    starter: Seat = 0
    seat: Seat = 0
    round: int = 0
    turn: int = 0
    first_finish: int = 0
    silk: int = 0
    spice: int = 0
    step: Step = ""
    began: int = 0
    speed: int = 0
    bonus: int = 0
    walked: int = 0
    deck: int = -1
    cards: int = 0
    drawn: int = -1
    extra: int = 0
    ranks: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


def cell_of(state: State, place: Place) -> int:
    """Return the cell of a place."""
    return place[0] * state.stride + place[1]


def place_of(state: State, cell: int) -> Place:
    """Return the place of a cell."""
    return divmod(cell, state.stride)


def with_more(player: Player, what: str, more: int) -> Player:
    """Return the player with ``more`` added to the amount of a resource; it may be negative."""
    if what == "gold":
        return replace(player, gold=player.gold + more)
    if what == "silk":
        return replace(player, silk=player.silk + more)
    return replace(player, spice=player.spice + more)
