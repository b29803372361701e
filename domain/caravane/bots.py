"""Bots of Caravane: they know what their seat knows.

The "easy" ones spend their gourds about evenly over the rounds to come. The "good" ones try a few
bids on races that may be the true one, play each to the end of the stage with rivals who spend
evenly, and bid what brought the most silk.
"""

from collections.abc import Callable
from typing import Any

from domain.bots import Thinking
from domain.caravane.board import PALACES, SPILL, STOCKS, effect, length
from domain.caravane.events import Allot, Bid, Command, PackBags, Revise
from domain.caravane.knowledge import Observation, determinise, observe
from domain.caravane.paces import advances
from domain.caravane.state import State
from domain.game import Draw, Group, Seat, pick_any
from domain.groups import spread

__all__ = ["determinise", "observe", "suggest"]

TRIALS = 16
"""Races that a good bot tries each bid on, if there is time."""
ROUNDS = 40
"""Rounds after which a stage tried out ends anyway."""


class Runner:
    """A camel in a stage that is tried out."""

    def __init__(self, square: int, stock: int, bales: int, place: int) -> None:
        self.square = square
        self.stock = stock
        self.bales = bales
        self.place = place


def suggest(
    seen: Observation, seat: Seat, groups: tuple[Group, ...], thinking: Thinking
) -> Command:
    """What the bot does."""
    choices: list[Any] = spread([way for group in groups for way in group.ways])
    return _choice(seen, seat, choices, thinking)  # type: ignore[no-any-return]


def _choice(seen: Observation, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    draw = thinking.draw
    match choices[0]:
        case Allot():
            usual = STOCKS[len(seen.mine.allotted)]
            usual += draw(7) - 3 if thinking.level == "easy" else draw(3) - 1
            return choices[min(usual, len(choices) - 1)]
        case PackBags():
            return pick_any(choices, draw)
        case _ if thinking.level == "easy":
            return _evenly(seen, choices, draw)
        case _:
            return _tried(seen, seat, choices, thinking)


# --- easy -----------------------------------------------------------------------------------


def _evenly(seen: Observation, choices: list[Any], draw: Draw) -> Any:
    mine = seen.mine
    if isinstance(choices[0], Revise):
        return choices[min((mine.bid or 0) + draw(3), mine.stock)]
    racing = 1 + len([rival for rival in seen.rivals if not rival.place])
    rounds = _rounds_left(length(seen.stage) - mine.square, racing)
    bid = _even_bid(mine.stock, rounds, racing, draw)
    with_bag = len(choices) > mine.stock + 1 and draw(rounds) == 0
    return choices[bid + (mine.stock + 1 if with_bag else 0)]


def _rounds_left(way: int, racing: int) -> int:
    """Bids to come in this stage at the average pace of (n + 1) / 2 steps; at least 1."""
    pace = racing + 1
    return max(1, (2 * way + pace - 1) // pace)


def _even_bid(stock: int, rounds: int, racing: int, draw: Draw) -> int:
    if racing == 1:
        return 0  # alone, any bid is one step (ruling 8)
    if rounds == 1:
        return stock  # what is left over would be lost (ruling 11)
    return min(stock, draw(2 * stock // rounds + 2))


# --- good -----------------------------------------------------------------------------------


def _tried(seen: Observation, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    """The bid that brought the most over the others' average, tried on the same few races."""
    candidates = _candidates(seen, choices)
    merits = [0] * len(candidates)
    for trial in range(TRIALS):
        if trial and not thinking.more():
            break
        world = determinise(seen, seat, thinking.draw)
        bids = [_bid_in(world, other, thinking.draw) for other in range(len(world.racers))]
        for number, command in enumerate(candidates):
            bids[seat] = _total(seen, command, thinking.draw)
            merits[number] += _played(world, seat, bids, _gourds(command), thinking.draw)
    return candidates[merits.index(max(merits))]


def _candidates(seen: Observation, choices: list[Any]) -> list[Any]:
    """A few bids between nothing and all: none, around the even one, all; and one with the bag."""
    stock = seen.mine.stock
    racing = 1 + len([rival for rival in seen.rivals if not rival.place])
    even = stock // _rounds_left(length(seen.stage) - seen.mine.square, racing)
    gourds = sorted({min(stock, n) for n in (0, even // 2, even, even + 1, even + 3, 2 * even + 2)})
    if even * 3 >= stock or isinstance(choices[0], Revise):
        gourds = sorted({*gourds, stock})
    found = [choices[n] for n in gourds]
    if len(choices) > stock + 1:
        found += [choices[stock + 1 + n] for n in {0, even}]
    return found


def _gourds(command: Any) -> int:
    return int(command.gourds)


def _total(seen: Observation, command: Any, draw: Draw) -> int:
    bag = seen.mine.bags[seen.stage - 1] if isinstance(command, Bid) and command.bag else 0
    return _gourds(command) + bag


def _bid_in(world: State, seat: Seat, draw: Draw) -> int | None:
    """What a rival bids in a race that may be, food bag included; None when it has arrived."""
    racer = world.racers[seat]
    if racer.place:
        return None
    bag = racer.bags[world.stage - 1] if racer.adds_bag else 0
    if racer.bid is not None:
        return bag + (racer.bid if racer.revised is None else racer.revised)
    racing = len([other for other in world.racers if not other.place])
    rounds = _rounds_left(length(world.stage) - racer.square, racing)
    return _even_bid(racer.stock, rounds, racing, draw)


def _played(world: State, seat: Seat, bids: list[int | None], gourds: int, draw: Draw) -> int:
    """What the stage brings the seat over the others' average, times their number."""
    runners = [Runner(r.square, r.stock, r.bales, r.place) for r in world.racers]
    for other, runner in enumerate(runners):
        bid = bids[other]
        if bid is not None:
            runner.stock -= min(runner.stock, gourds if other == seat else bid)
    _step(world.stage, runners, bids)
    for _ in range(ROUNDS):
        racing = len([runner for runner in runners if not runner.place])
        if not racing:
            break
        _step(world.stage, runners, _next_bids(world.stage, runners, racing, draw))
    silk = PALACES[world.stage - 1]
    bales = [runner.bales + (silk[runner.place - 1] if runner.place else 0) for runner in runners]
    # A little for gourds kept is nothing: they are lost with the stage (ruling 11).
    return bales[seat] * len(bales) - sum(bales)


def _next_bids(stage: int, runners: list[Runner], racing: int, draw: Draw) -> list[int | None]:
    bids: list[int | None] = []
    for runner in runners:
        if runner.place:
            bids.append(None)
            continue
        rounds = _rounds_left(length(stage) - runner.square, racing)
        bid = _even_bid(runner.stock, rounds, racing, draw)
        runner.stock -= bid
        bids.append(bid)
    return bids


def _step(stage: int, runners: list[Runner], bids: list[int | None]) -> None:
    """A round: all move, then squares take effect, then camels arrive (rulings 2 to 4)."""
    steps = advances(bids)
    goal = length(stage)
    earlier = len([runner for runner in runners if runner.place])
    for runner, far in zip(runners, steps, strict=True):
        if runner.place:
            continue
        runner.square = min(goal, runner.square + far)
        if runner.square == goal:
            runner.place = earlier + 1
            continue
        _EFFECTS.get(effect(stage, runner.square) or "", _nothing)(runner)


def _nothing(runner: Runner) -> None:
    """An ordinary square."""


def _water(runner: Runner) -> None:
    runner.stock += SPILL


def _leak(runner: Runner) -> None:
    runner.stock -= min(SPILL, runner.stock)


def _bale(runner: Runner) -> None:
    runner.bales += 1


def _damage(runner: Runner) -> None:
    runner.bales -= min(1, runner.bales)


_EFFECTS: dict[str, Callable[[Runner], None]] = {
    "water": _water,
    "leak": _leak,
    "bale": _bale,
    "damage": _damage,
}
