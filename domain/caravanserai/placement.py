"""Placements: where blocks and camels may be laid, and which goods the count omits (4, 7.3).

What is legal is said once, by `check_path` and the other checks, which name the rule that forbids
a piece. `placements` finds everything that passes them and `perft` counts it; both are quick
because they do not ask piece by piece, and the tests hold them against the checks. Ships to the
browser.
"""

from collections.abc import Sequence
from typing import NoReturn

from domain.caravanserai.board import Board
from domain.caravanserai.events import (
    COLOURS,
    Cell,
    Colour,
    Command,
    LayBlock,
    LayCamelDown,
    PlaceCamel,
)
from domain.caravanserai.state import INDEX, State, occupied, stood_on
from domain.game import IllegalMove

ALL_WAYS = (0, 1, 2, 3, 4, 5)


def sizes(state: State) -> tuple[int, ...]:
    """The sizes the next block may have: 1 or 2 at first (expert: 1), then one more each."""
    size = state.placement.size
    if size:
        return (size + 1,)
    return (1,) if state.expert else (1, 2)


def paths(
    board: Board, taken: frozenset[int], start: int, way: int, size: int
) -> list[tuple[int, ...]]:
    """Every way to lay ``size`` goods, straight but for turns on caravanserai cells (ruling 2).

    Only paths after which the caravan can go on, so that a camel can end it (ruling 25).
    """
    step, colours = board.step, board.colours
    found = []
    begun: list[tuple[tuple[int, ...], int, int]] = [((), start, way)]
    while begun:
        before, corner, way = begun.pop()
        ahead = step[corner]
        for turn in ALL_WAYS if way < 0 else (way,):
            path, to = before, ahead[turn]
            while to not in taken and to not in before:  # a straight line never meets itself
                path += (to,)
                if colours[to] is None:
                    to = step[to][turn]
                    if len(path) < size:
                        continue
                    if to not in taken and to not in before:
                        found.append(path)
                elif len(path) < size:
                    begun.append((path, to, -1))
                else:
                    for one in step[to]:
                        if one not in taken and one not in path:
                            found.append(path)
                            break
                break
    return found


def leads_on(
    board: Board, taken: frozenset[int], cell: Cell, way: int = -1, laid: Sequence[Cell] = ()
) -> bool:
    """Whether a caravan can go on from a cell: straight ahead, or anywhere when ``way`` is -1
    (ruling 25). ``laid``: cells that are taken besides."""
    step = board.step[cell]
    if way >= 0:
        return step[way] not in taken and step[way] not in laid
    for to in step:  # noqa: SIM110 - quicker than a generator
        if to not in taken and to not in laid:
            return True
    return False


def omission(board: Board, colour: Colour, path: tuple[Cell, ...], returned: Sequence[Cell]) -> str:
    """Why a block is omitted from the count ("match") or is not.

    ``returned``: cells of the path whose standing good goes back to the market; any keeps the
    block in the count (4.1 b, ruling 4). So does a caravanserai of another colour (7.3).
    """
    colours = board.colours
    own = other = False
    for cell in path:
        if colours[cell] == colour:
            own = True
        elif colours[cell] is not None:
            other = True
    if other:
        return "mixed" if own else "other"
    if not own:
        return "plain"
    return "returned" if returned else "match"


def next_to_lead(state: State, taken: frozenset[int]) -> list[int]:
    """The free cells the caravan of the seat to act may go on to: straight ahead, or all round
    where its leading piece allows a turn."""
    step, way = state.board.step[state.players[state.seat].cells[-1]], state.placement.way
    if way >= 0:
        return [] if step[way] in taken else [step[way]]
    return [to for to in step if to not in taken]


def can_lie_down(state: State) -> bool:
    """Whether a lying camel is allowed now: expert, once, and a camel left to end with."""
    return state.expert and not state.placement.lying and state.players[state.seat].camels >= 2


# --- every legal step ---------------------------------------------------------------


def placements(state: State) -> list[Command]:
    """Every legal step of a placement: blocks, a lying camel, the camel that ends it."""
    taken = occupied(state)
    found: list[Command] = []
    for size in sizes(state):
        _blocks(state, taken, size, found)
    ahead = next_to_lead(state, taken)
    if can_lie_down(state):
        found += [LayCamelDown(cell) for cell in ahead if leads_on(state.board, taken, cell)]
    found += map(PlaceCamel, ahead)
    return found


def _blocks(state: State, taken: frozenset[int], size: int, found: list[Command]) -> None:
    """Adds every block of a size: each path with each colour of which there is enough."""
    player, last = state.players[state.seat], state.placement.colour
    enough = []
    for colour, own in zip(COLOURS, player.goods):  # noqa: B905 - both are of five
        if own >= size and colour != last:  # a block differs from the one before it
            enough.append(colour)
    if not enough and not _helped(state, size):
        return
    standing = stood_on(state)
    add = found.append
    for path in paths(state.board, taken, player.cells[-1], state.placement.way, size):
        for colour in enough:
            add(LayBlock(colour, path))
        if not standing.isdisjoint(path):
            _with_standing(state, path, standing, found)


def _helped(state: State, size: int) -> bool:
    """Whether some colour makes up a block of a size if all its standing goods help."""
    colours, last = state.board.colours, state.placement.colour
    stands = [colours[cell] for cell in state.standing]
    for colour, own in zip(COLOURS, state.players[state.seat].goods):  # noqa: B905
        if colour != last and own + stands.count(colour) >= size:
            return True
    return False


def _with_standing(
    state: State, path: tuple[Cell, ...], standing: frozenset[int], found: list[Command]
) -> None:
    """Adds the blocks for which it matters that goods of their own colour stand on the path:
    the reserve alone is too small, or some are declined (4.1 b, ruling 4)."""
    colours, goods = state.board.colours, state.players[state.seat].goods
    met: dict[str | None, tuple[int, ...]] = {}
    for cell in path:
        if cell in standing:
            colour = colours[cell]
            met[colour] = (*met[colour], cell) if colour in met else (cell,)
    last, size = state.placement.colour, len(path)
    for colour, alike in met.items():
        if colour is None or colour == last:
            continue
        spare = goods[INDEX[colour]] + len(alike) - size
        if spare < 0:
            continue
        if spare < len(alike):
            found.append(LayBlock(colour, path))
        if not spare:
            continue
        if len(alike) == 1:
            found.append(LayBlock(colour, path, alike))
            continue
        for declined in _some_of(alike, spare):
            found.append(LayBlock(colour, path, declined))


def _some_of(cells: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    """Every selection of one to ``most`` cells, in their order."""
    if len(cells) == 1:
        return [cells]
    found: list[tuple[int, ...]] = []
    for cell in cells:
        found += [*[(*some, cell) for some in found if len(some) < most], (cell,)]
    return found


# --- what is legal ---------------------------------------------------------------------


def met_by(state: State, command: LayBlock) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cells whose standing good becomes part of the block, and those whose good goes back
    to the market. `IllegalMove` when the block cannot be laid with what stands there and what is
    in the reserve (4.1 b, ruling 4)."""
    colour, path, declined = command.colour, command.path, command.declined
    used: tuple[int, ...] = ()
    returned: tuple[int, ...] = ()
    standing = stood_on(state)
    if declined or not standing.isdisjoint(path):
        colours = state.board.colours
        alike = [cell for cell in path if cell in standing and colours[cell] == colour]
        used = tuple([cell for cell in alike if cell not in declined])
        if declined != tuple([cell for cell in alike if cell in declined]):
            raise IllegalMove(
                "not_declinable",
                "Only standing goods of the block's colour on its path, in its order, "
                "can be declined (ruling 4).",
            )
        returned = tuple([cell for cell in path if cell in standing and cell not in used])
    if len(path) - len(used) > state.players[state.seat].goods[INDEX[colour]]:
        raise IllegalMove(
            "too_few_goods",
            "There are too few {colour:colour} goods in the reserve.",
            colour=colour,
        )
    return used, returned


def check_path(state: State, path: tuple[Cell, ...]) -> None:
    """Raises `IllegalMove` unless goods may be laid along the path, cell by cell."""
    colours, step = state.board.colours, state.board.step
    taken = occupied(state)
    cell = state.players[state.seat].cells[-1]
    way = state.placement.way
    laid: list[Cell] = []
    for to in path:
        ahead = step[cell]
        if to in taken or to in laid or (to not in ahead if way < 0 else to != ahead[way]):
            _refuse(state.board, cell, way, to)
        if colours[to] is not None:
            way = -1
        elif way < 0:
            way = ahead.index(to)
        laid.append(to)
        cell = to
    if not leads_on(state.board, taken, cell, way, laid):
        raise IllegalMove("dead_end", "No cell would be left for the camel (ruling 25).")


def _refuse(board: Board, cell: Cell, way: int, to: int) -> NoReturn:
    """Names the rule by which no piece may be laid on ``to``, coming from ``cell``."""
    step = board.step[cell]
    if to not in step or to < 0:
        on_board(board, to)
        raise IllegalMove("not_adjacent", "Pieces are laid from cell to cell (4.1).")
    if way >= 0 and step[way] != to:
        raise IllegalMove("no_turn", "Only caravanserai cells and camels allow a turn (4.1).")
    raise IllegalMove("occupied", "Caravans cross neither others nor themselves (7.2).")


def on_board(board: Board, cell: Cell) -> int:
    """The cell; `IllegalMove` when there is none of that number."""
    if not 0 <= cell < len(board.cells):
        raise IllegalMove("no_such_cell", "There is no such cell.")
    return cell


def check_camel(state: State, cell: Cell) -> None:
    """Raises `IllegalMove` unless a camel may be laid or placed there."""
    lead, way = state.players[state.seat].cells[-1], state.placement.way
    ahead = state.board.step[lead]
    if cell in occupied(state) or (cell not in ahead if way < 0 else cell != ahead[way]):
        _refuse(state.board, lead, way, cell)
