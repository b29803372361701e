"""Bots of Caravan Conquest. Nothing is hidden, so the information state is the state itself.

"easy" bots move to the best tile in reach, head for the finish late and choose everything else at
random. "good" bots estimate each choice's effect on their final lead over the best rival
(`domain.games.conquest.bot_evaluation`).
"""

from typing import Any

from msgspec.structs import replace

from domain.contract.bots import Thinking
from domain.contract.choice_groups import flatten_options
from domain.contract.game import Draw, Group, Seat, pick_any
from domain.contract.trait_defaults import determinise, observe
from domain.games.conquest.board import CAMPS, ground_of
from domain.games.conquest.bot_evaluation import (
    Rival,
    cached_distances,
    gain_at,
    prospect,
    rivals_of,
)
from domain.games.conquest.caravan_stats import price, speed
from domain.games.conquest.cards import CARDS
from domain.games.conquest.commands import (
    Buy,
    Command,
    Deal,
    Exchange,
    GiveUp,
    Heed,
    Ignore,
    Jettison,
    Move,
    Sell,
    Stop,
    Take,
)
from domain.games.conquest.events import Refitted
from domain.games.conquest.evolve import evolve
from domain.games.conquest.market import exchange_cost
from domain.games.conquest.state import EXTRA, Player, State, with_more

UNPLEASANT_CARDS = {"Sandstorm", "Mirage", "Rockslide", "High Altitude"}
"""Cards that a good bot ignores with the Fortune Teller's card."""


def suggest(seen: State, seat: Seat, groups: tuple[Group, ...], thinking: Thinking) -> Command:
    """Return the command that the bot chooses."""
    choices: list[Command] = flatten_options(
        [option for group in groups for option in group.options]
    )
    if len(choices) == 1:
        return choices[0]
    if thinking.level == "easy":
        return _choose_easily(seen, seat, choices, thinking.draw)
    return _choose_well(seen, seat, choices)


def _choose_well(state: State, seat: Seat, choices: list[Command]) -> Command:
    """Return the choice with the best estimated lead over the best rival."""
    rivals = rivals_of(state, seat)
    match state.step:
        case "move" | "extra":
            return _choose_move(state, seat, choices, rivals)
        case "fortune":
            return Ignore() if CARDS[state.drawn].name in UNPLEASANT_CARDS else Heed()
        case _:
            return _choose_best(state, seat, choices, rivals)


def _choose_easily(state: State, seat: Seat, choices: list[Command], draw: Draw) -> Command:
    """Return a move to the best tile in reach, in late rounds a move towards the finish.

    Other choices, and one move in five, are random.
    """
    goes: list[Command] = [each for each in choices if isinstance(each, Move | Stop)]
    if not goes or draw(5) == 0:
        return pick_any(choices, draw)
    finish = ground_of(state.land).finish
    late = state.round > 12 or state.first_finish
    left = _steps_left(state)
    hopes = []
    for cell, steps in reachable_cells(state, seat, left).items():
        home = cached_distances(state.land, finish)[cell]
        worth = -home if late else gain_at(state, cell) - (50 if cell == finish else 0)
        hopes.append((worth, -steps, cell))
    return _step_towards(state, seat, goes, max(hopes)[2])


# --- where to go ----------------------------------------------------------------------------


def _steps_left(state: State) -> int:
    return 1 if state.step == EXTRA else state.speed - state.walked


def reachable_cells(state: State, seat: Seat, left: int) -> dict[int, int]:
    """Return the cells on which the turn may end, with the number of steps to each.

    ``left``: the remaining steps of the seat.
    """
    ground = ground_of(state.land)
    at = state.players[seat].at
    found = {at: 0}
    edge = [at]
    for steps in range(1, left + 1):
        further = []
        for cell in edge:
            for to in ground.neighbours[cell]:
                if to not in found:
                    found[to] = steps
                    if to != ground.finish:
                        further.append(to)
        edge = further
    found.pop(state.began, None)
    return found


def _choose_move(state: State, seat: Seat, choices: list[Command], rivals: list[Rival]) -> Command:
    """Return a move towards the best cell in reach, or a jettison if the extra speed pays off."""
    player = state.players[seat]
    goal, worth = _choose_goal(state, seat, player, _steps_left(state), rivals)
    if not state.walked and state.step != EXTRA:
        for command in choices:
            if isinstance(command, Jettison):
                lighter = with_more(player, command.what, -command.amount)
                steps = speed(lighter, state.tiles[player.at], state.bonus)
                if steps > state.speed:
                    other = _choose_goal(state, seat, lighter, steps, rivals)[1]
                    if other > worth:
                        return command
    return _step_towards(state, seat, choices, goal)


def _choose_goal(
    state: State, seat: Seat, player: Player, left: int, rivals: list[Rival]
) -> tuple[int, int]:
    """Return the best cell on which to end the turn, and its estimated value.

    ``player``: the seat, possibly with a reduced load; ``left``: its remaining steps.
    """
    best, goal = -1_000_000, player.at
    for cell, steps in reachable_cells(state, seat, left).items():
        gain = gain_at(state, cell, card=state.step != EXTRA)
        hope = 16 * prospect(state, player, cell, gain, rivals) - steps
        if hope > best:
            best, goal = hope, cell
    return goal, best


def _step_towards(state: State, seat: Seat, choices: list[Command], goal: int) -> Command:
    """Return a step on a shortest path to ``goal``; on it, return `Stop` if it is legal.

    If neither is among the choices, return the first choice.
    """
    ground = ground_of(state.land)
    at = state.players[seat].at
    if at == goal:
        stops = [command for command in choices if isinstance(command, Stop)]
        return stops[0] if stops else choices[0]
    steps = cached_distances(state.land, goal)
    for command in choices:
        if isinstance(command, Move) and steps[ground.cell(command.to)] < steps[at]:
            return command
    return choices[0]


# --- what to choose -------------------------------------------------------------------------


def _choose_best(state: State, seat: Seat, choices: list[Command], rivals: list[Rival]) -> Command:
    """Return the choice with the best estimate for the seat.

    Of equal choices, return the first that is not a trade or an exchange.
    """
    player = state.players[seat]
    best, chosen = -1_000_000, choices[-1]
    for command in reversed(choices):
        after = _player_after(state, seat, player, command)
        hope = prospect(state, after, player.at, 0, rivals)
        if hope > best or (hope == best and not isinstance(command, Buy | Sell | Exchange)):
            best, chosen = hope, command
    return chosen


def _player_after(state: State, seat: Seat, player: Player, command: Any) -> Player:
    """Return the seat's player after a choice, without random effects."""
    card = CARDS[state.drawn] if state.drawn >= 0 else None
    match command:
        case Take(what=what):
            return with_more(player, what, 1 if card else 2)
        case GiveUp(what=what):
            lost = dict(card.loses)[what] if card else 0
            return with_more(player, what, -lost)
        case Deal(gives=gives) if card:
            paid = with_more(player, gives, -1)
            if card.gets is None:
                return replace(paid, gold=paid.gold + 2)  # the card is worth a little more
            return with_more(paid, *card.gets)
        case Sell(amount=amount) | Buy(amount=amount):
            good = CAMPS[state.tiles[player.at]]
            sign = 1 if isinstance(command, Buy) else -1
            paid = with_more(player, "gold", -sign * amount * price(state, good))
            return with_more(paid, good, sign * amount)
        case Exchange(old=old, new=new):
            cost = exchange_cost(old, new)
            after: State = evolve(state, Refitted(seat, old, new, cost))
            return after.players[seat]
        case _:
            return player
