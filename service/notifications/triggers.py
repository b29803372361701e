"""The notifications caused by one commit, computed from the match before and after it.

A notification records only that something happened. Its text is composed when it is sent, from what
a spectator may see at that time (`service.notifications.delivery.message_text`).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct, field

from domain.match import (
    Decision,
    Moment,
    Said,
    Timeline,
    free_seats,
    is_automatic,
    open_requests,
    seats_with_bot_move,
)
from domain.presentation.viewpoint import is_for_review, seats_to_act
from service.notifications import timeouts

Kind = Literal["turn", "proposal", "word", "over", "rematch", "reminder", "plan", "time"]
"""Kinds of notifications that a player can turn on or off.

- "turn": it is the player's turn;
- "proposal": a take-back request or a vote waits for the player's answer;
- "word": the player got a chat message;
- "over": the match has ended;
- "rematch": the player is invited to another match, or their own invitation was declined;
- "reminder": the player is running out of time;
- "plan": the player's conditional moves were dropped;
- "time": a seat ran out of time, was given to a bot, or was given back to its player.
"""
KINDS: tuple[Kind, ...] = (
    *("turn", "proposal", "word", "over", "rematch", "reminder", "plan", "time"),
)
ADDED_LATER: tuple[Kind, ...] = ("time",)
"""Kinds that were added in later releases, so that older stored preferences lack them."""
RecoveryKind = Literal["recovery", "recovered"]
"""Kinds about seat recovery.

- "recovery": a request to move a seat to another device is open; the seat's player may object, and
  the others are asked to agree;
- "recovered": the player's seat has moved to another device.
"""
URGENT_KINDS: tuple[RecoveryKind, ...] = ("recovery", "recovered")
"""Kinds that are sent at any time and regardless of preferences, because a player who misses one
may lose their seat."""
NEWS_KINDS: tuple[Kind, ...] = ("word", "over", "time")
"""Kinds that are dropped if the player has already seen the event in the match."""
TURN_KINDS: tuple[Kind, ...] = ("turn", "reminder", "plan")
"""Kinds that apply only while the match waits for the player to move."""

_MAX_SEATS = 16


class Notification(Struct, frozen=True):
    """A notification for one player.

    - ``player``, ``match``: ids of the recipient and the match;
    - ``turn``: a number that identifies the occasion: there is at most one notification per player,
      match, kind and ``turn``;
    - ``version``: the version of the match from which it applies;
    - ``args``: plain values that the text needs in addition to the match.
    """

    player: str
    match: str
    kind: Kind | RecoveryKind
    turn: int
    version: int
    args: dict[str, Any] = field(default_factory=dict)


class Withdrawal(Struct, frozen=True):
    """The withdrawal of a player's notifications of some kinds about a match.

    ``is_immediate``: whether sent ones are withdrawn at once, because the player has acted or the
    question is settled; otherwise after `service.notifications.outbox_sql.WITHDRAW_AFTER_MS`.
    """

    player: str
    match: str
    kinds: tuple[Kind | RecoveryKind, ...]
    is_immediate: bool


class PlanPlayed(Struct, frozen=True):
    """A seat's plan that was stored at version ``since`` and played at version ``version``."""

    match: str
    seat: int
    since: int
    version: int


class SeatMoved(Struct, frozen=True):
    """A seat that moved to another device.

    ``old``, ``new``: the player ids of the previous and the new device; ``others``: the player ids
    of the other people in the match.
    """

    match: str
    seat: int
    old: str
    new: str
    others: tuple[str, ...]


class NotificationBatch(Struct, frozen=True):
    """The notifications that one commit causes, those it withdraws, and related changes.

    ``plan_played``: the plan that the commit plays, if any; its player is not notified, because the
    match shows it; ``moved_seats``: the seats that moved to another device.
    """

    notifications: tuple[Notification, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    plan_played: PlanPlayed | None = None
    moved_seats: tuple[SeatMoved, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.notifications or self.withdrawals or self.plan_played or self.moved_seats)


NO_NOTIFICATIONS = NotificationBatch()


def notifications_for(
    match: str, before: Timeline | None, after: Timeline, *, by_bot: bool = False
) -> NotificationBatch:
    """Return the notifications to send and to withdraw once ``after`` is saved.

    ``match``: the id of the match; ``before``: the match before the commit, None for a new match;
    ``by_bot``: whether a bot made the decisions. Players are not notified of their own actions, nor
    of turns and results if all their opponents are bots, because bots move at once.
    """
    now = after.latest
    if before is None or not before.moments:
        return _new_match_notifications(match, before, after)
    then = before.latest
    waited, waits = seats_to_act(before, then), seats_to_act(after, now)
    new_decisions = after.decisions.tail(len(before.decisions))
    timed = (
        []
        if is_for_review(after)
        else _time_notifications(match, then, after, new_decisions, by_bot)
    )
    # Most commits are made in the middle of a turn: detect this cheaply and return early.
    same_votes = _has_same_players(then, now) or _open_votes(then) == _open_votes(now)
    if waited == waits and same_votes and _differs_only_in_turns(then, now):
        return NotificationBatch(tuple(timed)) if timed else NO_NOTIFICATIONS
    if is_for_review(after):
        return NO_NOTIFICATIONS
    people = now.people()
    if len(people) < 2 and len(then.people()) < 2 and same_votes:
        return NotificationBatch(tuple(timed)) if timed else NO_NOTIFICATIONS
    actors = _acting_players(then, now, new_decisions)
    settled = _turn_withdrawals(match, (then, waited), (now, waits), actors)
    settled += _recovery_withdrawals(match, then, now)
    moved = _moved_seats(match, then, now)
    if len(people) < 2:  # The last remaining person may still be asked about the other seats.
        votes = () if same_votes else tuple(_vote_notifications(match, then, now, actors))
        return NotificationBatch((*timed, *votes), tuple(settled), moved_seats=moved)
    notices = timed + _turn_notifications(match, (then, waited), (now, waits), actors)
    if now.proposal is not None and then.proposal is None:
        notices += _notify_others(match, "proposal", now.version, now, actors)
    if not same_votes:
        notices += _vote_notifications(match, then, now, actors)
    if then.said != now.said:
        notices += _chat_notifications(match, new_decisions, after)
    if now.status == "finished" and then.status != "finished":
        notices += _notify_others(match, "over", 0, now, actors)
    notices += _recovery_notifications(match, then, now, actors)
    notices += [_seat_moved_notification(each, now) for each in moved]
    return NotificationBatch(tuple(notices), tuple(settled), moved_seats=moved)


def _time_notifications(
    match: str, then: Moment, after: Timeline, fresh: Sequence[Decision], by_bot: bool
) -> list[Notification]:
    """Return the notifications of kind "time" (`service.notifications.timeouts`)."""
    return [
        Notification(
            player,
            match,
            "time",
            turn_id(timeouts.news_number(what, count), seat),
            after.version,
            {"what": what, "seat": seat},
        )
        for player, what, seat, count in timeouts.seat_news(then, after, fresh, by_bot)
    ]


def _new_match_notifications(
    match: str, before: Timeline | None, after: Timeline
) -> NotificationBatch:
    """Return the notifications of a new match; ``before`` is None or has no moments yet."""
    now = after.latest
    if is_for_review(after):
        return NO_NOTIFICATIONS
    invitations = tuple(_invitations(match, now)) if before is None else ()
    if len(now.people()) < 2:
        return NotificationBatch(invitations)
    new_decisions = after.decisions.tail(len(before.decisions) if before else 0)
    actors = _acting_players(None, now, new_decisions)
    notices = _turn_notifications(match, None, (now, seats_to_act(after, now)), actors)
    if now.proposal is not None:
        notices += _notify_others(match, "proposal", now.version, now, actors)
    notices += [
        *_vote_notifications(match, None, now, actors),
        *_chat_notifications(match, new_decisions, after),
    ]
    if now.status == "finished":
        notices += _notify_others(match, "over", 0, now, actors)
    return NotificationBatch((*invitations, *notices))


def _has_same_players(then: Moment, now: Moment) -> bool:
    """Return whether seats, clocks, status and lost seats are unchanged, and so all votes too."""
    return (
        then.seats is now.seats
        and then.clocks is now.clocks
        and then.status == now.status
        and then.losses is now.losses
    )


def _differs_only_in_turns(then: Moment, now: Moment) -> bool:
    """Return whether nothing changed that causes notifications, apart from turns and votes."""
    return (
        then.seats is now.seats
        and then.status == now.status
        and then.proposal is now.proposal
        and then.recovery is now.recovery
        and then.said == now.said
    )


def _acting_players(then: Moment | None, now: Moment, fresh: Iterable[Decision]) -> set[str | None]:
    """Return the players who made the decisions themselves, unlike bots and automatic decisions.

    ``fresh``: the decisions of the commit.
    """
    bots_for = seats_with_bot_move(then) if then else ()
    return {
        now.seats[d.seat].player
        for d in fresh
        if d.seat is not None and not is_automatic(d) and d.seat not in bots_for
    }


def turn_number(moment: Moment, seat: int) -> int:
    """Return a number that identifies a seat's current turn within the match.

    It changes whenever `Moment.latest` changes for the seat.
    """
    return turn_id(moment.latest[seat] + 1, seat)


def turn_id(count: int, seat: int) -> int:
    """Combine a count and a seat into one number, from which `seat_of_turn` recovers the seat."""
    return count * _MAX_SEATS + seat


def seat_of_turn(turn: int) -> int:
    """Return the seat encoded in a number made by `turn_id`."""
    return turn % _MAX_SEATS


def _invitations(match: str, now: Moment) -> Iterable[Notification]:
    """Yield invitations to the players for whom a new match reserves seats."""
    held = {seat.player for seat in now.seats if seat.kind == "open" and seat.player}
    for player in sorted(held - now.people()):
        yield Notification(player, match, "rematch", 0, now.version)


def declined_notification(
    host: str, match: str, seat: int, name: str, version: int
) -> Notification:
    """Return the notification to the host that an invited player declined their reserved seat.

    ``host``: the player id of the host; ``name``: the display name of the invited player.
    """
    return Notification(host, match, "rematch", 1 + seat, version, {"declined": name})


_WaitingSeats = tuple[Moment, tuple[int, ...]]
"""A moment and the seats for which the match waits at that moment."""


def _turn_notifications(
    match: str, earlier: _WaitingSeats | None, later: _WaitingSeats, actors: Collection[str | None]
) -> list[Notification]:
    (now, acting), found = later, []
    then, waited = earlier or (None, ())
    seen = set(actors)
    for seat in acting:
        holder = now.seats[seat]
        player = holder.player
        if holder.kind != "human" or player is None or player in seen:
            continue
        if seat not in waited or (then and then.seats[seat].player != player):
            seen.add(player)
            found.append(Notification(player, match, "turn", turn_number(now, seat), now.version))
    return found


def _notify_others(
    match: str, kind: Kind, turn: int, now: Moment, actors: Collection[str | None]
) -> list[Notification]:
    """Return a notification for each person in the match, except for those in ``actors``."""
    players = sorted(p for p in now.people() if p and p not in actors)
    return [Notification(player, match, kind, turn, now.version) for player in players]


def seats_to_vote_on(moment: Moment, player: str) -> list[int]:
    """Return the seats about which the player is asked to vote.

    These are free seats and seats out of time, which may be given to a bot, and bot seats that
    their former players ask to have back.
    """
    return [
        seat
        for seat, agreed in _open_votes(moment)
        if player not in agreed and moment.seats[seat].player != player
    ]


def _open_votes(moment: Moment) -> Sequence[tuple[int, Collection[str]]]:
    """Return the seats with an open vote, each with the players who need not vote (any more)."""
    pace = moment.opened.pace
    free: list[tuple[int, Collection[str]]] = [(seat, ()) for seat in free_seats(moment)]
    if moment.losses and moment.status == "playing":
        free += [(loss.seat, (loss.player, *loss.agreed)) for loss in open_requests(moment)]
    if pace is None or pace.on_end != "vote" or moment.status != "playing":
        return free
    return free + [
        (seat, clock.for_bot)
        for seat, clock in enumerate(moment.clocks)
        if clock.out and moment.seats[seat].kind == "human"
    ]


def _vote_notifications(
    match: str, then: Moment | None, now: Moment, actors: Collection[str | None]
) -> Iterable[Notification]:
    known = {seat for seat, _agreed in _open_votes(then)} if then else set()
    if {seat for seat, _agreed in _open_votes(now)} <= known:
        return
    for player in sorted(p for p in now.people() if p and p not in actors):
        if seats_to_vote_on(now, player):
            yield Notification(player, match, "proposal", now.version, now.version)


def _recovery_notifications(
    match: str, then: Moment, now: Moment, actors: Collection[str | None]
) -> Iterable[Notification]:
    """Yield the notifications of a new recovery request; none if there is no new request.

    They go to the seat's owner, who may object, and to the other players, who are asked to agree.
    """
    request = now.recovery
    if request is None or (then.recovery and then.recovery.version == request.version):
        return
    owner = now.seats[request.about].player
    for player in sorted(p for p in now.people() if p):
        if player == owner or (player not in actors and player not in request.agreed):
            args = {"seat": request.about}
            yield Notification(player, match, "recovery", request.version, request.version, args)


def is_asked_about_recovery(now: Moment, player: str, version: int) -> bool:
    """Return whether the recovery request made at a version is open and waits for the player.

    It waits for the owner of the seat, who may object, and for the others who have not yet agreed.
    """
    request = now.recovery
    if request is None or request.version != version or player not in now.people():
        return False
    return now.seats[request.about].player == player or player not in request.agreed


def _recovery_withdrawals(match: str, then: Moment, now: Moment) -> list[Withdrawal]:
    """Return withdrawals for the players who need not answer a recovery request any more.

    These are all players if the request has ended, otherwise those who have now agreed.
    """
    before, after = then.recovery, now.recovery
    if before is None or before is after:
        return []
    if after is None or after.version != before.version:
        answered = {p for p in then.people() if p}
    else:
        answered = set(after.agreed) - set(before.agreed)
    return [Withdrawal(player, match, ("recovery",), True) for player in sorted(answered)]


def _moved_seats(match: str, then: Moment, now: Moment) -> tuple[SeatMoved, ...]:
    people = sorted(p for p in then.people() | now.people() if p)
    return tuple(
        SeatMoved(match, seat, old, new, tuple(p for p in people if p not in (old, new)))
        for seat, old, new in now.moved[len(then.moved) :]
    )


def _seat_moved_notification(moved: SeatMoved, now: Moment) -> Notification:
    """Return the notification to the device that has lost the seat."""
    number = turn_id(now.version, moved.seat)
    args = {"seat": moved.seat}
    return Notification(moved.old, moved.match, "recovered", number, now.version, args)


def _chat_notifications(
    match: str, fresh: Iterable[Any], after: Timeline
) -> Iterable[Notification]:
    """Yield a notification for each chat message and recipient.

    Notifications to the same player in the same turn share an outbox row.
    """
    now = after.latest
    for decision in fresh:
        for version, event in enumerate(decision.events, start=decision.version):
            if not isinstance(event, Said) or event.seat is None:
                continue
            speaker = now.seats[event.seat].player
            for seat, holder in enumerate(now.seats):
                heard = event.to in (None, seat)
                if holder.kind == "human" and holder.player not in (None, speaker) and heard:
                    number = turn_number(now, seat) if now.latest else seat
                    yield Notification(str(holder.player), match, "word", number, version)


def _turn_withdrawals(
    match: str, earlier: _WaitingSeats, later: _WaitingSeats, actors: Collection[str | None]
) -> list[Withdrawal]:
    then, now = earlier[0], later[0]
    left = _awaited_players(*earlier) - _awaited_players(*later)
    found = [Withdrawal(player, match, TURN_KINDS, player in actors) for player in sorted(left)]
    if now.proposal is not None or (then.proposal is None and not _open_votes(then)):
        return found
    for player in sorted(p for p in then.people() if p):
        decided = seats_to_vote_on(then, player) and not seats_to_vote_on(now, player)
        if decided or then.proposal is not None:
            found.append(Withdrawal(player, match, ("proposal",), True))
    return found


def _awaited_players(moment: Moment, waits: Iterable[int]) -> set[str]:
    """Return the human players for whom the match waits; ``waits``: the seats it waits for."""
    seats = [moment.seats[seat] for seat in waits]
    return {seat.player for seat in seats if seat.kind == "human" and seat.player}
