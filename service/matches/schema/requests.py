"""Bodies of requests."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from domain import pace
from domain.game import Level
from domain.letters import TEXT_LENGTH
from service.base.schema import Body, Name, SeatNumber, Version

BotLevel = Annotated[
    Level, Meta(description="How well the bot plays; good where nothing is said. Bots only.")
]


def _within(bounds: tuple[int, int]) -> Meta:
    return Meta(ge=bounds[0], le=bounds[1])


class NewSeat(Body, frozen=True):
    """A place at a new table: mine, open to whoever is invited, or a bot's of some level.

    ``person``: an open seat is kept for them, one of those that `listPeople` names.
    """

    kind: Literal["me", "open", "bot"]
    name: Name | None = None
    level: BotLevel | None = None
    person: Annotated[str, Meta(max_length=40)] | None = None


class NewPace(Body, frozen=True):
    """How long seats may take.

    ``live``: a bank of seconds for each seat, to which an increment is added when a turn begins,
    and a least for each turn. ``days``: so many for each turn; weekends may not count, by the
    clock of a time zone; `zone` counts only where no `time_zone` is named. By days a player's
    vacation stops their clock unless `vacation` is false. What is of the other kind counts for
    nothing. ``on_end``: what follows when the time of a seat has run out: everybody is told and
    nothing else; a bot moves this once; a bot takes the seat for good; the others may decide
    together that a bot takes it.
    """

    kind: pace.Kind
    on_end: pace.OnEnd = "nudge"
    bank: Annotated[int, _within(pace.BANKS)] = 900
    increment: Annotated[int, _within(pace.INCREMENTS)] = 0
    minimum: Annotated[int, _within(pace.MINIMUMS)] = 30
    days: Annotated[int, _within(pace.DAYS)] = 3
    weekends_off: bool = False
    zone: Annotated[
        int,
        Meta(
            ge=pace.ZONES[0],
            le=pace.ZONES[1],
            description="Minutes east of UTC of a zone that never changes its clocks.",
        ),
    ] = 0
    time_zone: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=pace.MAX_ZONE_NAME,
                description="IANA name of the time zone whose weekends do not count, such as"
                " `Europe/Paris`. The match keeps the zone's changes of the next three years;"
                " after the last of them its offset stays.",
            ),
        ]
        | None
    ) = None
    vacation: Annotated[
        bool, Meta(description="Whether a player's vacation stops their clock. By days only.")
    ] = True


class NewMatch(Body, frozen=True):
    """A new table; without ``pace`` nobody hurries anybody."""

    game: Annotated[str, Meta(max_length=50)]
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=1, max_length=16)]
    options: dict[str, Any] = field(default_factory=dict)
    visibility: Literal["private", "public"] = "private"
    pace: NewPace | None = None


class PreviewTable(Body, frozen=True):
    """What a table of a game would be with these options, before anybody opens it."""

    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Any] = field(default_factory=dict)


class JoinMatch(Body, frozen=True):
    """Take a seat: this one, or the first that is open."""

    invite: Annotated[str, Meta(max_length=100)] | None = None
    seat: SeatNumber | None = None
    name: Name | None = None


class LeaveSeats(Body, frozen=True):
    """Get up from this seat, or from all of mine; declines seats that are held for me.

    The host may name a seat that is held for somebody else, to open it to all; in a fork of a
    game with secrets a bot takes it, for who came anew would know less than the others.

    ``stand_in``: who has my seat in a match that has begun. With nobody it stays free until
    somebody sits down with the invite, or one of the others gives it to a bot (`castVote`); not in
    a game with secrets.
    """

    seat: SeatNumber | None = None
    stand_in: Literal["bot", "nobody"] = "bot"


class HideMatch(Body, frozen=True):
    """Whether the match stays out of my list."""

    hidden: bool = True


class PlayCommands(Body, frozen=True):
    """Commands of one seat, carried out one after the other, all or none."""

    seat: SeatNumber
    expected_version: Version
    commands: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=100)]


class UndoMoves(Body, frozen=True):
    """Go back to ``to_version``; without it, before the seat's own latest move."""

    seat: SeatNumber
    expected_version: Version
    to_version: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class RedoMoves(Body, frozen=True):
    """Bring back what the last undo took away."""

    seat: SeatNumber
    expected_version: Version


class SayWords(Body, frozen=True):
    """A word to everybody at the table, or to one seat only."""

    seat: SeatNumber
    text: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=TEXT_LENGTH,
            description="Plain text.",
            examples=["Trade salt?"],
        ),
    ]
    to: SeatNumber | None = None


class AnswerProposal(Body, frozen=True):
    """Agree to an open take-back or decline it; the proposer withdraws by declining."""

    seat: SeatNumber
    accept: bool


class CastVote(Body, frozen=True):
    """Whether a bot should take the seat ``about``, whose time has run out. One that is free it
    takes as soon as one says so."""

    seat: SeatNumber
    about: SeatNumber
    bot: bool


class ReclaimSeat(Body, frozen=True):
    """Take back a seat that I lost to time or a vote: this one, or the only one."""

    seat: SeatNumber | None = None


class AnswerSeatReturn(Body, frozen=True):
    """Whether the person of the seat ``about``, who lost it a second time, has it back."""

    seat: SeatNumber
    about: SeatNumber
    accept: bool


class GoOnVacation(Body, frozen=True):
    """Whether the player is away from now on."""

    away: bool


class ForkSeat(Body, frozen=True):
    """Who takes over a seat: me, whoever is invited, a bot, or the same player as before.

    A seat of another player is held open until that player sits down.
    """

    kind: Literal["me", "open", "bot", "same"]
    name: Name | None = None
    level: BotLevel | None = None


class ForkMatch(Body, frozen=True):
    """A new match that begins as this one stood at version ``at``."""

    at: Annotated[
        int,
        Meta(
            ge=1,
            le=2**53,
            description="A version, from 1. Inside a decision the new match starts at the end of "
            "the decision before; `forked_from.version` is where it really starts.",
        ),
    ]
    seats: Annotated[tuple[ForkSeat, ...], Meta(min_length=1, max_length=16)] | None = None
