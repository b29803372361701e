"""What is told of a match: the shapes of answers, by the service and by a phone that plays alone.

The service's API document is made from them. Ships to the browser.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.game import Level
from domain.match.seats import SeatKind, Status, Visibility
from domain.pace import Kind, OnEnd


class Answer(Struct, frozen=True, kw_only=True):
    """An answer: may gain fields in later versions."""


class SeatAnswer(Answer, frozen=True):
    """A place at the table; ``you``: the caller holds it.

    ``held_for``: an open seat that only the caller, or only somebody else, may take. ``level``:
    how well a bot plays, where somebody said it.
    """

    seat: int
    kind: SeatKind
    name: str
    you: bool
    held_for: Literal["you", "other"] | UnsetType = UNSET
    level: Level | UnsetType = UNSET


class ProposalAnswer(Answer, frozen=True):
    """An open proposal to take moves back; ``waiting``: the seats that have not answered yet."""

    seat: int
    to_version: int
    reason: str
    waiting: list[int]
    key: str
    args: dict[str, Any]


class UndoAnswer(Answer, frozen=True):
    """What an undo by ``seat`` would be now, and why.

    ``step`` and ``turn`` are versions to go back to: before the seat's latest move, and to the
    beginning of its latest turn. At an earlier version (``?at=V``): what going back there is.
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
    """A seat's place at the end; rank 1 is best."""

    seat: int
    rank: int
    score: int
    detail: dict[str, Any]


class ForkOrigin(Answer, frozen=True):
    """A match and a version: where this one began from, or what began from this one."""

    match: str
    version: int


class RematchAnswer(Answer, frozen=True):
    """The match that goes on from a finished one. ``by``: the seat of the finished match that
    wanted it first; ``offered``: a seat is still kept there for the caller."""

    match: str
    by: int
    offered: bool


class FairnessAnswer(Answer, frozen=True):
    """SHA-256 of the seed of all draws; the seed itself when the match is finished.

    ``deal_commitment``: where secrets are kept after the end, that of the second seed, from which
    hidden things are drawn and which is never shown.
    """

    commitment: str
    seed: str | UnsetType = UNSET
    deal_commitment: str | UnsetType = UNSET


class PaceAnswer(Answer, frozen=True):
    """How long seats may take: see `domain.pace`. ``bank``, ``increment`` and ``minimum`` are
    seconds, ``zone`` minutes east of UTC when the match was opened. ``time_zone``: the IANA name
    of the zone whose weekends do not count, null where only minutes were given. ``vacation``:
    whether a player's vacation stops their clock at this table."""

    kind: Kind
    bank: int
    increment: int
    minimum: int
    days: int
    weekends_off: bool
    zone: int
    time_zone: str | None
    vacation: bool


class SeatClockAnswer(Answer, frozen=True):
    """The clock of a seat. ``left``: milliseconds that it had when it last started or stopped;
    while it ``runs`` they are over at ``ends``. ``out``: its time has run out in this turn;
    ``away``: its person is on vacation; ``for_bot``: the seats that would let a bot have it."""

    seat: int
    left: int
    runs: bool
    ends: str | None
    out: bool
    away: bool
    for_bot: list[int]


class ClockAnswer(Answer, frozen=True):
    """The clocks of a match that has a pace; ``on_end``: what follows when time runs out."""

    pace: PaceAnswer
    on_end: OnEnd
    seats: list[SeatClockAnswer]


class LostSeatAnswer(Answer, frozen=True):
    """A seat that the caller lost to time or a vote: until ``version`` they see what it saw.

    ``back``: how they get it back: "free" (`reclaimSeat` gives it at once), "ask" (`reclaimSeat`
    asks the others), "asked" (the others have not all answered), "declined"; null where there is
    no way back, for one when the match is over.
    """

    seat: int
    version: int
    back: Literal["free", "ask", "asked", "declined"] | None


class ReturnAnswer(Answer, frozen=True):
    """Who lost the ``seat`` twice asks to have it back; ``waiting``: the seats of people who have
    not agreed yet (`answerReturn`)."""

    seat: int
    waiting: list[int]


class RecoveryAnswer(Answer, frozen=True):
    """An open request to let the person of the seat ``about``, called ``name``, back in on another
    device.

    ``seat`` asked for it; the seats in ``waiting`` have not answered yet. Once nobody is waited for
    it has ``began``: the seat moves at ``ends``, unless its person objects; before, it expires
    then. ``you``: the caller's device is the one that is to be let in; until then it watches.
    """

    seat: int
    about: int
    name: str
    began: bool
    ends: str
    waiting: list[int]
    you: bool


class MatchAnswer(Answer, frozen=True):
    """A match as the caller may see it. ``view`` is the game's own; null while seats are open.

    ``invite`` lets others join, ``share`` lets them look. ``forks``: the matches that began from
    this one, in answer to GET. ``imported``: it came unfinished in a file, for review only.
    ``signed``: only of a match that came in a file or began from one: whether this service had
    signed that file; if not, names, times and words are what the file says. ``phone``: it was
    played on a phone without the service, or began from such a match: its chance was the phone's.
    ``clock``: only of a match that has a pace.
    ``rematch``: the match that goes on from this one, to those who sit there or may, in answer to
    GET. ``lost``: the seats that the caller lost to time or a vote and has not got back.
    ``returns``: who asks the others to have a lost seat back.
    ``recovery``: while others want to let somebody back in who lost their device.
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
    """Something that happened, redacted for the caller; ``undone``: it no longer counts.

    ``turn``: the running number of the turn after it. ``decision``: which decision of the match
    brought it about, the first being 0; undone ones count. ``public``: the words that everybody
    at the table may read, where the caller's own ``text`` tells more. ``text`` is in the language
    of the answer, ``key`` and ``args`` are the same in any.
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


class EventsAnswer(Answer, frozen=True):
    """What happened after some version."""

    version: int
    events: list[EventAnswer]


class ChoiceAnswer(Answer, frozen=True):
    """A legal command with its label; ``key`` and ``args`` are what the label is made from.

    ``final``: it could not be taken back for free, for it draws, reveals something hidden or ends
    the game.
    """

    command: dict[str, Any]
    label: str
    key: str
    args: dict[str, Any]
    final: bool


class RangeAnswer(Answer, frozen=True):
    """Many legal commands that differ in one field only.

    They are all the commands like ``command`` whose ``field`` holds at most ``of[thing]`` of each
    thing, from ``least`` to ``most`` in all, and no zeros; things in any order. ``final``: as of a
    choice.
    """

    command: dict[str, Any]
    field: str
    of: dict[str, int]
    least: int
    most: int
    final: bool


class GroupAnswer(Answer, frozen=True):
    """The choices of one ``type`` of command. ``label`` says what they are in common.

    ``listed``: they are among the ``choices`` of this answer; if not, ask for them by ``group``,
    or make them from ``ranges``, which together are the group. Without ranges they are only to be
    had as a list.
    """

    type: str
    label: str
    key: str
    args: dict[str, Any]
    count: int
    listed: bool
    ranges: list[RangeAnswer]


class ChoicesAnswer(Answer, frozen=True):
    """Every legal command of a seat; none when it is not to act.

    Only where asked for: ``groups``, and then ``choices`` are those of the groups that are listed;
    ``next``: how many entries of the ``group`` have been told when there are more, else null.
    """

    version: int
    seat: int
    choices: list[ChoiceAnswer]
    groups: list[GroupAnswer] | UnsetType = UNSET
    next: int | UnsetType | None = UNSET


class PlayedAnswer(Answer, frozen=True):
    """What the commands led to, the bots' answers included."""

    version: int
    events: list[EventAnswer]
    match: MatchAnswer


class WordsAnswer(Answer, frozen=True):
    """A sentence, and the key and arguments it is made from."""

    text: str
    key: str
    args: dict[str, Any]


class PointAnswer(Answer, frozen=True):
    """Values by seat when a turn was over, at ``version``."""

    turn: int
    version: int
    values: list[int]


class ChartAnswer(Answer, frozen=True):
    """A line for each seat. ``scores``: the values are what is won by."""

    title: WordsAnswer
    points: list[PointAnswer]
    scores: bool


class GainAnswer(Answer, frozen=True):
    """What the score of a seat grew or, below 0, shrank by."""

    seat: int
    version: int
    turn: int
    gain: int
    words: WordsAnswer


class HighlightAnswer(Answer, frozen=True):
    """A moment worth looking at again."""

    version: int
    words: WordsAnswer


class FindingsAnswer(Answer, frozen=True):
    """What the game has to say; ``own`` is the game's own."""

    charts: list[ChartAnswer]
    gains: list[GainAnswer]
    highlights: list[HighlightAnswer]
    own: dict[str, Any]


class ReviewAnswer(Answer, frozen=True):
    """How a match came about. ``review`` is null for a game that has nothing to say.

    ``signed``: as of the match.
    """

    id: str
    game: str
    status: Status
    version: int
    seats: list[SeatAnswer]
    review: FindingsAnswer | None
    standings: list[StandingAnswer] | UnsetType = UNSET
    signed: bool | UnsetType = UNSET
