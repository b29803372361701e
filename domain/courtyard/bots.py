"""Bots of the courtyard: they know what their seat knows.

The "easy" ones look as far as their next stop, the "good" ones a whole turn ahead. Both weigh
positions by what lies open; what comes from a deck is never looked at before it is there.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from domain.bots import Thinking
from domain.course import Course
from domain.courtyard.board import (
    MOVES,
    NUMBER,
    PRICES,
    SPACES,
    STORAGE,
    STRIDE,
    TOWERS,
    Space,
    arrow,
    holds,
    steps,
)
from domain.courtyard.cards import MAJORS, MINORS, SCORING, Major, Minor
from domain.courtyard.commands import (
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
from domain.courtyard.deeds import DEEDS
from domain.courtyard.fold import evolve
from domain.courtyard.knowledge import Observation, determinise, observe
from domain.courtyard.scoring import best_sets, colours, score
from domain.courtyard.state import INCOME, TURN, Player, State
from domain.courtyard.ways import WAYS, active, reach
from domain.game import Draw, Group, Seat, pick_any
from domain.groups import spread

__all__ = ["determinise", "observe", "suggest"]

_GOOD = 1.15
"""What a dirham's worth of goods is good for while the game goes on."""
_DRAWING = 0.9
"""What it is worth to draw minor orders."""
_LIQUID = (0.0, 0.6, 0.9, 1.1, 1.25, 1.35, 1.4)
"""Beyond their points: the more coins there are the less another one helps."""
_PURSE = (0.0, 0.0, 0.0, 0.0, 1.9, 3.3, 4.5)
"""What room for so many coins is good for."""
_CARELESS = 12
"""One of so many choices an easy bot makes without a thought."""
_PATIENCE = 200
"""Turns after which a bot tries anything now and then: so every game of bots ends."""
_MOODS, _SPELL = (1.6, _GOOD, 0.9), 24
"""What they think of goods then, for so many turns each."""
_MOST_PAID = 4
"""So many goods one choice costs at most."""
_WIDTH = 4
"""So many first stops the better bot thinks on from."""
_DONE = 2.5
"""What a completed order is good for beyond its income: it makes room for others."""
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
"""What a card will bring at the end beyond what it would bring now."""


Ahead: TypeAlias = Callable[[State], dict[Space, float]]
"""What each space that a move may end on promises."""


def suggest(
    seen: Observation, seat: Seat, groups: tuple[Group, ...], thinking: Thinking
) -> Command:
    """What helps most: the "good" bots look over both moves of a turn, the "easy" ones as far as
    the next stop, and now and then not even there."""
    state = determinise(seen, seat, _none)
    choices = _affordable(state, spread([way for group in groups for way in group.ways]))
    if thinking.level == "easy" and not thinking.draw(_CARELESS):
        return pick_any(choices, thinking.draw)
    ahead = _next_stop if thinking.level == "easy" else _whole_turn
    return _best(state, choices, thinking.draw, ahead)


def _affordable(state: State, choices: list[Command]) -> list[Command]:
    """The choices without those after which the seat has neither goods nor coins nor credit, and
    can never do anything again. Whoever does that beside players who only pass never sees an end.
    """
    if state.step not in (TURN, INCOME) or _means(active(state)) > _MOST_PAID:
        return choices
    kept = [choice for choice in choices if isinstance(choice, EndTurn) or _goes_on(state, choice)]
    return kept or choices


def _goes_on(state: State, choice: Command) -> bool:
    then = after(state, choice)
    return then.income > 0 or _means(then.players[state.seat]) > 0


def _means(me: Player) -> int:
    return sum(me.goods) + me.coins + me.credit - me.debt


def _best(state: State, choices: list[Command], draw: Draw, ahead: Ahead) -> Command:
    """The choice of most worth; a move is weighed with what can come of it."""
    if len(choices) == 1:
        return choices[0]
    if isinstance(choices[0], Settle):
        return pick_any(choices, draw)
    if state.turn > _PATIENCE and not draw(4):
        return pick_any(choices, draw)
    now = worth_of(state)
    deeds: list[Command] = [
        c for c in choices if not isinstance(c, (Move, Roll, Reroll, EndTurn, Repay))
    ]
    gains = [_gain(state, command, now) for command in deeds]
    if state.step != TURN or max(gains, default=0.0) > 0.01:
        return _one_of_the_best(deeds, gains, draw)
    moves: list[Command] = [command for command in choices if isinstance(command, Move)]
    if (deeds or moves) and not draw(2) and _is_stuck(state):
        return pick_any([*deeds, *moves], draw)
    if not moves:
        return EndTurn()
    hopes = ahead(state)
    return _one_of_the_best(moves, [hopes[c.to] for c in moves if isinstance(c, Move)], draw)


def _is_stuck(state: State) -> bool:
    """Whether no action anywhere gains anything: then even a bad one may lead on."""
    return max([gain for gain, _ in _stops(state, SPACES).values()]) < 0.02


def _one_of_the_best(commands: list[Command], values: list[float], draw: Draw) -> Command:
    best = max(values) - 1e-9
    return pick_any([commands[i] for i, value in enumerate(values) if value >= best], draw)


def _gain(state: State, command: Command, now: float) -> float:
    if isinstance(command, DrawOrders):
        return _DRAWING
    return worth_of(after(state, command)) - now


def after(state: State, command: Any) -> State:
    """The state that a command of a turn leads to; of what is drawn the first comes."""
    course: Course[State, Any] = Course(state, evolve)
    DEEDS[type(command)](course, command, _none)
    return course.state


def _none(n: int) -> int:
    return 0


# --- looking ahead ----------------------------------------------------------------------------


def _next_stop(state: State) -> dict[Space, float]:
    """For each space what a stop there gains, and how near it is to the best of the others."""
    gains = {space: gain for space, (gain, _) in _stops(state, SPACES).items()}
    return {space: gains[space] + _near(space, gains) for space in reach(state)}


def _near(space: Space, gains: dict[Space, float]) -> float:
    """What the other spaces promise from here: less for every move that it takes to get there."""
    far = steps(space, ())
    return max([0.6 * gains[to] * 0.75 ** (n // STRIDE) - 0.002 * n for to, n in far.items()])


def _whole_turn(state: State) -> dict[Space, float]:
    """The same with the second stop of the turn; only the best first ones are followed."""
    first = _next_stop(state)
    if state.moves < MOVES:
        return first
    stops = _stops(state, tuple(first))
    best = sorted(first, key=lambda space: -first[space])[:_WIDTH]
    found = {space: first[space] - 100 for space in first}
    for space in best:
        gain, there = stops[space]
        found[space] = gain + max(_next_stop(there).values())
    return found


def _stops(state: State, spaces: tuple[Space, ...]) -> dict[Space, tuple[float, State]]:
    """What the best action at each space gains, and the state after it."""
    me, now = active(state), worth_of(state)
    found = {}
    for space in spaces:
        if space != me.at:
            found[space] = _best_action(after(state, Move(space)), now)
    found[me.at] = (0.0, state)
    return found


def _best_action(state: State, now: float) -> tuple[float, State]:
    me = active(state)
    best, there = worth_of(state) - now, state
    for kind, ways in WAYS[TURN].items():
        if kind in _ACTIONS:
            for command in _sensible(ways(state, me), me):
                if isinstance(command, DrawOrders):
                    gain, then = _DRAWING, replace(state, acted=True, actions=state.actions - 1)
                else:
                    then = after(state, command)
                    gain = worth_of(then) - now
                if gain > best:
                    best, there = gain, then
    return best, there


_ACTIONS = {
    kind
    for kind in WAYS[TURN]
    if kind not in (Move, Roll, Reroll, EndTurn, Repay, SwapTwo, SellTwo)
}


def _sensible(commands: list[Any], me: Player) -> list[Any]:
    """Of the many ways to sell or exchange those that take all of a kind, or one."""
    if not commands or not isinstance(commands[0], (Sell, Exchange)):
        return commands
    return [
        command
        for command in commands
        if len(command.goods) == 1
        and all(n in (1, me.goods[NUMBER[good]]) for good, n in command.goods.items())
    ]


# --- what a position is worth -----------------------------------------------------------------


def worth_of(state: State) -> float:
    """The points that the seat to act may hope for, as far as they can be guessed."""
    me = active(state)
    last = state.trigger is not None and state.trigger != state.seat
    closing = last or state.trigger == state.seat
    value: float = me.wealth + me.coins + state.income - me.debt + best_sets(colours(me.majors))
    value += sum([points for _, points in score(me, 3, None).abilities])
    if closing:
        return value + _orders(state, me, 0.3)
    left = max(0.1, 1 - max([player.wealth for player in state.players]) / 36)
    value += _LIQUID[me.coins] + _room(me) * left
    value += sum([_card(name) for name in me.abilities if name not in me.used]) * left
    value += (
        _stored(me, _good(state))
        + _orders(state, me, 1)
        + _DONE * (len(me.minors) + len(me.majors))
    )
    return value


def _room(me: Player) -> float:
    """Room in the purse and credit are good for later orders."""
    return _PURSE[me.purse] + 0.5 * me.credit


def _card(name: str) -> float:
    if name in SCORING:
        return _GROWING.get(name, 0.0)
    return _USEFUL.get(name, _DISCOUNT)


def _good(state: State) -> float:
    """What a dirham's worth of goods is good for. In a long game it is more and less by turns: a
    poor player who always thinks the same of a good buys and sells it for ever."""
    if state.turn <= _PATIENCE:
        return _GOOD
    return _MOODS[state.turn // _SPELL % len(_MOODS)]


def _stored(me: Player, good: float) -> float:
    """Goods, of many kinds rather than of one; a full storage holds no more."""
    worth = 0.0
    for n, price in zip(me.goods, PRICES, strict=True):
        worth += n * price * good + 0.35 * min(n, 1) - 0.1 * max(0, n - 2)
    return worth - 0.4 * max(0, sum(me.goods) - STORAGE + 1)


def _orders(state: State, me: Player, trust: float) -> float:
    """What the orders in sight promise, the more the nearer their goods and their place."""
    if me.minor is not None:
        minor = MINORS[me.minor]
        return trust * _promise(me, minor, minor.value + 2.5)
    far = steps(me.at, ())
    best = second = 0.0
    for tower, number in zip(TOWERS, state.towers, strict=True):
        if number is not None:
            card = MAJORS[number]
            bonus = 2 if "T3" in me.abilities else 0.5 * arrow(state.fountain, tower)
            promise = _promise(me, card, card.value + bonus)
            if holds(me.goods, card.goods):
                promise *= 1 - 0.05 * far.get(tower, 0)
            best, second = max(best, promise), max(second, min(best, promise))
    return trust * (best + 0.3 * second)


def _promise(me: Player, order: Major | Minor, income: float) -> float:
    """What the order brings above its goods, as far as these are there."""
    need = have = 0
    for there, wanted, price in zip(me.goods, order.goods, PRICES, strict=True):
        need += wanted * price
        have += min(there, wanted) * price
    part = have / need
    return (income - _GOOD * need) * part * part * 0.8
