"""Request bodies for matches and vacations."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from domain.contract.game import Level
from domain.match import time_control
from domain.text.text_rules import MAX_MESSAGE_CHARS
from service.http.schema import Body, Name, SeatNumber, Version

BotLevel = Annotated[
    Level, Meta(description="Playing strength of a bot; `good` by default. Only for bots.")
]


def _bounds_meta(bounds: tuple[int, int]) -> Meta:
    return Meta(ge=bounds[0], le=bounds[1])


class NewSeat(Body, frozen=True):
    """A seat of a new match.

    ``kind``: `me` for your own seat, `open` for another player's, `bot` for a bot. ``name``: the
    name of the seat, by default your name or a name for a bot. ``level``: the playing strength of a
    bot. ``person``: the id, from `listPeople`, of the person for whom an open seat is reserved.
    """

    kind: Literal["me", "open", "bot"]
    name: Name | None = None
    level: BotLevel | None = None
    person: Annotated[str, Meta(max_length=40)] | None = None


class NewPace(Body, frozen=True):
    """The time control of a new match.

    Kind `live`: each seat has a ``bank`` of seconds; when its turn begins, ``increment`` seconds
    are added, and it has at least ``minimum`` seconds for the turn. Kind `days`: each turn may take
    ``days`` days; with ``weekends_off``, weekends in the time zone do not count (``zone`` is used
    only without ``time_zone``), and a player's vacation stops the player's clock unless
    ``vacation`` is false. Fields of the other kind are ignored.

    ``on_end``: what happens when a seat's time is up. `nudge`: the players are only notified.
    `bot_moves`: a bot makes this one move. `bot_takes`: a bot takes the seat. `vote`: the other
    players may decide together that a bot takes it.
    """

    kind: time_control.TimeControlKind
    on_end: time_control.TimeoutAction = "nudge"
    bank: Annotated[int, _bounds_meta(time_control.BANK_RANGE_S)] = 900
    increment: Annotated[int, _bounds_meta(time_control.INCREMENT_RANGE_S)] = 0
    minimum: Annotated[int, _bounds_meta(time_control.MINIMUM_RANGE_S)] = 30
    days: Annotated[int, _bounds_meta(time_control.DAYS_RANGE)] = 3
    weekends_off: bool = False
    zone: Annotated[
        int,
        Meta(
            ge=time_control.ZONE_RANGE_MINUTES[0],
            le=time_control.ZONE_RANGE_MINUTES[1],
            description="Fixed UTC offset in minutes, positive east of Greenwich.",
        ),
    ] = 0
    time_zone: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=time_control.MAX_ZONE_NAME_CHARS,
                description="IANA name of the time zone whose weekends do not count, such as"
                " `Europe/Paris`. The match stores the zone's offset changes of the next three"
                " years; after the last of them the offset stays the same.",
            ),
        ]
        | None
    ) = None
    vacation: Annotated[
        bool, Meta(description="Whether a vacation stops the player's clock. Only for kind `days`.")
    ] = True


class NewMatch(Body, frozen=True):
    """A new match; without ``pace`` there is no time limit.

    ``game``: the slug of the game; ``options``: options according to the game's schema from
    `listGames`, with defaults for missing ones.
    """

    game: Annotated[str, Meta(max_length=50)]
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=1, max_length=16)]
    options: dict[str, Any] = field(default_factory=dict)
    visibility: Literal["private", "public"] = "private"
    pace: NewPace | None = None


class PreviewTable(Body, frozen=True):
    """The number of seats and the options of a match to preview."""

    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = field(default_factory=dict)


class JoinMatch(Body, frozen=True):
    """The seat to take; without ``seat``, one reserved for you or otherwise the first open one.

    ``invite``: the invite code of a private match; ``name``: your name in this match, by default
    your usual name.
    """

    invite: Annotated[str, Meta(max_length=100)] | None = None
    seat: SeatNumber | None = None
    name: Name | None = None


class LeaveSeats(Body, frozen=True):
    """The seat to leave; without ``seat``, all of yours, and seats reserved for you are declined.

    The host may also name a seat that is reserved for another player, to release it. In a running
    match with secrets (a fork), a bot takes that seat, because a new player would know less than
    the other players.

    ``stand_in``: who takes your seat in a match that has begun. With `nobody` the seat is open
    until somebody joins with the invite or another player gives it to a bot (`castVote`); this is
    not possible in a game with secrets.
    """

    seat: SeatNumber | None = None
    stand_in: Literal["bot", "nobody"] = "bot"


class HideMatch(Body, frozen=True):
    """Whether the match is to be hidden from your list."""

    hidden: bool = True


class PlayCommands(Body, frozen=True):
    """Commands of one seat, executed in order, all or none.

    ``expected_version``: the version of the match for which the commands were chosen.
    """

    seat: SeatNumber
    expected_version: Version
    commands: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=100)]


class UndoMoves(Body, frozen=True):
    """An undo back to ``to_version``, by default to before the seat's own latest move."""

    seat: SeatNumber
    expected_version: Version
    to_version: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class RedoMoves(Body, frozen=True):
    """A redo of the moves that the last undo removed."""

    seat: SeatNumber
    expected_version: Version


class SayWords(Body, frozen=True):
    """A chat message from ``seat`` to everyone in the match, or only to seat ``to`` if given."""

    seat: SeatNumber
    text: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_MESSAGE_CHARS,
            description="Plain text.",
            examples=["Trade salt?"],
        ),
    ]
    to: SeatNumber | None = None


class AnswerProposal(Body, frozen=True):
    """An answer to an open undo proposal; the proposer withdraws it by declining."""

    seat: SeatNumber
    accept: bool


class CastVote(Body, frozen=True):
    """A vote on whether a bot should take the seat ``about``, whose time has run out.

    ``bot``: true to vote for the bot, false to vote against it. An open seat is given to a bot by
    the first vote for it.
    """

    seat: SeatNumber
    about: SeatNumber
    bot: bool


class ReclaimSeat(Body, frozen=True):
    """The lost seat to take back; without ``seat``, the first that you lost on time or by vote."""

    seat: SeatNumber | None = None


class AnswerSeatReturn(Body, frozen=True):
    """An answer to the request of the player who lost the seat ``about`` again to get it back.

    ``accept``: true to agree, false to decline.
    """

    seat: SeatNumber
    about: SeatNumber
    accept: bool


class GoOnVacation(Body, frozen=True):
    """Whether to begin a vacation (true) or to end it (false)."""

    away: bool


class ForkSeat(Body, frozen=True):
    """A seat of a fork.

    ``kind``: `me` for your own seat, `open` for another player's, `bot` for a bot, `same` for the
    same player as in the original match, for whom the seat is reserved until that player joins.
    ``name``: the name of the seat, by default based on that in the original match. ``level``: the
    playing strength of a bot.
    """

    kind: Literal["me", "open", "bot", "same"]
    name: Name | None = None
    level: BotLevel | None = None


class ForkMatch(Body, frozen=True):
    """A fork of a match at version ``at``; without ``seats``, you hold all its seats."""

    at: Annotated[
        int,
        Meta(
            ge=1,
            le=2**53,
            description="The version to fork at, from 1. If it is inside a decision, the new match"
            " starts at the end of the previous decision; `forked_from.version` is the actual"
            " version.",
        ),
    ]
    seats: Annotated[tuple[ForkSeat, ...], Meta(min_length=1, max_length=16)] | None = None
