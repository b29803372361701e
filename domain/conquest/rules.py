"""Rules of Caravan Conquest; ruling numbers are those of the game's rule notes.

In each round every caravan moves as far as its animals, the ground and its load allow, one step for
each command. The tile on which it stops gives something, then a card is drawn; at camps and in
cities the seat trades instead. The wealth of a caravan is fixed when it reaches the finish; the
game ends ten rounds after the first finisher's. Nothing is hidden: decks have no stored order
(`domain.deck`). Ships to the browser.
"""

from typing import TYPE_CHECKING, TypeAlias

from domain.conquest.board import FINISH, OASIS, ground_of
from domain.conquest.caravan_stats import equipment, prices, speed, wealth
from domain.conquest.cards import DECK_OF, DECKS, NOMAD_CARD
from domain.conquest.commands import (
    COMMANDS,
    Buy,
    Command,
    Done,
    Exchange,
    Heed,
    Ignore,
    Jettison,
    Move,
    Sell,
    Stay,
    Stop,
    Take,
)
from domain.conquest.encounters import answer, answers, draw_card, fortune, spend
from domain.conquest.equipment import RESOURCES
from domain.conquest.events import (
    EVENTS,
    CaravanMoved,
    CaravanStopped,
    ChoiceOffered,
    Event,
    FinishReached,
    Gained,
    LoadDropped,
    MapLaid,
    MarketLeft,
    RoundOpened,
    StarterDrawn,
    StartingGearSet,
    StepForgone,
    TreasureTaken,
)
from domain.conquest.evolve import evolve
from domain.conquest.generator import SEEDS, generated
from domain.conquest.maps import PRESETS
from domain.conquest.market import (
    DONE,
    camp_good,
    exchanges,
    in_city,
    jettisons,
    refitted,
    traded,
    trades,
)
from domain.conquest.messages import TEXT
from domain.conquest.move_preview import GAINS, OASIS_GAIN
from domain.conquest.options import Options, drawn_map
from domain.conquest.state import (
    CAMP,
    CITY_STEP,
    EXTRA,
    OASIS_STEP,
    OVER,
    State,
    place_of,
    with_more,
)
from domain.conquest.tell import label, tell
from domain.conquest.title import TITLE
from domain.conquest.turns import next_turn, open_turn, stay, tile
from domain.conquest.view import view
from domain.course import Course
from domain.game import Draw, IllegalMove, Rules, Seat, Standing
from domain.groups import listed
from domain.without import keeps_secrets, redact, reveals, take_back, time_limit

__all__ = [
    "COMMANDS",
    "EVENTS",
    "TEXT",
    "Options",
    "choices",
    "decide",
    "evolve",
    "groups",
    "keeps_secrets",
    "label",
    "outcome",
    "redact",
    "reveals",
    "setup",
    "take_back",
    "tell",
    "time_limit",
    "to_act",
    "turn",
    "view",
]

_Course: TypeAlias = Course[State, Event]

STOP = Stop()


# --- the game begins ------------------------------------------------------------------------


def setup(options: Options, seats: int, draw: Draw, version: int = TITLE.rules_version) -> _Course:
    """Set up the map and the caravans; draw the seat that begins (ruling 22).

    The starting gear is an option since rules version 2. A load above the capacity slows the first
    turn down like any other (ruling 24).
    """
    course: _Course = Course.begin(_map(options, seats, draw), evolve)
    if version > 1:
        course.happen(_gear(options))
    starter = draw(seats)
    course.happen(StarterDrawn(starter))
    course.happen(RoundOpened(1, *prices(0, 1)))
    open_turn(course, starter)
    return course


def _gear(options: Options) -> StartingGearSet:
    one, other = options.animals  # a list if it comes from a file or the page
    return StartingGearSet(options.gold, options.spice, options.silk, (one, other), options.caravan)


def _map(options: Options, seats: int, draw: Draw) -> MapLaid:
    kind, patience = options.map, options.patience
    if kind == "custom":
        plan = drawn_map(options.custom)
        return MapLaid(seats, kind, plan.name, 0, plan.rows, plan.treasure, patience)
    if kind == "generated":
        seed = options.seed or 1 + draw(SEEDS)
        chart = generated(options.size, seed)
        return MapLaid(seats, kind, "", seed, chart.rows, chart.treasure, patience)
    chart = PRESETS[kind]
    return MapLaid(seats, kind, "", 0, chart.rows, chart.treasure, patience)


# --- whose turn, which choices --------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the one seat to act; none when the game is over."""
    return () if state.step in ("", OVER) else (state.seat,)


def turn(state: State) -> int:
    """Return the number of the turn, missed ones included."""
    return state.turn


def choices(state: State, seat: Seat) -> list[Command]:
    """Return every legal command of the seat, in a fixed order."""
    if seat != state.seat:
        return []
    match state.step:
        case "move":
            return _ways(state)
        case "oasis":
            return [Take(what) for what in RESOURCES]
        case "fortune":
            return [Ignore(), Heed()]
        case "card":
            return answers(state)
        case "extra":
            return [STOP, *_extra_ways(state)]
        case "camp":
            return [DONE, *trades(state)]
        case "city":
            return [DONE, *exchanges(state.players[seat])]
        case _:
            return []


groups = listed(choices)


def _ways(state: State) -> list[Command]:
    """List steps and, before the first one, what may be thrown away."""
    player = state.players[state.seat]
    left = state.speed - state.walked
    moves = ground_of(state.land).moves[player.at]
    found: list[Command] = []
    if left > 1:
        found += moves
    elif left == 1:  # a turn must not end where it began (rulings 5 and 23)
        began = place_of(state, state.began)
        found += [move for move in moves if move.to != began]
    if state.walked:
        if player.at != state.began:
            found.append(STOP)
        return found
    return [*found, *([] if left else [Stay()]), *jettisons(player)]


def _extra_ways(state: State) -> list[Move]:
    """List the extra steps (ruling 25)."""
    began = place_of(state, state.began)
    moves = ground_of(state.land).moves[state.players[state.seat].at]
    return [move for move in moves if move.to != began]


# --- the seat acts --------------------------------------------------------------------------


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = TITLE.rules_version
) -> _Course:
    """Decide a command, up to the next choice of anybody. Raises `IllegalMove`."""
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "It is another caravan's turn.")
    course: _Course = Course(state, evolve)
    match state.step, command:
        case "move" | "extra", Move():
            _go(course, command)
        case "move" | "extra", Stop():
            _halt(course)
        case "move", Jettison():
            _jettison(course, command)
        case "move", Stay():
            stay(course)
        case "oasis", Take(what=what) if what in RESOURCES:
            course.happen(Gained(seat, what, OASIS_GAIN))
        case "fortune", _:
            fortune(course, command)
        case "card", _:
            answer(course, command)
        case "camp", Sell() | Buy():
            course.happen(traded(state, command))
        case "city", Exchange():
            course.happen(refitted(state, command))
        case "camp" | "city", Done():
            course.happen(MarketLeft(seat))
        case _:
            raise IllegalMove("wrong_step", "Something else is to be chosen now.")
    _go_on(course, draw)
    return course


def _go(course: _Course, command: Move) -> None:
    """Make a step; end the movement if no other step can follow."""
    state = course.state
    _check_step(state, command)
    course.happen(CaravanMoved(state.seat, command.to))
    if state.step == EXTRA:
        _visit(course)
    elif state.walked + 1 == state.speed or tile(course.state) == FINISH:
        _stop(course)  # no step left, or the path is at its end (rulings 20 and 23)


def _halt(course: _Course) -> None:
    """End the movement before its last step, or forgo an extra step."""
    state = course.state
    if state.step == EXTRA:
        course.happen(StepForgone(state.seat))
        return
    if state.players[state.seat].at == state.began:
        raise IllegalMove("back_where_it_began", "A turn may not end where it began.")
    _stop(course)


def _check_step(state: State, command: Move) -> None:
    at = state.players[state.seat].at
    ground = ground_of(state.land)
    left = 1 if state.step == EXTRA else state.speed - state.walked
    if not left:
        raise IllegalMove("no_speed", "The load holds the caravan back: throw some away, or stay.")
    if command not in ground.moves[at]:
        raise IllegalMove("no_way", "One step leads to a neighbouring tile, and into no river.")
    if left == 1 and ground.cell(command.to) == state.began:
        raise IllegalMove("back_where_it_began", "A turn may not end where it began.")


def _jettison(course: _Course, command: Jettison) -> None:
    """Throw resources away before the first step; the speed is recomputed (ruling 24)."""
    state = course.state
    if state.walked:
        raise IllegalMove("on_the_way", "A load is thrown away before the first step.")
    player = state.players[state.seat]
    if command not in jettisons(player):
        raise IllegalMove("wrong_amount", "This amount is not offered.")
    lighter = with_more(player, command.what, -command.amount)
    now = speed(lighter, tile(state), state.bonus)
    course.happen(LoadDropped(state.seat, command.what, command.amount, now))


# --- the caravan stops ----------------------------------------------------------------------


def _stop(course: _Course) -> None:
    """End the movement: determine the cards to draw, then apply the tile (ruling 3)."""
    state = course.state
    deck = DECK_OF.get(tile(state))
    cards = 0 if deck is None else 1
    if NOMAD_CARD in state.players[state.seat].kept:
        spend(course, state.seat, NOMAD_CARD, lapsed=deck is None)  # ruling 13
        cards *= 2
    course.happen(CaravanStopped(state.seat, "" if deck is None else DECKS[deck], cards))
    _visit(course)


def _visit(course: _Course) -> None:
    """Apply the tile on which a caravan has stopped: treasure, gain, camp, city, finish."""
    state = course.state
    seat, here = state.seat, tile(state)
    at = state.players[seat].at
    if here == FINISH:
        worth = wealth(state.players[seat], state.silk, state.spice)
        course.happen(FinishReached(seat, state.round, worth))
        return
    if at in state.treasure:
        course.happen(TreasureTaken(seat, place_of(state, at)))
    if here in GAINS:
        course.happen(Gained(seat, *GAINS[here]))
    elif here == OASIS:
        course.happen(ChoiceOffered(seat, OASIS_STEP))
    elif camp_good(state) and trades(state):
        course.happen(ChoiceOffered(seat, CAMP))
    elif in_city(state) and exchanges(state.players[seat]):
        course.happen(ChoiceOffered(seat, CITY_STEP))


def _go_on(course: _Course, draw: Draw) -> None:
    """Continue with cards, extra steps and skipped turns up to the next choice of anybody."""
    if course.state.step == CAMP and not trades(course.state):
        course.happen(MarketLeft(course.state.seat))
    if course.state.step == CITY_STEP and not exchanges(course.state.players[course.state.seat]):
        course.happen(MarketLeft(course.state.seat))
    while not course.state.step:
        state = course.state
        if state.cards:
            draw_card(course, draw)
        elif state.extra and _extra_ways(state):
            course.happen(ChoiceOffered(state.seat, EXTRA))
        elif state.extra:
            course.happen(StepForgone(state.seat))
        else:
            next_turn(course)


# --- the end --------------------------------------------------------------------------------


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings once the game is over, else None."""
    if state.step != OVER:
        return None
    standings = []
    for seat, player in enumerate(state.players):
        detail = {
            "finished": player.finished or None,
            "gold": player.gold,
            "silk": player.silk,
            "spice": player.spice,
            "treasure": player.treasure,
            "equipment": equipment(player),
        }
        standings.append(Standing(seat, state.ranks[seat], state.scores[seat], detail))
    return tuple(sorted(standings, key=lambda standing: (standing.rank, standing.seat)))


if TYPE_CHECKING:
    from domain.conquest import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
