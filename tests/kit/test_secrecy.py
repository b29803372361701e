"""Nothing that a viewer may not know leaves a game: two worlds, one sight.

Only games with secrets stand here; that the tests can fail is shown by leaking on purpose."""

import random
from typing import Any

import msgspec
import pytest

from domain import matchfile
from domain.game import Choice
from domain.match import Timeline
from domain.matchfile import export
from domain.register import rules_of
from tests.kit.play import Table, opened, play, random_steps, table_id, tables
from tests.kit.worlds import other_world, sent_to

SECRET_GAMES = ("caravane", "caravanserail", "courtyard")
TABLES = [pytest.param(table, id=table_id(table)) for table in tables() if table[0] in SECRET_GAMES]


def as_bytes(timeline: Timeline, viewer: int | None) -> bytes:
    sent = [*sent_to(timeline, viewer), export("id", timeline, viewer)]
    return msgspec.json.encode(sent, order="sorted")


def leaks(table: Table, steps: int = 120) -> tuple[int, int]:
    """How many pairs of worlds were compared, and in how many the viewer saw a difference."""
    rng = random.Random(11)
    timeline = opened(table, 11)
    compared = differing = 0
    for _ in random_steps(timeline, rng, steps):
        for viewer in (None, rng.randrange(table[1])):
            other = other_world(timeline, viewer, rng)
            if other is not None:
                compared += 1
                differing += as_bytes(other[0], viewer) != as_bytes(timeline, viewer)
    return compared, differing


@pytest.mark.parametrize("table", TABLES)
def test_two_worlds_look_the_same(table: Table) -> None:
    compared, differing = leaks(table)
    assert compared > 10
    assert differing == 0


CARAVANE = ("caravane", 3, {"split": False, "food": False, "keep_secrets": False})


def bids(state: Any) -> list[int]:
    return [racer.bid or 0 for racer in state.racers]


def leaky_view(rules: Any) -> dict[str, Any]:
    return {"view": lambda s, v, real=rules.view: {**real(s, v), "debug": bids(s)}}


def leaky_label(rules: Any) -> dict[str, Any]:
    def choices(state: Any, seat: int) -> list[Choice]:
        shown = [
            Choice(c.command, c.key, {**c.args, "hint": bids(state)}) for c in real(state, seat)
        ]
        return shown or [Choice(None, "ready", {"bids": bids(state)})]

    real = rules.choices
    return {"choices": choices}


def leaky_turn(rules: Any) -> dict[str, Any]:
    return {"to_act": lambda s, real=rules.to_act: real(s) if sum(bids(s)) % 2 else real(s)[::-1]}


def leaky_count(rules: Any) -> dict[str, Any]:
    """A bid of nothing is written down twice: the version number tells."""

    def decide(state: Any, seat: int, command: Any, draw: Any) -> list[Any]:
        events = real(state, seat, command, draw)
        return events if getattr(events[0], "gourds", 1) else [events[0], *events]

    real = rules.decide
    return {"decide": decide}


@pytest.mark.parametrize("leak", [leaky_view, leaky_label, leaky_turn, leaky_count])
def test_a_leak_put_in_on_purpose_is_found(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("caravane")
    for name, function in leak(rules).items():
        monkeypatch.setattr(rules, name, function)
    compared, differing = leaks(CARAVANE, steps=60)
    assert compared > 10
    assert differing > 0


def test_a_leak_in_the_match_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws or the command of a hidden decision would tell."""

    def telling(codec: Any, decision: Any, viewer: Any, finished: bool) -> dict[str, Any]:
        plain = codec.to_plain(decision)
        return {**real(codec, decision, viewer, finished), "command": plain["command"]}

    real = matchfile._shown
    monkeypatch.setattr(matchfile, "_shown", telling)
    compared, differing = leaks(CARAVANE, steps=60)
    assert compared > 10
    assert differing > 0


def test_a_leak_in_the_redaction_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worlds are made with the true redaction, the looking is done with a leaky one."""
    rules = rules_of("caravane")
    timeline = opened(CARAVANE, 11)
    choice = rules.choices(timeline.now.state, 1)[3]
    play(timeline, 1, choice.command)
    other = other_world(timeline, 0, random.Random(1))
    assert other is not None
    assert as_bytes(other[0], 0) == as_bytes(timeline, 0)
    monkeypatch.setattr(rules, "redact", lambda event, _viewer: event)
    assert as_bytes(other[0], 0) != as_bytes(timeline, 0)
