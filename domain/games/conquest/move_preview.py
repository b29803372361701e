"""Preview of a turn: reachable cells, and the certain results of ending the turn on one.

Ships to the browser, which shows it before the player confirms a move.
"""

from msgspec import Struct
from msgspec.structs import replace

from domain.games.conquest.board import CAMPS, CITY, DESERT, FINISH, OASIS, ground_of
from domain.games.conquest.caravan_stats import (
    load,
    next_bonus,
    overload_steps,
    price,
    speed,
    wealth,
)
from domain.games.conquest.cards import DECK_OF, DECKS, NOMAD_CARD
from domain.games.conquest.commands import Move
from domain.games.conquest.state import EXTRA, MOVE, State, with_more

GAINS = {"G": ("spice", 1), "D": ("silk", 1), "M": ("gold", 2)}
"""Resource and amount gained by ending a turn on a tile; at an oasis the player chooses."""
OASIS_GAIN = 2


class StopPreview(Struct, frozen=True):
    """The certain results of ending the turn on a tile.

    ``letter``: the tile; ``gain``: resource and amount, or None; ``chosen``: amount of a resource
    of the player's choice; ``chest``: whether a treasure is found; ``deck`` and ``cards``: deck and
    number of cards drawn afterwards; ``camp`` and ``price``: the good traded ("" if none) and its
    price; ``city``: whether the tile is a city; ``wealth``: the final wealth on the finish tile,
    otherwise None; ``load``, ``over`` (steps lost to overload) and ``speed``: values for the next
    turn if it begins there.
    """

    letter: str
    gain: tuple[str, int] | None
    chosen: int
    chest: bool
    deck: str
    cards: int
    camp: str
    price: int
    city: bool
    wealth: int | None
    load: int
    over: int
    speed: int


def steps_left(state: State) -> int:
    """Return the number of steps, regular or extra, that the seat to act may still make."""
    if state.step == MOVE:
        return state.speed - state.walked
    return state.extra if state.step == EXTRA else 0


def reachable_paths(state: State) -> dict[int, tuple[Move, ...]]:
    """Return a shortest path to each cell that the seat to act can reach, except its own cell.

    The cell where the turn began may only be passed through: it is included only if a step remains
    after it.
    """
    left = min(steps_left(state), 1) if state.step == EXTRA else steps_left(state)
    ground = ground_of(state.land)
    at = state.players[state.seat].at
    found: dict[int, tuple[Move, ...]] = {at: ()}
    edge = [at]
    for step in range(1, left + 1):
        further = []
        for cell in edge:
            for to, move in zip(ground.neighbours[cell], ground.moves[cell], strict=True):
                if to in found or (to == state.began and step == left):
                    continue
                found[to] = (*found[cell], move)
                if to != ground.finish:
                    further.append(to)
        edge = further
    del found[at]
    return found


def ends_at(state: State, cell: int) -> bool:
    """Return whether the current turn may end on a reachable cell."""
    return cell != state.began


def preview_stop(state: State, cell: int) -> StopPreview:
    """Return the certain results for the seat to act of ending its turn on a cell."""
    seat = state.seat
    player = state.players[seat]
    letter = state.tiles[cell]
    chest = cell in state.treasure
    gain = GAINS.get(letter)
    cards = _cards(state, letter)
    after = player if gain is None else with_more(player, *gain)
    if chest:
        after = replace(after, treasure=after.treasure + 1)
    chosen = OASIS_GAIN if letter == OASIS else 0
    if chosen:
        after = with_more(after, "gold", chosen)  # all resources have the same weight
    ground = DESERT if letter == OASIS and cards else letter
    good = CAMPS.get(letter, "")
    return StopPreview(
        letter=letter,
        gain=gain,
        chosen=chosen,
        chest=chest,
        deck=DECKS[DECK_OF[letter]] if cards else "",
        cards=cards,
        camp=good,
        price=price(state, good) if good else 0,
        city=letter == CITY,
        wealth=wealth(player, state.silk, state.spice) if letter == FINISH else None,
        load=load(after),
        over=overload_steps(after),
        speed=speed(after, ground, next_bonus(after)),
    )


def _cards(state: State, letter: str) -> int:
    """Return the number of cards drawn on a tile; 0 after an extra step (ruling 8)."""
    if state.step == EXTRA or letter not in DECK_OF:
        return 0
    return 2 if NOMAD_CARD in state.players[state.seat].kept else 1
