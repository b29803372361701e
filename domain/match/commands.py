"""The commands that every match understands, whatever the game."""

from typing import Any

from msgspec import Struct

from domain.match.seats import Origin, Seat, Visibility
from domain.pace import ClockRules, Pace


class Open(Struct, frozen=True, tag=True):
    """Open a match; ``seed`` is 64 hex digits and stays secret until the game ends.

    ``deal_seed`` and its hash ``deal_commitment``: where secrets are kept after the end, draws
    that decide something hidden come from a seed that is never published; empty in all other
    matches. ``source``: `HERE`, `FROM_FILE`, `SIGNED_FILE`, `PHONE`, or empty if unknown.
    ``pace``: how long seats may take, None for as long as they like; ``clock_rules``: see
    `domain.pace.ClockRules`.
    """

    game: str
    rules_version: int
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    visibility: Visibility
    owner: str
    commitment: str
    seed: str = ""
    forked_from: Origin | None = None
    deal_commitment: str = ""
    deal_seed: str = ""
    source: str = ""
    pace: Pace | None = None
    clock_rules: ClockRules = 1


class Start(Struct, frozen=True, tag=True):
    """Lay the game out; follows of itself when the last seat is filled."""


class Join(Struct, frozen=True, tag=True):
    """Take an open seat."""

    player: str
    name: str


class Leave(Struct, frozen=True, tag=True):
    """Get up from a seat, or give up one that is held open. ``free``: in a match that has begun,
    nobody has the seat until somebody sits down, instead of a bot."""

    free: bool = False


class Reclaim(Struct, frozen=True, tag=True):
    """Take a seat back that the player lost to time or a vote; ask the others for it if they lost
    it again."""

    player: str


class AnswerReturn(Struct, frozen=True, tag=True):
    """Agree that somebody has the seat ``about`` back, or decline it."""

    about: int
    accept: bool


class Undo(Struct, frozen=True, tag=True):
    """Go back to ``to_version``, or before the seat's own last decision."""

    to_version: int | None = None


class AnswerUndo(Struct, frozen=True, tag=True):
    """Agree to an open proposal or decline it; the proposer withdraws by declining."""

    accept: bool


class Redo(Struct, frozen=True, tag=True):
    """Bring back what the last undo took away."""


class Say(Struct, frozen=True, tag=True):
    """A word to everybody, or to one seat."""

    text: str
    to: int | None = None


class RunOut(Struct, frozen=True, tag=True):
    """The time of the seat has run out; nobody does this, it happens."""


class GoAway(Struct, frozen=True, tag=True):
    """The seat's person goes on vacation: its clock stands."""


class ComeBack(Struct, frozen=True, tag=True):
    """The seat's person is back."""


class Vote(Struct, frozen=True, tag=True):
    """Whether a bot should have the seat ``about``, which is free or whose time has run out."""

    about: int
    bot: bool


class RecoverSeat(Struct, frozen=True, tag=True):
    """Move the seat to another device of its person, which knew the seat's PIN."""

    player: str


class AskRecovery(Struct, frozen=True, tag=True):
    """Ask the others to let the person of the seat ``about`` back in on another device, which
    plays as ``player``. ``delay``: milliseconds between their agreement and the recovery;
    ``patience``: those for which the others may be asked."""

    about: int
    player: str
    delay: int
    patience: int


class AnswerRecovery(Struct, frozen=True, tag=True):
    """Agree to the open recovery of the seat ``about``, or decline it; who asked withdraws by
    declining."""

    about: int
    accept: bool


class ObjectToRecovery(Struct, frozen=True, tag=True):
    """The seat's person still has their device: the open recovery of it ends."""


class EndRecovery(Struct, frozen=True, tag=True):
    """The time of the seat's open recovery is over; nobody does this, it happens."""


COMMANDS: tuple[type, ...] = (
    Open,
    Start,
    Join,
    Leave,
    Reclaim,
    AnswerReturn,
    Undo,
    AnswerUndo,
    Redo,
    Say,
    RunOut,
    GoAway,
    ComeBack,
    Vote,
    RecoverSeat,
    AskRecovery,
    AnswerRecovery,
    ObjectToRecovery,
    EndRecovery,
)
