"""Seats, status, visibility and source of a match, and the errors of kernel commands."""

from typing import Any, Literal

from msgspec import Struct

from domain.text.i18n import TranslatableError

Status = Literal["open", "playing", "finished"]
"""Status of a match: waiting for players, running, over."""
SeatKind = Literal["human", "open", "bot"]
Visibility = Literal["private", "public"]
"""Whether the match is listed publicly."""

HERE = "here"
"""Source of a match in which every decision was made on this service."""
FROM_FILE = "file"
"""Source of a match imported from an unsigned file, or forked from one: names, times and chat are
unverified."""
SIGNED_FILE = "signed"
"""Source of a match imported from a file signed by this service."""
PHONE = "phone"
"""Source of a match played on a phone without the service, even after its import. The phone chose
the seed, so its draws are not provably fair."""
IMPORTED_SOURCES = frozenset((FROM_FILE, SIGNED_FILE, PHONE))
"""Sources of matches that were imported; their players and results are claims of the uploader."""


class Seat(Struct, frozen=True):
    """A seat of a match; ``player`` is a player id, None for a bot or an unreserved open seat.

    An open seat with a player is reserved for that player. ``level``: a bot's playing strength, one
    of `domain.contract.game.LEVELS`; empty for people and for bots without a level.
    """

    kind: SeatKind
    name: str
    player: str | None = None
    level: str = ""


class Origin(Struct, frozen=True):
    """The match and version that a fork began from, and the number of draws that it copied."""

    match: str
    version: int
    draws: int = 0


class Refused(TranslatableError):
    """Error for a kernel command that cannot be carried out in the current state.

    ``code``: a stable identifier of the reason; ``detail``: the reason as a sentence.
    """

    text_domain = "kernel"

    def __init__(self, code: str, message_id: str, /, **args: Any) -> None:
        super().__init__(message_id, **args)
        self.code = code


class NotYourTurn(Refused):
    """Error for a command of a seat that is not to act."""

    def __init__(self) -> None:
        super().__init__("not_your_turn", "error.not_your_turn")
