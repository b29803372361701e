"""What happens in every match, whatever the game."""

from typing import Any, Literal

from msgspec import Struct

from domain.match.seats import Origin, Seat, Visibility
from domain.pace import ClockRules, OnEnd, Pace

UndoRight = Literal["free", "consent", "open"]
"""How moves may be taken back: at will, when all others agree, at once by who plays all seats."""


class MatchOpened(Struct, frozen=True, tag=True):
    """The first event of every match, with the hash of the seed (see `domain.draws`).

    ``clock_rules``: by which rules clocks run, see `domain.pace.ClockRules`.
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


class SeatTaken(Struct, frozen=True, tag=True):
    """Somebody sat down on an open seat."""

    seat: int
    player: str
    name: str


class SeatLeft(Struct, frozen=True, tag=True):
    """Somebody got up: the seat is open to all, or a bot plays on; ``kind`` says which."""

    seat: int
    name: str
    kind: Literal["open", "bot"]


class MatchStarted(Struct, frozen=True, tag=True):
    """All seats are filled; the game's setup follows in the same decision."""


class UndoProposed(Struct, frozen=True, tag=True):
    """A seat asks the others to go back to ``to_version``."""

    seat: int
    to_version: int
    reason: str
    args: dict[str, Any]


class UndoAnswered(Struct, frozen=True, tag=True):
    """A seat agreed or declined (or, if it is the proposer's, withdrew)."""

    seat: int
    accept: bool


class MovesUndone(Struct, frozen=True, tag=True):
    """The match is again what it was at ``to_version``."""

    seat: int
    to_version: int
    kind: UndoRight


class MovesRedone(Struct, frozen=True, tag=True):
    """The match is again what it was at ``to_version``, before the undo."""

    seat: int
    to_version: int


class Said(Struct, frozen=True, tag=True):
    """A word to everybody (``to`` None) or to one seat; not undone by undo.

    Without a seat it stands for a word that is kept from whoever looks.
    """

    seat: int | None
    text: str
    to: int | None = None


class SeedRevealed(Struct, frozen=True, tag=True):
    """The game has ended; the seed whose hash the first event holds.

    Empty where the seed would give away what is kept secret (see `domain.match.secrecy`).
    """

    seed: str


class TimeRanOut(Struct, frozen=True, tag=True):
    """The seat's time has run out; ``follows``: what does. Its decision is of that instant."""

    seat: int
    follows: OnEnd


class WentAway(Struct, frozen=True, tag=True):
    """The seat's person is on vacation: its clock stands."""

    seat: int


class CameBack(Struct, frozen=True, tag=True):
    """The seat's person is back from vacation."""

    seat: int


class Voted(Struct, frozen=True, tag=True):
    """A seat said whether a bot should have the seat ``about``, whose time has run out."""

    seat: int
    about: int
    bot: bool


class SeatRecovered(Struct, frozen=True, tag=True):
    """The seat's person is at another device from now on, which plays as ``player``.

    ``by``: they knew the seat's PIN, or the others let them back in.
    """

    seat: int
    player: str
    by: Literal["pin", "others"]


class RecoveryAsked(Struct, frozen=True, tag=True):
    """A seat asks the others to let the person of the seat ``about`` back in; see `AskRecovery`
    (`domain.match.commands`) for the other fields."""

    seat: int
    about: int
    player: str
    delay: int
    patience: int


class RecoveryAnswered(Struct, frozen=True, tag=True):
    """A seat agreed to the recovery of the seat ``about``, or declined it, which ends it."""

    seat: int
    about: int
    accept: bool


class RecoveryBegan(Struct, frozen=True, tag=True):
    """All others have agreed: the seat ``about`` moves when the delay is over."""

    about: int


class RecoveryEnded(Struct, frozen=True, tag=True):
    """The recovery of the seat ended without it: its person objected, or the others did not all
    agree in time."""

    seat: int
    why: Literal["objected", "expired"]


class SeatReclaimed(Struct, frozen=True, tag=True):
    """Who lost a seat to time or to a vote has it back from the bot."""

    seat: int
    player: str
    name: str


class ReturnRequested(Struct, frozen=True, tag=True):
    """Who lost the seat again asks the others to have it back."""

    seat: int


class ReturnAnswered(Struct, frozen=True, tag=True):
    """A seat agreed that the seat ``about`` goes back to its person, or declined."""

    seat: int
    about: int
    accept: bool


WITHHELD = Said(None, "", None)
"""What others see of a private word: that there was one."""

EVENTS: tuple[type, ...] = (
    MatchOpened,
    SeatTaken,
    SeatLeft,
    MatchStarted,
    UndoProposed,
    UndoAnswered,
    MovesUndone,
    MovesRedone,
    Said,
    SeedRevealed,
    TimeRanOut,
    WentAway,
    CameBack,
    Voted,
    SeatRecovered,
    RecoveryAsked,
    RecoveryAnswered,
    RecoveryBegan,
    RecoveryEnded,
    SeatReclaimed,
    ReturnRequested,
    ReturnAnswered,
)
OF_RECOVERY = (SeatRecovered, RecoveryAsked, RecoveryAnswered, RecoveryBegan, RecoveryEnded)
"""What happens to a seat whose person lost their device, and changes nothing in the game."""
OF_TIME = (TimeRanOut, WentAway, CameBack, Voted, ReturnRequested, ReturnAnswered)
"""What is about clocks and lost seats, and changes nothing in the game."""
BESIDE_THE_GAME = (*OF_TIME, *OF_RECOVERY)
KERNEL = frozenset(EVENTS)


def is_kernel(event: Any) -> bool:
    """Whether the event is the kernel's, not the game's."""
    return type(event) in KERNEL
