"""Bodies of requests and answers about what is a person's own."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from service.base.schema import Answer, Body, Version

NOTE_LENGTH = 2000
"""Characters of a note to oneself."""


class SeenVersion(Body, frozen=True):
    """Up to which version the caller has looked."""

    version: Version


class OwnNote(Body, frozen=True):
    """What the caller writes to themselves about a match; nobody else is told."""

    text: Annotated[str, Meta(max_length=NOTE_LENGTH, description="Plain text; lines are kept.")]


class OwnAnswer(Answer, frozen=True):
    """What is the caller's own at a match: ``seen`` is the version they saw last, on any device,
    null for never; ``note`` what they wrote to themselves."""

    seen: int | None
    note: str


class FeedAnswer(Answer, frozen=True):
    """``reader``: a code for the address of the caller's feed of a match, which leaves out messages
    of people they have muted; it opens nothing by itself. Null for spectators."""

    reader: str | None


class TallyAnswer(Answer, frozen=True):
    """How the caller did in the finished matches of a game; a shared first place is won."""

    game: str
    matches: int
    won: int
    best: int


class LeftMatchAnswer(Answer, frozen=True):
    """A match that the caller left by themselves once it had begun. ``created``: when it was
    opened; ``match``: its id where they may still look at it."""

    game: str
    created: str
    match: str | UnsetType = UNSET


class HistoryAnswer(Answer, frozen=True):
    """How the caller did, the game played most at the top; ``left``: the latest 50 matches that
    they left."""

    games: list[TallyAnswer]
    left: list[LeftMatchAnswer] | UnsetType = UNSET


class PersonAnswer(Answer, frozen=True):
    """Somebody the caller has sat with: what they called themselves, at how many of the latest
    tables, and when something happened there. ``id`` means something to the caller only."""

    id: str
    name: str
    matches: int
    last: str | None
    muted: bool
    blocked: bool


class PeopleAnswer(Answer, frozen=True):
    """People, the latest first."""

    items: list[PersonAnswer]


class Stance(Body, frozen=True):
    """``muted``: their words are not shown to the caller. ``blocked``: they cannot sit down at the
    caller's public tables, and what they invite the caller to does not arrive."""

    muted: bool
    blocked: bool


class CalendarAnswer(Answer, frozen=True):
    """``url`` is told once, when it is made; ``since``: when that was, null without a calendar."""

    since: str | None
    url: str | None = None
