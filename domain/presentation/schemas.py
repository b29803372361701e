"""Structs of the API responses about a match, used by the service and by a phone playing offline.

Their docstrings become descriptions in the OpenAPI document. Ships to the browser.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.contract.game import Level
from domain.match.seats import SeatKind, Status, Visibility
from domain.match.time_control import TimeControlKind, TimeoutAction


class Answer(Struct, frozen=True, kw_only=True):
    """Base of all responses; later versions may add fields."""


class SeatAnswer(Answer, frozen=True):
    """A seat of a match, numbered from 0.

    ``you``: whether the caller holds it. ``held_for``: whether an open seat is reserved for the
    caller ("you") or for another player ("other"); absent for all other seats. ``level``: the bot's
    playing strength; only if it was set when the match was opened.
    """

    seat: int
    kind: SeatKind
    name: str
    you: bool
    held_for: Literal["you", "other"] | UnsetType = UNSET
    level: Level | UnsetType = UNSET


class ProposalAnswer(Answer, frozen=True):
    """An undo by ``seat`` to ``to_version`` that awaits the consent of others.

    ``waiting``: the seats whose consent is missing. ``reason``: why consent is needed, in the
    language of the response, made from ``key`` and ``args``.
    """

    seat: int
    to_version: int
    reason: str
    waiting: list[int]
    key: str
    args: dict[str, Any]


class UndoAnswer(Answer, frozen=True):
    """The undo that ``seat`` can request now; ``seat`` is null for a caller without one.

    ``kind``: "free" (at any time), "consent" (all others must agree), "open" (at any time, because
    one person plays all seats), or null if no undo is possible. ``reason``: the reason for
    ``kind``, in the language of the response, made from ``key`` and ``args``. ``step`` and
    ``turn``: the versions before the seat's latest move and at the beginning of its latest turn;
    either can be the target of an undo, and null means that there is none. In a response for an
    earlier version (``?at=V``), ``kind`` and ``step`` are about an undo to that version.
    ``proposal``: only while an undo awaits consent.
    """

    kind: Literal["free", "consent", "open"] | None
    reason: str
    seat: int | None
    step: int | None
    turn: int | None
    key: str
    args: dict[str, Any]
    proposal: ProposalAnswer | UnsetType = UNSET


class StandingAnswer(Answer, frozen=True):
    """The final rank and score of a seat; rank 1 is best, and seats may share a rank.

    ``detail``: how the score is made up, in game-specific fields.
    """

    seat: int
    rank: int
    score: int
    detail: dict[str, Any]


class ForkOrigin(Answer, frozen=True):
    """A match and the version at which the fork was made.

    In ``forked_from``: the match this one began from; in ``forks``: one that began from this match.
    """

    match: str
    version: int


class RematchAnswer(Answer, frozen=True):
    """The rematch of a finished match.

    ``match``: its id. ``by``: the seat of the finished match that requested it. ``offered``:
    whether a seat in it is still reserved for the caller.
    """

    match: str
    by: int
    offered: bool


class FairnessAnswer(Answer, frozen=True):
    """Data for verifying the draws of a match.

    ``commitment``: SHA-256 of the seed, 64 hex digits. ``seed``: only when the match is finished.
    ``deal_commitment``: only in a match that keeps secrets after its end: SHA-256 of a second
    seed, which is used for hidden draws and never published.
    """

    commitment: str
    seed: str | UnsetType = UNSET
    deal_commitment: str | UnsetType = UNSET


class PaceAnswer(Answer, frozen=True):
    """The time control of a match.

    ``kind``: "live" (a bank of time for each seat) or "days" (days for each turn). For "live":
    ``bank``, ``increment`` and ``minimum`` in seconds; at the beginning of a turn the increment is
    added and the clock is raised to at least the minimum. For "days": ``days`` for each turn;
    ``weekends_off``: whether Saturdays and Sundays do not count, in the zone ``time_zone`` (IANA
    name, or null if only an offset is known); ``zone``: the zone's offset when the match was
    opened, in minutes east of UTC.
    ``vacation``: whether a player's vacation stops their clock in this match.
    """

    kind: TimeControlKind
    bank: int
    increment: int
    minimum: int
    days: int
    weekends_off: bool
    zone: int
    time_zone: str | None
    vacation: bool


class SeatClockAnswer(Answer, frozen=True):
    """The clock of a seat.

    ``left``: milliseconds left when the clock last started or stopped. ``runs``: whether it is
    running; ``ends``: the instant at which a running clock runs out, otherwise null. ``out``:
    whether time has run out in this turn. ``away``: whether the seat's player is on vacation.
    ``for_bot``: the seats that voted to give this one to a bot.
    """

    seat: int
    left: int
    runs: bool
    ends: str | None
    out: bool
    away: bool
    for_bot: list[int]


class ClockAnswer(Answer, frozen=True):
    """The time control and the seat clocks of a match.

    ``on_end``: the consequence when a seat's time runs out: "nudge" (a reminder only), "bot_moves"
    (a bot makes this move), "bot_takes" (a bot takes the seat), "vote" (the others may give the
    seat to a bot).
    """

    pace: PaceAnswer
    on_end: TimeoutAction
    seats: list[SeatClockAnswer]


class LostSeatAnswer(Answer, frozen=True):
    """A seat that the caller lost on time or by a vote.

    ``version``: up to this version the caller sees what the seat saw. ``back``: how to get it
    back: "free" (`reclaimSeat` returns it at once), "ask" (`reclaimSeat` asks the others), "asked"
    (not all others have agreed yet), "declined"; null if it cannot be reclaimed, for example
    because the match is over.
    """

    seat: int
    version: int
    back: Literal["free", "ask", "asked", "declined"] | None


class ReturnAnswer(Answer, frozen=True):
    """A player's open request to get back a ``seat`` that they lost a second time.

    ``waiting``: the seats of the people who have not agreed yet (`answerReturn`).
    """

    seat: int
    waiting: list[int]


class RecoveryAnswer(Answer, frozen=True):
    """An open request to move the seat ``about`` to another device of its player.

    ``name``: the name of that seat. ``seat``: the seat that requested it. ``waiting``: the seats
    that have not agreed yet. ``began``: whether everybody has agreed; the seat then moves at
    ``ends`` unless its player objects. Before that, ``ends`` is when the request expires. ``you``:
    whether the caller's device is the one that gets the seat; until then it is a spectator.
    """

    seat: int
    about: int
    name: str
    began: bool
    ends: str
    waiting: list[int]
    you: bool


class MatchAnswer(Answer, frozen=True):
    """A match as the caller may see it.

    ``version``: the version that the response describes; ``latest_version``: the current version of
    the match. ``to_act``: the seats that are to act. ``turn``: the running number of the turn.
    ``view``: the state in a game-specific format; null until the match has started. ``redo``:
    whether the caller can redo. ``standings``: only for a finished match.

    ``invite``: the code for joining; ``share``: the code for watching; each only for callers who
    may pass it on. ``forks``: matches that began from this one, only in the response to GET.
    ``imported``: the match was imported unfinished from a file and is for review only. ``signed``:
    only for a match that came in a file or began from one: whether this service had signed the
    file; if not, names, times and chat are unverified. ``phone``: the match was played on a phone
    without the service, or began from such a match; its draws were made there. ``clock``: only with
    a time control. ``rematch``: the rematch, if the caller has or may take a seat in it; only in
    the response to GET. ``lost``: seats that the caller lost on time or by a vote and has not got
    back.
    ``returns``: open requests for lost seats. ``recovery``: the open request to move a seat to
    another device.
    """

    id: str
    game: str
    options: dict[str, Any]
    status: Status
    visibility: Visibility
    version: int
    latest_version: int
    seats: list[SeatAnswer]
    to_act: list[int]
    turn: int
    view: dict[str, Any] | None
    undo: UndoAnswer
    redo: bool
    fairness: FairnessAnswer
    standings: list[StandingAnswer] | UnsetType = UNSET
    invite: str | UnsetType = UNSET
    share: str | UnsetType = UNSET
    forked_from: ForkOrigin | UnsetType = UNSET
    forks: list[ForkOrigin] | UnsetType = UNSET
    imported: bool | UnsetType = UNSET
    signed: bool | UnsetType = UNSET
    phone: bool | UnsetType = UNSET
    clock: ClockAnswer | UnsetType = UNSET
    rematch: RematchAnswer | UnsetType = UNSET
    lost: list[LostSeatAnswer] | UnsetType = UNSET
    returns: list[ReturnAnswer] | UnsetType = UNSET
    recovery: RecoveryAnswer | UnsetType = UNSET


class EventAnswer(Answer, frozen=True):
    """An event of a match, redacted for the caller.

    ``version``: its number in the match, from 1. ``data``: the event's fields. ``text``: a sentence
    in the language of the response, made from ``key`` and ``args``, which are the same in every
    language. ``undone``: whether the event was undone. ``turn``: the running number of the turn
    after it. ``decision``: the number of its decision, from 0, including undone ones. ``public``:
    the text that may be read by everybody near the caller; only if it differs from ``text``.
    ``own``: the text addressed to the caller ("You bid 3"); only if it is about them and they hold
    exactly one seat.
    """

    version: int
    type: str
    seat: int | None
    at: str
    data: dict[str, Any]
    text: str
    key: str
    args: dict[str, Any]
    undone: bool
    turn: int
    decision: int
    public: str | UnsetType = UNSET
    own: str | UnsetType = UNSET


class EventsAnswer(Answer, frozen=True):
    """The events after a version; ``version``: the current version of the match."""

    version: int
    events: list[EventAnswer]


class ChoiceAnswer(Answer, frozen=True):
    """A legal command with its label.

    ``label``: in the language of the response, made from ``key`` and ``args``. ``final``: whether
    the command could not be undone for free, because it draws, reveals something hidden or ends the
    game.
    """

    command: dict[str, Any]
    label: str
    key: str
    args: dict[str, Any]
    final: bool


class RangeAnswer(Answer, frozen=True):
    """A range of legal commands that differ in one field only.

    The range consists of all commands equal to ``command`` except that ``field`` is an object
    ``{thing: amount}`` with at most ``of[thing]`` of each thing, from ``least`` to ``most`` in
    total, and no zeros; things may be in any order. ``final``: as for a single choice.
    """

    command: dict[str, Any]
    field: str
    of: dict[str, int]
    least: int
    most: int
    final: bool


class GroupAnswer(Answer, frozen=True):
    """The legal commands of one ``type``.

    ``label``: the name of the group in the language of the response. ``count``: the number of
    commands. ``listed``: whether they are in the ``choices`` of this response; if not, request them
    with the parameter ``group`` or build them from ``ranges``. ``ranges``: ranges that together
    contain exactly the commands of the group; empty if these are available only as a list.
    """

    type: str
    label: str
    key: str
    args: dict[str, Any]
    count: int
    listed: bool
    ranges: list[RangeAnswer]


class ChoicesAnswer(Answer, frozen=True):
    """The legal commands of a seat; none if it is not to act.

    ``groups``: only on request; ``choices`` then contains only the commands of listed groups.
    ``next``: only for a request with ``group``: the value of ``after`` for the next page, or null
    if this is the last page.
    """

    version: int
    seat: int
    choices: list[ChoiceAnswer]
    groups: list[GroupAnswer] | UnsetType = UNSET
    next: int | UnsetType | None = UNSET


class PlayedAnswer(Answer, frozen=True):
    """The events that the commands led to, including the bots' moves, and the match after them."""

    version: int
    events: list[EventAnswer]
    match: MatchAnswer


class WordsAnswer(Answer, frozen=True):
    """A sentence in the language of the response, and the key and arguments it is made from."""

    text: str
    key: str
    args: dict[str, Any]


class PointAnswer(Answer, frozen=True):
    """The values of a chart at the end of a turn, one per seat; ``version``: the turn's last."""

    turn: int
    version: int
    values: list[int]


class ChartAnswer(Answer, frozen=True):
    """A chart with one line per seat; ``scores``: whether the values are the game's scores."""

    title: WordsAnswer
    points: list[PointAnswer]
    scores: bool


class GainAnswer(Answer, frozen=True):
    """A change of a seat's score, negative for a loss, with its reason."""

    seat: int
    version: int
    turn: int
    gain: int
    words: WordsAnswer


class HighlightAnswer(Answer, frozen=True):
    """A notable moment of the match, with its description."""

    version: int
    words: WordsAnswer


class FindingsAnswer(Answer, frozen=True):
    """The findings of a review; ``own``: further data in a game-specific format."""

    charts: list[ChartAnswer]
    gains: list[GainAnswer]
    highlights: list[HighlightAnswer]
    own: dict[str, Any]


class ReviewAnswer(Answer, frozen=True):
    """The review of a match.

    ``review``: null for a game without reviews, and before the game has begun. ``standings``: only
    for a finished match. ``signed``: as in `MatchAnswer`.
    """

    id: str
    game: str
    status: Status
    version: int
    seats: list[SeatAnswer]
    review: FindingsAnswer | None
    standings: list[StandingAnswer] | UnsetType = UNSET
    signed: bool | UnsetType = UNSET
