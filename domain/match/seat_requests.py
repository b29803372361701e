"""Seats of new matches, forks and rematches, as requested by a player. Ships to the browser."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.match.moment import Moment
from domain.match.seats import IMPORTED_SOURCES, Seat
from domain.text.default_names import default_bot_name, name_after_takeover


class SeatRequest(Struct, frozen=True):
    """A requested seat.

    ``kind``: "me" for the player who makes the request, "open" for anyone, "bot" for a bot, and in
    a fork "same" for the player of the original seat. ``name``: None for the default name;
    ``level``: the playing strength of a bot, None for the default.
    """

    kind: Literal["me", "open", "bot", "same"]
    name: str | None = None
    level: str | None = None


def build_new_seats(requested: Sequence[SeatRequest], player: str) -> tuple[Seat, ...]:
    """Return the seats of a new match requested by ``player``; bots without a name are numbered."""
    seats, bots = [], 0
    for request in requested:
        name = request.name or ""
        if request.kind == "bot":
            bots += 1
            seats.append(Seat("bot", name or default_bot_name(bots), None, request.level or ""))
        elif request.kind == "me":
            seats.append(Seat("human", name, player))
        else:
            seats.append(Seat("open", name))
    return tuple(seats)


def build_fork_seats(
    moment: Moment, requested: Sequence[SeatRequest] | None, player: str
) -> tuple[Seat, ...]:
    """Return the seats of a fork requested by ``player``.

    ``moment``: the latest moment of the forked match; ``requested``: one request for each of its
    seats, or None if the player takes all of them. People and bots keep the name of the seat, or
    its default name.
    """
    if requested is None:
        requested = [SeatRequest("me")] * len(moment.seats)
    is_imported = moment.opened.source in IMPORTED_SOURCES
    return tuple(
        [
            _fork_seat(old, number, request, player, is_imported)
            for number, (old, request) in enumerate(zip(moment.seats, requested, strict=True))
        ]
    )


def _fork_seat(
    old: Seat, number: int, request: SeatRequest, player: str, is_imported: bool
) -> Seat:
    if request.kind == "same":
        seat = reserve_for_holder(old, player)
        # The players of an imported match are unknown, so anyone may take their seats.
        return replace(seat, player=None) if is_imported and seat is not old else seat
    name = request.name
    if request.kind == "me":
        former = name_after_takeover(old.kind, old.name, number)
        return Seat("human", former if name is None else name, player)
    if request.kind == "bot":
        level = request.level or old.level
        return Seat("bot", old.name if name is None else name, None, level)
    return Seat("open", name or "")


def reserve_for_holder(seat: Seat, player: str) -> Seat:
    """Return a seat as it is in a match that ``player`` opens for the same players.

    Another person's seat is open and reserved for that person; any other seat is unchanged.
    """
    is_other = seat.kind == "human" and seat.player != player
    return replace(seat, kind="open") if is_other else seat
