"""Bots of Caravane, which use only their seat's information state.

"easy" bots spend their gourds about evenly over the remaining rounds. "good" bots try a few bids in
determinised races, simulate each to the end of the stage with seats that spend evenly, and choose
the bid with the most bales relative to the other seats.
"""

from typing import Any

from domain.contract.bots import Thinking
from domain.contract.choice_groups import flatten_options
from domain.contract.game import Draw, Group, Seat, pick_any
from domain.games.caravane import board
from domain.games.caravane.commands import Allot, Bid, Command, PackBags, Revise
from domain.games.caravane.information_state import Observation, determinise, observe
from domain.games.caravane.pace import rounds_left
from domain.games.caravane.rules import steps_for_bids
from domain.games.caravane.state import State

MAX_TRIALS = 16
"""Maximum number of determinised races in which a good bot tries each bid."""
MAX_SIMULATED_ROUNDS = 40
"""Number of rounds after the first at which a simulated stage is aborted."""


class Runner:
    """A camel in a simulated stage, with the seat's gourds and bales."""

    def __init__(self, square: int, stock: int, bales: int, place: int) -> None:
        self.square = square
        self.stock = stock
        self.bales = bales
        self.place = place


def suggest(
    seen: Observation, seat: Seat, groups: tuple[Group, ...], thinking: Thinking
) -> Command:
    """Return the command that the bot chooses."""
    choices: list[Any] = flatten_options([option for group in groups for option in group.options])
    return _choose(seen, seat, choices, thinking)  # type: ignore[no-any-return]


def _choose(seen: Observation, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    draw = thinking.draw
    match choices[0]:
        case Allot():
            usual = board.STAGE_GOURDS[len(seen.mine.allotted)]
            usual += draw(7) - 3 if thinking.level == "easy" else draw(3) - 1
            return choices[min(usual, len(choices) - 1)]
        case PackBags():
            return pick_any(choices, draw)
        case _ if thinking.level == "easy":
            return _choose_evenly(seen, choices, draw)
        case _:
            return _choose_by_trials(seen, seat, choices, thinking)


# --- easy -----------------------------------------------------------------------------------


def _choose_evenly(seen: Observation, choices: list[Any], draw: Draw) -> Any:
    mine = seen.mine
    if isinstance(choices[0], Revise):
        return choices[min((mine.bid or 0) + draw(3), mine.stock)]
    racing = 1 + len([rival for rival in seen.rivals if not rival.place])
    rounds = rounds_left(board.stage_length(seen.public.stage) - mine.square, racing)
    bid = _even_bid(mine.stock, rounds, racing, draw)
    with_bag = len(choices) > mine.stock + 1 and draw(rounds) == 0
    return choices[bid + (mine.stock + 1 if with_bag else 0)]


def _even_bid(stock: int, rounds: int, racing: int, draw: Draw) -> int:
    if racing == 1:
        return 0  # the only camel moves one step with any bid (ruling 8)
    if rounds == 1:
        return stock  # gourds left at the end of the stage are lost (ruling 11)
    return min(stock, draw(2 * stock // rounds + 2))


# --- good -----------------------------------------------------------------------------------


def _choose_by_trials(seen: Observation, seat: Seat, choices: list[Any], thinking: Thinking) -> Any:
    """Return the candidate with the best result relative to the other seats.

    All candidates are tried in the same determinised races.
    """
    candidates = _candidates(seen, choices)
    merits = [0] * len(candidates)
    for trial in range(MAX_TRIALS):
        if trial and not thinking.has_time_left():
            break
        world = determinise(seen, seat, thinking.draw)
        bids = [_guess_bid(world, other, thinking.draw) for other in range(len(world.racers))]
        for number, command in enumerate(candidates):
            bids[seat] = _total(seen, command)
            merits[number] += _simulate_stage(world, seat, bids, command.gourds, thinking.draw)
    return candidates[merits.index(max(merits))]


def _candidates(seen: Observation, choices: list[Any]) -> list[Any]:
    """Return a few bids to try.

    They are 0, some around an even share, the whole stock if few rounds remain or the bid is being
    revised, and, if legal, the food bag alone and with an even share.
    """
    stock = seen.mine.stock
    racing = 1 + len([rival for rival in seen.rivals if not rival.place])
    even = stock // rounds_left(board.stage_length(seen.public.stage) - seen.mine.square, racing)
    gourds = sorted({min(stock, n) for n in (0, even // 2, even, even + 1, even + 3, 2 * even + 2)})
    if even * 3 >= stock or isinstance(choices[0], Revise):
        gourds = sorted({*gourds, stock})
    candidates = [choices[n] for n in gourds]
    if len(choices) > stock + 1:
        candidates += [choices[stock + 1 + n] for n in {0, even}]
    return candidates


def _total(seen: Observation, command: Any) -> int:
    bag = seen.mine.bags[seen.public.stage - 1] if isinstance(command, Bid) and command.bag else 0
    return int(command.gourds) + bag


def _guess_bid(world: State, seat: Seat, draw: Draw) -> int | None:
    """Return a seat's total bid in a determinised race, or None if its camel has arrived.

    It is the seat's bid in that race with its food bag, or a guess if it has not bid yet.
    """
    racer = world.racers[seat]
    if racer.place:
        return None
    bag = racer.bags[world.stage - 1] if racer.adds_bag else 0
    if racer.bid is not None:
        return bag + (racer.bid if racer.revised is None else racer.revised)
    racing = len([other for other in world.racers if not other.place])
    rounds = rounds_left(board.stage_length(world.stage) - racer.square, racing)
    return _even_bid(racer.stock, rounds, racing, draw)


def _simulate_stage(
    world: State, seat: Seat, bids: list[int | None], gourds: int, draw: Draw
) -> int:
    """Simulate a stage to its end; return the seat's bales relative to the average of all seats.

    The difference is multiplied by the number of seats. ``bids``: total bids of the first round;
    ``gourds``: what the seat pays for its own bid.
    """
    runners = [Runner(r.square, r.stock, r.bales, r.place) for r in world.racers]
    for other, runner in enumerate(runners):
        bid = bids[other]
        if bid is not None:
            runner.stock -= min(runner.stock, gourds if other == seat else bid)
    _simulate_round(world.stage, runners, bids)
    for _ in range(MAX_SIMULATED_ROUNDS):
        racing = len([runner for runner in runners if not runner.place])
        if not racing:
            break
        _simulate_round(world.stage, runners, _next_bids(world.stage, runners, racing, draw))
    silk = board.PALACE_BALES[world.stage - 1]
    bales = [runner.bales + (silk[runner.place - 1] if runner.place else 0) for runner in runners]
    # Leftover gourds have no value: they are lost when the stage ends (ruling 11).
    return bales[seat] * len(bales) - sum(bales)


def _next_bids(stage: int, runners: list[Runner], racing: int, draw: Draw) -> list[int | None]:
    bids: list[int | None] = []
    for runner in runners:
        if runner.place:
            bids.append(None)
            continue
        rounds = rounds_left(board.stage_length(stage) - runner.square, racing)
        bid = _even_bid(runner.stock, rounds, racing, draw)
        runner.stock -= bid
        bids.append(bid)
    return bids


def _simulate_round(stage: int, runners: list[Runner], bids: list[int | None]) -> None:
    """Simulate a round: move the camels, record arrivals and apply squares (rulings 2 to 4)."""
    steps = steps_for_bids(bids)
    goal = board.stage_length(stage)
    earlier = len([runner for runner in runners if runner.place])
    for runner, far in zip(runners, steps, strict=True):
        if runner.place:
            continue
        runner.square = min(goal, runner.square + far)
        if runner.square == goal:
            runner.place = earlier + 1
            continue
        match board.square_effect(stage, runner.square):
            case "water":
                runner.stock += board.SPILL_GOURDS
            case "leak":
                runner.stock -= min(board.SPILL_GOURDS, runner.stock)
            case "bale":
                runner.bales += 1
            case "damage":
                runner.bales -= min(1, runner.bales)
