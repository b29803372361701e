"""Encoding and decoding of decisions, and upcasting of those written by older rules."""

from typing import Any

import msgspec
import pytest

from domain.contract.game import GameInfo
from domain.match.commands import Say, Start
from domain.match.events import MatchStarted
from domain.match.history import Decision
from domain.matchfile.codec import Codec
from tests.domain import toy


def title(version: int) -> GameInfo:
    return GameInfo("toy", "Toy", "nobody", (2,), toy.Options, version)


STARTED = Decision(2, None, Start(), (MatchStarted(), toy.PileLaid(9, 2)), ((5, 3),), 7)


def test_a_decision_survives_bytes_and_plain_values() -> None:
    codec = Codec(title(1), toy)
    assert codec.decode(codec.encode(STARTED)) == STARTED
    plain = msgspec.json.decode(msgspec.json.encode(codec.to_plain(STARTED)))
    assert codec.from_plain(plain) == STARTED
    assert codec.topic == "toy/1"


def heap_to_pile(plain: dict[str, Any]) -> dict[str, Any]:
    """Version 1 called the event HeapLaid and did not store the number of seats."""
    events = [
        {**event, "type": "PileLaid", "seats": 2} if event["type"] == "HeapLaid" else event
        for event in plain["events"]
    ]
    return {**plain, "events": events}


def test_old_bytes_are_upcast_and_not_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match stored under rules version 1 still folds under version 2."""
    monkeypatch.setattr(toy, "UPCASTS", {1: heap_to_pile}, raising=False)
    codec = Codec(title(2), toy)
    events = [{"type": "MatchStarted"}, {"type": "HeapLaid", "size": 9}]
    stored = msgspec.msgpack.encode([2, None, {"type": "Start"}, events, [[5, 3]], 7])
    assert codec.decode(stored, 1) == STARTED
    with pytest.raises(msgspec.ValidationError):
        codec.decode(stored, 2)
    assert codec.decode(codec.encode(STARTED), 2) == STARTED
    assert codec.from_plain(codec.to_plain(STARTED), 1) == STARTED, "a match file has this shape"


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        "x",
        {},
        {"type": "Take"},
        {"type": "Take", "n": "1"},
        {"type": "Take", "n": 1, "x": 1},
    ],
)
def test_invalid_command_is_rejected(plain: Any) -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        Codec(title(1), toy).parse_command(plain)
    assert "$.command" not in str(error.value)


def test_error_in_a_command_names_its_field() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"at `\$\.n`"):
        Codec(title(1), toy).parse_command({"type": "Take", "n": "1"})


def test_kernel_commands_are_no_game_commands() -> None:
    codec = Codec(title(1), toy)
    with pytest.raises(msgspec.ValidationError):
        codec.parse_command(msgspec.to_builtins(Say("hello")))
