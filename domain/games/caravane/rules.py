"""Rules of Caravane; ruling numbers are those of the game's rule notes.

Depending on the options, each seat secretly splits its gourds (ruling 10) and assigns its food bags
(ruling 12) before the race. Each stage is played in rounds: all seats bid in secret, all bids are
revealed at once, all camels move, special squares take effect, camels arrive. When the last camel
has arrived, the palace gives its silk.

Public: revealed bids, moves, bales, and which seats have made their choice. Hidden from the other
seats: the remaining gourds (ruling 16), a free split, and bags until they are bid. To keep the
remaining gourds hidden, a seat without gourds must still bid 0 (ruling 9), and a leak that costs
fewer than two gourds looks like any other (ruling 6). Ships to the browser.
"""

from typing import TYPE_CHECKING, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, IllegalMove, Rules, Seat, Standing
from domain.contract.trait_defaults import time_limit
from domain.games.caravane import board, events
from domain.games.caravane.commands import COMMANDS, Allot, Bid, Command, PackBags, Revise
from domain.games.caravane.events import EVENTS, Event
from domain.games.caravane.evolve import evolve
from domain.games.caravane.legal_commands import PACKINGS, choices, groups
from domain.games.caravane.options import Options
from domain.games.caravane.scoring import rank_seats, standings
from domain.games.caravane.state import (
    BID,
    PREPARE,
    REVISE,
    Racer,
    State,
    missing_choice,
    racing_seats,
)
from domain.games.caravane.tell import label, tell
from domain.games.caravane.title import TITLE
from domain.games.caravane.view import keeps_secrets, redact, reveals, view

_Recorder: TypeAlias = EventRecorder[State, Event]


# --- the sequence of play -------------------------------------------------------------------


def setup(
    options: Options, seats: int, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Set up the race; also begin the first round if no secret preparation is needed."""
    stocks = () if options.split else board.STAGE_GOURDS
    laid_out = events.RaceLaidOut(seats, stocks, options.food, options.keep_secrets)
    recorder: _Recorder = EventRecorder.begin(laid_out, evolve)
    if not to_act(recorder.state):
        _begin_stage(recorder)
    return recorder


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Apply a secret choice and, if it was the last one missing, everything that follows.

    Raises `IllegalMove` if the choice is illegal.
    """
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "refusal.not_to_act")
    recorder: _Recorder = EventRecorder(state, evolve)
    for event in _choose(state, seat, command):
        recorder.emit(event)
    if to_act(recorder.state):
        return recorder
    if state.phase == PREPARE:
        _begin_stage(recorder)
    elif state.phase == BID and _some_may_revise(recorder.state):
        recorder.emit(_announcement(recorder.state))
    else:
        _play_round(recorder)
    return recorder


def _begin_stage(recorder: _Recorder) -> None:
    recorder.emit(events.StageBegun(recorder.state.stage + 1))
    recorder.emit(events.RoundBegun(recorder.state.number + 1))


def _some_may_revise(state: State) -> bool:
    """Return whether some racing seats have bid a bag and others have not (ruling 12)."""
    bags = {racer.adds_bag for racer in state.racers if not racer.place}
    return len(bags) == 2


def _announcement(state: State) -> events.GourdsRevealed:
    return events.GourdsRevealed(
        tuple(racer.bid for racer in state.racers), tuple(racer.adds_bag for racer in state.racers)
    )


def _play_round(recorder: _Recorder) -> None:
    """Reveal bids, move all camels, apply special squares (ruling 4) and record arrivals.

    Then begin the next round, or finish the stage.
    """
    recorder.emit(_revelation(recorder.state))
    still = racing_seats(recorder.state)
    for seat in still:
        recorder.emit(_move(recorder.state, seat))
    for seat in still:
        for event in _special(recorder.state, seat):
            recorder.emit(event)
    for event in _arrivals(recorder.state):
        recorder.emit(event)
    if racing_seats(recorder.state):
        recorder.emit(events.RoundBegun(recorder.state.number + 1))
    else:
        _finish_stage(recorder)


def _revelation(state: State) -> events.BidsRevealed:
    gourds = tuple(r.bid if r.revised is None else r.revised for r in state.racers)
    bags = tuple(r.bags[state.stage - 1] if r.adds_bag else 0 for r in state.racers)
    totals = [None if bid is None else bid + bags[seat] for seat, bid in enumerate(gourds)]
    return events.BidsRevealed(gourds, bags, steps_for_bids(totals))


def steps_for_bids(bids: list[int | None]) -> tuple[int, ...]:
    """Return the steps of each camel: the number of racing camels minus the number of higher bids.

    Equal bids share the better rank, and the ranks below them stay empty (rulebook, "Avancée des
    chameaux"; rulings 7 and 8). A bid of None stands for a camel that has arrived: 0 steps.
    """
    racing = [bid for bid in bids if bid is not None]
    return tuple(
        0 if mine is None else len(racing) - len([bid for bid in racing if bid > mine])
        for mine in bids
    )


def _move(state: State, seat: Seat) -> events.CamelAdvanced:
    """Return a camel's move; steps beyond the palace are lost (ruling 2)."""
    square = state.racers[seat].square + state.rounds[-1].steps[seat]
    return events.CamelAdvanced(seat, min(square, board.stage_length(state.stage)))


def _special(state: State, seat: Seat) -> list[Event]:
    """Return the event, if any, for the effect of the square on which the camel stopped.

    No stock falls below 0 (ruling 6).
    """
    racer = state.racers[seat]
    match board.square_effect(state.stage, racer.square):
        case "water":
            return [events.WaterFound(seat, board.SPILL_GOURDS)]
        case "leak":
            return [events.WaterLeaked(seat, min(board.SPILL_GOURDS, racer.stock))]
        case "bale":
            return [events.BaleFound(seat)]
        case "damage":
            return [events.BaleDamaged(seat, min(1, racer.bales))]
        case _:
            return []


def _arrivals(state: State) -> list[Event]:
    """Return the arrivals of a round; all share a place, regardless of surplus steps (ruling 3)."""
    earlier = len(state.racers) - len(racing_seats(state))
    return [
        events.CamelArrived(seat, earlier + 1)
        for seat in racing_seats(state)
        if state.racers[seat].square == board.stage_length(state.stage)
    ]


def _finish_stage(recorder: _Recorder) -> None:
    state = recorder.state
    silk = board.PALACE_BALES[state.stage - 1]
    bales = tuple(silk[racer.place - 1] for racer in state.racers)
    recorder.emit(events.PalaceRewarded(state.stage, bales))
    if state.stage < len(board.STAGE_LENGTHS):
        _begin_stage(recorder)
    else:
        places = tuple(racer.place for racer in state.racers)
        recorder.emit(events.RaceEnded(rank_seats(recorder.state), places))


# --- secret choices -------------------------------------------------------------------------


def _choose(state: State, seat: Seat, command: Command) -> list[Event]:
    """Return the secret events of a choice; their number does not depend on what is chosen.

    Raises `IllegalMove` if the choice is illegal.
    """
    racer = state.racers[seat]
    match command, missing_choice(state, seat):
        case Allot(gourds=gourds), "allotment":
            return _allot(racer, seat, gourds)
        case PackBags(bags=bags), "bags":
            if bags not in PACKINGS:
                raise IllegalMove("wrong_bags", "refusal.wrong_bags")
            return [events.BagsPacked(seat, bags)]
        case Bid(gourds=gourds, bag=bag), "bid":
            _check_amount(gourds, racer.stock)
            if bag and (not state.food or racer.bag_spent):
                raise IllegalMove("no_bag", "refusal.no_bag")
            return [events.BidMade(seat, gourds, bag)]
        case Revise(gourds=gourds), "revision":
            _check_amount(gourds, racer.stock)
            return [events.BidRevised(seat, gourds)]
        case _, what:
            raise IllegalMove("wrong_step", "refusal.wrong_step", what=what)


def _allot(racer: Racer, seat: Seat, gourds: int) -> list[Event]:
    left = board.TOTAL_GOURDS - sum(racer.allotted)
    _check_amount(gourds, left)
    if not racer.allotted:
        return [events.GourdsAllotted(seat, 1, gourds)]
    return [events.GourdsAllotted(seat, 2, gourds), events.GourdsAllotted(seat, 3, left - gourds)]


_AMOUNT = "refusal.wrong_amount"


def _check_amount(gourds: int, most: int) -> None:
    if not 0 <= gourds <= most:
        raise IllegalMove("wrong_amount", _AMOUNT, most=most)


def take_back(state: State, seat: Seat) -> list[Event]:
    """Return the event that withdraws the seat's latest secret choice, if any, as a list."""
    racer = state.racers[seat]
    what = None
    if state.phase == PREPARE:
        if racer.bags:
            what = "bags"
        elif state.split and racer.allotted:
            what = "allotment"
    elif state.phase == BID and racer.bid is not None:
        what = "bid"
    elif state.phase == REVISE and racer.revised is not None:
        what = "revision"
    return [events.ChoiceWithdrawn(seat, what)] if what else []


# --- the course of the race -----------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that still have to make a secret choice."""
    return tuple(seat for seat in range(len(state.racers)) if missing_choice(state, seat))


def turn(state: State) -> int:
    """Return the number of the bidding round; 0 before the race."""
    return state.number


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings if the last camel is at the third palace, otherwise None."""
    return standings(state)


if TYPE_CHECKING:
    from domain.games.caravane import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
