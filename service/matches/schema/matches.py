"""Answers about games and matches."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from domain.game import Level, Trait
from service.base.schema import Answer, Status


class GameAnswer(Answer, frozen=True):
    """A game on offer. ``options`` is a JSON Schema with defaults; ``traits``: what the game is
    besides what every game is."""

    slug: str
    title: str
    designer: str
    min_seats: int
    max_seats: int
    seats: list[int]
    options: dict[str, Any]
    about: str
    traits: list[Trait]


class SeatAnswer(Answer, frozen=True):
    """A place at the table; ``you``: the caller holds it.

    ``held_for``: an open seat that only the caller, or only somebody else, may take. ``level``:
    how well a bot plays, where somebody said it.
    """

    seat: int
    kind: Literal["human", "open", "bot"]
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


class FairnessAnswer(Answer, frozen=True):
    """SHA-256 of the seed of all draws; the seed itself when the match is finished.

    ``deal_commitment``: where secrets are kept after the end, that of the second seed, from which
    hidden things are drawn and which is never shown.
    """

    commitment: str
    seed: str | UnsetType = UNSET
    deal_commitment: str | UnsetType = UNSET


class MatchAnswer(Answer, frozen=True):
    """A match as the caller may see it. ``view`` is the game's own; null while seats are open.

    ``invite`` lets others join, ``share`` lets them look. ``forks``: the matches that began from
    this one, in answer to GET. ``imported``: it came unfinished in a file, for review only.
    ``signed``: only of a match that came in a file or began from one: whether this service had
    signed that file; if not, names, times and words are what the file says.
    """

    id: str
    game: str
    options: dict[str, Any]
    status: Status
    visibility: Literal["private", "public"]
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


class LayoutAnswer(Answer, frozen=True):
    """The fields of a match's view that never change, the same for every caller."""

    id: str
    layout: dict[str, Any]


class PreviewAnswer(Answer, frozen=True):
    """A game laid out with these options; ``options`` has all of them. What a table draws by
    chance is drawn anew when it is opened: this is an example."""

    game: str
    seats: int
    options: dict[str, Any]
    view: dict[str, Any]


class HiddenAnswer(Answer, frozen=True):
    """Whether a match stays out of the caller's list."""

    id: str
    hidden: bool


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
    """A legal command with its label; ``key`` and ``args`` are what the label is made from."""

    command: dict[str, Any]
    label: str
    key: str
    args: dict[str, Any]


class RangeAnswer(Answer, frozen=True):
    """Many legal commands that differ in one field only.

    They are all the commands like ``command`` whose ``field`` holds at most ``of[thing]`` of each
    thing, from ``least`` to ``most`` in all, and no zeros; things in any order.
    """

    command: dict[str, Any]
    field: str
    of: dict[str, int]
    least: int
    most: int


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


class SummaryAnswer(Answer, frozen=True):
    """A match in a list. ``your_turn``: it waits for the caller; ``signed``: as of the match."""

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


class MatchesAnswer(Answer, frozen=True):
    """One page; ``next`` is the cursor of the next, null at the end."""

    items: list[SummaryAnswer]
    next: str | None
