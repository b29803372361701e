"""The bodies of requests and answers. They are also what the OpenAPI document is made from."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Name = Annotated[
    str,
    Meta(min_length=1, max_length=40, pattern=r"\S", description="1-40 visible characters."),
]
SeatNumber = Annotated[int, Meta(ge=0, le=15, description="Seats are counted from 0.")]
Version = Annotated[int, Meta(ge=0, le=2**53, description="Number of events in the match.")]
Status = Literal["open", "playing", "finished"]


class _Body(Struct, frozen=True, forbid_unknown_fields=True):
    """A request body: what is not known is refused."""


class _Answer(Struct, frozen=True, kw_only=True):
    """An answer: may gain fields in later versions."""


# --- requests ---------------------------------------------------------------------------------


class NewPlayer(_Body, frozen=True):
    """Who sits at this device."""

    name: Name


class ClaimLink(_Body, frozen=True):
    """The code of a device link."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]


class NewSeat(_Body, frozen=True):
    """A place at a new table: mine, open to whoever is invited, or a simple bot's."""

    kind: Literal["me", "open", "bot"]
    name: Name | None = None


class NewMatch(_Body, frozen=True):
    """A new table."""

    game: Annotated[str, Meta(max_length=50)]
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=1, max_length=16)]
    options: dict[str, Any] = {}
    visibility: Literal["private", "public"] = "private"


class JoinMatch(_Body, frozen=True):
    """Take a seat: this one, or the first that is open."""

    invite: Annotated[str, Meta(max_length=100)] | None = None
    seat: SeatNumber | None = None
    name: Name | None = None


class PlayCommands(_Body, frozen=True):
    """Commands of one seat, carried out one after the other, all or none."""

    seat: SeatNumber
    expected_version: Version
    commands: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=100)]


class UndoMoves(_Body, frozen=True):
    """Go back to ``to_version``; without it, before the seat's own latest move."""

    seat: SeatNumber
    expected_version: Version
    to_version: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class RedoMoves(_Body, frozen=True):
    """Bring back what the last undo took away."""

    seat: SeatNumber
    expected_version: Version


class SayWords(_Body, frozen=True):
    """A word to everybody at the table, or to one seat only."""

    seat: SeatNumber
    text: Annotated[
        str,
        Meta(min_length=1, max_length=500, description="Plain text.", examples=["Trade salt?"]),
    ]
    to: SeatNumber | None = None


class AnswerProposal(_Body, frozen=True):
    """Agree to an open take-back or decline it; the proposer withdraws by declining."""

    seat: SeatNumber
    accept: bool


class ForkSeat(_Body, frozen=True):
    """Who takes over a seat: me, whoever is invited, a bot, or the same player as before."""

    kind: Literal["me", "open", "bot", "same"]
    name: Name | None = None


class ForkMatch(_Body, frozen=True):
    """A new match that begins as this one stood at version ``at``."""

    at: Annotated[int, Meta(ge=1, le=2**53)]
    seats: Annotated[tuple[ForkSeat, ...], Meta(min_length=1, max_length=16)] | None = None


# --- answers ----------------------------------------------------------------------------------


class PlayerAnswer(_Answer, frozen=True):
    """A player, as they see themselves."""

    player_id: str
    name: str


class NewPlayerAnswer(_Answer, frozen=True):
    """A player and the secret of this device; it is shown only here."""

    player_id: str
    name: str
    token: str


class DeviceLink(_Answer, frozen=True):
    """A one-time link to become the same player on another device."""

    code: str
    url: str
    expires: str


class GameAnswer(_Answer, frozen=True):
    """A game on offer. ``options`` is a JSON Schema with defaults."""

    slug: str
    title: str
    designer: str
    min_seats: int
    max_seats: int
    seats: list[int]
    options: dict[str, Any]
    about: str


class SeatAnswer(_Answer, frozen=True):
    """A place at the table; ``you``: the caller holds it."""

    seat: int
    kind: Literal["human", "open", "bot"]
    name: str
    you: bool


class ProposalAnswer(_Answer, frozen=True):
    """An open wish to take moves back; ``waiting``: the seats that have not answered yet."""

    seat: int
    to_version: int
    reason: str
    waiting: list[int]


class UndoAnswer(_Answer, frozen=True):
    """What an undo by ``seat`` would be now, and why.

    ``step`` and ``turn`` are versions to go back to: before the seat's latest move, and to the
    beginning of its latest turn. At an earlier version (``?at=V``): what going back there is.
    """

    kind: Literal["free", "consent", "open"] | None
    reason: str
    seat: int | None
    step: int | None
    turn: int | None
    proposal: ProposalAnswer | UnsetType = UNSET


class StandingAnswer(_Answer, frozen=True):
    """A seat's place at the end; rank 1 is best."""

    seat: int
    rank: int
    score: int
    detail: dict[str, Any]


class ForkOrigin(_Answer, frozen=True):
    """A match and a version: where this one began from, or what began from this one."""

    match: str
    version: int


class FairnessAnswer(_Answer, frozen=True):
    """SHA-256 of the seed of all draws; the seed itself when the match is finished."""

    commitment: str
    seed: str | UnsetType = UNSET


class MatchAnswer(_Answer, frozen=True):
    """A match as the caller may see it. ``view`` is the game's own; null while seats are open.

    ``invite`` lets others join, ``share`` lets them look. ``forks``: the matches that began from
    this one, in answer to GET. ``imported``: it came unfinished in a file, for review only.
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


class ReviewAnswer(_Answer, frozen=True):
    """How a match came about. ``review`` is the game's own; null for a game that has none."""

    id: str
    game: str
    status: Status
    version: int
    seats: list[SeatAnswer]
    review: dict[str, Any] | None
    standings: list[StandingAnswer] | UnsetType = UNSET


class EventAnswer(_Answer, frozen=True):
    """Something that happened, redacted for the caller; ``undone``: it no longer counts.

    ``turn``: the running number of the turn after it.
    """

    version: int
    type: str
    seat: int | None
    at: str
    data: dict[str, Any]
    text: str
    undone: bool
    turn: int


class EventsAnswer(_Answer, frozen=True):
    """What happened after some version."""

    version: int
    events: list[EventAnswer]


class ChoiceAnswer(_Answer, frozen=True):
    """A legal command with its label; ``key`` and ``args`` are what the label is made from."""

    command: dict[str, Any]
    label: str
    key: str
    args: dict[str, Any]


class ChoicesAnswer(_Answer, frozen=True):
    """Every legal command of a seat; none when it is not to act."""

    version: int
    seat: int
    choices: list[ChoiceAnswer]


class PlayedAnswer(_Answer, frozen=True):
    """What the commands led to, the bots' answers included."""

    version: int
    events: list[EventAnswer]
    match: MatchAnswer


class SummaryAnswer(_Answer, frozen=True):
    """A match in a list. ``your_turn``: it waits for the caller."""

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


class MatchesAnswer(_Answer, frozen=True):
    """One page; ``next`` is the cursor of the next, null at the end."""

    items: list[SummaryAnswer]
    next: str | None


MatchFile = dict[str, Any]
"""A match file; `domain.matchfile` says what is in it and checks it."""


class Health(_Answer, frozen=True):
    """Whether the service can do its work."""

    status: Literal["ok"]
