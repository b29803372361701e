"""Request and response bodies for matches, lists, plans, vacations and match files.

Response bodies for a single match are in `domain.presentation.schemas`.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from domain.contract.game import Level, Trait, Weight
from domain.match import time_control
from domain.match.plan_recording import MAX_CONDITION_EVENTS
from domain.match.seats import Status
from domain.match.time_control import TimeControlKind
from domain.matchfile.writer import FORMAT, FORMAT_VERSION
from domain.presentation.schemas import ChoiceAnswer, GroupAnswer, SeatAnswer
from domain.text.text_rules import MAX_MESSAGE_CHARS
from service.http.schema import Answer, Body, Name, SeatNumber, Version
from service.matches.signing import ALGORITHM

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


class GameAnswer(Answer, frozen=True):
    """A game that can be played.

    ``seats``: possible numbers of seats, from ``min_seats`` to ``max_seats``; ``options``: JSON
    Schema of the options, with defaults; ``about``: description in the language of the response;
    ``traits``: special properties of the game, such as secrets or simultaneous moves; ``minutes``:
    approximate duration of a match played live, 0 if unknown; ``weight``: complexity.
    """

    slug: str
    title: str
    designer: str
    min_seats: int
    max_seats: int
    seats: list[int]
    options: dict[str, Any]
    about: str
    traits: list[Trait]
    minutes: int
    weight: Weight


class LayoutAnswer(Answer, frozen=True):
    """The fields of a match's view that never change and are the same for every caller."""

    id: str
    layout: dict[str, Any]


class PreviewAnswer(Answer, frozen=True):
    """A match as it could begin with the requested options.

    ``options``: all options, with defaults filled in; ``view``: the view of a spectator. Random
    parts are only an example, because a real match has its own draws.
    """

    game: str
    seats: int
    options: dict[str, Any]
    view: dict[str, Any]


class HiddenAnswer(Answer, frozen=True):
    """Whether a match is hidden from the caller's list."""

    id: str
    hidden: bool


class VacationAnswer(Answer, frozen=True):
    """A player's vacation.

    ``away``: whether the player is currently on vacation; ``since``: when the vacation began;
    ``until``: when it ends at the latest. Both are null if the player is not on vacation.
    ``days``: vacation days per calendar year (UTC); ``days_left``: whole days left this year.
    """

    away: bool
    since: str | None
    until: str | None
    days: int
    days_left: int


class SummaryPaceAnswer(Answer, frozen=True):
    """The time control of a match in a list.

    ``kind``: "live" (a bank of time for each seat) or "days" (days for each turn). ``bank`` and
    ``increment``: seconds for each seat, and seconds added at the beginning of a turn; only for
    "live". ``days``: days for each turn; only for "days".
    """

    kind: TimeControlKind
    bank: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET
    days: int | UnsetType = UNSET


class SummaryAnswer(Answer, frozen=True):
    """A match in a list.

    ``to_act``: the seats that the match waits for; ``your_turn``: whether one of them is the
    caller's; ``signed``: as in `MatchAnswer`; ``deadline``: when the caller's time is up, absent if
    none of the caller's clocks is running; ``unread``: number of messages that the caller has not
    read, only in the list `mine` and absent if there are none; ``lost``: the seats that the caller
    lost on time or by vote and that a bot has now, absent if there are none; ``pace``: the time
    control, null for unlimited time, absent for a short time after an upgrade of the service from a
    release whose lists did not have it.
    """

    id: str
    game: str
    status: Status
    visibility: Literal["private", "public"]
    version: int
    turn: int
    seats: list[SeatAnswer]
    to_act: list[int]
    your_turn: bool
    created: str
    updated: str
    signed: bool | UnsetType = UNSET
    deadline: str | UnsetType = UNSET
    unread: int | UnsetType = UNSET
    lost: list[int] | UnsetType = UNSET
    pace: SummaryPaceAnswer | UnsetType | None = UNSET


class MatchesAnswer(Answer, frozen=True):
    """One page of matches; ``next``: the cursor of the next page, null on the last page."""

    items: list[SummaryAnswer]
    next: str | None


class PlannedFor(Body, frozen=True):
    """A condition of a branch: an event of another seat, as the planning seat sees it.

    The condition is met by an event with this ``type``, from this ``seat`` if one is given, whose
    data includes the values in ``data``.
    """

    type: Annotated[str, Meta(min_length=1, max_length=60)]
    seat: SeatNumber | None = None
    data: Annotated[dict[str, Any], Meta(max_length=20)] = field(default_factory=dict)


PlanText = Annotated[str, Meta(max_length=2000)]


class PlannedBranch(Body, frozen=True):
    """A branch of a plan: conditions and the commands that follow.

    ``when``: events that have to happen in this order, with any others in between; if empty, the
    branch always fits. ``commands``: executed in order, all or none. ``told_when`` and ``told``:
    descriptions of the conditions and the commands, stored for the client and returned unchanged.
    """

    commands: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=100)]
    when: Annotated[tuple[PlannedFor, ...], Meta(max_length=MAX_CONDITION_EVENTS)] = ()
    told_when: PlanText = ""
    told: PlanText = ""


class LayPlan(Body, frozen=True):
    """A plan for the next time a seat is to act.

    ``branches``: the first branch that fits is played. ``since``: the version after which events
    count, by default the current version; use it if the match may have moved on while the plan was
    being made.
    """

    branches: Annotated[tuple[PlannedBranch, ...], Meta(min_length=1, max_length=20)]
    since: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class SeenAnswer(Answer, frozen=True):
    """A condition of a branch, with the fields of `PlannedFor`."""

    type: str
    seat: int | None
    data: dict[str, Any]


class BranchAnswer(Answer, frozen=True):
    """A branch of a plan, with the fields of `PlannedBranch`."""

    when: list[SeenAnswer]
    commands: list[dict[str, Any]]
    told_when: str
    told: str


class PlanAnswer(Answer, frozen=True):
    """The plan for a seat, visible only to the player who made it.

    ``version``: the version after which events count, null if there is no unplayed plan;
    ``branches``: empty if there is no unplayed plan; ``dropped``: a sentence that explains why the
    plan was not played, null if it was not dropped; ``played``: the version after which the latest
    plan was played, null if it was not played, or was replaced or deleted.
    """

    seat: int
    version: int | None
    branches: list[BranchAnswer]
    dropped: str | None
    played: int | None


class PlanChoicesAnswer(Answer, frozen=True):
    """Commands that a seat could probably choose when it is next to act.

    ``choices``: the listed commands; ``more``: number of commands in groups that are not listed;
    ``groups``: these groups. With the parameter `group`, ``choices`` are the commands of that group
    and ``next`` is the value of `after` for the next page, null on the last page.
    """

    version: int
    seat: int
    choices: list[ChoiceAnswer]
    more: int
    groups: list[GroupAnswer]
    next: int | None


class KeyAnswer(Answer, frozen=True):
    """A public key for verifying signatures of match files.

    ``id``: the first 16 hex digits of the key's SHA-256; ``public``: the key as 64 hex digits;
    ``created``: when it was created; ``retired``: when it was replaced, null while it is in use.
    """

    id: str
    algorithm: Literal["Ed25519"]
    public: str
    created: str
    retired: str | None


class KeysAnswer(Answer, frozen=True):
    """All keys of this service for signing match files, newest first."""

    keys: list[KeyAnswer]


MatchFile = dict[str, Any]
"""A match file as JSON, defined and verified by `domain.matchfile.verification`."""

_HEX_SCHEMA = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_FILE_PROPERTIES: dict[str, Any] = {
    "format": {"const": FORMAT},
    "format_version": {"const": FORMAT_VERSION},
    "id": {"type": "string"},
    "game": {"type": "string"},
    "rules_version": {"type": "integer", "minimum": 1},
    "status": {"enum": ["open", "playing", "finished"]},
    "hidden": {"type": "integer", "minimum": 0},
    "fairness": {
        "type": "object",
        "properties": {"commitment": _HEX_SCHEMA, "seed": {"type": "string"}},
        "required": ["commitment"],
    },
    "decisions": {"type": "array", "items": {"type": "object"}},
    "digest": _HEX_SCHEMA,
    "withheld": {"type": "integer", "minimum": 0},
    "signature": {
        "type": "object",
        "properties": {
            "algorithm": {"const": ALGORITHM},
            "key": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            "public": _HEX_SCHEMA,
            "value": {"type": "string", "pattern": "^[0-9a-f]{128}$"},
        },
        "required": ["algorithm", "key", "public", "value"],
        "additionalProperties": False,
    },
}
MATCH_FILE_SCHEMA: dict[str, Any] = {
    "title": "MatchFile",
    "description": "A whole match; `hidden` counts the decisions that are not shown in full,"
    " `withheld` private words left out. `signature`: the service vouches for all of it.",
    "type": "object",
    "properties": _FILE_PROPERTIES,
    "required": [name for name in _FILE_PROPERTIES if name not in ("withheld", "signature")],
    "additionalProperties": False,
}
"""The JSON Schema of a match file."""
