"""Bots of Caravanserai. All lies open, so what a seat knows is the state itself.

The "easy" ones look one step ahead: they lay what the count omits, else anything. The "good" ones
look through placements to their end, a few of the most promising ones at each step.
"""

from typing import Any

from domain.bots import Thinking
from domain.caravanserai import rules
from domain.caravanserai.events import CAMEL, LYING, Command, LayBlock, LayCamelDown, PlaceCamel
from domain.caravanserai.placement import omission
from domain.caravanserai.state import State, step
from domain.game import Draw, Group, Seat, pick_any
from domain.groups import spread
from domain.without import determinise, observe

__all__ = ["determinise", "observe", "suggest"]

WIDE = 5
"""Placements begun that a good bot follows up at each step."""
TRIED = 7
"""Steps that it tries from each of them."""


def suggest(seen: State, seat: Seat, groups: tuple[Group, ...], thinking: Thinking) -> Command:
    """What the bot does."""
    choices: list[Any] = spread([way for group in groups for way in group.ways])
    if step(seen) != "place":
        return pick_any(choices, thinking.draw)  # type: ignore[no-any-return]
    choose = _one_step_ahead if thinking.level == "easy" else _to_the_end
    return choose(seen, seat, choices, thinking)  # type: ignore[no-any-return]


# --- easy -----------------------------------------------------------------------------------


def _one_step_ahead(state: State, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    """Lays what the count omits if it can, ends a placement that has gained something, and
    likes its camels on caravanserais; otherwise anything."""
    draw = thinking.draw
    most = max([_gain(state, command) for command in choices])
    if most:
        return pick_any([command for command in choices if _gain(state, command) == most], draw)
    stops = [command for command in choices if _stops(state, command)]
    if stops and (state.placement.omitted or draw(2)):
        return pick_any(stops, draw)
    return pick_any(choices, draw)


def _gain(state: State, command: Command) -> int:
    if not isinstance(command, LayBlock):
        return 0
    why = omission(state.board, command.colour, command.path, command.declined)
    return len(command.path) if why == "match" else 0


def _stops(state: State, command: Command) -> bool:
    return isinstance(command, PlaceCamel) and state.board.colours[command.cell] is not None


# --- good -----------------------------------------------------------------------------------


def _to_the_end(state: State, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    """The first step of the best placement found by following up the most promising ones."""
    best, merit = choices[-1], -1_000_000
    begun: list[tuple[int, State, Any]] = [(0, state, None)]
    while begun:
        following: list[tuple[int, State, Any]] = []
        for _, before, first in begun:
            steps = choices if first is None else rules.choices(before, seat)
            for command in _promising(before, steps, thinking.draw):
                after = rules.decide(before, seat, command, thinking.draw).state
                told = first or command
                worth = 8 * _worth(after, seat) + thinking.draw(8)
                if isinstance(command, PlaceCamel):
                    if worth > merit:
                        best, merit = told, worth
                else:
                    following.append((worth, after, told))
            if not thinking.more():
                return best
        following.sort(key=lambda each: -each[0])
        begun = following[:WIDE]
    return best


def _promising(state: State, steps: list[Any], draw: Draw) -> list[Any]:
    """A few steps to try: camels that end the placement, lying camels, what the count omits, and
    blocks after which the caravan may turn."""
    ends = [each for each in steps if isinstance(each, PlaceCamel)]
    ends.sort(key=lambda end: state.board.colours[end.cell] is None)
    others: list[tuple[int, int, Any]] = []
    for command in steps:
        if isinstance(command, LayBlock):
            merit = 8 * _gain(state, command)
            merit += 3 * (state.board.colours[command.path[-1]] is not None)
            others.append((merit, draw(1000), command))
        elif isinstance(command, LayCamelDown):
            others.append((1, draw(1000), command))
    others.sort(key=lambda each: (-each[0], each[1]))
    return [*ends[:3], *[each[2] for each in others[:TRIED]]]


def _worth(state: State, seat: Seat) -> int:
    """How well the seat stands: four for each piece of its caravan when what it has laid is
    counted, one for each good that it owns, and some for the camels that it has left."""
    player, placed = state.players[seat], state.placement
    length = len(player.cells)
    if state.seat == seat and not placed.returned:
        length -= placed.pieces - placed.omitted
    camels = player.kinds.count(CAMEL) + player.kinds.count(LYING)
    goods = sum(player.goods) + len(player.kinds) - camels
    return 4 * length + goods + 2 * min(player.camels, 2)
