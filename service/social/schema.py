"""Request and answer bodies of the routes about personal data."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from service.http.schema import Answer, Body, Version

MAX_NOTE_CHARS = 2000
"""Maximum characters of a private note."""


class SeenVersion(Body, frozen=True):
    """The version up to which the caller has read a match."""

    version: Version


class OwnNote(Body, frozen=True):
    """A private note of the caller about a match; nobody else can read it."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARS, description="Plain text; lines are kept.")]


class OwnAnswer(Answer, frozen=True):
    """The caller's read position and private note of a match.

    ``seen``: the version they have read up to on any device, null for never; ``note``: their
    private note, "" for none.
    """

    seen: int | None
    note: str


class FeedAnswer(Answer, frozen=True):
    """The reader code of the caller's feed of a match.

    ``reader``: a parameter for the address of the feed, which then leaves out messages of people
    whom the caller has muted; it grants no access by itself. Null for spectators.
    """

    reader: str | None


class TallyAnswer(Answer, frozen=True):
    """The caller's results in the finished matches of a game.

    ``won``: matches won, including shared first places; ``best``: the highest score.
    """

    game: str
    matches: int
    won: int
    best: int


class LeftMatchAnswer(Answer, frozen=True):
    """A match that the caller left of their own accord after it had begun.

    ``created``: when it was opened (RFC 3339, UTC); ``match``: its id, left out if they may no
    longer see it.
    """

    game: str
    created: str
    match: str | UnsetType = UNSET


class HistoryAnswer(Answer, frozen=True):
    """The caller's results.

    ``games``: by game, the most played first; ``left``: the latest 50 matches that they left,
    absent if there are none.
    """

    games: list[TallyAnswer]
    left: list[LeftMatchAnswer] | UnsetType = UNSET


class PersonAnswer(Answer, frozen=True):
    """A person the caller has played with, muted or blocked.

    ``id``: an id that is valid for the caller only; ``name``: their latest name; ``matches``:
    number of the caller's latest matches that they were in; ``last``: when the latest of those last
    changed (RFC 3339, UTC), null if there is none; ``muted``, ``blocked``: see `Stance`.
    """

    id: str
    name: str
    matches: int
    last: str | None
    muted: bool
    blocked: bool


class PeopleAnswer(Answer, frozen=True):
    """People the caller has played with, the latest first, then others they muted or blocked."""

    items: list[PersonAnswer]


class Stance(Body, frozen=True):
    """Whether the caller mutes or blocks a person.

    ``muted``: their chat messages are not shown to the caller. ``blocked``: they cannot join the
    caller's public matches, and their invitations do not reach the caller.
    """

    muted: bool
    blocked: bool


class CalendarAnswer(Answer, frozen=True):
    """The caller's calendar address.

    ``url``: the secret address, present only in the answer that creates it; ``since``: when it was
    created (RFC 3339, UTC), null without a calendar.
    """

    since: str | None
    url: str | None = None
