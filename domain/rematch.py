"""The same table once more: who sits where in a rematch. Ships to the browser."""

from msgspec.structs import replace

from domain.match import Seat


def seats_again(seats: tuple[Seat, ...], player: str) -> tuple[Seat, ...]:
    """The seats of a rematch that ``player`` asks for.

    Who sat second sits first, so that another begins. Bots and the player's own seats are taken;
    those of others are held for them.
    """
    return tuple([_again(seat, player) for seat in (*seats[1:], *seats[:1])])


def _again(seat: Seat, player: str) -> Seat:
    others = seat.kind == "human" and seat.player != player
    return replace(seat, kind="open") if others else seat
