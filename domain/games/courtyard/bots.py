"""Bots of the courtyard, which use only their seat's information state.

"easy" bots look ahead to their next stop, "good" bots to the end of their turn. Both evaluate
positions by public information; they never look at cards before they are drawn.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from domain.contract.bots import Thinking
from domain.contract.choice_groups import flatten_options
from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, Group, Seat, pick_any
from domain.games.courtyard import board
from domain.games.courtyard.cards import MAJORS, MINORS, SCORING_ABILITIES, Major, Minor
from domain.games.courtyard.commands import (
    Command,
    DrawOrders,
    EndTurn,
    Exchange,
    Move,
    Repay,
    Reroll,
    Roll,
    Sell,
    SellTwo,
    Settle,
    SwapTwo,
)
from domain.games.courtyard.effects import EFFECTS
from domain.games.courtyard.evolve import evolve
from domain.games.courtyard.information_state import Observation, determinise, observe
from domain.games.courtyard.legal_commands import COMMAND_LISTERS, active_player, reachable_spaces
from domain.games.courtyard.scoring import best_sets, colours, score
from domain.games.courtyard.state import INCOME, TURN, Player, State

_GOOD = 1.15
"""Value of goods with a price of one dirham before the end."""
_DRAWING = 0.9
"""Value of drawing minor orders."""
_LIQUID = (0.0, 0.6, 0.9, 1.1, 1.25, 1.35, 1.4)
"""Value of coins beyond their points, by number of coins: each further coin adds less."""
_PURSE = (0.0, 0.0, 0.0, 0.0, 1.9, 3.3, 4.5)
"""Value of the purse by the number of coins that it can hold."""
_CARELESS = 12
"""An easy bot makes one choice in this many at random."""
_PATIENCE = 200
"""Number of turns after which bots sometimes play at random, so that games between bots end."""
_MOODS, _SPELL = (1.6, _GOOD, 0.9), 24
"""Values of goods used in rotation after `_PATIENCE` turns, and the number of turns for each."""
_MAX_GOODS_PAID = 4
"""Maximum number of goods that a single choice can cost."""
_WIDTH = 4
"""Number of first stops after which a good bot also searches the second stop."""
_DONE = 2.5
"""Value of a completed order beyond its income."""
_USEFUL: dict[str, float] = {
    "T1": 1.5,
    "T2": 2,
    "T3": 4,
    "T4": 1,
    "T5": 2,
    "T6": 2.5,
    "T13": 3,
    "T14": 2,
    "T15": 1.5,
    "T16": 3,
    "P3": 4,
    "P5": 1,
}
_DISCOUNT = 2.5
_GROWING = {"P2": 5, "P4": 2, "P1": 2, "P7": 2, "P8": 2, "P9": 4, "P10": 4, "P13": 3.5, "P15": 2.3}
"""Values of purple abilities: the points expected by the end beyond the current ones."""


LookAhead: TypeAlias = Callable[[State], dict[board.Space, float]]
"""A function that returns the expected gain of a move to each space on which it may end."""


def suggest(
    seen: Observation, seat: Seat, groups: tuple[Group, ...], thinking: Thinking
) -> Command:
    """Return the command that the bot chooses.

    "good" bots search both moves of a turn, "easy" bots only the next stop, and they make some
    choices at random.
    """
    state = determinise(seen, seat, _first_outcome)
    choices = _affordable(
        state, flatten_options([option for group in groups for option in group.options])
    )
    if thinking.level == "easy" and not thinking.draw(_CARELESS):
        return pick_any(choices, thinking.draw)
    ahead = _next_stop if thinking.level == "easy" else _whole_turn
    return _choose_best(state, choices, thinking.draw, ahead)


def _affordable(state: State, choices: list[Command]) -> list[Command]:
    """Return the choices that do not ruin the seat, or all choices if there is no other.

    Choices that leave it without goods, coins and credit are omitted: if all seats played them, the
    game might never end.
    """
    if state.step not in (TURN, INCOME) or _means(active_player(state)) > _MAX_GOODS_PAID:
        return choices
    kept = [
        choice
        for choice in choices
        if isinstance(choice, EndTurn) or _continues_turn(state, choice)
    ]
    return kept or choices


def _continues_turn(state: State, choice: Command) -> bool:
    then = state_after(state, choice)
    return then.income > 0 or _means(then.players[state.seat]) > 0


def _means(me: Player) -> int:
    return sum(me.goods) + me.coins + me.credit - me.debt


def _choose_best(state: State, choices: list[Command], draw: Draw, ahead: LookAhead) -> Command:
    """Return the choice with the highest value; the value of a move includes what can follow it.

    Prefer actions that gain something, then moves, then ending the turn. In long games, or if
    stuck, some choices are random.
    """
    if len(choices) == 1:
        return choices[0]
    if isinstance(choices[0], Settle):
        return pick_any(choices, draw)
    if state.turn > _PATIENCE and not draw(4):
        return pick_any(choices, draw)
    now = evaluate(state)
    deeds: list[Command] = [
        c for c in choices if not isinstance(c, (Move, Roll, Reroll, EndTurn, Repay))
    ]
    gains = [_gain(state, command, now) for command in deeds]
    if state.step != TURN or max(gains, default=0.0) > 0.01:
        return _pick_best(deeds, gains, draw)
    moves: list[Command] = [command for command in choices if isinstance(command, Move)]
    if (deeds or moves) and not draw(2) and _is_stuck(state):
        return pick_any([*deeds, *moves], draw)
    if not moves:
        return EndTurn()
    hopes = ahead(state)
    return _pick_best(moves, [hopes[c.to] for c in moves if isinstance(c, Move)], draw)


def _is_stuck(state: State) -> bool:
    """Return whether no action on any space gains anything, so that even a bad one may help."""
    return max([gain for gain, _ in _best_stops(state, board.SPACES).values()]) < 0.02


def _pick_best(commands: list[Command], values: list[float], draw: Draw) -> Command:
    best = max(values) - 1e-9
    return pick_any([commands[i] for i, value in enumerate(values) if value >= best], draw)


def _gain(state: State, command: Command, now: float) -> float:
    if isinstance(command, DrawOrders):
        return _DRAWING
    return evaluate(state_after(state, command)) - now


def state_after(state: State, command: Any) -> State:
    """Return the state after a command; each random draw yields 0, its first outcome."""
    recorder: EventRecorder[State, Any] = EventRecorder(state, evolve)
    EFFECTS[type(command)](recorder, command, _first_outcome)
    return recorder.state


def _first_outcome(n: int) -> int:
    return 0


# --- looking ahead ----------------------------------------------------------------------------


def _next_stop(state: State) -> dict[board.Space, float]:
    """Return the value of a stop on each reachable space.

    It is the gain of the stop plus the best discounted gain of a further stop.
    """
    gains = {space: gain for space, (gain, _) in _best_stops(state, board.SPACES).items()}
    return {
        space: gains[space] + _discounted_best(space, gains) for space in reachable_spaces(state)
    }


def _discounted_best(space: board.Space, gains: dict[board.Space, float]) -> float:
    """Return the best gain of a stop on another space, discounted by its distance."""
    far = board.steps(space, ())
    return max(
        [0.6 * gains[to] * 0.75 ** (n // board.STRIDE_STEPS) - 0.002 * n for to, n in far.items()]
    )


def _whole_turn(state: State) -> dict[board.Space, float]:
    """Return the values of `_next_stop`, searching the second stop after the best first stops.

    Other first stops get a large penalty. If only one move is left, return those of `_next_stop`.
    """
    first = _next_stop(state)
    if state.moves < board.MOVES_PER_TURN:
        return first
    stops = _best_stops(state, tuple(first))
    best = sorted(first, key=lambda space: -first[space])[:_WIDTH]
    found = {space: first[space] - 100 for space in first}
    for space in best:
        gain, there = stops[space]
        found[space] = gain + max(_next_stop(there).values())
    return found


def _best_stops(
    state: State, spaces: tuple[board.Space, ...]
) -> dict[board.Space, tuple[float, State]]:
    """Return the gain of the best action on each space and the state after it.

    The gain is 0 on the space where the seat stands.
    """
    me, now = active_player(state), evaluate(state)
    found = {}
    for space in spaces:
        if space != me.at:
            found[space] = _best_action(state_after(state, Move(space)), now)
    found[me.at] = (0.0, state)
    return found


def _best_action(state: State, now: float) -> tuple[float, State]:
    me = active_player(state)
    best, there = evaluate(state) - now, state
    for kind, list_commands in COMMAND_LISTERS[TURN].items():
        if kind in _ACTIONS:
            for command in _sensible_choices(list_commands(state, me), me):
                if isinstance(command, DrawOrders):
                    gain, then = _DRAWING, replace(state, acted=True, actions=state.actions - 1)
                else:
                    then = state_after(state, command)
                    gain = evaluate(then) - now
                if gain > best:
                    best, there = gain, then
    return best, there


_ACTIONS = {
    kind
    for kind in COMMAND_LISTERS[TURN]
    if kind not in (Move, Roll, Reroll, EndTurn, Repay, SwapTwo, SellTwo)
}


def _sensible_choices(commands: list[Any], me: Player) -> list[Any]:
    """Return the commands worth trying.

    Of sales and exchanges these are only those of one or all units of a single good.
    """
    if not commands or not isinstance(commands[0], (Sell, Exchange)):
        return commands
    return [
        command
        for command in commands
        if len(command.goods) == 1
        and all(n in (1, me.goods[board.NUMBER[good]]) for good, n in command.goods.items())
    ]


# --- evaluation -------------------------------------------------------------------------------


def evaluate(state: State) -> float:
    """Return the value of a state for the seat to act: its points and its prospects."""
    me = active_player(state)
    last = state.trigger is not None and state.trigger != state.seat
    closing = last or state.trigger == state.seat
    value: float = me.wealth + me.coins + state.income - me.debt + best_sets(colours(me.majors))
    value += sum([points for _, points in score(me, 3, None).abilities])
    if closing:
        return value + _value_of_orders(state, me, 0.3)
    left = max(0.1, 1 - max([player.wealth for player in state.players]) / 36)
    value += _LIQUID[me.coins] + _value_of_space(me) * left
    value += sum([_value_of_card(name) for name in me.abilities if name not in me.used]) * left
    value += (
        _value_of_storage(me, _value_of_goods(state))
        + _value_of_orders(state, me, 1)
        + _DONE * (len(me.minors) + len(me.majors))
    )
    return value


def _value_of_space(me: Player) -> float:
    """Return the value of the limits of purse and credit."""
    return _PURSE[me.purse] + 0.5 * me.credit


def _value_of_card(name: str) -> float:
    if name in SCORING_ABILITIES:
        return _GROWING.get(name, 0.0)
    return _USEFUL.get(name, _DISCOUNT)


def _value_of_goods(state: State) -> float:
    """Return the value of goods with a price of one dirham.

    In a long game it alternates: with a constant value, a poor player might buy and sell the same
    good forever.
    """
    if state.turn <= _PATIENCE:
        return _GOOD
    return _MOODS[state.turn // _SPELL % len(_MOODS)]


def _value_of_storage(me: Player, good: float) -> float:
    """Return the value of stored goods; variety adds to it, a full storage reduces it.

    ``good``: the value of goods with a price of one dirham.
    """
    worth = 0.0
    for n, price in zip(me.goods, board.PRICES, strict=True):
        worth += n * price * good + 0.35 * min(n, 1) - 0.1 * max(0, n - 2)
    return worth - 0.4 * max(0, sum(me.goods) - board.MAX_STORED_GOODS + 1)


def _value_of_orders(state: State, me: Player, trust: float) -> float:
    """Return the value of the open minor order or, if there is none, of the best major orders.

    ``trust``: a factor for the value.
    """
    if me.minor is not None:
        minor = MINORS[me.minor]
        return trust * _order_promise(me, minor, minor.value + 2.5)
    far = board.steps(me.at, ())
    best = second = 0.0
    for tower, number in zip(board.TOWERS, state.towers, strict=True):
        if number is not None:
            card = MAJORS[number]
            bonus = 2 if "T3" in me.abilities else 0.5 * board.arrow_effect(state.fountain, tower)
            promise = _order_promise(me, card, card.value + bonus)
            if board.holds(me.goods, card.goods):
                promise *= 1 - 0.05 * far.get(tower, 0)
            best, second = max(best, promise), max(second, min(best, promise))
    return trust * (best + 0.3 * second)


def _order_promise(me: Player, order: Major | Minor, income: float) -> float:
    """Return an order's income beyond the value of its goods, reduced if goods are missing."""
    need = have = 0
    for there, wanted, price in zip(me.goods, order.goods, board.PRICES, strict=True):
        need += wanted * price
        have += min(there, wanted) * price
    part = have / need
    return (income - _GOOD * need) * part * part * 0.8
