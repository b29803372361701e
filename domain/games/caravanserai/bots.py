"""Bots of Caravanserai. Nothing is hidden, so the information state is the state itself.

"easy" bots look one step ahead: they prefer blocks that are omitted from the count, then camels on
caravanserais, and otherwise play at random. "good" bots run a beam search over whole placements.
"""

from typing import Any

from domain.contract.bots import Thinking
from domain.contract.choice_groups import flatten_options
from domain.contract.game import Draw, Group, Seat, pick_any
from domain.contract.trait_defaults import determinise, observe
from domain.games.caravanserai import rules
from domain.games.caravanserai.commands import Command, LayBlock, LayCamelDown, PlaceCamel
from domain.games.caravanserai.legal_commands import omission_reason
from domain.games.caravanserai.pieces import CAMEL, LYING
from domain.games.caravanserai.state import State, current_step

BEAM_WIDTH = 5
"""Number of unfinished placements that a good bot's search keeps at each step."""
MAX_NEXT_STEPS = 7
"""Maximum number of blocks and lying camels tried for each of these placements."""


def suggest(seen: State, seat: Seat, groups: tuple[Group, ...], thinking: Thinking) -> Command:
    """Return the command that the bot chooses."""
    choices: list[Any] = flatten_options([option for group in groups for option in group.options])
    if current_step(seen) != "place":
        return pick_any(choices, thinking.draw)  # type: ignore[no-any-return]
    choose = _choose_one_step_ahead if thinking.level == "easy" else _search_to_the_end
    return choose(seen, seat, choices, thinking)  # type: ignore[no-any-return]


# --- easy -----------------------------------------------------------------------------------


def _choose_one_step_ahead(state: State, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    """Return a choice found by looking one step ahead.

    Prefer the longest blocks omitted from the count. Otherwise end the placement on a caravanserai
    if possible: always after a gain, at random before. Otherwise choose at random.
    """
    draw = thinking.draw
    most = max([_gain(state, command) for command in choices])
    if most:
        return pick_any([command for command in choices if _gain(state, command) == most], draw)
    stops = [command for command in choices if _stops_on_caravanserai(state, command)]
    if stops and (state.placement.omitted or draw(2)):
        return pick_any(stops, draw)
    return pick_any(choices, draw)


def _gain(state: State, command: Command) -> int:
    if not isinstance(command, LayBlock):
        return 0
    why = omission_reason(state.board, command.colour, command.path, command.declined)
    return len(command.path) if why == "match" else 0


def _stops_on_caravanserai(state: State, command: Command) -> bool:
    return isinstance(command, PlaceCamel) and state.board.colours[command.cell] is not None


# --- good -----------------------------------------------------------------------------------


def _search_to_the_end(state: State, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    """Return the first step of the best placement found by beam search."""
    best, merit = choices[-1], -1_000_000
    beam: list[tuple[int, State, Any]] = [(0, state, None)]
    while beam:
        following: list[tuple[int, State, Any]] = []
        for _, before, first in beam:
            steps = choices if first is None else rules.choices(before, seat)
            for command in _promising_steps(before, steps, thinking.draw):
                after = rules.decide(before, seat, command, thinking.draw).state
                first_command = first or command
                worth = 8 * _evaluate(after, seat) + thinking.draw(8)
                if isinstance(command, PlaceCamel):
                    if worth > merit:
                        best, merit = first_command, worth
                else:
                    following.append((worth, after, first_command))
            if not thinking.has_time_left():
                return best
        following.sort(key=lambda each: -each[0])
        beam = following[:BEAM_WIDTH]
    return best


def _promising_steps(state: State, steps: list[Any], draw: Draw) -> list[Any]:
    """Return the most promising steps of a placement.

    These are up to three closing camels, those on caravanserais first, and up to `MAX_NEXT_STEPS`
    others: blocks omitted from the count and blocks after which the caravan may turn come first.
    """
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
    return [*ends[:3], *[each[2] for each in others[:MAX_NEXT_STEPS]]]


def _evaluate(state: State, seat: Seat) -> int:
    """Return an estimate of the seat's position.

    It is four for each piece of the caravan after the tail has been returned, one for each good in
    the reserve or the caravan, and a bonus for up to two camels in the reserve.
    """
    player, placed = state.players[seat], state.placement
    length = len(player.cells)
    if state.seat == seat and not placed.returned:
        length -= placed.pieces - placed.omitted
    camels = player.kinds.count(CAMEL) + player.kinds.count(LYING)
    goods = sum(player.goods) + len(player.kinds) - camels
    return 4 * length + goods + 2 * min(player.camels, 2)
