"""From timelines to what a caller may see of them. Nothing hidden passes here."""

import hmac
from base64 import b32encode
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET

from domain import match as kernel
from domain.game import Standing, say
from domain.match import Decision, Moment, Timeline, is_kernel, redact
from service import schema
from service.problems import not_your_seat


def timestamp(milliseconds: int) -> str:
    """RFC 3339 in UTC."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@lru_cache(4096)
def _code(seed: str, purpose: bytes) -> str:
    """A code of the match; it follows from the seed, so it need not be stored."""
    return b32encode(hmac.digest(bytes.fromhex(seed), purpose, "sha256")[:10]).decode().lower()


def invite_of(timeline: Timeline) -> str:
    """The code that lets others join."""
    return _code(timeline.now.opened.seed, b"invite")


def share_of(timeline: Timeline) -> str:
    """The code that lets others look, as spectators do."""
    return _code(timeline.now.opened.seed, b"share")


def invited(timeline: Timeline, invite: str | None) -> bool:
    """Whether the code is the match's; an imported match has no seed and no invite."""
    return _fits(timeline, invite, invite_of)


def _fits(timeline: Timeline, code: str | None, of: Callable[[Timeline], str]) -> bool:
    if not code or not timeline.now.opened.seed:
        return False
    return hmac.compare_digest(of(timeline).encode(), code.strip().lower().encode())


def held_seats(timeline: Timeline, player: str | None) -> list[int]:
    """The seats the player holds."""
    if player is None:
        return []
    return [i for i, seat in enumerate(timeline.now.seats) if seat.player == player]


def may_look(timeline: Timeline, player: str | None, code: str | None = None) -> bool:
    """Whether the match exists for this caller at all; ``code`` is its invite or share code."""
    opened = timeline.now.opened
    return (
        opened.visibility == "public"
        or (player is not None and (opened.owner == player or held_seats(timeline, player) != []))
        or invited(timeline, code)
        or _fits(timeline, code, share_of)
    )


def names_of(timeline: Timeline) -> tuple[str, ...]:
    """What texts call the seats."""
    return tuple(seat.name or f"Seat {i + 1}" for i, seat in enumerate(timeline.now.seats))


class Eyes:
    """A caller at a match: who they are and through which of their seats they look."""

    def __init__(self, timeline: Timeline, player: str | None, seat: int | None = None) -> None:
        self.timeline = timeline
        self.player = player
        self.held = held_seats(timeline, player)
        if seat is not None and seat not in self.held:
            raise not_your_seat()
        self.asked = seat
        self.seat = self._default() if seat is None else seat
        self.viewer = timeline.viewer(self.seat)
        self.names = names_of(timeline)

    def _default(self) -> int | None:
        """The lowest held seat that is to act, else the lowest held."""
        if len(self.held) <= 1:
            return self.held[0] if self.held else None
        acting = waiting_for(self.timeline, self.timeline.now)
        return next((seat for seat in self.held if seat in acting), self.held[0])

    def undo_seat(self) -> int | None:
        """The seat an undo would be by: the asked one, else the held one that moved last.

        None in a match that came unfinished in a file: it is for review only.
        """
        if not self.timeline.now.opened.seed:
            return None
        if self.asked is not None or len(self.held) <= 1:
            return self.seat
        if self.timeline.now.status == "playing":
            state = self.timeline.now.state
            for seat in self.held:
                if self.timeline.rules.take_back(state, seat):
                    return seat
            for index in self.timeline.line(self.timeline.now):
                if self.timeline.decisions[index].seat in self.held:
                    return self.timeline.decisions[index].seat
        return self.seat


def waiting_for(timeline: Timeline, moment: Moment) -> tuple[int, ...]:
    """The seats the match waits for; in the middle of the setup nobody."""
    return timeline.to_act(moment) if moment.state is not None else ()


def match_answer(
    match_id: str, eyes: Eyes, at: int | None = None, *, invite: bool = True
) -> schema.MatchAnswer:
    """The match now, or as it stood at version ``at``; `Refused` when there is no such version."""
    timeline = eyes.timeline
    now = timeline.now
    moment = now if at is None else timeline.at(at)
    opened = now.opened
    begun = moment.state is not None
    insider = bool(eyes.held) or eyes.player == opened.owner
    any_open = any(seat.kind == "open" for seat in now.seats)
    standings = timeline.standings(moment) if begun else None
    return schema.MatchAnswer(
        id=match_id,
        game=opened.game,
        options=opened.options,
        status=moment.status,  # type: ignore[arg-type]
        visibility=opened.visibility,  # type: ignore[arg-type]
        version=timeline.version if at is None else at,
        latest_version=timeline.version,
        seats=seat_answers(moment, eyes.player),
        to_act=list(waiting_for(timeline, moment)),
        turn=timeline.rules.turn(moment.state) if begun else 0,
        view=timeline.rules.view(moment.state, eyes.viewer) if begun else None,
        undo=_undo_answer(eyes, at),
        redo=_can_redo(eyes),
        fairness=schema.FairnessAnswer(
            commitment=opened.commitment,
            seed=opened.seed if now.status == "finished" and opened.seed else UNSET,
        ),
        standings=UNSET if standings is None else standing_answers(standings),
        share=share_of(timeline) if insider and opened.seed else UNSET,
        invite=invite_of(timeline) if insider and any_open and opened.seed else UNSET,
        forked_from=schema.ForkOrigin(
            match=opened.forked_from.match, version=opened.forked_from.version
        )
        if opened.forked_from
        else UNSET,
        imported=UNSET if opened.seed else True,
    )


def standing_answers(standings: tuple[Standing, ...]) -> list[schema.StandingAnswer]:
    """The final places."""
    return [
        schema.StandingAnswer(seat=s.seat, rank=s.rank, score=s.score, detail=s.detail)
        for s in standings
    ]


def seat_answers(moment: Moment, player: str | None) -> list[schema.SeatAnswer]:
    """The seats without player ids."""
    return [
        schema.SeatAnswer(
            seat=i,
            kind=seat.kind,  # type: ignore[arg-type]
            name=seat.name,
            you=player is not None and seat.player == player,
        )
        for i, seat in enumerate(moment.seats)
    ]


def _undo_answer(eyes: Eyes, at: int | None) -> schema.UndoAnswer:
    timeline = eyes.timeline
    seat = eyes.undo_seat()
    back = at if at is not None and at < timeline.version else None
    undo = timeline.undo_kind(seat, back)
    turn = timeline.turn_start(seat) if seat is not None and undo.kind and back is None else None
    return schema.UndoAnswer(
        kind=undo.kind,  # type: ignore[arg-type]
        reason=say(kernel.TEXT, undo.reason, undo.args, eyes.names),
        seat=seat,
        step=undo.to_version,
        turn=turn,
        proposal=_proposal_answer(eyes),
    )


def _proposal_answer(eyes: Eyes) -> schema.ProposalAnswer | msgspec.UnsetType:
    now = eyes.timeline.now
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
        reason=say(kernel.TEXT, proposal.reason, proposal.args, eyes.names),
        waiting=waiting,
    )


def _can_redo(eyes: Eyes) -> bool:
    now = eyes.timeline.now
    if now.status != "playing" or not now.redo or eyes.player is None:
        return False
    return now.seats[now.redo[-1][1]].player == eyes.player


def event_answers(eyes: Eyes, after: int) -> list[schema.EventAnswer]:
    """What happened later than version ``after``, as the caller may see it."""
    timeline = eyes.timeline
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
                answers.append(_event_answer(eyes, event, version, at, index in undone, turn))
    return answers


def _turns(timeline: Timeline, index: int) -> list[int]:
    """The number of the turn after each event of a decision."""
    rules = timeline.rules
    events = timeline.decisions[index].events
    state = timeline.moments[index - 1].state if index else None
    after = timeline.moments[index].state
    turn = rules.turn(state) if state is not None else 0
    last = rules.turn(after) if after is not None else 0
    if turn == last or (len(events) == 1 and is_kernel(events[0])):
        return [last] * len(events)
    turns = []
    for event in events:
        if not is_kernel(event):
            state = rules.evolve(state, event)
            turn = rules.turn(state)
        turns.append(turn)
    return turns


def _event_answer(
    eyes: Eyes, event: Any, version: int, at: str, undone: bool, turn: int
) -> schema.EventAnswer:
    timeline = eyes.timeline
    finished = timeline.now.status == "finished"
    shown = redact(timeline.rules, event, eyes.viewer, finished)
    if is_kernel(event):
        text = say(kernel.TEXT, *kernel.tell(shown), eyes.names)
        data = _without_ids(msgspec.to_builtins(shown))
    else:
        text = say(timeline.rules.TEXT, *timeline.rules.tell(shown), eyes.names)
        data = msgspec.to_builtins(shown)
    kind = data.pop("type")
    seat = data.get("seat")
    return schema.EventAnswer(
        version=version,
        type=kind,
        seat=seat if isinstance(seat, int) else None,
        at=at,
        data=data,
        text=text,
        undone=undone,
        turn=turn,
    )


def _without_ids(data: dict[str, Any]) -> dict[str, Any]:
    """A kernel event without player ids; the seed of the first event is not shown either."""
    for field in ("owner", "player"):
        data.pop(field, None)
    if data["type"] == "MatchOpened":
        data.pop("seed", None)
    for seat in data.get("seats", ()):
        seat.pop("player", None)
    return data


def choice_answers(eyes: Eyes, seat: int) -> list[schema.ChoiceAnswer]:
    """Every legal command of a seat with its label."""
    timeline = eyes.timeline
    rules = timeline.rules
    if seat not in waiting_for(timeline, timeline.now):
        return []
    return [
        schema.ChoiceAnswer(
            command=msgspec.to_builtins(choice.command),
            label=say(rules.TEXT, choice.key, choice.args, eyes.names),
            key=choice.key,
            args=choice.args,
        )
        for choice in rules.choices(timeline.now.state, seat)
    ]


def last_version(decisions: list[Decision], version: int) -> int:
    """The version after the decisions, which follow ``version``."""
    return decisions[-1].last_version if decisions else version
