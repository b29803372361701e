"""Request and response bodies of the routes about personal data."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from service.http.schema import Answer, Body, Version

MAX_NOTE_CHARS = 2000
"""Maximum number of characters in a private note."""


class SeenVersion(Body, frozen=True):
    """The version up to which the caller has read a match."""

    version: Version


class OwnNote(Body, frozen=True):
    """The caller's private note about a match, which nobody else can read."""

    text: Annotated[str, Meta(max_length=MAX_NOTE_CHARS, description="Plain text; lines are kept.")]


class OwnAnswer(Answer, frozen=True):
    """The caller's read position in a match and private note about it.

    ``seen``: the version up to which they have read the match on any device, null if they never
    looked at it; ``note``: their private note, "" if there is none.
    """

    seen: int | None
    note: str


class FeedAnswer(Answer, frozen=True):
    """The caller's reader code for the feed of a match.

    ``reader``: the value of the parameter ``reader`` in the feed's URL, with which the feed leaves
    out messages from people whom the caller has muted. It grants no access by itself. Null for
    spectators.
    """

    reader: str | None


class TallyAnswer(Answer, frozen=True):
    """The caller's results in a game's finished matches.

    ``matches``: the number of matches; ``won``: the number of matches won, including shared first
    places; ``best``: the highest score.
    """

    game: str
    matches: int
    won: int
    best: int


class LeftMatchAnswer(Answer, frozen=True):
    """A match that the caller left voluntarily after it had begun.

    ``created``: when the match was created (RFC 3339, UTC); ``match``: its id, left out if the
    caller may no longer see it.
    """

    game: str
    created: str
    match: str | UnsetType = UNSET


class HistoryAnswer(Answer, frozen=True):
    """The caller's results.

    ``games``: the results by game, the most played game first; ``left``: the latest 50 matches that
    they left, newest first; left out if there are none.
    """

    games: list[TallyAnswer]
    left: list[LeftMatchAnswer] | UnsetType = UNSET


class PersonAnswer(Answer, frozen=True):
    """A person with whom the caller has played, or whom they have muted or blocked.

    ``id``: an id that is valid for the caller only; ``name``: the person's latest name;
    ``matches``: the number of the caller's latest matches that they were in; ``last``: when the
    most recent of these was last updated (RFC 3339, UTC), null if there is none; ``muted``,
    ``blocked``: as in `Stance`.
    """

    id: str
    name: str
    matches: int
    last: str | None
    muted: bool
    blocked: bool


class PeopleAnswer(Answer, frozen=True):
    """The people with whom the caller has played, or whom they have muted or blocked.

    ``items``: people from recent matches, latest first, then the others.
    """

    items: list[PersonAnswer]


class Stance(Body, frozen=True):
    """Whether the caller has muted or blocked a person.

    ``muted``: whether the person's chat messages are hidden from the caller; ``blocked``: whether
    the person is prevented from joining the caller's public matches and from inviting the caller.
    """

    muted: bool
    blocked: bool


class CalendarAnswer(Answer, frozen=True):
    """The caller's calendar address.

    ``since``: when it was created (RFC 3339, UTC), null if there is none; ``url``: the address,
    which is secret; null except in the response to its creation.
    """

    since: str | None
    url: str | None = None
