"""Access to matches: invite codes, and checks of who may see a match."""

from functools import lru_cache

from domain.match.losses import losses_of
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats, player_seats
from service.matches.share_codes import derive_code, is_same_code


@lru_cache(4096)
def _derive_invite(seed: str) -> str:
    return derive_code(bytes.fromhex(seed), b"invite")


def invite_of(timeline: Timeline) -> str:
    """Return the invite code of a match, "" if it has no seed, such as an imported match.

    The code is derived from the seed. That is safe because the seed is published only after the
    match ends, when nobody can join any more.
    """
    seed = timeline.latest.opened.seed
    return _derive_invite(seed) if seed else ""


def is_invite(timeline: Timeline, invite: str | None) -> bool:
    """Return whether a code is the match's invite code; False if the match has none."""
    expected = invite_of(timeline)
    return bool(invite and expected) and is_same_code(invite or "", expected)


def reserved_seats(timeline: Timeline, player: str | None) -> list[int]:
    """Return the numbers of the open seats that are reserved for the player."""
    return player_seats(timeline, player, "open")


def can_view(timeline: Timeline, player: str | None, code: str | None = None) -> bool:
    """Return whether a player, or a visitor (None), may see the match.

    ``code``: the invite code from the request, which gives access only while a seat is open. Share
    codes, which stay valid, are checked in `service.matches.share_codes`.
    """
    opened = timeline.latest.opened
    return (
        opened.visibility == "public"
        or (player is not None and (opened.owner == player or _is_participant(timeline, player)))
        or is_return_pending(timeline, player)
        or (has_open_seat(timeline) and is_invite(timeline, code))
    )


def is_return_pending(timeline: Timeline, player: str | None) -> bool:
    """Return whether a request to move a seat to this player is open.

    While it is, the player may only watch.
    """
    request = timeline.latest.recovery
    return request is not None and request.player == player


def has_open_seat(timeline: Timeline) -> bool:
    """Return whether the match has an open seat; False once it is finished."""
    now = timeline.latest
    return now.status != "finished" and any(seat.kind == "open" for seat in now.seats)


def _is_participant(timeline: Timeline, player: str) -> bool:
    """Return whether the player holds a seat, has one reserved, or lost one on time or by vote."""
    return bool(
        held_seats(timeline, player)
        or reserved_seats(timeline, player)
        or losses_of(timeline.latest, player)
    )
