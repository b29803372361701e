"""What a caller of the service may see of a match: who may look at all, and in which words.

What is told of a match is in `domain.answers`; here is what only a service knows.
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
    """The code that lets others join; it follows from the seed, and is used up before the seed
    is told."""
    return _invite(timeline.now.opened.seed)


def invited(timeline: Timeline, invite: str | None) -> bool:
    """Whether the code is the match's; an imported match has no seed and no invite."""
    if not invite or not timeline.now.opened.seed:
        return False
    return fits(invite, invite_of(timeline))


def awaiting_seats(timeline: Timeline, player: str | None) -> list[int]:
    """The open seats that are held for the player."""
    return seats_of(timeline, player, "open")


def may_look(timeline: Timeline, player: str | None, code: str | None = None) -> bool:
    """Whether the match exists for this caller at all; ``code`` is its invite.

    An invite opens the match as long as somebody can sit down: who holds one that is used up is a
    stranger again. A share code (`service.matches.codes`) stays good.
    """
    opened = timeline.now.opened
    return (
        opened.visibility == "public"
        or (player is not None and (opened.owner == player or _belongs(timeline, player)))
        or is_let_in(timeline, player)
        or (_has_room(timeline) and invited(timeline, code))
    )


def is_let_in(timeline: Timeline, player: str | None) -> bool:
    """Whether somebody asks to let the player in on a seat: until then they only watch."""
    request = timeline.now.recovery
    return request is not None and request.player == player


def _has_room(timeline: Timeline) -> bool:
    """Whether somebody can sit down; nobody can once the match is over, and its seed is told."""
    now = timeline.now
    return now.status != "finished" and any(seat.kind == "open" for seat in now.seats)


def _belongs(timeline: Timeline, player: str) -> bool:
    """Whether they have a seat, have one held for them, or lost one to time or a vote."""
    return bool(
        held_seats(timeline, player)
        or awaiting_seats(timeline, player)
        or losses_of(timeline.now, player)
    )


# Each answer to a command tells who sits where, which seldom changes.


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
    """A caller who looks through a seat of theirs; `Fault` 403 for any other."""

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
    """The match now, or as it stood at version ``at``; `Refused` when there is no such version.

    ``share``: its share code, told only to who is to share it.
    """
    now = viewer.timeline.now
    insider = bool(viewer.held) or viewer.player == now.opened.owner
    codes = insider and not is_for_review(viewer.timeline)
    invite = invite_of(viewer.timeline) if codes and _has_room(viewer.timeline) else ""
    return matches.match_answer(match_id, viewer, at, share if codes else "", invite, _seated)


def changing(answer: schema.MatchAnswer) -> schema.MatchAnswer:
    """The match without the part of its view that never changes; see `layout_answer`."""
    if answer.view is None:
        return answer
    fixed = TITLES[answer.game].layout
    view = {name: value for name, value in answer.view.items() if name not in fixed}
    return replace(answer, view=view)


def layout_answer(match_id: str, timeline: Timeline) -> schema.LayoutAnswer:
    """The part of the view that never changes; `Refused` before the match has begun."""
    state = timeline.now.state
    if state is None:
        raise Refused("not_started", "Seats are still open.")
    view = timeline.rules.view(state, None)
    fixed = TITLES[timeline.now.opened.game].layout
    return schema.LayoutAnswer(id=match_id, layout={name: view[name] for name in fixed})


def seat_answers(
    seats: Iterable[Seat | SeatSummary], player: str | None
) -> list[schema.SeatAnswer]:
    """The seats without player ids."""
    return matches.seat_answers(seats, player, language())
