"""Response bodies about matches in the language of the request.

`domain.presentation` builds the content; this module adds what only the service knows: invite and
share codes, and names and times as text.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache

from msgspec.structs import replace

from domain.contract.registry import TITLES
from domain.match.seats import Refused, Seat
from domain.match.timeline import Timeline
from domain.presentation import matches, schemas, viewpoint
from domain.presentation.viewpoint import NO_SEAT, is_for_review
from domain.text.i18n import Language
from projections.summary import SeatSummary
from service.common.clock import format_timestamp
from service.http.i18n import current_language
from service.matches import schema
from service.matches.access import has_open_seat, invite_of
from service.matches.problems import not_your_seat

# Cached because every response to a command contains the seats, which rarely change.


@lru_cache(4096)
def _seat_names(seats: tuple[Seat, ...], spoken: Language) -> tuple[str, ...]:
    return viewpoint.seat_names(seats, spoken)


@lru_cache(4096)
def _cached_seat_answers(
    seats: tuple[Seat, ...], player: str | None, spoken: Language
) -> tuple[schemas.SeatAnswer, ...]:
    return tuple(matches.seat_answers(seats, player, spoken))


def _seat_answers_in_language(
    seats: tuple[Seat, ...], player: str | None, spoken: Language
) -> list[schemas.SeatAnswer]:
    return list(_cached_seat_answers(seats, player, spoken))


class Viewer(viewpoint.Viewer):
    """A viewer of a match in the language of the request.

    ``seat``: the seat to view from; ``muted``: players whose messages are left out. Raises
    `ApiProblem` 403 for a seat that the player does not hold, unless the player has lost one.
    """

    def __init__(
        self,
        timeline: Timeline,
        player: str | None,
        seat: int | None = None,
        muted: Collection[str] = (),
    ) -> None:
        spoken = current_language()
        names = _seat_names(timeline.latest.seats, spoken)
        super().__init__(timeline, player, seat, spoken, format_timestamp, muted, names)
        if seat not in (None, NO_SEAT, *self.held_seats) and self.loss is None:
            raise not_your_seat()


def match_answer(
    match_id: str, viewer: viewpoint.Viewer, at: int | None = None, *, share: str = ""
) -> schemas.MatchAnswer:
    """Return the response body for a match, now or at version ``at``.

    ``share``: the share code, which like the invite code is included only for the owner and seated
    players. Raises `Refused` if there is no such version.
    """
    now = viewer.timeline.latest
    may_share = bool(viewer.held_seats) or viewer.player == now.opened.owner
    codes = may_share and not is_for_review(viewer.timeline)
    invite = invite_of(viewer.timeline) if codes and has_open_seat(viewer.timeline) else ""
    return matches.match_answer(
        match_id, viewer, at, share if codes else "", invite, _seat_answers_in_language
    )


def without_static_fields(answer: schemas.MatchAnswer) -> schemas.MatchAnswer:
    """Return the response body without the constant fields of its view; see `layout_answer`."""
    if answer.view is None:
        return answer
    fixed = TITLES[answer.game].layout
    view = {name: value for name, value in answer.view.items() if name not in fixed}
    return replace(answer, view=view)


def layout_answer(match_id: str, timeline: Timeline) -> schema.LayoutAnswer:
    """Return the constant fields of a match's view.

    Raises `Refused` ``not_started`` if the match has not begun.
    """
    state = timeline.latest.state
    if state is None:
        raise Refused("not_started", "error.not_started")
    view = timeline.rules.view(state, None)
    fixed = TITLES[timeline.latest.opened.game].layout
    return schema.LayoutAnswer(id=match_id, layout={name: view[name] for name in fixed})


def seat_answers(
    seats: Iterable[Seat | SeatSummary], player: str | None
) -> list[schemas.SeatAnswer]:
    """Return the seats as shown to a player, without the ids of players."""
    return matches.seat_answers(seats, player, current_language())
