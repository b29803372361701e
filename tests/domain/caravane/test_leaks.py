"""Deliberate leaks in the game are found by the comparison of `tests.game_contract`."""

import random
from typing import Any

import pytest

from domain.contract.game import Label
from domain.games.caravane import rules
from domain.games.caravane.commands import Bid
from domain.matchfile import writer
from tests.game_contract.indistinguishable_states import other_world
from tests.game_contract.play import opened, play
from tests.game_contract.test_secrecy import as_bytes, leaks

CARAVANE = ("caravane", 3, {"split": False, "food": False, "keep_secrets": False})


def bids(state: Any) -> list[int]:
    return [racer.bid or 0 for racer in state.racers]


def leaky_view() -> dict[str, Any]:
    return {"view": lambda s, v, real=rules.view: {**real(s, v), "debug": bids(s)}}


def leaky_label() -> dict[str, Any]:
    def label(state: Any, seat: int, command: Any) -> Label:
        shown = real(state, seat, command)
        return Label(shown.key, {**shown.args, "hint": bids(state)})

    real = rules.label
    return {"label": label}


def leaky_choices() -> dict[str, Any]:
    """A seat not to act is offered as many choices as gourds were bid."""

    def choices(state: Any, seat: int) -> list[Any]:
        return real(state, seat) or [Bid(n) for n in bids(state)]

    real = rules.choices
    return {"choices": choices}


def leaky_turn() -> dict[str, Any]:
    return {"to_act": lambda s, real=rules.to_act: real(s) if sum(bids(s)) % 2 else real(s)[::-1]}


def leaky_count() -> dict[str, Any]:
    """A zero bid is recorded twice: the version number reveals it."""

    def decide(state: Any, seat: int, command: Any, draw: Any, version: int) -> Any:
        course = real(state, seat, command, draw, version)
        if not getattr(course.events[0], "gourds", 1):
            course.events.insert(0, course.events[0])
        return course

    real = rules.decide
    return {"decide": decide}


@pytest.mark.parametrize("leak", [leaky_view, leaky_label, leaky_choices, leaky_turn, leaky_count])
def test_a_leak_put_in_on_purpose_is_found(leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, function in leak().items():
        monkeypatch.setattr(rules, name, function)
    compared, differing = leaks(CARAVANE, steps=60)
    assert compared > 10
    assert differing > 0


def test_a_leak_in_the_match_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The draws or the command of a hidden decision would reveal it."""

    def telling(timeline: Any, decision: Any, *who: Any) -> dict[str, Any]:
        plain = writer.plain_decision(decision)
        return {**real(timeline, decision, *who), "command": plain["command"]}

    real = writer._redact_decision
    monkeypatch.setattr(writer, "_redact_decision", telling)
    compared, differing = leaks(CARAVANE, steps=60)
    assert compared > 10
    assert differing > 0


def test_a_leak_in_the_redaction_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pairs are made with the correct redaction, the comparison uses a leaky one."""
    timeline = opened(CARAVANE, 11)
    choice = rules.choices(timeline.latest.state, 1)[3]
    play(timeline, 1, choice)
    other = other_world(timeline, 0, random.Random(1))
    assert other is not None
    assert as_bytes(other[0], 0) == as_bytes(timeline, 0)
    monkeypatch.setattr(rules, "redact", lambda event, _viewer: event)
    assert as_bytes(other[0], 0) != as_bytes(timeline, 0)
