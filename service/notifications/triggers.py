"""The notifications caused by one commit, computed from the match before and after it.

`service.notifications.match_diff` compares the two. Each function ``_notify_...`` and
``_withdraw_...`` holds the condition of one kind of notification. Reminders and dropped plans are
not caused by commits: they come from `service.matches.scheduler` and `service.matches.plans`.

A notification records only that something happened. Its text is composed when it is sent, from what
a spectator may see at that time (`service.notifications.delivery.message_text`).
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Literal, get_args

from msgspec import Struct, field

from domain.match.events import Said
from domain.match.moment import Moment
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import is_for_review
from service.notifications import timeouts
from service.notifications.match_diff import MatchDiff, diff, open_votes, sorted_people

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
KINDS: tuple[Kind, ...] = get_args(Kind)
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
    if is_for_review(after):
        return NO_NOTIFICATIONS
    change = diff(match, before, after, by_bot=by_bot)
    # Most commits are made in the middle of a turn: detect this cheaply.
    if change.is_within_turn or (change.was_solo and change.is_solo and change.same_votes):
        timeouts_only = tuple(_notify_timeout(change))
        return NotificationBatch(timeouts_only) if timeouts_only else NO_NOTIFICATIONS
    triggers = _SOLO_TRIGGERS if change.is_solo else _TRIGGERS
    return NotificationBatch(
        tuple(chain.from_iterable(notify(change) for notify in triggers)),
        tuple(chain.from_iterable(withdraw(change) for withdraw in _WITHDRAWALS)),
        moved_seats=_moved_seats(change),
    )


# --- the condition of each kind of notification -------------------------------------------------


def _notify_invitation(change: MatchDiff) -> Iterable[Notification]:
    """Yield "rematch" for each player for whom a new match reserves a seat."""
    if change.then is None:
        now = change.now
        held = {seat.player for seat in now.seats if seat.kind == "open" and seat.player}
        for player in sorted(held - now.people()):
            yield Notification(player, change.match, "rematch", 0, now.version)


def _notify_timeout(change: MatchDiff) -> Iterable[Notification]:
    """Yield "time" for each event of `service.notifications.timeouts.seat_news`."""
    if change.then is None:
        return
    news = timeouts.seat_news(change.then, change.timeline, change.decisions, change.by_bot)
    for player, what, seat, count in news:
        number = turn_id(timeouts.news_number(what, count), seat)
        args = {"what": what, "seat": seat}
        yield Notification(player, change.match, "time", number, change.now.version, args)


def _notify_turn(change: MatchDiff) -> Iterable[Notification]:
    """Yield "turn" for each person for whom the match begins to wait.

    It waits for a seat for which it did not wait before the commit, or that has another player.
    """
    then, now = change.then, change.now
    skipped = set(change.actors)
    for seat in change.waits:
        player = now.seats[seat].player
        if now.seats[seat].kind != "human" or player is None or player in skipped:
            continue
        if seat not in change.waited or (then and then.seats[seat].player != player):
            skipped.add(player)
            number = turn_number(now, seat)
            yield Notification(player, change.match, "turn", number, now.version)


def _notify_undo_request(change: MatchDiff) -> Iterable[Notification]:
    """Yield "proposal" for all others if an undo is proposed and none was before."""
    if change.now.proposal is not None and (change.then is None or change.then.proposal is None):
        yield from _notify_others(change, "proposal", change.now.version)


def _notify_vote(change: MatchDiff) -> Iterable[Notification]:
    """Yield "proposal" for each person who is asked to vote, if there is a vote on another seat.

    The last remaining person is asked too, but not about the seats of a match that is new.
    """
    now = change.now
    if change.then is None and change.is_solo:
        return
    known = {seat for seat, _agreed in open_votes(change.then)} if change.then else set()
    if {seat for seat, _agreed in open_votes(now)} <= known:
        return
    for player in change.others():
        if seats_to_vote_on(now, player):
            yield Notification(player, change.match, "proposal", now.version, now.version)


def _notify_chat(change: MatchDiff) -> Iterable[Notification]:
    """Yield "word" for each chat message and each of its recipients.

    Notifications to the same player in the same turn share an outbox row.
    """
    now = change.now
    if change.then is not None and change.then.said == now.said:
        return
    for decision in change.decisions:
        for version, event in enumerate(decision.events, start=decision.version):
            if not isinstance(event, Said) or event.seat is None:
                continue
            speaker = now.seats[event.seat].player
            for seat, holder in enumerate(now.seats):
                heard = event.to in (None, seat)
                if holder.kind == "human" and holder.player not in (None, speaker) and heard:
                    number = turn_number(now, seat) if now.latest else seat
                    yield Notification(str(holder.player), change.match, "word", number, version)


def _notify_end(change: MatchDiff) -> Iterable[Notification]:
    """Yield "over" for all others if the commit ended the match."""
    if change.now.status == "finished" and (
        change.then is None or change.then.status != "finished"
    ):
        yield from _notify_others(change, "over", 0)


def _notify_recovery_request(change: MatchDiff) -> Iterable[Notification]:
    """Yield "recovery" for everybody who may answer a new recovery request.

    These are the seat's owner, who may object, and the other players, who are asked to agree.
    """
    request, known = change.now.recovery, change.then.recovery if change.then else None
    if change.then is None or request is None or (known and known.version == request.version):
        return
    owner = change.now.seats[request.about].player
    for player in change.everybody():
        if player == owner or (player not in change.actors and player not in request.agreed):
            args = {"seat": request.about}
            version = request.version
            yield Notification(player, change.match, "recovery", version, version, args)


def _notify_moved_seat(change: MatchDiff) -> Iterable[Notification]:
    """Yield "recovered" for each device that has lost its seat to another device."""
    for moved in _moved_seats(change):
        number = turn_id(change.now.version, moved.seat)
        args = {"seat": moved.seat}
        version = change.now.version
        yield Notification(moved.old, change.match, "recovered", number, version, args)


def _notify_others(change: MatchDiff, kind: Kind, turn: int) -> Iterable[Notification]:
    for player in change.others():
        yield Notification(player, change.match, kind, turn, change.now.version)


# --- the condition of each withdrawal -----------------------------------------------------------


def _withdraw_turn(change: MatchDiff) -> Iterable[Withdrawal]:
    """Yield the kinds about turns for each person for whom the match no longer waits."""
    if change.then is not None:
        waited = _awaited_players(change.then, change.waited)
        for player in sorted(waited - _awaited_players(change.now, change.waits)):
            yield Withdrawal(player, change.match, TURN_KINDS, player in change.actors)


def _withdraw_proposal(change: MatchDiff) -> Iterable[Withdrawal]:
    """Yield "proposal" for each person whose answer is no longer awaited.

    These are all people if an undo proposal has ended, otherwise those who had to vote and no
    longer do. Yields nothing while an undo is proposed.
    """
    then, now = change.then, change.now
    if then is None or now.proposal is not None:
        return
    if then.proposal is None and not open_votes(then):
        return
    for player in sorted_people(then):
        has_voted = seats_to_vote_on(then, player) and not seats_to_vote_on(now, player)
        if has_voted or then.proposal is not None:
            yield Withdrawal(player, change.match, ("proposal",), True)


def _withdraw_recovery_request(change: MatchDiff) -> Iterable[Withdrawal]:
    """Yield "recovery" for each person who need not answer a recovery request any more.

    These are all people if the request has ended, otherwise those who have now agreed.
    """
    known, request = change.then.recovery if change.then else None, change.now.recovery
    if change.then is None or known is None or known is request:
        return
    if request is None or request.version != known.version:
        answered = sorted_people(change.then)
    else:
        answered = sorted(set(request.agreed) - set(known.agreed))
    for player in answered:
        yield Withdrawal(player, change.match, ("recovery",), True)


Trigger = Callable[[MatchDiff], Iterable[Notification]]

_TRIGGERS: tuple[Trigger, ...] = (
    _notify_invitation,
    _notify_timeout,
    _notify_turn,
    _notify_undo_request,
    _notify_vote,
    _notify_chat,
    _notify_end,
    _notify_recovery_request,
    _notify_moved_seat,
)
_SOLO_TRIGGERS: tuple[Trigger, ...] = (_notify_invitation, _notify_timeout, _notify_vote)
"""The triggers that apply even if only one person plays."""
_WITHDRAWALS = (_withdraw_turn, _withdraw_proposal, _withdraw_recovery_request)


# --- occasions and questions, which the sender needs too ----------------------------------------


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


def declined_notification(
    host: str, match: str, seat: int, name: str, version: int
) -> Notification:
    """Return the notification to the host that an invited player declined their reserved seat.

    ``host``: the player id of the host; ``name``: the display name of the invited player.
    """
    return Notification(host, match, "rematch", 1 + seat, version, {"declined": name})


def seats_to_vote_on(moment: Moment, player: str) -> list[int]:
    """Return the seats about which the player is asked to vote.

    These are free seats and seats out of time, which may be given to a bot, and bot seats that
    their former players ask to have back.
    """
    return [
        seat
        for seat, agreed in open_votes(moment)
        if player not in agreed and moment.seats[seat].player != player
    ]


def is_asked_about_recovery(now: Moment, player: str, version: int) -> bool:
    """Return whether the recovery request made at a version is open and waits for the player.

    It waits for the owner of the seat, who may object, and for the others who have not yet agreed.
    """
    request = now.recovery
    if request is None or request.version != version or player not in now.people():
        return False
    return now.seats[request.about].player == player or player not in request.agreed


def _moved_seats(change: MatchDiff) -> tuple[SeatMoved, ...]:
    then, now = change.then, change.now
    if then is None or len(then.moved) == len(now.moved):
        return ()
    people = sorted({*sorted_people(then), *sorted_people(now)})
    return tuple(
        SeatMoved(change.match, seat, old, new, tuple(p for p in people if p not in (old, new)))
        for seat, old, new in now.moved[len(then.moved) :]
    )


def _awaited_players(moment: Moment, waits: Iterable[int]) -> set[str]:
    """Return the human players for whom the match waits; ``waits``: the seats it waits for."""
    seats = [moment.seats[seat] for seat in waits]
    return {seat.player for seat in seats if seat.kind == "human" and seat.player}
