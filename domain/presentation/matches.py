"""Responses with a match as the viewer may see it: state, seats, clocks, undo and recovery."""

from collections.abc import Callable, Iterable
from typing import Literal, Protocol, cast

from msgspec import UNSET, UnsetType

from domain.contract.game import Level, Standing
from domain.match.clocks import runs_out_at
from domain.match.losses import Loss, loss_of, losses_of, open_requests
from domain.match.moment import Moment
from domain.match.seats import FROM_FILE, PHONE, SIGNED_FILE, Origin, Seat
from domain.match.time_control import allows_vacation
from domain.match.timeline import Timeline
from domain.presentation import schemas, viewpoint
from domain.text.i18n import Language


def match_answer(
    match_id: str,
    viewer: viewpoint.Viewer,
    at: int | None = None,
    share: str = "",
    invite: str = "",
    make_seat_answers: Callable[..., list[schemas.SeatAnswer]] | None = None,
) -> schemas.MatchAnswer:
    """Return the match as it is now, or as it was at version ``at``.

    ``share`` and ``invite``: the codes to include, empty for viewers who must not get them.
    ``make_seat_answers``: a function to use instead of `seat_answers`. Raises `Refused` if there is
    no version ``at``.
    """
    timeline = viewer.timeline
    moment = timeline.latest if at is None else timeline.at(at)
    opened = timeline.latest.opened
    version = timeline.version if at is None else at
    begun = moment.state is not None
    return schemas.MatchAnswer(
        id=match_id,
        game=opened.game,
        options=opened.options,
        status=moment.status,
        visibility=opened.visibility,
        version=version,
        latest_version=timeline.version,
        seats=(make_seat_answers or seat_answers)(moment.seats, viewer.player, viewer.language),
        to_act=list(viewpoint.seats_to_act(timeline, moment)),
        turn=timeline.rules.turn(moment.state) if begun else 0,
        view=timeline.rules.view(moment.state, viewer.perspective_at(version)) if begun else None,
        undo=_undo_answer(viewer, at),
        redo=_can_redo(viewer),
        fairness=_fairness_answer(timeline),
        standings=_final_standings(timeline, moment),
        share=share or UNSET,
        invite=invite or UNSET,
        forked_from=_origin_answer(opened.forked_from),
        imported=True if viewpoint.is_for_review(timeline) else UNSET,
        signed=signed_answer(opened.source),
        phone=True if opened.source == PHONE else UNSET,
        clock=_clock_answer(viewer, moment),
        lost=_lost_answer(viewer) or UNSET,
        returns=_return_answers(timeline.latest) or UNSET,
        recovery=recovery_answer(viewer) or UNSET,
    )


def _fairness_answer(timeline: Timeline) -> schemas.FairnessAnswer:
    opened = timeline.latest.opened
    return schemas.FairnessAnswer(
        commitment=opened.commitment,
        deal_commitment=opened.deal_commitment or UNSET,
        seed=timeline.public_seed or UNSET,
    )


def recovery_answer(viewer: viewpoint.Viewer) -> schemas.RecoveryAnswer | None:
    """Return the open recovery request; None if there is none."""
    now = viewer.timeline.latest
    request = now.recovery
    if request is None:
        return None
    owner = now.seats[request.about].player
    people = [(i, s.player) for i, s in enumerate(now.seats) if s.kind == "human"]
    done = (*request.agreed, owner)
    return schemas.RecoveryAnswer(
        seat=request.seat,
        about=request.about,
        name=viewer.names[request.about],
        began=request.began,
        ends=viewer.timestamp(request.ends),
        waiting=[] if request.began else [seat for seat, each in people if each not in done],
        you=viewer.player is not None and viewer.player == request.player,
    )


def _lost_answer(viewer: viewpoint.Viewer) -> list[schemas.LostSeatAnswer]:
    now = viewer.timeline.latest
    return [
        schemas.LostSeatAnswer(seat=loss.seat, version=loss.version, back=_return_status(now, loss))
        for loss in losses_of(now, viewer.player)
    ]


def _return_status(now: Moment, loss: Loss) -> Literal["free", "ask", "asked", "declined"] | None:
    if now.status != "playing" or loss_of(now, loss.seat) is None:
        return None
    if not loss.reclaimed:
        return "free"
    if loss.requested:
        return "asked"
    return "declined" if loss.declined else "ask"


def _return_answers(now: Moment) -> list[schemas.ReturnAnswer]:
    if now.status != "playing" or not now.losses:
        return []
    return [
        schemas.ReturnAnswer(
            seat=loss.seat,
            waiting=[
                seat
                for seat, chair in enumerate(now.seats)
                if chair.kind == "human" and chair.player not in (loss.player, *loss.agreed)
            ],
        )
        for loss in open_requests(now)
    ]


def _clock_answer(viewer: viewpoint.Viewer, moment: Moment) -> schemas.ClockAnswer | UnsetType:
    pace = moment.opened.pace
    if pace is None:
        return UNSET
    runs = moment is viewer.timeline.latest and not viewpoint.is_for_review(viewer.timeline)
    return schemas.ClockAnswer(
        pace=schemas.PaceAnswer(
            kind=pace.kind,
            bank=pace.bank,
            increment=pace.increment,
            minimum=pace.minimum,
            days=pace.days,
            weekends_off=pace.weekends_off,
            zone=pace.zone,
            time_zone=pace.time_zone or None,
            vacation=allows_vacation(pace, moment.opened.clock_rules),
        ),
        on_end=pace.on_end,
        seats=[
            _seat_clock(viewer, moment, seat, runs_out_at(pace, clock) if runs else None)
            for seat, clock in enumerate(moment.clocks)
        ],
    )


def _seat_clock(
    viewer: viewpoint.Viewer, moment: Moment, seat: int, over: int | None
) -> schemas.SeatClockAnswer:
    clock = moment.clocks[seat]
    people = enumerate(moment.seats)
    return schemas.SeatClockAnswer(
        seat=seat,
        left=clock.left,
        runs=over is not None,
        ends=None if over is None else viewer.timestamp(over),
        out=clock.out and (not clock.kept_for or moment.opened.clock_rules >= 2),
        away=clock.away,
        for_bot=[n for n, s in people if s.kind == "human" and s.player in clock.for_bot],
    )


def _origin_answer(origin: Origin | None) -> schemas.ForkOrigin | UnsetType:
    return schemas.ForkOrigin(match=origin.match, version=origin.version) if origin else UNSET


def signed_answer(source: str) -> bool | UnsetType:
    """Return the field ``signed``: whether this service had signed the match's file.

    ``source``: the source of the match; UNSET if it did not come from a file.
    """
    return {FROM_FILE: False, PHONE: False, SIGNED_FILE: True}.get(source, UNSET)


def _final_standings(
    timeline: Timeline, moment: Moment
) -> list[schemas.StandingAnswer] | UnsetType:
    standings = timeline.standings(moment) if moment.state is not None else None
    return UNSET if standings is None else standing_answers(standings)


def standing_answers(standings: tuple[Standing, ...]) -> list[schemas.StandingAnswer]:
    """Return the final standings as response structs."""
    return [
        schemas.StandingAnswer(seat=s.seat, rank=s.rank, score=s.score, detail=s.detail)
        for s in standings
    ]


class PlayerSeat(viewpoint.NamedSeat, Protocol):
    """Protocol of a seat with its kind, name and player."""

    @property
    def player(self) -> str | None: ...


def seat_answers(
    seats: Iterable[Seat | PlayerSeat], player: str | None, language: Language
) -> list[schemas.SeatAnswer]:
    """Return the seats as response structs, without player ids; ``player``: the caller."""
    return [_seat_answer(i, seat, player, language) for i, seat in enumerate(seats)]


def _seat_answer(
    number: int, seat: Seat | PlayerSeat, player: str | None, language: Language
) -> schemas.SeatAnswer:
    own = player is not None and seat.player == player
    held = seat.kind == "open" and seat.player is not None
    level = seat.level if isinstance(seat, Seat) else ""
    return schemas.SeatAnswer(
        seat=number,
        kind=seat.kind,  # type: ignore[arg-type]
        name=viewpoint.chosen_name(seat, language),
        you=own and seat.kind == "human",
        held_for=("you" if own else "other") if held else UNSET,
        level=cast(Level, level) if level else UNSET,
    )


def _undo_answer(viewer: viewpoint.Viewer, at: int | None) -> schemas.UndoAnswer:
    timeline = viewer.timeline
    seat = viewer.undo_seat()
    back = at if at is not None and at < timeline.version else None
    undo = timeline.undo_kind(seat, back)
    turn = timeline.turn_start(seat) if seat is not None and undo.kind and back is None else None
    return schemas.UndoAnswer(
        kind=undo.kind,
        reason=viewer.translate("kernel", undo.reason, undo.args),
        seat=seat,
        step=undo.to_version,
        turn=turn,
        key=undo.reason,
        args=undo.args,
        proposal=_proposal_answer(viewer),
    )


def _proposal_answer(viewer: viewpoint.Viewer) -> schemas.ProposalAnswer | UnsetType:
    now = viewer.timeline.latest
    proposal = now.proposal
    if proposal is None:
        return UNSET
    done = {*proposal.accepted, now.seats[proposal.seat].player}
    waiting = [
        i for i, seat in enumerate(now.seats) if seat.kind == "human" and seat.player not in done
    ]
    reason = "kernel", proposal.reason, proposal.args
    return schemas.ProposalAnswer(
        seat=proposal.seat,
        to_version=proposal.to_version,
        reason=viewer.address(*reason, now) or viewer.translate(*reason),
        waiting=waiting,
        key=proposal.reason,
        args=proposal.args,
    )


def _can_redo(viewer: viewpoint.Viewer) -> bool:
    now = viewer.timeline.latest
    if now.status != "playing" or not now.redo or viewer.player is None:
        return False
    return now.seats[now.redo.seat].player == viewer.player
