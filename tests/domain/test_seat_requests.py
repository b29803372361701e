"""Seats of new matches and forks as a player requests them."""

import pytest
from msgspec.structs import replace

from domain.match.moment import Moment
from domain.match.seat_requests import (
    SeatRequest,
    build_fork_seats,
    build_new_seats,
    reserve_for_holder,
)
from domain.match.seats import FROM_FILE, HERE, PHONE, Seat
from tests.domain.test_pace import table

ANN, BOB = Seat("human", "Ann", "ann"), Seat("human", "Bob", "bob")
BOT, OPEN = Seat("bot", "Bot 1", None, "easy"), Seat("open", "")


def moment(*seats: Seat, source: str = HERE) -> Moment:
    now = table(None, "ann", "bob").latest
    return replace(now, seats=seats, opened=replace(now.opened, source=source))


def test_bots_without_a_name_are_numbered() -> None:
    requested = [
        SeatRequest("bot"),
        SeatRequest("me", "Ann"),
        SeatRequest("bot", "Robbie", "good"),
        SeatRequest("bot"),
        SeatRequest("open"),
    ]
    assert build_new_seats(requested, "ann") == (
        Seat("bot", "Bot 1"),
        ANN,
        Seat("bot", "Robbie", None, "good"),
        Seat("bot", "Bot 3"),
        OPEN,
    )


@pytest.mark.parametrize("requested", [None, [SeatRequest("me")] * 4])
def test_player_who_takes_all_seats_keeps_names_of_people(
    requested: list[SeatRequest] | None,
) -> None:
    assert build_fork_seats(moment(ANN, BOB, BOT, OPEN), requested, "ann") == (
        ANN,
        Seat("human", "Bob", "ann"),
        Seat("human", "Player 3", "ann"),
        Seat("human", "Player 4", "ann"),
    )


def test_requested_name_and_level_replace_those_of_the_seat() -> None:
    requested = [
        SeatRequest("me", "Anna"),
        SeatRequest("bot"),
        SeatRequest("bot", None, "good"),
        SeatRequest("open", "Dan"),
    ]
    assert build_fork_seats(moment(ANN, BOB, BOT, BOB), requested, "ann") == (
        Seat("human", "Anna", "ann"),
        Seat("bot", "Bob"),
        Seat("bot", "Bot 1", None, "good"),
        Seat("open", "Dan"),
    )


@pytest.mark.parametrize(("source", "reserved"), [(HERE, "bob"), (FROM_FILE, None), (PHONE, None)])
def test_same_seat_is_reserved_unless_its_player_is_unknown(
    source: str, reserved: str | None
) -> None:
    requested = [SeatRequest("same")] * 4
    assert build_fork_seats(moment(ANN, BOB, BOT, OPEN, source=source), requested, "ann") == (
        ANN,
        Seat("open", "Bob", reserved),
        BOT,
        OPEN,
    )


def test_only_seats_of_other_people_are_reserved() -> None:
    assert [reserve_for_holder(seat, "ann") for seat in (ANN, BOB, BOT, OPEN)] == [
        ANN,
        Seat("open", "Bob", "bob"),
        BOT,
        OPEN,
    ]
