"""Texts of the kernel: every event, reason and error has an English message."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain import match
from domain.match import events as e
from domain.match.messages import tell
from domain.match.seats import Origin, Seat
from domain.match.time_control import TimeoutAction
from domain.text.default_names import default_bot_name, default_person_name, parse_default_name
from domain.text.english import english_messages
from tests.game_contract.strict_english import format_message

NAMES = ("Ada", "Ben")
OPENED = e.MatchOpened("conquest", 1, {}, (Seat("human", "Ada", "ada"),), "private", "ada", "00")
TOLD: list[tuple[Any, str]] = [
    (OPENED, "Table created."),
    (
        replace(OPENED, forked_from=Origin("m", 7)),
        "Table created as a fork of another game (version 7).",
    ),
    (e.SeatTaken(1, "ben", "Ben"), "Ben joined."),
    (e.SeatLeft(1, "Bea", "open"), "Bea left; the seat is open."),
    (e.SeatLeft(1, default_person_name(2), "bot"), "A bot took over from Player 2."),
    (e.SeatLeft(1, "", "bot"), "A bot took the open seat."),
    (e.MatchStarted(), "The game started."),
    (e.UndoProposed(0, 3, "why-moved", {"who": 1}), "Ada asked to undo."),
    (e.UndoAnswered(1, True), "Ben agreed to the undo."),
    (e.UndoAnswered(1, False), "Ben declined the undo."),
    (e.MovesUndone(0, 3, "free"), "Ada undid moves."),
    (e.MovesRedone(0, 3), "Ada redid the moves."),
    (e.Said(0, "Hello {who:seat}"), "Ada: Hello {who:seat}"),
    (e.Said(None, ""), "A private message was sent."),
    (e.SeedRevealed("00"), "The random seed was revealed."),
    (e.TimeRanOut(0, "nudge"), "Ada ran out of time."),
    (e.TimeRanOut(0, "bot_moves"), "Ada ran out of time. A bot plays this move."),
    (e.TimeRanOut(0, "bot_takes"), "Ada ran out of time. A bot takes over."),
    (e.TimeRanOut(0, "vote"), "Ada ran out of time. The others may give the seat to a bot."),
    (e.WentAway(0), "Ada went on vacation."),
    (e.CameBack(0), "Ada came back from vacation."),
    (e.Voted(0, 1, True), "Ada voted to replace Ben with a bot."),
    (e.Voted(0, 1, False), "Ada voted to keep waiting for Ben."),
    (e.SeatRecovered(0, "ada", "pin"), "Ada continued on another device."),
    (e.SeatRecovered(0, "ada", "others"), "Ada came back on another device."),
    (
        e.RecoveryAsked(0, 1, "ben", 1, 1),
        "Ada asked the others to let Ben back in on another device.",
    ),
    (e.RecoveryAnswered(0, 1, True), "Ada agreed to let Ben back in."),
    (e.RecoveryAnswered(0, 1, False), "Ada refused to let Ben back in."),
    (e.RecoveryBegan(1), "Everyone agreed: Ben can come back after a delay."),
    (e.RecoveryEnded(1, "objected"), "Ben objected and kept the seat."),
    (e.RecoveryEnded(1, "expired"), "Ben didn’t get back in: not everyone agreed in time."),
    (e.SeatReclaimed(1, "ben", "Ben"), "Ben took the seat back from the bot."),
    (e.ReturnRequested(1), "Ben asked for the seat back."),
    (e.ReturnAnswered(0, 1, True), "Ada agreed to give Ben the seat back."),
    (e.ReturnAnswered(0, 1, False), "Ada voted to let the bot keep playing for Ben."),
]
SOURCES = [*Path(match.__file__).parent.glob("*.py")]


def known_messages(prefix: str) -> set[str]:
    """Return the ids that begin so, without those addressed to the player they are about."""
    known = {key for key in english_messages("kernel") if key.startswith(prefix)}
    return {key for key in known if not key.endswith(".you")}


def named_in_code(pattern: str) -> set[str]:
    """Return what the pattern's group finds in the kernel's code."""
    return {found for path in SOURCES for found in re.findall(pattern, path.read_text())}


@pytest.mark.parametrize(("event", "text"), TOLD, ids=lambda it: type(it).__name__)
def test_every_event_is_told(event: Any, text: str) -> None:
    message_id, args = tell(event)
    assert format_message("kernel", message_id, args, NAMES) == text


def test_no_event_is_forgotten() -> None:
    assert {type(event) for event, _ in TOLD} == e.KERNEL_EVENTS
    ends = {event.follows for event, _ in TOLD if isinstance(event, e.TimeRanOut)}
    assert ends == {*get_args(TimeoutAction)}


def test_every_reason_of_an_undo_is_told() -> None:
    known = known_messages("why-")
    assert named_in_code(r'"(why-[a-z-]+)"') == known
    for reason in known:
        assert format_message("kernel", reason, {"who": 1}, NAMES)


def test_every_error_is_told() -> None:
    """No error without a text, and no text without its error."""
    known = known_messages("error.")
    assert len(known) > 40
    assert named_in_code(r'"(error\.\w+)"') == known
    for message_id in known:
        assert format_message("kernel", message_id, {"last": 3})


def test_names_of_players_without_one_are_told() -> None:
    for kind, name in (("bot", default_bot_name(2)), ("human", default_person_name(3))):
        mark = parse_default_name(kind, name)
        assert mark is not None
        assert format_message("kernel", mark[0], {"number": mark[1]}) == name
    assert format_message("kernel", "seat", {"number": 2}) == "Seat 2"
