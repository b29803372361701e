"""From timelines to what a caller may see of them. Nothing hidden passes here."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain import match as kernel
from domain.game import Level, Standing
from domain.match import (
    FROM_FILE,
    SIGNED_FILE,
    Decision,
    Moment,
    MovesRedone,
    MovesUndone,
    Refused,
    Seat,
    Timeline,
    is_kernel,
)
from domain.register import TITLES
from domain.words import Text
from projections.summary import SeatSummary
from service.base.languages import language
from service.base.now import timestamp
from service.matches import schema
from service.matches.codes import derived, fits
from service.matches.names import given_name, names_of
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


def held_seats(timeline: Timeline, player: str | None) -> list[int]:
    """The seats the player holds."""
    return _seats(timeline, player, "human")


def awaiting_seats(timeline: Timeline, player: str | None) -> list[int]:
    """The open seats that are held for the player."""
    return _seats(timeline, player, "open")


def _seats(timeline: Timeline, player: str | None, kind: str) -> list[int]:
    if player is None:
        return []
    seats = enumerate(timeline.now.seats)
    return [i for i, seat in seats if seat.player == player and seat.kind == kind]


def may_look(timeline: Timeline, player: str | None, code: str | None = None) -> bool:
    """Whether the match exists for this caller at all; ``code`` is its invite.

    An invite opens the match as long as a seat is open: who holds one that is used up is a
    stranger again. A share code (`service.matches.codes`) stays good.
    """
    opened = timeline.now.opened
    any_open = any(seat.kind == "open" for seat in timeline.now.seats)
    return (
        opened.visibility == "public"
        or (player is not None and (opened.owner == player or _belongs(timeline, player)))
        or (any_open and invited(timeline, code))
    )


def is_for_review(timeline: Timeline) -> bool:
    """Whether the match came unfinished in a file: it has no seed, so nobody can draw in it.

    Nobody joins it or acts in it, no clock runs and no bot plays; it has no codes.
    """
    return not timeline.now.opened.seed


def _belongs(timeline: Timeline, player: str) -> bool:
    return bool(held_seats(timeline, player) or awaiting_seats(timeline, player))


NO_SEAT = -1
"""Asked for by whoever wants to see what everybody at the table may see."""


class Viewer:
    """A caller at a match: who they are and through which of their seats they look."""

    def __init__(self, timeline: Timeline, player: str | None, seat: int | None = None) -> None:
        self.timeline = timeline
        self.player = player
        self.held = held_seats(timeline, player)
        if seat not in (None, NO_SEAT, *self.held):
            raise not_your_seat()
        self.asked = None if seat == NO_SEAT else seat
        self.seat = self._default() if seat is None else self.asked
        self.perspective = timeline.viewer(self.seat)
        # While people pass one phone round, a seat's words are for who holds the phone.
        over = seat is None and timeline.now.status == "finished"
        self.hears = self.held if over else []
        self.names = names_of(timeline)
        self.language = language()

    def _default(self) -> int | None:
        """The lowest held seat that is to act, else the lowest held."""
        if len(self.held) <= 1:
            return self.held[0] if self.held else None
        acting = waiting_for(self.timeline, self.timeline.now)
        return next((seat for seat in self.held if seat in acting), self.held[0])

    def told(self, room: str, text: Text, key: str, args: dict[str, Any]) -> str:
        """The sentence of a key in the caller's language."""
        return self.language.say(room, text[key], args, text, self.names)

    def undo_seat(self) -> int | None:
        """The seat an undo would be by: the asked one, else the held one that moved last.

        None in a match that is for review only.
        """
        if is_for_review(self.timeline):
            return None
        if self.asked is not None or len(self.held) <= 1:
            return self.seat
        if self.timeline.now.status == "playing":
            state = self.timeline.now.state
            for seat in self.held:
                if self.timeline.rules.take_back(state, seat):
                    return seat
            latest = self.timeline.now.latest
            last = max(self.held, key=lambda seat: latest[seat])
            if latest[last] >= 0:
                return last
        return self.seat


def waiting_for(timeline: Timeline, moment: Moment) -> tuple[int, ...]:
    """The seats the match waits for; in the middle of the setup nobody."""
    return timeline.to_act(moment) if moment.state is not None else ()


def match_answer(
    match_id: str, viewer: Viewer, at: int | None = None, *, share: str = ""
) -> schema.MatchAnswer:
    """The match now, or as it stood at version ``at``; `Refused` when there is no such version.

    ``share``: its share code, told only to who is to share it.
    """
    timeline = viewer.timeline
    now = timeline.now
    moment = now if at is None else timeline.at(at)
    opened = now.opened
    begun = moment.state is not None
    insider = bool(viewer.held) or viewer.player == opened.owner
    any_open = any(seat.kind == "open" for seat in now.seats)
    standings = timeline.standings(moment) if begun else None
    return schema.MatchAnswer(
        id=match_id,
        game=opened.game,
        options=opened.options,
        status=moment.status,
        visibility=opened.visibility,
        version=timeline.version if at is None else at,
        latest_version=timeline.version,
        seats=seat_answers(moment.seats, viewer.player),
        to_act=list(waiting_for(timeline, moment)),
        turn=timeline.rules.turn(moment.state) if begun else 0,
        view=timeline.rules.view(moment.state, viewer.perspective) if begun else None,
        undo=_undo_answer(viewer, at),
        redo=_can_redo(viewer),
        fairness=schema.FairnessAnswer(
            commitment=opened.commitment,
            deal_commitment=opened.deal_commitment or UNSET,
            seed=timeline.public_seed or UNSET,
        ),
        standings=UNSET if standings is None else standing_answers(standings),
        share=share if share and insider and opened.seed else UNSET,
        invite=invite_of(timeline) if insider and any_open and opened.seed else UNSET,
        forked_from=schema.ForkOrigin(
            match=opened.forked_from.match, version=opened.forked_from.version
        )
        if opened.forked_from
        else UNSET,
        imported=True if is_for_review(timeline) else UNSET,
        signed=signed_answer(opened.source),
    )


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


def signed_answer(source: str) -> bool | msgspec.UnsetType:
    """Whether the file that a match came in was signed here; unset for one that came in none."""
    return {FROM_FILE: False, SIGNED_FILE: True}.get(source, UNSET)


def standing_answers(standings: tuple[Standing, ...]) -> list[schema.StandingAnswer]:
    """The final places."""
    return [
        schema.StandingAnswer(seat=s.seat, rank=s.rank, score=s.score, detail=s.detail)
        for s in standings
    ]


def seat_answers(
    seats: Iterable[Seat | SeatSummary], player: str | None
) -> list[schema.SeatAnswer]:
    """The seats without player ids."""
    return [_seat_answer(i, seat, player) for i, seat in enumerate(seats)]


def _seat_answer(number: int, seat: Seat | SeatSummary, player: str | None) -> schema.SeatAnswer:
    own = player is not None and seat.player == player
    held = seat.kind == "open" and seat.player is not None
    level = seat.level if isinstance(seat, Seat) else ""
    return schema.SeatAnswer(
        seat=number,
        kind=seat.kind,  # type: ignore[arg-type]
        name=given_name(seat),
        you=own and seat.kind == "human",
        held_for=("you" if own else "other") if held else UNSET,
        level=cast(Level, level) if level else UNSET,
    )


def _undo_answer(viewer: Viewer, at: int | None) -> schema.UndoAnswer:
    timeline = viewer.timeline
    seat = viewer.undo_seat()
    back = at if at is not None and at < timeline.version else None
    undo = timeline.undo_kind(seat, back)
    turn = timeline.turn_start(seat) if seat is not None and undo.kind and back is None else None
    return schema.UndoAnswer(
        kind=undo.kind,
        reason=viewer.told("kernel", kernel.TEXT, undo.reason, undo.args),
        seat=seat,
        step=undo.to_version,
        turn=turn,
        key=undo.reason,
        args=undo.args,
        proposal=_proposal_answer(viewer),
    )


def _proposal_answer(viewer: Viewer) -> schema.ProposalAnswer | msgspec.UnsetType:
    now = viewer.timeline.now
    proposal = now.proposal
    if proposal is None:
        return UNSET
    done = {*proposal.accepted, now.seats[proposal.seat].player}
    waiting = [
        i for i, seat in enumerate(now.seats) if seat.kind == "human" and seat.player not in done
    ]
    return schema.ProposalAnswer(
        seat=proposal.seat,
        to_version=proposal.to_version,
        reason=viewer.told("kernel", kernel.TEXT, proposal.reason, proposal.args),
        waiting=waiting,
        key=proposal.reason,
        args=proposal.args,
    )


def _can_redo(viewer: Viewer) -> bool:
    now = viewer.timeline.now
    if now.status != "playing" or not now.redo or viewer.player is None:
        return False
    return now.seats[now.redo.seat].player == viewer.player


def event_answers(viewer: Viewer, after: int) -> list[schema.EventAnswer]:
    """What happened later than version ``after``, as the caller may see it."""
    timeline = viewer.timeline
    first = timeline.index(after) + 1
    undone = timeline.undone(first)
    answers = []
    for index in range(first, len(timeline.decisions)):
        decision = timeline.decisions[index]
        at = timestamp(decision.at)
        turns = _turns(timeline, index)
        for version, event in enumerate(decision.events, start=decision.version):
            if version > after:
                turn = turns[version - decision.version]
                gone = index in undone
                answers.append(_event_answer(viewer, event, version, at, gone, turn, index))
    return answers


def _turns(timeline: Timeline, index: int) -> list[int]:
    """The number of the turn after each event of a decision."""
    rules = timeline.rules
    events = timeline.decisions[index].events
    state = timeline.moments[index - 1].state if index else None
    after = timeline.moments[index].state
    turn = rules.turn(state) if state is not None else 0
    last = rules.turn(after) if after is not None else 0
    if turn == last:
        return [last] * len(events)
    turns = []
    for event in events:
        if isinstance(event, MovesUndone | MovesRedone):
            turn = last
        elif not is_kernel(event):
            state = rules.evolve(state, event)
            turn = rules.turn(state)
        turns.append(turn)
    return turns


def _event_answer(
    viewer: Viewer, event: Any, version: int, at: str, undone: bool, turn: int, decision: int
) -> schema.EventAnswer:
    timeline = viewer.timeline
    shown = timeline.shown(event, viewer.seat, viewer.hears)
    data = msgspec.to_builtins(shown)
    if is_kernel(event):
        data = _without_ids(data)
    key, args, text = _told(viewer, shown)
    public = _told(viewer, timeline.shown(event, None))[2]
    kind = data.pop("type")
    seat = data.get("seat")
    return schema.EventAnswer(
        version=version,
        type=kind,
        seat=seat if isinstance(seat, int) else None,
        at=at,
        data=data,
        text=text,
        key=key,
        args=args,
        undone=undone,
        turn=turn,
        decision=decision,
        public=public if public != text else UNSET,
    )


def _told(viewer: Viewer, shown: Any) -> tuple[str, dict[str, Any], str]:
    """An event in words, as somebody may see it: key, arguments and the sentence."""
    rules = viewer.timeline.rules
    if is_kernel(shown):
        key, args = kernel.tell(shown)
        return key, args, viewer.told("kernel", kernel.TEXT, key, args)
    key, args = rules.tell(shown)
    return key, args, viewer.told(viewer.timeline.now.opened.game, rules.TEXT, key, args)


def _without_ids(data: dict[str, Any]) -> dict[str, Any]:
    """A kernel event without player ids; the seeds of the first event are not shown either."""
    for field in ("owner", "player"):
        data.pop(field, None)
    if data["type"] == "MatchOpened":
        data.pop("seed", None)
        data.pop("deal_seed", None)
    for seat in data.get("seats", ()):
        seat.pop("player", None)
    return data


def last_version(decisions: list[Decision], version: int) -> int:
    """The version after the decisions, which follow ``version``."""
    return decisions[-1].last_version if decisions else version
