"""Legal commands of Caravanserai, and which blocks the count omits (3.1, 4, 7.3).

`check_path` and the other checks define which placements are legal and name the violated rule.
`placements` lists, and `perft` counts, the placements that pass the checks, but faster, without
checking piece by piece; tests compare the results. Ships to the browser.
"""

from collections.abc import Iterator, Sequence
from typing import NoReturn

from domain.contract.choice_groups import groups_from_choices
from domain.contract.game import IllegalMove, Seat
from domain.games.caravanserai.board import Board
from domain.games.caravanserai.commands import (
    Command,
    LayBlock,
    LayCamelDown,
    PlaceCamel,
    SetGood,
    StartAt,
    TakeFrom,
)
from domain.games.caravanserai.pieces import COLOURS, OUTER, Cell, Colour
from domain.games.caravanserai.state import FREE, INDEX, STANDING, TAKEN, State, current_step

ALL_DIRECTIONS = (0, 1, 2, 3, 4, 5)


def block_sizes(state: State) -> tuple[int, ...]:
    """Return the allowed sizes of the next block.

    The first block has 1 or 2 goods (1 by the expert rules), each further block one more than the
    one before it.
    """
    size = state.placement.size
    if size:
        return (size + 1,)
    return (1,) if state.expert else (1, 2)


def legal_paths(
    board: Board, ground: str, start: int, way: int, size: int
) -> list[tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
    """Return every path for ``size`` goods, each with those of its cells on which a good stands.

    ``start``: the leading cell of the caravan; ``way``: the direction in which it must continue, -1
    for any. Paths are straight except for turns on caravanserai cells (ruling 2). Only paths after
    which the caravan can continue are returned, so that a camel can end the placement (ruling 25).
    """
    step, colours = board.step, board.colours
    found = []
    begun: list[tuple[tuple[Cell, ...], tuple[Cell, ...], Cell, int]] = [((), (), start, way)]
    while begun:
        before, met_before, corner, way = begun.pop()
        ahead = step[corner]
        for turn in ALL_DIRECTIONS if way < 0 else (way,):
            path, to = before, ahead[turn]
            while ground[to] != TAKEN and to not in before:  # a straight line never crosses itself
                path += (to,)
                if colours[to] is None:
                    to = step[to][turn]
                    if len(path) < size:
                        continue
                    if ground[to] != TAKEN and to not in before:
                        found.append((path, met_before))
                    break
                met = (*met_before, to) if ground[to] == STANDING else met_before
                if len(path) < size:
                    begun.append((path, met, to, -1))
                    break
                for one in step[to]:
                    if ground[one] != TAKEN and one not in path:
                        found.append((path, met))
                        break
                break
    return found


def can_continue(
    board: Board, ground: str, cell: Cell, way: int = -1, laid: Sequence[Cell] = ()
) -> bool:
    """Return whether a caravan can continue from a cell (ruling 25).

    ``way``: the direction in which it must continue, -1 for any; ``laid``: cells that are occupied
    in addition to those of ``ground``.
    """
    step = board.step[cell]
    if way >= 0:
        return ground[step[way]] != TAKEN and step[way] not in laid
    for to in step:  # noqa: SIM110 - faster than a generator
        if ground[to] != TAKEN and to not in laid:
            return True
    return False


def omission_reason(
    board: Board, colour: Colour, path: tuple[Cell, ...], returned: Sequence[Cell]
) -> str:
    """Return "match" if the count omits a block, otherwise the reason why it does not.

    The block counts if it crosses no caravanserai ("plain"), one of another colour ("other", or
    "mixed" if also one of its own; 7.3), or if standing goods on its path go back to the market
    ("returned"; 4.1 b, ruling 4). ``returned``: the cells of these goods.
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


def continuation_cells(state: State) -> list[Cell]:
    """Return the free cells on which the caravan of the seat to act may continue.

    These are the cell straight ahead or, if the caravan may turn, all adjacent cells.
    """
    step, way = state.board.step[state.players[state.seat].cells[-1]], state.placement.way
    ground = state.ground
    return [to for to in (step if way < 0 else (step[way],)) if ground[to] != TAKEN]


def can_lie_down(state: State) -> bool:
    """Return whether the seat to act may place a lying camel.

    That requires the expert rules, no lying camel in this placement, and two camels in the reserve,
    as one must remain to end the placement.
    """
    return state.expert and not state.placement.lying and state.players[state.seat].camels >= 2


# --- every legal command --------------------------------------------------------------------


def choices(state: State, seat: Seat) -> list[Command]:
    """Return all legal commands of the seat in a fixed order; none if it is not to act."""
    if seat != state.seat:
        return []
    now = current_step(state)
    if now == "place":
        return placements(state)
    if now == "set":
        return [*legal_settings(state)]
    if now == "take":
        return legal_givers(state)
    return legal_starts(state) if now == "start" else []


groups = groups_from_choices(choices)


def legal_starts(state: State) -> list[Command]:
    """Return the commands that start the caravan on a free caravanserai of an outer tile (3.1)."""
    ground, cells = state.ground, state.board.cells
    return [
        StartAt(cell)
        for cell, colour in enumerate(state.board.colours)
        if colour is not None and cells[cell][3] == OUTER and ground[cell] != TAKEN
    ]


def seats_with_good(state: State, colour: Colour) -> list[int]:
    """Return the opponents of the seat to act that have a good of this colour (ruling 9)."""
    return [
        seat
        for seat, player in enumerate(state.players)
        if seat != state.seat and player.goods[INDEX[colour]]
    ]


def legal_givers(state: State) -> list[Command]:
    """Return a command for each opponent who can give the missing good (ruling 23)."""
    assert state.missing is not None
    return [TakeFrom(whom) for whom in seats_with_good(state, state.missing)]


def legal_settings(state: State) -> Iterator[SetGood]:
    """Yield each command that sets a market good on a free cell of its colour (ruling 11)."""
    ground = state.ground
    for left, settings in zip(state.market, state.board.settings):  # noqa: B905 - both are of five
        if left:
            for setting in settings:
                if ground[setting.cell] == FREE:
                    yield setting


def placements(state: State) -> list[Command]:
    """Return every legal step of a placement: blocks, lying camels, and camels that end it."""
    found: list[Command] = []
    for size in block_sizes(state):
        _blocks(state, size, found)
    ahead = continuation_cells(state)
    if can_lie_down(state):
        board, ground = state.board, state.ground
        found += [LayCamelDown(cell) for cell in ahead if can_continue(board, ground, cell)]
    found += map(PlaceCamel, ahead)
    return found


def _blocks(state: State, size: int, found: list[Command]) -> None:
    """Append every legal block of ``size`` goods to ``found``."""
    player, last = state.players[state.seat], state.placement.colour
    enough = []
    for colour, own in zip(COLOURS, player.goods):  # noqa: B905 - both are of five
        if own >= size and colour != last:  # a block differs from the one before it
            enough.append(colour)
    if not enough and not _standing_goods_suffice(state, size):
        return
    add, board = found.append, state.board
    lead, way = player.cells[-1], state.placement.way
    for path, met in legal_paths(board, state.ground, lead, way, size):
        for colour in enough:
            add(LayBlock(colour, path))
        if met:
            _with_standing(board.colours, player.goods, last, path, met, found)


def _standing_goods_suffice(state: State, size: int) -> bool:
    """Return whether the goods of any colour could form a block of ``size`` goods.

    All standing goods of that colour on the board are counted with the reserve.
    """
    ground, last = state.ground, state.placement.colour
    goods = state.players[state.seat].goods
    for colour, own, stops in zip(COLOURS, goods, state.board.stops):  # noqa: B905 - all of five
        if colour != last and own + len([1 for to in stops if ground[to] == STANDING]) >= size:
            return True
    return False


def _with_standing(
    colours: tuple[Colour | None, ...],
    goods: tuple[int, ...],
    last: Colour | None,
    path: tuple[Cell, ...],
    met: tuple[Cell, ...],
    found: list[Command],
) -> None:
    """Append the blocks on a path that depend on standing goods of their own colour to ``found``.

    Either the reserve alone is too small, or some standing goods are declined (4.1 b, ruling 4).
    ``last``: the colour of the block before, which is not allowed; ``met``: the cells of the path
    on which a good stands.
    """
    while met:
        colour, alike = colours[met[0]], met
        if len(met) > 1:
            alike = tuple([cell for cell in met if colours[cell] == colour])
        if colour is not None and colour != last:
            spare = goods[INDEX[colour]] + len(alike) - len(path)
            if 0 <= spare < len(alike):
                found.append(LayBlock(colour, path))
            if spare > 0:
                for declined in (alike,) if len(alike) == 1 else _selections(alike, spare):
                    found.append(LayBlock(colour, path, declined))
        if len(alike) == len(met):
            return
        met = tuple([cell for cell in met if colours[cell] != colour])


def _selections(cells: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    """Return every selection of one to ``most`` of the cells, each in their order."""
    found: list[tuple[int, ...]] = []
    for cell in cells:
        found += [*[(*some, cell) for some in found if len(some) < most], (cell,)]
    return found


# --- checks ---------------------------------------------------------------------------------


def resolve_standing_goods(
    state: State, command: LayBlock, standing: list[Cell]
) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Return the cells whose standing good joins the block, and those whose good is returned.

    Returned goods go to the market. ``standing``: the cells of the path on which a good stands.
    Raises `IllegalMove` if a good cannot be declined, or if these goods and the reserve do not
    suffice for the block (4.1 b, ruling 4).
    """
    colour, path, declined = command.colour, command.path, command.declined
    used: tuple[Cell, ...] = ()
    returned: tuple[Cell, ...] = ()
    if standing or declined:
        colours = state.board.colours
        alike = [cell for cell in standing if colours[cell] == colour]
        used = tuple([cell for cell in alike if cell not in declined])
        if declined != tuple([cell for cell in alike if cell in declined]):
            raise IllegalMove("not_declinable", "refusal.not_declinable")
        returned = tuple([cell for cell in standing if cell not in used])
    if len(path) - len(used) > state.players[state.seat].goods[INDEX[colour]]:
        raise IllegalMove("too_few_goods", "refusal.too_few_goods", colour=colour)
    return used, returned


def check_path(state: State, path: tuple[Cell, ...]) -> list[Cell]:
    """Return the cells of a path on which a good stands, after checking the path cell by cell.

    Raises `IllegalMove` if goods may not be laid along the path.
    """
    colours, step = state.board.colours, state.board.step
    ground = state.ground
    cell = state.players[state.seat].cells[-1]
    way = state.placement.way
    laid: list[Cell] = []
    standing: list[Cell] = []
    for to in path:
        ahead = step[cell]
        if (to not in ahead if way < 0 else to != ahead[way]) or ground[to] == TAKEN or to in laid:
            _refuse(state.board, cell, way, to)
        if colours[to] is not None:
            way = -1
            if ground[to] == STANDING:
                standing.append(to)
        elif way < 0:
            way = ahead.index(to)
        laid.append(to)
        cell = to
    if not can_continue(state.board, ground, cell, way, laid):
        raise IllegalMove("dead_end", "refusal.dead_end")
    return standing


def _refuse(board: Board, cell: Cell, way: int, to: int) -> NoReturn:
    """Raise `IllegalMove` with the rule that forbids laying a piece on ``to`` after ``cell``."""
    step = board.step[cell]
    if to not in step or to < 0:
        check_cell(board, to)
        raise IllegalMove("not_adjacent", "refusal.not_adjacent")
    if way >= 0 and step[way] != to:
        raise IllegalMove("no_turn", "refusal.no_turn")
    raise IllegalMove("occupied", "refusal.crosses_caravan")


def check_cell(board: Board, cell: Cell) -> int:
    """Return the cell. Raises `IllegalMove` if it is not on the board."""
    if not 0 <= cell < len(board.cells):
        raise IllegalMove("no_such_cell", "refusal.no_such_cell")
    return cell


def check_camel(state: State, cell: Cell) -> None:
    """Raise `IllegalMove` unless the caravan may continue with a camel on the cell."""
    lead, way = state.players[state.seat].cells[-1], state.placement.way
    ahead = state.board.step[lead]
    if (cell not in ahead if way < 0 else cell != ahead[way]) or state.ground[cell] == TAKEN:
        _refuse(state.board, lead, way, cell)
