"""Blocks and paths: where goods may be laid and which of them the count omits (4.1, 4.2, 7.3).

Ships to the browser.
"""

from domain.caravanserai.board import Board
from domain.caravanserai.state import State

ALL_WAYS = (0, 1, 2, 3, 4, 5)


def sizes(state: State) -> tuple[int, ...]:
    """The sizes the next block may have: 1 or 2 at first (expert: 1), then one more each."""
    size = state.placement.size
    if size:
        return (size + 1,)
    return (1,) if state.expert else (1, 2)


def next_cells(board: Board, taken: set[int], cell: int, way: int) -> list[int]:
    """The free cells a caravan may go on to: straight ahead, or all round when ``way`` is -1."""
    step = board.step[cell]
    if way >= 0:
        return [] if step[way] in taken else [step[way]]
    return [to for to in step if to not in taken]


def paths(board: Board, taken: set[int], start: int, way: int, size: int) -> list[tuple[int, ...]]:
    """Every way to lay ``size`` goods, straight but for turns on caravanserai cells (ruling 2).

    Only paths after which the caravan can go on, so that a camel can end it (ruling 25).
    """
    step, colours = board.step, board.colours
    found = []
    begun: list[tuple[tuple[int, ...], int, int]] = [((), start, way)]
    while begun:
        before, corner, way = begun.pop()
        for turn in ALL_WAYS if way < 0 else (way,):
            path = before
            to = step[corner][turn]
            while to not in taken and to not in path:
                path = (*path, to)
                ahead = step[to]
                if len(path) == size:
                    onward = (ahead[turn],) if colours[to] is None else ahead
                    for one in onward:
                        if one not in taken and one not in path:
                            found.append(path)
                            break
                    break
                if colours[to] is not None:
                    begun.append((path, to, -1))
                    break
                to = ahead[turn]
    return found


def leads_on(board: Board, taken: set[int], cell: int) -> bool:
    """Whether a free cell lies beside a cell, so that a caravan can go on from it (ruling 25)."""
    for to in board.step[cell]:  # noqa: SIM110 - quicker than a generator
        if to not in taken:
            return True
    return False


def way_after(board: Board, before: int, path: tuple[int, ...]) -> int:
    """The direction to go on in after a path that begins next to ``before``; -1 for any."""
    last = path[-1]
    if board.colours[last] is not None:
        return -1
    return board.step[path[-2] if len(path) > 1 else before].index(last)


def omission(
    board: Board, colour: str, path: tuple[int, ...], returned: tuple[int, ...] | list[int]
) -> str:
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


def next_to_lead(state: State, taken: set[int]) -> list[int]:
    """The free cells before the leading piece of the seat to act."""
    lead = state.players[state.seat].cells[-1]
    return next_cells(state.board, taken, lead, state.placement.way)


def can_lie_down(state: State) -> bool:
    """Whether a lying camel is allowed now: expert, once, and a camel left to end with."""
    return state.expert and not state.placement.lying and state.players[state.seat].camels >= 2
