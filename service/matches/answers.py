"""Access to matches, and answers about them in the caller's language.

The content of the answers is made by `domain.answers`; this module adds what only the service
knows: invites, access, names and times as text.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache

from msgspec.structs import replace

from domain.answers import matches, shapes, viewing
from domain.answers.viewing import NO_SEAT, held_seats, is_for_review, seats_of
from domain.match import Refused, Seat, Timeline, losses_of
from domain.register import TITLES
from domain.words import Language
from projections.summary import SeatSummary
from service.base.languages import language
from service.base.now import timestamp
from service.matches import schema
from service.matches.codes import derived, fits
from service.matches.problems import not_your_seat


@lru_cache(4096)
def _invite(seed: str) -> str:
    return derived(bytes.fromhex(seed), b"invite")


def invite_of(timeline: Timeline) -> str:
    """Return the invite code of a match.

    It is derived from the seed. That is safe because the seed is published after the end only,
    when nobody can join any more.
    """
    return _invite(timeline.now.opened.seed)


def invited(timeline: Timeline, invite: str | None) -> bool:
    """Return whether this is the match's invite; a match without a seed (imported) has none."""
    if not invite or not timeline.now.opened.seed:
        return False
    return fits(invite, invite_of(timeline))


def awaiting_seats(timeline: Timeline, player: str | None) -> list[int]:
    """Return the open seats that are held for the player."""
    return seats_of(timeline, player, "open")


def may_look(timeline: Timeline, player: str | None, code: str | None = None) -> bool:
    """Return whether the caller may see the match; ``code``: the invite from the request.

    An invite gives access only while there is an open seat. A share code, which stays valid, is
    checked elsewhere (`service.matches.codes`).
    """
    opened = timeline.now.opened
    return (
        opened.visibility == "public"
        or (player is not None and (opened.owner == player or _belongs(timeline, player)))
        or is_let_in(timeline, player)
        or (_has_room(timeline) and invited(timeline, code))
    )


def is_let_in(timeline: Timeline, player: str | None) -> bool:
    """Return whether a request to give the player a seat is open; until then they only watch."""
    request = timeline.now.recovery
    return request is not None and request.player == player


def _has_room(timeline: Timeline) -> bool:
    """Return whether a seat is open; none is once the match is over and its seed published."""
    now = timeline.now
    return now.status != "finished" and any(seat.kind == "open" for seat in now.seats)


def _belongs(timeline: Timeline, player: str) -> bool:
    """Return whether the player has a seat, one held for them, or lost one to time or a vote."""
    return bool(
        held_seats(timeline, player)
        or awaiting_seats(timeline, player)
        or losses_of(timeline.now, player)
    )


# Cached because every answer to a command contains the seats, which rarely change.


@lru_cache(4096)
def _names(seats: tuple[Seat, ...], spoken: Language) -> tuple[str, ...]:
    return viewing.names_of(seats, spoken)


@lru_cache(4096)
def _made(
    seats: tuple[Seat, ...], player: str | None, spoken: Language
) -> tuple[shapes.SeatAnswer, ...]:
    return tuple(matches.seat_answers(seats, player, spoken))


def _seated(
    seats: tuple[Seat, ...], player: str | None, spoken: Language
) -> list[shapes.SeatAnswer]:
    return list(_made(seats, player, spoken))


class Viewer(viewing.Viewer):
    """A viewer of a match in the request's language; raises `Fault` 403 for another's seat."""

    def __init__(
        self,
        timeline: Timeline,
        player: str | None,
        seat: int | None = None,
        muted: Collection[str] = (),
    ) -> None:
        spoken = language()
        names = _names(timeline.now.seats, spoken)
        super().__init__(timeline, player, seat, spoken, timestamp, muted, names)
        if seat not in (None, NO_SEAT, *self.held) and self.loss is None:
            raise not_your_seat()


def match_answer(
    match_id: str, viewer: viewing.Viewer, at: int | None = None, *, share: str = ""
) -> schema.MatchAnswer:
    """Return the match now, or at version ``at``; raises `Refused` if there is no such version.

    ``share``: the share code. It and the invite are included for the owner and seated players only.
    """
    now = viewer.timeline.now
    insider = bool(viewer.held) or viewer.player == now.opened.owner
    codes = insider and not is_for_review(viewer.timeline)
    invite = invite_of(viewer.timeline) if codes and _has_room(viewer.timeline) else ""
    return matches.match_answer(match_id, viewer, at, share if codes else "", invite, _seated)


def changing(answer: schema.MatchAnswer) -> schema.MatchAnswer:
    """Return the answer without the fields of its view that never change; see `layout_answer`."""
    if answer.view is None:
        return answer
    fixed = TITLES[answer.game].layout
    view = {name: value for name, value in answer.view.items() if name not in fixed}
    return replace(answer, view=view)


def layout_answer(match_id: str, timeline: Timeline) -> schema.LayoutAnswer:
    """Return the fields of the view that never change; raises `Refused` before the start."""
    state = timeline.now.state
    if state is None:
        raise Refused("not_started", "Seats are still open.")
    view = timeline.rules.view(state, None)
    fixed = TITLES[timeline.now.opened.game].layout
    return schema.LayoutAnswer(id=match_id, layout={name: view[name] for name in fixed})


def seat_answers(
    seats: Iterable[Seat | SeatSummary], player: str | None
) -> list[schema.SeatAnswer]:
    """Return the seats for a player, without player ids."""
    return matches.seat_answers(seats, player, language())
