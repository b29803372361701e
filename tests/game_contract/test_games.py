"""Properties that hold for every game, whatever its rules."""

import random
from typing import Any

import msgspec
import pytest

from domain.contract.game import ALL_SEEING, IllegalMove
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.match.commands import AnswerUndo, Redo, Undo
from domain.match.events import is_kernel
from domain.match.fork import create_fork
from domain.match.fork_secrecy import hides_from_player
from domain.match.messages import tell as kernel_tell
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from domain.toolkit.randomness import RecordedDraws
from tests.game_contract.mutate import mutated
from tests.game_contract.play import Table, opened, play, random_steps, table_id, tables, to_the_end
from tests.game_contract.strict_english import format_message, format_reason

STEPS = 160
TABLES = [pytest.param(table, id=table_id(table)) for table in tables()]


def json_of(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def no_draws(n: int) -> int:
    return n - 1


def names(timeline: Timeline) -> tuple[str, ...]:
    return tuple(seat.name for seat in timeline.latest.seats)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_choices_are_exactly_what_decide_accepts(table: Table) -> None:
    """Seats to act have choices and others none; every choice is accepted, has a text and survives
    JSON.

    Of the mutated commands (200 per game), all that are not choices are rejected.
    """
    rng = random.Random(1)
    timeline = opened(table, 1)
    codec = codec_of(table[0])
    refused = 0
    for _ in random_steps(timeline, rng, STEPS):
        state = timeline.latest.state
        acting = timeline.to_act(timeline.latest)
        for seat in range(table[1]):
            choices = timeline.rules.choices(state, seat)
            assert bool(choices) == (seat in acting)
            if not choices:
                continue
            plain = [json_of(choice) for choice in choices]
            assert len(set(plain)) == len(plain)
            for choice in rng.sample(choices, min(4, len(choices))):
                assert codec.parse_command(msgspec.json.decode(json_of(choice))) == choice
                label = timeline.rules.label(state, seat, choice)
                assert format_message(table[0], label.key, label.args, names(timeline))
                course = timeline.rules.decide(state, seat, choice, no_draws)
                assert course.events
                assert course.state == folded(timeline.rules, state, course.events)
            for _ in range(4):
                refused += _mutated_is_refused(timeline, seat, choices, set(plain), rng)
    assert refused >= 200 or timeline.latest.status == "finished"
    assert refused > 50


def folded(rules: Any, state: Any, events: list[Any]) -> Any:
    for event in events:
        state = rules.evolve(state, event)
    return state


def _mutated_is_refused(
    timeline: Timeline, seat: int, choices: list[Any], legal: set[bytes], rng: random.Random
) -> bool:
    plain = mutated(msgspec.to_builtins(rng.choice(choices)), rng)
    try:
        command = codec_of(timeline.latest.opened.game).parse_command(plain)
    except msgspec.ValidationError:
        return True
    if json_of(command) in legal:
        return False
    with pytest.raises(IllegalMove) as error:
        timeline.rules.decide(timeline.latest.state, seat, command, no_draws)
    assert error.value.code
    assert format_reason(timeline.latest.opened.game, error.value)
    return True


@pytest.mark.parametrize("table", TABLES)
def test_replay_equals_live_and_events_can_be_told(table: Table) -> None:
    """Bytes decode to the same decisions, folding them gives the same states, and re-deciding with
    the recorded draws gives the same bytes.

    Every version has a view and event texts.
    """
    timeline = opened(table, 2)
    for _ in random_steps(timeline, random.Random(2), STEPS):
        pass
    codec = codec_of(table[0])
    opening, laid = timeline.decisions[0].command, timeline.decisions[1]
    course = codec.rules.setup(
        codec.rules.Options(**opening.options),
        table[1],
        RecordedDraws(laid.draws),
        opening.rules_version,
    )
    assert [*laid.events[1:]] == course.events
    assert course.state == timeline.moments[1].state
    stored = [codec.encode(decision) for decision in timeline.decisions]
    again = Timeline(codec.rules, map(codec.decode, stored))
    assert [*again.decisions] == [*timeline.decisions]
    assert [m.state for m in again.moments] == [m.state for m in timeline.moments]
    state = None
    for index, decision in enumerate(again.decisions):
        draw = RecordedDraws(decision.draws)
        before = again.moments[index - 1] if index else None
        made = again.decide(before, decision.seat, decision.command, draw)
        assert made.events == decision.events
        draw.check_exhausted()
        for offset, event in enumerate(decision.events):
            text_domain, teller = (
                ("kernel", kernel_tell) if is_kernel(event) else (table[0], codec.rules.tell)
            )
            for viewer in (None, 0, ALL_SEEING):
                shown = event if is_kernel(event) else codec.rules.redact(event, viewer)
                assert type(shown) is type(event)
                assert format_message(text_domain, *teller(shown), names(timeline))
            if not is_kernel(event):
                state = codec.rules.evolve(state, event)
                assert again.at(decision.version + offset).state == state


@pytest.mark.parametrize("table", TABLES)
def test_undo_to_the_start_at_every_step(table: Table) -> None:
    """With one person on all seats, undo to the first move and redo everything, byte for byte."""
    rng = random.Random(3)
    timeline = opened(table, 3, people=1)
    begun = timeline.version
    start = json_of(timeline.latest.state)
    for step, _ in enumerate(random_steps(timeline, rng, 40)):
        if step == 0:
            continue
        seat, state = rng.randrange(table[1]), json_of(timeline.latest.state)
        play(timeline, seat, Undo(begun))
        assert json_of(timeline.latest.state) == start
        play(timeline, seat, Redo())
        assert json_of(timeline.latest.state) == state
        back = rng.randint(begun, timeline.version - 2)
        if timeline.undo_kind(seat, back).kind:
            play(timeline, seat, Undo(back))
            assert json_of(timeline.latest.state) == json_of(
                timeline.moments[timeline.index(back)].state
            )
            play(timeline, seat, Redo())
            assert json_of(timeline.latest.state) == state


@pytest.mark.parametrize("table", TABLES)
def test_undo_of_each_kind_then_redo(table: Table) -> None:
    """With one person per seat, at random moments: free at once, or by consent when all agree."""
    rng = random.Random(4)
    timeline = opened(table, 4)
    kinds = set()
    for _ in random_steps(timeline, rng, 60):
        seat = rng.randrange(table[1])
        to = rng.choice([None, rng.randint(1, timeline.version)])
        undo, state = timeline.undo_kind(seat, to), json_of(timeline.latest.state)
        if undo.kind is None or undo.reason == "why-secret":
            continue
        kinds.add(undo.kind)
        play(timeline, seat, Undo(to))
        if undo.kind == "consent":
            assert json_of(timeline.latest.state) == state
            for other in range(table[1]):
                if other != seat:
                    play(timeline, other, AnswerUndo(True))
        target = timeline.moments[timeline.index(undo.to_version or 0)]
        assert json_of(timeline.latest.state) == json_of(target.state)
        play(timeline, seat, Redo())
        assert json_of(timeline.latest.state) == state
    assert "consent" in kinds or table[1] == 1


@pytest.mark.parametrize("table", TABLES)
def test_a_fork_stands_where_it_began(table: Table) -> None:
    rng = random.Random(6)
    timeline = opened(table, 6, people=1)
    for step, _ in enumerate(random_steps(timeline, rng, 60)):
        if step % 9 == 4:
            play(
                timeline,
                0,
                Undo(rng.randint(timeline.decisions[1].last_version, timeline.version - 1)),
            )
    for version in rng.sample(range(timeline.decisions[1].last_version, timeline.version + 1), 6):
        opening = timeline.decisions[0].command
        if timeline.at(version).status == "finished":
            continue
        branch = Timeline(timeline.rules, create_fork(timeline, version, "origin", opening))
        assert branch.latest.state == timeline.moments[timeline.index(version)].state
        assert branch.latest.opened.forked_from.match == "origin"
        assert branch.undone_indexes() == set()
        assert not hides_from_player(branch, branch.version, [*range(table[1])])


def accept_any_options(_title: Any, _options: Any) -> None:
    """Accept any options: the service validates them by their schema, and here they come from
    it."""


@pytest.mark.parametrize("slug", TITLES)
def test_a_finished_match_file_verifies_and_a_changed_one_does_not(slug: str) -> None:
    title = TITLES[slug]
    options = {name: part["default"] for name, part in schema_of(title)["properties"].items()}
    timeline = finished((slug, title.seats[0], options))
    document = msgspec.json.decode(msgspec.json.encode(export_match("some-id", timeline, None)))
    assert document["fairness"]["seed"] == timeline.latest.opened.seed
    proven = verify(document, accept_any_options)
    assert proven.latest.state == timeline.latest.state


def finished(table: Table, limit: int = 60_000) -> Timeline:
    """Return a whole game played by the simple bots."""
    timeline = opened(table, 7, people=1)
    to_the_end(timeline, random.Random(7), limit)
    return timeline
