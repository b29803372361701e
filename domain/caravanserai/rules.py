"""Caravanserai: the sequence of play, in the order of the rulebook. Ships to the browser.

Numbers in brackets are sections of the rulebook; "ruling N" is one of the rulings on what it
leaves open. The first player is seat 0.
"""

from collections.abc import Callable, Iterator
from typing import Any

from domain.caravanserai import fold
from domain.caravanserai.board import Board, cells_of, laid_tiles, start_goods
from domain.caravanserai.events import (
    CAMEL,
    COLOURS,
    COMMANDS,
    EVENTS,
    LYING,
    OUTER,
    BlockLaid,
    BoardLaid,
    CamelLaidDown,
    CamelPlaced,
    CaravanStarted,
    FinalRoundBegan,
    GameEnded,
    GoodMissed,
    GoodReturned,
    GoodSetOnBoard,
    GoodsSetOut,
    GoodsTaken,
    LayBlock,
    LayCamelDown,
    MarketEmptied,
    PlaceCamel,
    SetGood,
    StartAt,
    TailReturned,
    TakeFrom,
    TurnBegan,
    TurnSkipped,
)
from domain.caravanserai.placement import (
    can_lie_down,
    leads_on,
    next_cells,
    next_to_lead,
    omission,
    paths,
    sizes,
)
from domain.caravanserai.scoring import ranking, standings
from domain.caravanserai.state import INDEX, Player, State, occupied, step
from domain.caravanserai.view import view
from domain.caravanserai.words import TEXT, tell
from domain.game import Choice, Draw, IllegalMove, Standing, pick_any

__all__ = ["COMMANDS", "EVENTS", "TEXT", "tell", "view"]

evolve = fold.evolve

# --- 2 Preparation --------------------------------------------------------------------------


def setup(options: dict[str, Any], seats: int, draw: Draw) -> list[Any]:
    """Board, market and start goods: 6 goods of each colour, 7 by the expert rules."""
    expert = bool(options.get("expert", False))
    each = 7 if expert else 6
    tiles = laid_tiles(seats, draw)
    cells, tile_of = cells_of(seats, tiles)
    market = dict.fromkeys(COLOURS, each)
    return [
        BoardLaid(seats, expert, tiles, cells, tile_of, market),
        GoodsSetOut(start_goods(cells, tile_of, each, draw)),
    ]


# --- whose turn, which step -----------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """The one seat to act; nobody when the game has ended."""
    return () if state.ranking is not None else (state.seat,)


def turn(state: State) -> int:
    """0 while the caravans start, then the number of the turn, skipped ones included."""
    return state.turn


def choices(state: State, seat: int) -> list[Choice]:
    """Every legal command of the seat, in a fixed order."""
    if seat != state.seat:
        return []
    now = step(state)
    if now == "place":
        return _placements(state)
    if now == "set":
        return _settings(state)
    if now == "take":
        return _givers(state)
    return _starts(state) if now == "start" else []


def decide(state: State, seat: int, command: Any, draw: Draw) -> list[Any]:
    """The events a command causes; `IllegalMove` names the rule that forbids it."""
    if state.ranking is not None:
        raise IllegalMove("game_over", "The game is over.")
    if seat != state.seat:
        raise IllegalMove("not_your_turn", "It is another seat's turn.")
    now = step(state)
    carry_out = _STEPS[now].get(type(command))
    if carry_out is None:
        raise IllegalMove("wrong_step", _NOW[now])
    return carry_out(state, command)


_NOW = {
    "start": "Now the caravan has to be started (3.1).",
    "place": "Now goods are laid or the camel is placed (4.1).",
    "take": "Now an opponent has to be chosen who gives the good (ruling 23).",
    "set": "Now a good has to be set on the board (4.3).",
}


class _Play:
    """The events of one command so far, and the state they lead to."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Any] = []

    def add(self, event: Any) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def end(self, event: Any) -> None:
        """Adds the last event; nothing looks at the state it leads to."""
        self.events.append(event)


# --- 3.1 Placement of caravans --------------------------------------------------------------


def _starts(state: State) -> list[Choice]:
    board = state.board
    taken = occupied(state)
    return [
        Choice(StartAt(cell), "start-on-" + colour, {"cell": board.names[cell]})
        for cell, (_, _, colour, zone) in enumerate(board.cells)
        if zone == OUTER and colour is not None and cell not in taken
    ]


def _start_at(state: State, command: StartAt) -> list[Any]:
    cell = command.cell
    _, _, colour, zone = state.board.cells[_on_board(state.board, cell)]
    if zone != OUTER:
        raise IllegalMove("not_outer", "A caravan starts on an outer tile (3.1).")
    if colour is None:
        raise IllegalMove("not_a_caravanserai", "A caravan starts on a caravanserai (3.1).")
    if cell in occupied(state):
        raise IllegalMove("occupied", "One piece per cell (ruling 16).")
    play = _Play(state)
    play.add(CaravanStarted(state.seat, cell))
    if state.market[INDEX[colour]]:
        _take_from_market(play, state.seat, colour, cell)
    if state.seat == len(state.players) - 1:
        _next_turn(play)
    return play.events


# --- 4.1 Placement --------------------------------------------------------------------------

_LAY = {colour: "lay-" + colour for colour in COLOURS}


def _placements(state: State) -> list[Choice]:
    board = state.board
    names, colours = board.names, board.colours
    taken, standing = occupied(state), set(state.standing)
    found: list[Choice] = []
    stock = dict(zip(COLOURS, state.players[state.seat].goods, strict=True))
    if state.placement.colour is not None:
        del stock[state.placement.colour]  # a block differs from the one before it
    for size in sizes(state):
        if _reaches(state, stock, size):
            _blocks(state, taken, standing, stock, size, found)
    ahead = next_to_lead(state, taken)
    if can_lie_down(state):
        for cell in ahead:
            if leads_on(board, taken, cell):
                found.append(Choice(LayCamelDown(cell), "lay-camel-down", {"cell": names[cell]}))
    for cell in ahead:
        colour = colours[cell]
        key = "place-camel" if colour is None else "place-camel-on-" + colour
        found.append(Choice(PlaceCamel(cell), key, {"cell": names[cell]}))
    return found


def _reaches(state: State, stock: dict[str, int], size: int) -> bool:
    """Whether the goods in stock make up a block of a size, with all standing ones to help."""
    for own in stock.values():
        if own >= size:
            return True
    if not state.standing:
        return False
    stands = [state.board.colours[cell] for cell in state.standing]
    for colour, own in stock.items():  # noqa: SIM110 - quicker than a generator
        if own + stands.count(colour) >= size:
            return True
    return False


def _blocks(
    state: State,
    taken: set[int],
    standing: set[int],
    stock: dict[str, int],
    size: int,
    found: list[Choice],
) -> None:
    """Adds every block of a size: each path with each colour of which there is enough."""
    lead = state.players[state.seat].cells[-1]
    name = state.board.names.__getitem__
    enough = [(colour, _LAY[colour]) for colour, own in stock.items() if own >= size]
    for path in paths(state.board, taken, lead, state.placement.way, size):
        crossing = not standing.isdisjoint(path)
        if enough or crossing:
            args = {"size": size, "where": " ".join(map(name, path))}
            found += [Choice(LayBlock(colour, path), key, args) for colour, key in enough]
            if crossing:
                _with_standing(state.board, path, standing, stock, args, found)


def _with_standing(
    board: Board,
    path: tuple[int, ...],
    standing: set[int],
    stock: dict[str, int],
    args: dict[str, Any],
    found: list[Choice],
) -> None:
    """Adds the blocks for which it matters that goods of their own colour stand on the path:
    the reserve alone is too small, or some are declined (4.1 b, ruling 4)."""
    size = len(path)
    colours = board.colours
    met = [cell for cell in path if cell in standing]
    groups = [met]
    if len(met) > 1:
        groups = [[c for c in met if colours[c] == one] for one in {colours[c]: 0 for c in met}]
    for alike in groups:
        colour = str(colours[alike[0]])
        spare = stock.get(colour, -size) + len(alike) - size
        if 0 <= spare < len(alike):
            found.append(Choice(LayBlock(colour, path), _LAY[colour], args))
        if spare > 0:
            _declining(board, colour, path, _some_of(alike, spare), args, found)


def _declining(
    board: Board,
    colour: str,
    path: tuple[int, ...],
    selections: list[tuple[int, ...]],
    args: dict[str, Any],
    found: list[Choice],
) -> None:
    for declined in selections:
        said = " ".join([board.names[cell] for cell in declined])
        key = f"lay-{colour}-declining"
        found.append(Choice(LayBlock(colour, path, declined), key, {**args, "declined": said}))


def _some_of(cells: list[int], most: int) -> list[tuple[int, ...]]:
    """Every selection of one to ``most`` cells, in their order."""
    found: list[tuple[int, ...]] = []
    for cell in cells:
        found += [*[(*some, cell) for some in found if len(some) < most], (cell,)]
    return found


def _lay_block(state: State, command: LayBlock) -> list[Any]:
    colour, path, declined = command.colour, command.path, command.declined
    if colour not in INDEX:
        raise IllegalMove("unknown_colour", f"Goods are {', '.join(COLOURS)}.")
    if colour == state.placement.colour:
        raise IllegalMove("same_colour", "A block differs in colour from the one before it (4.1).")
    allowed = sizes(state)
    if len(path) not in allowed:
        said = " or ".join([str(size) for size in allowed])
        raise IllegalMove("wrong_size", f"This block must be of {said} (4.1).")
    _check_path(state, path)
    standing, colours = state.standing, state.board.colours
    met = [cell for cell in path if cell in standing]
    used: tuple[int, ...] = ()
    if met:
        used = tuple([c for c in met if colours[c] == colour and c not in declined])
    if declined != tuple([c for c in met if colours[c] == colour and c not in used]):
        raise IllegalMove(
            "not_declinable",
            "Only standing goods of the block's colour on its path, in its order, "
            "can be declined (ruling 4).",
        )
    if len(path) - len(used) > state.players[state.seat].goods[INDEX[colour]]:
        raise IllegalMove("too_few_goods", f"There are too few {colour} goods in the reserve.")
    returned = [cell for cell in met if cell not in used]
    events: list[Any] = [GoodReturned(state.seat, str(colours[cell]), cell) for cell in returned]
    why = omission(state.board, colour, path, returned)
    events.append(BlockLaid(state.seat, colour, path, used, why == "match", why))
    return events


def _check_path(state: State, path: tuple[int, ...]) -> None:
    board = state.board
    taken = occupied(state)
    cell = state.players[state.seat].cells[-1]
    way = state.placement.way
    for to in path:
        _check_next(board, taken, cell, way, to)
        taken.add(to)
        way = -1 if board.colours[to] is not None else board.step[cell].index(to)
        cell = to
    if not next_cells(board, taken, cell, way):
        raise IllegalMove("dead_end", "No cell would be left for the camel (ruling 25).")


def _check_next(board: Board, taken: set[int], cell: int, way: int, to: int) -> None:
    """Raises unless a piece may be laid on ``to``, coming from ``cell`` in direction ``way``."""
    step = board.step[cell]
    if to not in step or to < 0:
        _on_board(board, to)
        raise IllegalMove("not_adjacent", "Pieces are laid from cell to cell (4.1).")
    if way >= 0 and step[way] != to:
        raise IllegalMove("no_turn", "Only caravanserai cells and camels allow a turn (4.1).")
    if to in taken:
        raise IllegalMove("occupied", "Caravans cross neither others nor themselves (7.2).")


def _on_board(board: Board, cell: int) -> int:
    if not 0 <= cell < len(board.cells):
        raise IllegalMove("no_such_cell", "There is no such cell.")
    return cell


def _lay_camel_down(state: State, command: LayCamelDown) -> list[Any]:
    """A lying camel for the block whose turn it is (6.1, rulings 17 and 18)."""
    cell = command.cell
    if not state.expert:
        raise IllegalMove("not_expert", "Lying camels belong to the expert rules (6.1).")
    if state.placement.lying:
        raise IllegalMove("lying_used", "Only one lying camel a placement (6.1).")
    if not can_lie_down(state):
        raise IllegalMove("too_few_camels", "A camel must be left to end with (ruling 25).")
    taken = _check_camel(state, cell)
    if not leads_on(state.board, taken, cell):
        raise IllegalMove("dead_end", "No cell would be left for the camel (ruling 25).")
    play = _Play(state)
    play.add(CamelLaidDown(state.seat, cell, sizes(state)[0]))
    _stop(play, cell)
    return play.events


def _place_camel(state: State, command: PlaceCamel) -> list[Any]:
    """The camel that ends the placement; camel only is a placement too (ruling 7)."""
    cell = command.cell
    _check_camel(state, cell)
    play = _Play(state)
    play.add(CamelPlaced(state.seat, cell))
    _stop(play, cell)
    if play.state.missing is None:
        _take_tail_back(play)
    return play.events


def _check_camel(state: State, cell: int) -> set[int]:
    taken = occupied(state)
    lead = state.players[state.seat].cells[-1]
    _check_next(state.board, taken, lead, state.placement.way, cell)
    return taken


# --- 4.1 c) Stop on a caravanserai cell -----------------------------------------------------


def _stop(play: _Play, cell: int) -> None:
    """The standing good and one of the market, else an opponent's, else nothing (ruling 9)."""
    seat = play.state.seat
    colour = play.state.board.colours[cell]
    if colour is None:
        return
    if cell in play.state.standing:
        play.add(GoodsTaken(seat, colour, "standing", cell))
    if play.state.market[INDEX[colour]]:
        _take_from_market(play, seat, colour, cell)
        return
    holders = _holders(play.state, colour)
    if len(holders) == 1:
        play.add(GoodsTaken(seat, colour, "opponent", cell, holders[0]))
    elif holders:
        play.add(GoodMissed(seat, colour, cell))


def _holders(state: State, colour: str) -> list[int]:
    return [
        seat
        for seat, player in enumerate(state.players)
        if seat != state.seat and player.goods[INDEX[colour]]
    ]


def _take_from_market(play: _Play, seat: int, colour: str, cell: int) -> None:
    play.add(GoodsTaken(seat, colour, "market", cell))
    _look_at_market(play)


def _givers(state: State) -> list[Choice]:
    colour = state.missing
    assert colour is not None
    return [
        Choice(TakeFrom(whom), f"take-{colour}", {"whom": whom}) for whom in _holders(state, colour)
    ]


def _take_from(state: State, command: TakeFrom) -> list[Any]:
    """The player chooses among the opponents who hold the colour (ruling 23)."""
    whom = command.whom
    colour = state.missing
    assert colour is not None
    if whom not in _holders(state, colour):
        raise IllegalMove("no_such_good", f"This seat has no {colour} good to give (ruling 9).")
    cell = state.players[state.seat].cells[-1]
    play = _Play(state)
    play.add(GoodsTaken(state.seat, colour, "opponent", cell, whom))
    if state.placement.closed:
        _take_tail_back(play)
    return play.events


# --- 4.2 Count, 4.3 Pieces taken back at the tail -------------------------------------------


def _take_tail_back(play: _Play) -> None:
    state = play.state
    player = state.players[state.seat]
    placed = state.placement
    count = placed.pieces - placed.omitted
    kinds = player.kinds[:count]
    back = tuple(zip(player.cells, kinds, strict=False))
    camels = kinds.count(CAMEL) + kinds.count(LYING)
    to_set = camels * (2 if state.solo else 1)  # ruling 19: two goods a camel in solo
    play.add(TailReturned(state.seat, placed.pieces, placed.omitted, back, to_set))
    _set_what_is_forced(play)


def _settings(state: State) -> list[Choice]:
    names = state.board.names
    return [
        Choice(SetGood(colour, cell), "set-" + colour, {"cell": names[cell]})
        for colour, cell in _free_stops(state)
    ]


def _free_stops(state: State) -> Iterator[tuple[str, int]]:
    """Colours the market has with each cell of that colour without any piece (ruling 11)."""
    taken = occupied(state)
    taken.update(state.standing)
    for colour, left, stops in zip(COLOURS, state.market, state.board.stops, strict=True):
        if left:
            for cell in stops:
                if cell not in taken:
                    yield colour, cell


def _set_good(state: State, command: SetGood) -> list[Any]:
    colour, cell = command.colour, command.cell
    if colour not in INDEX:
        raise IllegalMove("unknown_colour", f"Goods are {', '.join(COLOURS)}.")
    if not state.market[INDEX[colour]]:
        raise IllegalMove("market_lacks", f"The market has no {colour} good (4.3).")
    if state.board.colours[_on_board(state.board, cell)] != colour:
        raise IllegalMove("wrong_cell", f"This is no {colour} caravanserai (4.3).")
    if cell in state.standing or cell in occupied(state):
        raise IllegalMove("occupied", "The cell is not free (ruling 11).")
    play = _Play(state)
    play.add(GoodSetOnBoard(state.seat, colour, cell))
    _look_at_market(play)
    _set_what_is_forced(play)
    return play.events


def _set_what_is_forced(play: _Play) -> None:
    """Goods that can go to one place only are set; those that can go nowhere are skipped
    (ruling 11). Then, unless the player has to choose, the turn is over."""
    while play.state.to_set:
        possible = []
        for stop in _free_stops(play.state):
            possible.append(stop)
            if len(possible) > 1:
                return
        if not possible:
            break
        colour, cell = possible[0]
        play.add(GoodSetOnBoard(play.state.seat, colour, cell))
        _look_at_market(play)
    _next_turn(play)


# --- 5 End of game, 7.2 Skipping ------------------------------------------------------------


def _look_at_market(play: _Play) -> None:
    """Taking the last market good ends the game after one more full round (ruling 13)."""
    state = play.state
    if any(state.market) or state.last_turn or state.solo:
        return
    seats = len(state.players)
    round_ends = -(-state.turn // seats) * seats
    play.add(MarketEmptied(state.seat, round_ends + seats))


def _next_turn(play: _Play) -> None:
    """The next seat that can place, skipping others (ruling 14), or the end of the game."""
    while True:
        state = play.state
        reason = _over(state)
        if reason:
            play.end(GameEnded(reason, ranking(state)))
            return
        seats = len(state.players)
        following = state.turn + 1
        seat = (following - 1) % seats
        round_ = (following - 1) // seats + 1
        if state.last_turn and following == state.last_turn - seats + 1:
            play.add(FinalRoundBegan(round_))
        why = _stuck(state, state.players[seat])
        if why is None:
            play.end(TurnBegan(seat, following, round_))
            return
        play.add(TurnSkipped(seat, following, round_, why))


def _over(state: State) -> str:
    """Why the game is over after the turn just finished; empty when it goes on."""
    seats = len(state.players)
    if state.turn == 0:
        return ""
    if state.skips == seats and state.turn % seats == 0:
        return "stuck"  # ruling 21
    if state.solo:  # ruling 19
        if not state.players[0].camels:
            return "camels"
        return "" if any(state.market) else "market"
    return "market" if state.turn == state.last_turn else ""


def _stuck(state: State, player: Player) -> str | None:
    """Why a player cannot place; a camel and a free cell beside the leading one are enough."""
    if not player.camels:
        return "no-camel"
    lead = player.cells[-1]
    return None if leads_on(state.board, occupied(state), lead) else "blocked"


def outcome(state: State) -> tuple[Standing, ...] | None:
    """The standings, best first; None while the game goes on."""
    return standings(state)


# --- what a command does at which step ------------------------------------------------------

_STEPS: dict[str, dict[type, Callable[..., list[Any]]]] = {
    "start": {StartAt: _start_at},
    "place": {LayBlock: _lay_block, PlaceCamel: _place_camel, LayCamelDown: _lay_camel_down},
    "take": {TakeFrom: _take_from},
    "set": {SetGood: _set_good},
}

# --- nothing is secret, nothing is timed ----------------------------------------------------


def take_back(state: State, seat: int) -> list[Any]:
    """Nothing: seats act one after the other."""
    return []


def reveals(event: Any) -> bool:
    """Never: all is open."""
    return False


def redact(event: Any, viewer: int | None) -> Any:
    """The event itself: all is open."""
    return event


def time_limit(state: State) -> None:
    """None: no step is timed."""


# --- a simple bot ---------------------------------------------------------------------------


def suggest(state: State, seat: int, choices: list[Choice], draw: Draw) -> Choice:
    """Lays what the count omits if it can, ends a placement that has gained something, and
    likes its camels on caravanserais; otherwise anything."""
    gains = [choice for choice in choices if _gain(state, choice.command)]
    if gains:
        best = max(_gain(state, choice.command) for choice in gains)
        return pick_any([c for c in gains if _gain(state, c.command) == best], draw)
    stops = [choice for choice in choices if choice.key.startswith("place-camel-on")]
    if stops and (state.placement.omitted or draw(2)):
        return pick_any(stops, draw)
    return pick_any(choices, draw)


def _gain(state: State, command: Any) -> int:
    if not isinstance(command, LayBlock):
        return 0
    why = omission(state.board, command.colour, command.path, command.declined)
    return len(command.path) if why == "match" else 0
