"""Notifications about expired time, and about seats handed over to a bot or back to their player.

The ``args`` of a notification of kind "time" are ``what``, a `SeatEvent`, and the ``seat``.
`news_sentence` composes its text for the recipient when it is sent.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, get_args

from domain.match.clocks import is_automatic, seats_with_bot_move
from domain.match.events import ReturnAnswered, SeatLeft, SeatReclaimed, TimeRanOut, Voted
from domain.match.history import Decision
from domain.match.losses import losses_of
from domain.match.moment import Moment
from domain.match.timeline import Timeline
from service.http.i18n import t

SeatEvent = Literal["nudge", "bot_moves", "bot_takes", "vote", "moved", "voted", "back", "declined"]
"""What happened to a seat.

- "nudge", "bot_moves", "bot_takes", "vote": its time ran out, with this consequence
  (`domain.match.time_control.TimeoutAction`);
- "moved": a bot moved for its player;
- "voted": the other players voted to give it to a bot;
- "back": its player got it back from the bot;
- "declined": the other players refused to give it back, so the bot keeps it.
"""
_EVENT_CODES: tuple[SeatEvent, ...] = get_args(SeatEvent)

SeatNews = tuple[str, SeatEvent, int, int]
"""The recipient's player id, what happened, the seat, and a number (a version or turn) that makes
the event unique among those of the same kind and seat."""


def seat_news(
    previous: Moment, after: Timeline, decisions: Sequence[Decision], by_bot: bool
) -> Iterator[SeatNews]:
    """Yield who is to be notified of which seat event in the decisions of one commit.

    ``previous``: the moment before the commit; ``after``: the match after it; ``decisions``: the
    decisions of the commit; ``by_bot``: whether a bot made them.
    """
    for decision in decisions:
        for version, event in enumerate(decision.events, start=decision.version):
            if type(event) in _EVENT_TYPES:
                index = after.index(decision.version - 1)
                before = after.moments[index] if index >= 0 else previous
                yield from _event_news(before, after.latest, decision, event, version)
        seat = decision.seat if by_bot else None
        if (
            seat is not None
            and seat in seats_with_bot_move(previous)
            and not is_automatic(decision)
        ):
            player = previous.seats[seat].player
            if player is not None:
                yield player, "moved", seat, after.rules.turn(previous.state)


_EVENT_TYPES = frozenset((TimeRanOut, SeatLeft, SeatReclaimed, ReturnAnswered))


def _event_news(
    before: Moment, now: Moment, decision: Decision, event: Any, version: int
) -> Iterator[SeatNews]:
    match event:
        case TimeRanOut(seat=seat, follows=follows):
            own = before.seats[seat].player
            # If the consequence is a vote, the other players are notified of the vote instead.
            others = () if follows == "vote" else _other_players(now, own)
            for player in (*((own,) if own else ()), *others):
                yield player, follows, seat, version
        case SeatLeft(seat=seat) if isinstance(decision.events[0], Voted):
            own, voter = before.seats[seat].player, decision.events[0].seat
            if own is None:
                return
            yield own, "voted", seat, version
            for player in _other_players(now, before.seats[voter].player):
                yield player, "voted", seat, version
        case SeatReclaimed(seat=seat, player=player):
            answered = isinstance(decision.events[0], ReturnAnswered)
            actor = before.seats[decision.seat or 0].player if answered else player
            for other in _other_players(now, actor):
                yield other, "back", seat, version
        case ReturnAnswered(about=seat, accept=False):
            own = next((loss.player for loss in before.losses if loss.seat == seat), None)
            if own is not None:
                yield own, "declined", seat, version


def _other_players(now: Moment, but: str | None) -> list[str]:
    return sorted(player for player in now.people() if player and player != but)


def news_number(what: SeatEvent, count: int) -> int:
    """Combine a `SeatEvent` and the number of its `SeatNews` into one number."""
    return count * len(_EVENT_CODES) + _EVENT_CODES.index(what)


def still_applies(args: dict[str, Any], timeline: Timeline, player: str) -> bool:
    """Return whether a notification of kind "time" still applies to the current state of the match.

    ``args``: the arguments of the notification; ``player``: its recipient.
    """
    now, seat, what = timeline.latest, int(args["seat"]), args["what"]
    own = now.seats[seat].player == player
    lost = any(loss.seat == seat for loss in losses_of(now, player))
    match what:
        case "nudge" | "vote":
            return now.status == "playing" and now.clocks[seat].out
        case "bot_moves" if own:
            # Once the bot has moved, the player gets "moved" instead.
            return now.status == "playing" and now.clocks[seat].out
        case "bot_takes" | "voted":
            return lost or (not own and now.seats[seat].kind == "bot")
        case "declined":
            return lost
        case "back":
            return now.seats[seat].kind == "human"
        case _:
            return True


def own_seats(timeline: Timeline, player: str, held_seats: Iterable[int]) -> set[int]:
    """Return the seats in ``held_seats`` and those that the player has lost to a bot."""
    return {*held_seats, *(loss.seat for loss in losses_of(timeline.latest, player))}


def news_sentence(
    args: dict[str, Any], timeline: Timeline, player: str, names: Sequence[str]
) -> str:
    """Return the sentence of a notification of kind "time" for its recipient.

    ``args``: the arguments of the notification; ``player``: its recipient; ``names``: the display
    names of all seats.
    """
    now, seat = timeline.latest, int(args["seat"])
    what: SeatEvent = args["what"]
    loss = next((each for each in losses_of(now, player) if each.seat == seat), None)
    if loss is not None or now.seats[seat].player == player:
        return _own_seat_sentence(what, loss is not None and loss.reclaimed)
    return _other_seat_sentence(what, names[seat])


def _own_seat_sentence(event: SeatEvent, again: bool) -> str:
    match event:
        case "nudge":
            return t("notification.time.nudge")
        case "bot_moves":
            return t("notification.time.bot_moves")
        case "moved":
            return t("notification.time.moved")
        case "vote":
            return t("notification.time.vote")
        case "bot_takes" if again:
            return t("notification.time.bot_takes_again")
        case "bot_takes":
            return t("notification.time.bot_takes")
        case "voted" if again:
            return t("notification.seat.voted_you_again")
        case "voted":
            return t("notification.seat.voted_you")
        case "declined":
            return t("notification.seat.declined")
        case _:
            return t("notification.seat.back")


def _other_seat_sentence(event: SeatEvent, name: str) -> str:
    match event:
        case "bot_moves":
            return t("notification.time.bot_moves_other", name=name)
        case "bot_takes":
            return t("notification.time.bot_takes_other", name=name)
        case "voted":
            return t("notification.seat.voted", name=name)
        case "back":
            return t("notification.seat.reclaimed", name=name)
        case _:
            return t("notification.time.nudge_other", name=name)
