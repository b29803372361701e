"""Who sits at a match, what it may be called, and what a person is told who asks in vain."""

from typing import Any, Literal

from msgspec import Struct

from domain.words import Explained, Sentence

Status = Literal["open", "playing", "finished"]
"""Of a match: seats are free, the game goes on, it is over."""
SeatKind = Literal["human", "open", "bot"]
Visibility = Literal["private", "public"]
"""Whether strangers find the match in a list."""

HERE = "here"
"""A match of which the service itself saw every decision."""
FROM_FILE = "file"
"""A match that came in a file, or began from one: what its people said and when is hearsay."""
SIGNED_FILE = "signed"
"""A match that came back in a file which this service had signed."""
PHONE = "phone"
"""A match that was played on a phone without the service, and stays one after a service has taken
it in: its chance was that phone's own, so nobody can say that it was fair."""
IMPORTED_SOURCES = frozenset((FROM_FILE, SIGNED_FILE, PHONE))
"""Sources of matches that were not played on this service: their people and results are claims of
whoever brought the file."""


class Seat(Struct, frozen=True):
    """A place at the table; ``player`` is a player id.

    An open seat with a player is held for that player: nobody else may take it. ``level``: how
    well a bot plays, one of `domain.game.LEVELS`; empty where nobody said it, and for people.
    """

    kind: SeatKind
    name: str
    player: str | None = None
    level: str = ""


class Origin(Struct, frozen=True):
    """The match and version a fork began from, and how many of its draws came along."""

    match: str
    version: int
    draws: int = 0


class Refused(Explained):
    """A kernel command that cannot be carried out now. ``code`` is stable."""

    room = "kernel"

    def __init__(self, code: str, detail: Sentence, /, **args: Any) -> None:
        super().__init__(detail, args)
        self.code = code


class NotYourTurn(Refused):
    """The seat is not to act."""

    def __init__(self) -> None:
        super().__init__("not_your_turn", "It is not this seat's turn.")
