"""Texts of notifications, in the current language.

A message never contains more than a spectator of the match may see when it is made. For a private
chat message it names the sender but does not quote the text.
"""

from collections.abc import Collection, Sequence

from domain.contract.registry import TITLES
from domain.match.events import Said
from domain.match.timeline import Timeline
from domain.presentation.events import event_answers
from domain.presentation.matches import seat_answers
from domain.presentation.schemas import EventAnswer
from domain.presentation.viewpoint import NO_SEAT, Viewer, held_seats
from domain.text.joiners import truncate
from projections.summary import Summary
from service.common.clock import format_timestamp, now_ms
from service.http.i18n import current_language, t
from service.media.pictures.frames import build_frame
from service.notifications import timeouts
from service.notifications.channels import Channel
from service.notifications.mail_link_codes import OBJECT_PURPOSE, MailLinkCodes
from service.notifications.message import COMBINED_TAG, Message, message_tag
from service.notifications.outbox_sql import OutboxRow
from service.notifications.triggers import seats_to_vote_on

_MAX_RECENT_MOVES = 8
"""Maximum number of recent moves listed in a message."""
_MAX_LINE_CHARS = 160
"""Maximum length of a line in characters; longer ones are cut."""


def message_for_row(
    row: OutboxRow,
    timeline: Timeline,
    waiting: int,
    codes: MailLinkCodes,
    silenced: Collection[str] = (),
) -> Message:
    """Build the message for an outbox row from the current state of the match.

    ``waiting``: the number of matches that wait for the recipient; ``codes`` signs the link for
    objecting to a seat recovery; ``silenced``: the players whom the recipient has muted or blocked.
    """
    others = _other_names(timeline, row.player)
    title = t(
        "notification.title",
        game=_message_title(timeline),
        names=current_language().join_list(others),
    )
    lines = _recent_move_lines(timeline, row.player)
    return Message(
        kind=row.kind,
        title=title if others else _message_title(timeline),
        body=_message_body(row, timeline, lines, silenced),
        path=_target_path(row, timeline, codes),
        tag=message_tag(row.kind, row.match),
        key="-".join((row.kind, row.match, str(row.turn), str(row.created))),
        match=row.match,
        version=timeline.version,
        lines=lines,
        waiting=waiting,
    )


def _target_path(row: OutboxRow, timeline: Timeline, codes: MailLinkCodes) -> str:
    """Return the path that the message opens.

    It is the match, except that the owner of a seat to be recovered gets the page for objecting,
    and "recovered" opens the home page.
    """
    request = timeline.latest.recovery if row.kind == "recovery" else None
    if request is not None and timeline.latest.seats[request.about].player == row.player:
        request_id = f"{row.match}.{request.about}.{request.version}"
        return f"/notices/object/{codes.make_code(request_id, OBJECT_PURPOSE)}"
    return "/" if row.kind == "recovered" else f"/m/{row.match}"


def message_for_matches(
    rows: Sequence[tuple[OutboxRow, Timeline]], others: Sequence[Summary], waiting: int
) -> Message:
    """Build one message about several matches that wait for a player.

    ``rows``: the rows to send, each with its match; ``others``: all matches that wait for the
    player, of which those in ``rows`` are ignored; ``waiting``: their number.
    """
    first = rows[0][0]
    tables = {
        row.match: _match_line(_message_title(each), _other_names(each, row.player))
        for row, each in rows
    }
    for summary in others:
        seats = seat_answers(summary.seats, first.player, current_language())
        names = [seat.name for seat in seats if not seat.you and seat.name]
        tables.setdefault(summary.id, _match_line(TITLES[summary.game].title, names))
    lines, n = [*tables.values()], len(tables)
    return Message(
        kind="turn",
        title=t("notification.turn_many", n=n),
        body=" · ".join(lines[:3]) + (" · …" if n > 3 else ""),
        path="/",
        tag=COMBINED_TAG,
        key=f"tables-{first.match}-{first.turn}-{first.created}-{len(rows)}",
        lines=tuple(lines),
        paths=tuple(f"/m/{match}" for match in tables),
        waiting=max(waiting, len(rows)),
    )


def _match_line(game: str, names: Sequence[str]) -> str:
    return t("notification.title", game=game, names=current_language().join_list(names))


def test_message() -> Message:
    """Build the message for testing a channel."""
    return Message(
        kind="test",
        title="Caravanserai",
        body=t("notification.test"),
        path="/you",
        tag="test",
        key=f"test-{now_ms()}",
    )


def pause_message(channel: Channel) -> Message:
    """Build the message that tells a player that ``channel``, another of theirs, is paused."""
    return Message(
        kind="paused",
        title=t("notification.paused_title", name=channel.name),
        body=t("notification.paused_body"),
        path="/you",
        tag=f"paused-{channel.id}",
        key=f"paused-{channel.id}-{channel.paused}",
    )


def _message_title(timeline: Timeline) -> str:
    return TITLES[timeline.latest.opened.game].title


def _spectator(timeline: Timeline) -> Viewer:
    return Viewer(timeline, None, NO_SEAT, current_language(), format_timestamp)


def _other_names(timeline: Timeline, player: str) -> list[str]:
    own = timeouts.own_seats(timeline, player, held_seats(timeline, player))
    return [name for seat, name in enumerate(_spectator(timeline).names) if seat not in own]


def _message_body(
    row: OutboxRow, timeline: Timeline, lines: Sequence[str], silenced: Collection[str]
) -> str:
    last = lines[-1] if lines else ""
    match row.kind:
        case "turn":
            return t("notification.turn_last", last=last) if last else t("notification.turn")
        case "proposal":
            return _question_sentence(timeline, row.player)
        case "word":
            return _chat_sentence(timeline, unseen_chat_messages(row, timeline, silenced))
        case "over":
            stand = build_frame(timeline, timeline.latest, None).headline
            return t("notification.over", result=stand)
        case "rematch" if "declined" in row.args:
            return t("notification.invite_declined", name=row.args["declined"])
        case "rematch":
            return t("notification.invited")
        case "recovery":
            return _recovery_sentence(timeline, row.player)
        case "recovered":
            return t("notification.seat_moved")
        case "time":
            return timeouts.news_sentence(
                row.args, timeline, row.player, _spectator(timeline).names
            )
        case "plan":
            return t("notification.plan_dropped")
        case _:
            return t("notification.reminder")


def _recovery_sentence(timeline: Timeline, player: str) -> str:
    """Return the sentence about a seat recovery request, for the seat's owner or another player."""
    request, names = timeline.latest.recovery, _spectator(timeline).names
    if request is None:
        return t("notification.recovery_closed")
    asker = names[request.seat]
    if timeline.latest.seats[request.about].player == player:
        return t("notification.recovery_about_you", name=asker)
    about = names[request.about]
    return t("notification.vote_recovery", name=asker, about=about)


def _question_sentence(timeline: Timeline, player: str) -> str:
    """Return the sentence about the take-back request or vote that waits for the player."""
    proposal, names = timeline.latest.proposal, _spectator(timeline).names
    seats = seats_to_vote_on(timeline.latest, player)
    if proposal is None and seats:
        name = names[seats[0]]
        kind = timeline.latest.seats[seats[0]].kind
        if kind == "bot":
            return t("notification.vote_return", name=name)
        if kind == "open":
            return t("notification.vote_free_seat")
        return t("notification.vote_out_of_time", name=name)
    return t("notification.undo_asked", name=names[proposal.seat if proposal else 0])


def unseen_chat_messages(
    row: OutboxRow, timeline: Timeline, silenced: Collection[str], seen: int = 0
) -> list[Said]:
    """Return the chat messages that a player has not seen, from the version of a row onwards.

    Only messages that the player may read are returned, without their own, those up to version
    ``seen`` and those from the players in ``silenced``.
    """
    own = set(held_seats(timeline, row.player))
    first = max(timeline.index(max(row.version - 1, seen)) + 1, 0)
    return [
        event
        for index, decision in enumerate(timeline.decisions.tail(first), start=first)
        for event in decision.events
        if isinstance(event, Said) and event.seat is not None and event.seat not in own
        if event.to is None or timeline.redacted_for(event, None, own, index) is event
        if timeline.moments[index].seats[event.seat].player not in silenced
    ]


def _chat_sentence(timeline: Timeline, messages: Sequence[Said]) -> str:
    """Return the sentence about new chat messages.

    For a single message it names the sender, and quotes the text if it was public; for several it
    gives their number.
    """
    names = _spectator(timeline).names
    if not messages:
        return t("notification.chat")
    if len(messages) > 1:
        return t("notification.chat_many", n=len(messages))
    seat = messages[0].seat or 0
    if messages[0].to is not None:
        return t("notification.chat_private", name=names[seat])
    return _shorten_line(t("notification.chat_public", name=names[seat], text=messages[0].text))


def _recent_move_lines(timeline: Timeline, player: str) -> tuple[str, ...]:
    """Return the latest events since the player's last move as text, as a spectator sees them.

    Undone events and chat messages are left out.
    """
    now = timeline.latest
    own = max((now.latest[seat] for seat in held_seats(timeline, player)), default=-1)
    first = timeline.moments[own].version if own >= 0 else 1
    after = max(first, timeline.version - 4 * _MAX_RECENT_MOVES)
    events: list[EventAnswer] = event_answers(_spectator(timeline), after)
    lines = [each.text for each in events if not each.undone and each.type != "Said"]
    return tuple(_shorten_line(line) for line in lines[-_MAX_RECENT_MOVES:])


def _shorten_line(line: str) -> str:
    return line if len(line) <= _MAX_LINE_CHARS else truncate(line, _MAX_LINE_CHARS - 1) + "…"
