"""Invariants of whole random games, for every seat count and map."""

import random
from typing import Any

import msgspec
import pytest

from domain.contract.game import ALL_SEEING, IllegalMove
from domain.games.conquest import rules
from domain.games.conquest.board import ground_of
from domain.games.conquest.cards import CARDS, CARDS_PER_DECK, DECKS
from domain.games.conquest.commands import Move, Stop
from domain.games.conquest.equipment import CAPACITIES, RESOURCES, SPEEDS
from domain.games.conquest.events import (
    Bartered,
    Bought,
    CaravanMoved,
    Gained,
    LoadDropped,
    Lost,
    Refitted,
    Sold,
)
from domain.games.conquest.state import MOVE, OVER, State
from domain.games.conquest.title import TITLE
from domain.match.timeline import Timeline
from domain.matchfile.codec import Codec
from domain.text.english import english_messages
from domain.toolkit.randomness import RecordedDraws
from tests.domain.conquest.builders import fold, put, random_moves, total_cards
from tests.game_contract.mutate import mutated
from tests.game_contract.strict_english import format_message, format_reason

MAPS = [
    {"map": "short"},
    {"map": "standard"},
    {"map": "full"},
    {"map": "generated", "size": "short", "seed": 7},
    {"map": "custom", "custom": {"rows": ["BMOPSCF"], "treasure": [[0, 2]], "name": ""}},
]
TABLES = [
    pytest.param(seats, options, id=f"{seats}-{options['map']}")
    for seats in TITLE.seats
    for options in MAPS
]
MOST_ROUNDS = 60 + 10
"""Rounds of a game at most: those without a finisher, and those after the first (18, 39)."""
MOST_COMMANDS = 2_500
"""Commands of a game by chance at most; a player may trade to and fro without end, chance does
not (1,415 is the most in 1,500 games of 2 to 6 seats)."""
CODEC = Codec(TITLE, rules)
NAMES = ("A", "B", "C", "D", "E", "F")


def start(seats: int, options: dict[str, Any], rng: random.Random) -> State:
    return rules.setup(rules.Options(**options), seats, rng.randrange).state


def check(state: State) -> None:
    """Check the invariants."""
    acting = rules.to_act(state)
    for seat, player in enumerate(state.players):
        assert bool(rules.choices(state, seat)) == (seat in acting)
        assert min(player.gold, player.silk, player.spice, player.skip) >= 0
        assert {*player.animals} <= {*SPEEDS}
        assert player.caravan in CAPACITIES
        assert state.land[player.at] not in "R/"
        assert (state.land[player.at] == "F") == (player.finished > 0)
    for number in range(len(DECKS)):
        assert total_cards(state, number) == CARDS_PER_DECK
    assert 1 <= state.round <= MOST_ROUNDS
    assert bool(acting) == (state.step != OVER)
    assert (rules.outcome(state) is not None) == (state.step == OVER)
    assert state.drawn < 0 or state.step in ("card", "fortune")
    hash(state)


def whole_game(seats: int, options: dict[str, Any], seed: int, every: int) -> None:
    """Play a random game and check every n-th state; it must end in time."""
    rng = random.Random(f"{seats}/{options}/{seed}")
    state = start(seats, options, rng)
    chests = len(state.treasure)
    commands = 0
    for now, _ in random_moves(state, rng):
        if not commands % every:
            check(now)
            found = sum(player.treasure for player in now.players)
            assert len(now.treasure) + found == chests
        commands += 1
        state = now
    check(state)
    assert state.turn <= MOST_ROUNDS * seats
    assert commands <= MOST_COMMANDS
    outcome = rules.outcome(state)
    assert outcome is not None
    for standing in outcome:
        player = state.players[standing.seat]
        assert standing.score == (player.wealth if player.finished else 0)
        better = len([each for each in outcome if each.score > standing.score])
        assert standing.rank == (better + 1 if state.first_finish else seats)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_whole_games_by_chance(seats: int, options: dict[str, Any]) -> None:
    """They end in time, with cards, chests and limits kept; nobody wins unfinished."""
    whole_game(seats, options, 0, every=1)
    for seed in range(1, 12):
        whole_game(seats, options, seed, every=40)


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_a_thousand_whole_games_by_chance(seats: int, options: dict[str, Any]) -> None:
    for seed in range(1_000):
        whole_game(seats, options, seed, every=40)


def held(state: State, seat: int) -> dict[str, int]:
    player = state.players[seat]
    return {"gold": player.gold, "silk": player.silk, "spice": player.spice}


def booked(events: list[Any], seat: int) -> dict[str, int]:
    """Sum the changes of a seat's resources in the events."""
    change = dict.fromkeys(RESOURCES, 0)
    for event in events:
        if getattr(event, "seat", None) != seat:
            continue
        match event:
            case Gained(what=what, amount=amount):
                change[what] += amount
            case LoadDropped(what=what, amount=amount) | Lost(what=what, amount=amount):
                change[what] -= amount
            case Bartered(gives=gives, gets=gets, amount=amount):
                change[gives] -= 1
                if amount:
                    change[gets] += amount
            case Sold(what=what, amount=amount, gold=gold):
                change[what] -= amount
                change["gold"] += gold
            case Bought(what=what, amount=amount, gold=gold):
                change[what] += amount
                change["gold"] -= gold
            case Refitted(gold=gold):
                change["gold"] -= gold
    return change


@pytest.mark.parametrize("options", MAPS, ids=lambda each: each["map"])
def test_nothing_changes_hands_but_by_an_event(options: dict[str, Any]) -> None:
    """And a step is one to a neighbour that is no river; nobody ends where the turn began."""
    rng = random.Random(1)
    state = start(3, options, rng)
    while acting := rules.to_act(state):
        seat = acting[0]
        course = rules.decide(state, seat, rng.choice(rules.choices(state, seat)), rng.randrange)
        after = course.state
        assert after == fold(state, course.events)
        for each in range(3):
            change = booked(course.events, each)
            before = held(state, each)
            assert held(after, each) == {what: before[what] + change[what] for what in RESOURCES}
        moved = [event for event in course.events if isinstance(event, CaravanMoved)]
        for event in moved:
            here = ground_of(state.land).places[state.players[seat].at]
            assert abs(here[0] - event.to[0]) + abs(here[1] - event.to[1]) == 1
            assert state.land.split("/")[event.to[0]][event.to[1]] != "R"
        if after.turn != state.turn and (moved or state.walked):
            assert after.players[seat].at != state.began
        state = after


def can_end(state: State, at: int, left: int, began: int) -> bool:
    """Whether a walk with so many steps left may end at all, tried out step by step."""
    if at != began or state.land[at] == "F":
        return True
    ways = ground_of(state.land).neighbours[at]
    return left > 0 and any(can_end(state, to, left - 1, began) for to in ways)


def test_steps_are_offered_exactly_where_the_turn_can_still_end() -> None:
    """Rulings 5 and 23, beside a search of every way to walk on."""
    offered = 0
    for options in MAPS:
        rng = random.Random(2)
        for state, _ in random_moves(start(2, options, rng), rng):
            if state.step != MOVE:
                continue
            seat, left = state.seat, state.speed - state.walked
            at, ground = state.players[seat].at, ground_of(state.land)
            legal = {
                ground.places[to]
                for to in ground.neighbours[at]
                if left and can_end(state, to, left - 1, state.began)
            }
            choices = rules.choices(state, seat)
            assert {each.to for each in choices if isinstance(each, Move)} == legal
            assert (Stop() in choices) == (at != state.began)
            offered += len(legal)
    assert offered > 2_000


def test_every_choice_is_accepted_and_all_else_is_refused() -> None:
    rng = random.Random(3)
    refused = 0
    kinds = set()
    for options in MAPS:
        # One is too heavy to move, another can ignore a card.
        begun = put(start(4, options, rng), 0, gold=150)
        begun = put(begun, 1, kept=("Fortune Teller",))
        for state, command in random_moves(begun, rng):
            if command is None or rng.random() < 0.5:
                continue
            seat = state.seat
            choices = rules.choices(state, seat)
            legal = {msgspec.json.encode(choice) for choice in choices}
            assert len(legal) == len(choices) <= 16
            for choice in choices:
                kinds.add(type(choice))
                assert CODEC.parse_command(msgspec.to_builtins(choice)) == choice
                label = rules.label(state, seat, choice)
                assert "{" not in format_message("conquest", label.key, label.args, NAMES)
                assert rules.decide(state, seat, choice, rng.randrange).events
            for _ in range(2):
                plain = mutated(msgspec.to_builtins(rng.choice(choices)), rng)
                refused += is_refused(state, plain, legal)
            assert is_refused_of(state, (seat + 1) % 4, command)
    assert kinds == {*rules.COMMANDS}
    assert refused > 250


def is_refused(state: State, plain: dict[str, Any], legal: set[bytes]) -> bool:
    try:
        command = CODEC.parse_command(plain)
    except msgspec.ValidationError:
        return True
    return msgspec.json.encode(command) not in legal and is_refused_of(state, state.seat, command)


def is_refused_of(state: State, seat: int, command: Any) -> bool:
    with pytest.raises(IllegalMove) as error:
        rules.decide(state, seat, command, lambda n: 0)
    return bool(error.value.code and format_reason("conquest", error.value))


def strangers(state: State) -> list[Any]:
    """Return one command of every kind, legal or not."""
    seen: dict[type, Any] = {}
    rng = random.Random(5)
    for options in MAPS:
        for now, _ in random_moves(start(2, options, rng), rng):
            for seat in rules.to_act(now):
                for choice in rules.choices(now, seat):
                    seen.setdefault(type(choice), choice)
    return [*seen.values()]


def test_a_command_of_another_step_is_refused() -> None:
    """At each step of the game every kind of command is tried."""
    rng = random.Random(4)
    tried = set()
    state = start(3, MAPS[1], rng)
    known = strangers(state)
    for now, command in random_moves(state, rng):
        if command is None:
            continue
        choices = rules.choices(now, now.seat)
        for other in known:
            if other not in choices:
                assert is_refused_of(now, now.seat, other)
                tried.add((now.step, type(other)))
    assert len(tried) > 60


@pytest.mark.slow
@pytest.mark.parametrize("seats", TITLE.seats)
def test_replay_equals_live_and_all_can_be_told(seats: int) -> None:
    """Stored bytes give the same states, deciding again with the same draws the same events."""
    rng = random.Random(seats)
    state = None
    told = set()
    made = rules.setup(rules.Options(map="short"), seats, rng.randrange)
    for event in made.events:
        state = rules.evolve(state, event)
    assert state == made.state
    while acting := rules.to_act(made.state):
        before, drawn = made.state, []

        def draw(n: int, drawn: list[Any] = drawn) -> int:
            drawn.append((n, rng.randrange(n)))
            return int(drawn[-1][1])

        command = rng.choice(rules.choices(before, acting[0]))
        made = rules.decide(before, acting[0], command, draw)
        again = rules.decide(before, acting[0], command, RecordedDraws(tuple(drawn)))
        assert again.events == made.events
        for event in made.events:
            raw = msgspec.json.encode(event)
            assert msgspec.json.decode(raw, type=type(event)) == event
            assert "{" not in format_message("conquest", *rules.tell(event), NAMES)
            told.add(type(event))
        for viewer in (None, 0, ALL_SEEING):
            assert rules.view(made.state, viewer) == rules.view(made.state, None)
    assert len(told) > 15


def test_names_of_cards_and_things_can_be_said() -> None:
    known = english_messages("conquest")
    for card in CARDS:
        assert known[f"card-{card.name}"] == card.name
    assert {*known} >= {f"ware-{what}" for what in RESOURCES}
    assert {*known} >= {f"group-{each.__name__}" for each in rules.COMMANDS}


def test_time_travel_into_the_midst_of_a_decision() -> None:
    """Every event leads to a state that can be looked at."""
    rng = random.Random(6)
    made = rules.setup(rules.Options(map="short"), 3, rng.randrange)
    state: Any = None
    events = [*made.events]
    while acting := rules.to_act(made.state):
        command = rng.choice(rules.choices(made.state, acting[0]))
        made = rules.decide(made.state, acting[0], command, rng.randrange)
        events += made.events
    for event in events:
        state = rules.evolve(state, event)
        assert msgspec.json.encode(rules.view(state, None))
        for seat in range(3):
            assert bool(rules.choices(state, seat)) <= (seat in rules.to_act(state))
    assert state == made.state
    assert Timeline(rules).version == 0
