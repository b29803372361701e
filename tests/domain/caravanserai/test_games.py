"""Invariants of whole random games for 1 to 6 seats, base and expert."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import IllegalMove, pick_any
from domain.games.caravanserai import rules
from domain.games.caravanserai.commands import (
    LayBlock,
    LayCamelDown,
    PlaceCamel,
    SetGood,
    StartAt,
    TakeFrom,
)
from domain.games.caravanserai.events import EVENTS, EndAnnounced, GameEnded, TailReturned
from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import TAKEN, State, current_step, standing_cells
from tests.domain.caravanserai.notation import no_draw
from tests.game_contract.strict_english import format_message, format_reason

TABLES = [
    pytest.param(seats, expert, id=f"{seats}{'-expert' if expert else ''}")
    for seats in range(1, 7)
    for expert in (False, True)
]
NAMES = ("Ann", "Ben", "Cem", "Dan", "Eva", "Flo")
CODES = {
    "dead_end",
    "lying_used",
    "market_lacks",
    "no_such_cell",
    "no_such_good",
    "no_turn",
    "not_a_caravanserai",
    "not_adjacent",
    "not_declinable",
    "not_expert",
    "not_outer",
    "occupied",
    "same_colour",
    "too_few_camels",
    "too_few_goods",
    "unknown_colour",
    "wrong_cell",
    "wrong_size",
    "wrong_step",
}


def begin(seats: int, expert: bool, rng: random.Random) -> State:
    state = None
    for event in rules.setup(rules.Options(expert=expert), seats, rng.randrange).events:
        state = rules.evolve(state, event)
    assert state is not None
    return state


def after(state: State, command: Any) -> State:
    for event in rules.decide(state, state.seat, command, no_draw).events:
        state = rules.evolve(state, event)
    return state


def pieces(state: State) -> Counter[str]:
    """Count every piece in reserves, caravans, the market and on the board."""
    found: Counter[str] = Counter()
    for player in state.players:
        found["camel"] += player.camels
        found.update(dict(zip(COLOURS, player.goods, strict=True)))
        found.update("camel" if kind == "lying" else kind for kind in player.kinds)
    found.update(dict(zip(COLOURS, state.market, strict=True)))
    found.update(str(state.board.colours[cell]) for cell in standing_cells(state))
    return found


def check(state: State, whole: Counter[str]) -> None:
    """Pieces are conserved, nothing is negative, one piece per cell, caravans are lines."""
    assert pieces(state) == whole
    assert min(state.market) >= 0
    for player in state.players:
        assert min(player.goods) >= 0
        assert player.camels >= 0
        for cell, following in zip(player.cells, player.cells[1:], strict=False):
            assert following in state.board.step[cell]
    lying = [cell for player in state.players for cell in player.cells]
    assert len(set(lying)) == len(lying)
    off_board = len(state.board.cells)
    taken = [cell for cell, what in enumerate(state.ground) if what == TAKEN]
    assert taken == [*sorted(lying), off_board]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "expert"), TABLES)
def test_random_games(seats: int, expert: bool) -> None:
    """Pieces are conserved, only the seat to act has choices and never none, the length grows by
    what is omitted, all choices are accepted and said in words, and the game ends."""
    rng = random.Random(seats * 2 + expert)
    state = begin(seats, expert, rng)
    whole = pieces(state)
    assert whole == {"camel": 8 * seats, **dict.fromkeys(COLOURS, 3 * seats + 6 + expert)}
    seen: set[type] = set()
    expected = [1] * seats
    for number in range(2000):
        if state.ranking is not None:
            break
        choices = rules.choices(state, state.seat)
        assert choices
        assert rules.to_act(state) == (state.seat,)
        assert not any(rules.choices(state, s) for s in range(seats) if s != state.seat)
        assert len(set(choices)) == len(choices)
        if number % 7 == 0:
            for choice in choices:
                check(after(state, choice), whole)
                label = rules.label(state, state.seat, choice)
                assert format_message("caravanserai", label.key, label.args, NAMES)
        turn, seat = state.turn, state.seat
        events = rules.decide(state, seat, rng.choice(choices), no_draw).events
        for event in events:
            state = rules.evolve(state, event)
            seen.add(type(event))
            key, args = rules.tell(event)
            assert format_message("caravanserai", key, args, NAMES)
            if isinstance(event, TailReturned):
                assert event.pieces - len(event.back) == event.omitted
                expected[seat] += event.omitted
                assert len(state.players[seat].cells) == expected[seat]
        assert rules.turn(state) >= turn
        check(state, whole)
    assert state.ranking is not None
    assert GameEnded in seen
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [standing.rank for standing in outcome] == list(range(1, seats + 1))
    assert sorted(standing.seat for standing in outcome) == list(range(seats))


def test_every_kind_of_event_occurs_in_random_play() -> None:
    """So the tests above cover them all; for the end of long games see test_long_games."""
    seen: set[type] = set()
    for seed in range(60):
        rng = random.Random(seed)
        seats = 1 + seed % 6
        state = None
        options = rules.Options(expert=seed % 2 == 0, long_games_end=True)
        for event in rules.setup(options, seats, rng.randrange).events:
            state = rules.evolve(state, event)
            seen.add(type(event))
        while state is not None and state.ranking is None:
            choice = rng.choice(rules.choices(state, state.seat))
            for event in rules.decide(state, state.seat, choice, no_draw).events:
                state = rules.evolve(state, event)
                seen.add(type(event))
        if seen >= set(EVENTS) - {EndAnnounced}:
            return
    raise AssertionError(f"never seen: {set(EVENTS) - seen}")


def mutant(command: Any, state: State, rng: random.Random) -> Any:
    """Return a slightly changed legal command, or an unrelated one."""
    cell = rng.randrange(-2, len(state.board.cells) + 2)
    strangers = [
        StartAt(cell),
        PlaceCamel(cell),
        LayCamelDown(cell),
        TakeFrom(rng.randrange(-1, 7)),
        SetGood(rng.choice(COLOURS), cell),
        LayBlock(rng.choice(COLOURS), (cell,)),
    ]
    if rng.random() < 0.3:
        return rng.choice(strangers)
    match command:
        case LayBlock(colour=colour, path=path, declined=declined):
            at = rng.randrange(len(path))
            return rng.choice(
                [
                    LayBlock(rng.choice([*COLOURS, "silk"]), path, declined),
                    LayBlock(colour, path[:-1], declined),
                    LayBlock(colour, (*path, cell), declined),
                    LayBlock(colour, (*path[:at], cell, *path[at + 1 :]), declined),
                    LayBlock(colour, (*path, *state.board.step[path[-1]][:1]), declined),
                    LayBlock(colour, path[::-1], declined),
                    LayBlock(colour, path, (*declined, rng.choice(path))),
                    LayBlock(colour, path, (cell,)),
                ]
            )
        case SetGood(colour=colour, cell=where):
            return rng.choice([SetGood(rng.choice([*COLOURS, ""]), where), SetGood(colour, cell)])
        case TakeFrom(whom=whom):
            return TakeFrom(whom + rng.choice([-1, 1, 7]))
        case _:
            return type(command)(cell)


@pytest.mark.parametrize(("seats", "expert"), TABLES)
def test_mutated_commands_are_refused(seats: int, expert: bool) -> None:
    """200 and more almost legal commands per game: rejected with the code of a rule, and accepted
    only if they happen to be among the choices."""
    rng = random.Random(seats)
    state = begin(seats, expert, rng)
    refused = 0
    while state.ranking is None or refused < 200:
        if state.ranking is not None:
            state = begin(seats, expert, rng)
        commands = rules.choices(state, state.seat)
        legal = set(commands)
        for _ in range(6):
            command = mutant(rng.choice(commands), state, rng)
            if command in legal:
                assert rules.decide(state, state.seat, command, no_draw).events
                continue
            with pytest.raises(IllegalMove) as refusal:
                rules.decide(state, state.seat, command, no_draw)
            assert refusal.value.code in CODES
            assert format_reason("caravanserai", refusal.value)
            refused += 1
        state = after(state, rng.choice(commands))


def test_another_seat_cannot_move() -> None:
    """4: each in turn."""
    state = begin(3, False, random.Random(1))
    command = rules.choices(state, state.seat)[0]
    with pytest.raises(IllegalMove) as refusal:
        rules.decide(state, (state.seat + 1) % 3, command, no_draw)
    assert refusal.value.code == "not_your_turn"


@pytest.mark.parametrize(("seats", "expert"), TABLES)
def test_the_bot_plays_whole_games(seats: int, expert: bool) -> None:
    """Its suggestions are among the choices."""
    rng = random.Random(7)
    state = begin(seats, expert, rng)
    while state.ranking is None:
        choice = suggest_command("caravanserai", state, state.seat, Thinking(rng.randrange, "easy"))
        assert choice in rules.choices(state, state.seat)
        state = after(state, choice)


def longer(play: Callable[..., Any]) -> float:
    """Return how many times longer caravans become with a strategy than at random, over 24 games of
    two seats, base and expert, either seat first."""
    mine = chance = 0
    for seed in range(24):
        rng = random.Random(seed)
        me = seed % 2
        state = begin(2, seed % 4 > 1, rng)
        while state.ranking is None:
            choices = rules.choices(state, state.seat)
            choice = rng.choice(choices)
            if state.seat == me:
                choice = play(state, me, choices, rng.randrange)
            state = after(state, choice)
        mine += len(state.players[me].cells)
        chance += len(state.players[1 - me].cells)
    return mine / chance


def easy(state: Any, seat: int, _choices: Any, draw: Any) -> Any:
    return suggest_command("caravanserai", state, seat, Thinking(draw, "easy"))


def test_the_bot_outdoes_chance() -> None:
    """Its caravans are more than twice as long as with random play in the same games."""
    assert longer(easy) > 2
    assert longer(lambda _state, _seat, choices, draw: pick_any(choices, draw)) < 1.5


def test_events_survive_json_and_fold_to_the_same_state() -> None:
    """Stored events rebuild the game without calling its rules."""
    rng = random.Random(11)
    events = list(rules.setup(rules.Options(expert=True), 3, rng.randrange).events)
    state: Any = None
    for event in events:
        state = rules.evolve(state, event)
    while state.ranking is None:
        command = rng.choice(rules.choices(state, state.seat))
        made = rules.decide(state, state.seat, command, no_draw).events
        events += made
        for event in made:
            state = rules.evolve(state, event)
    decoder = msgspec.json.Decoder(tuple[EVENTS[0] | _union(EVENTS[1:]), ...])  # type: ignore[misc]
    again = decoder.decode(msgspec.json.encode(events))
    folded = None
    for event in again:
        folded = rules.evolve(folded, event)
    assert folded == state


def _union(kinds: tuple[type, ...]) -> Any:
    found: Any = kinds[0]
    for kind in kinds[1:]:
        found = found | kind
    return found


def test_steps_are_named() -> None:
    """The view names the step that the seat to act is at."""
    rng = random.Random(5)
    state = begin(3, False, rng)
    seen = set()
    while state.ranking is None:
        seen.add(current_step(state))
        assert rules.view(state, None)["step"] == current_step(state)
        state = after(state, rng.choice(rules.choices(state, state.seat)))
    assert {"start", "place", "set"} <= seen
    assert rules.view(state, None)["step"] == "over"
