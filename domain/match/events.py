"""The kernel's events: those that occur in every match, whatever the game."""

from typing import Any, Literal

from msgspec import Struct

from domain.match.seats import Origin, Seat, Visibility
from domain.match.time_control import ClockRules, Pace, TimeoutAction

UndoRight = Literal["free", "consent", "open"]
"""How an undo is allowed: "free" at any time, "consent" if all others agree, "open" because one
person plays all seats."""


class MatchOpened(Struct, frozen=True, tag=True):
    """First event of every match, with the hash of the seed (see `domain.toolkit.randomness`).

    The fields are those of `domain.match.commands.Open`.
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
    """A player took an open seat."""

    seat: int
    player: str
    name: str


class SeatLeft(Struct, frozen=True, tag=True):
    """A player left the seat, or a bot took an open one.

    ``kind``: "open" if the seat is now open to all, "bot" if a bot has it. ``name``: the name of
    the seat before, which the bot keeps; empty if it had none.
    """

    seat: int
    name: str
    kind: Literal["open", "bot"]


class MatchStarted(Struct, frozen=True, tag=True):
    """All seats are filled; the game's setup follows in the same decision."""


class UndoProposed(Struct, frozen=True, tag=True):
    """A seat asks the others for consent to undo to ``to_version``.

    ``reason`` and ``args``: why consent is needed (a key of `domain.match.messages.TEXT`).
    """

    seat: int
    to_version: int
    reason: str
    args: dict[str, Any]


class UndoAnswered(Struct, frozen=True, tag=True):
    """A seat agreed to the undo proposal or declined it; a decline by the proposer withdraws it."""

    seat: int
    accept: bool


class MovesUndone(Struct, frozen=True, tag=True):
    """An undo set the game back to its state at ``to_version``."""

    seat: int
    to_version: int
    kind: UndoRight


class MovesRedone(Struct, frozen=True, tag=True):
    """A redo restored the game's state at ``to_version``, the one before the undo."""

    seat: int
    to_version: int


class Said(Struct, frozen=True, tag=True):
    """A chat message to everybody (``to`` None) or to one seat; undo does not remove it.

    ``seat`` None means that the message is withheld from the viewer (see `WITHHELD`).
    """

    seat: int | None
    text: str
    to: int | None = None


class SeedRevealed(Struct, frozen=True, tag=True):
    """The game has ended, and the seed whose hash is in the first event is published.

    ``seed`` is empty if it would reveal what stays secret (see `domain.match.secrecy`).
    """

    seed: str


class TimeRanOut(Struct, frozen=True, tag=True):
    """The seat's time has run out.

    ``follows``: the consequence. The decision's ``at`` is the instant at which time ran out.
    """

    seat: int
    follows: TimeoutAction


class WentAway(Struct, frozen=True, tag=True):
    """The seat's person went on vacation; the seat's clock is stopped."""

    seat: int


class CameBack(Struct, frozen=True, tag=True):
    """The seat's person came back from vacation."""

    seat: int


class Voted(Struct, frozen=True, tag=True):
    """A seat voted on whether a bot takes the seat ``about``, which is open or out of time."""

    seat: int
    about: int
    bot: bool


class SeatRecovered(Struct, frozen=True, tag=True):
    """The seat moved to another device of its person, whose player id is ``player``.

    ``by``: "pin" if the device knew the seat's PIN, "others" if the others agreed.
    """

    seat: int
    player: str
    by: Literal["pin", "others"]


class RecoveryAsked(Struct, frozen=True, tag=True):
    """A seat asked the others to recover the seat ``about``.

    The other fields are those of `domain.match.commands.AskRecovery`.
    """

    seat: int
    about: int
    player: str
    delay: int
    patience: int


class RecoveryAnswered(Struct, frozen=True, tag=True):
    """A seat agreed to the recovery of the seat ``about`` or declined it; a decline ends it."""

    seat: int
    about: int
    accept: bool


class RecoveryBegan(Struct, frozen=True, tag=True):
    """All others have agreed; the seat ``about`` moves when the delay is over."""

    about: int


class RecoveryEnded(Struct, frozen=True, tag=True):
    """The recovery of the seat ended and the seat stays where it is.

    ``why``: "objected" by the seat's person, or "expired" without the consent of all.
    """

    seat: int
    why: Literal["objected", "expired"]


class SeatReclaimed(Struct, frozen=True, tag=True):
    """A player who lost the seat to time or a vote has it back from the bot."""

    seat: int
    player: str
    name: str


class ReturnRequested(Struct, frozen=True, tag=True):
    """A player who lost the seat a second time asks the others for it."""

    seat: int


class ReturnAnswered(Struct, frozen=True, tag=True):
    """A seat agreed or declined that the seat ``about`` goes back to the player who lost it."""

    seat: int
    about: int
    accept: bool


WITHHELD = Said(None, "", None)
"""What viewers who may not read a private message see in its place."""

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
RECOVERY_EVENTS = (SeatRecovered, RecoveryAsked, RecoveryAnswered, RecoveryBegan, RecoveryEnded)
"""Events of seat recovery; none of them changes the game."""
TIME_EVENTS = (TimeRanOut, WentAway, CameBack, Voted, ReturnRequested, ReturnAnswered)
"""Events of clocks, vacations, votes and lost seats; none of them changes the game."""
META_EVENTS = (*TIME_EVENTS, *RECOVERY_EVENTS)
KERNEL_EVENTS = frozenset(EVENTS)


def is_kernel(event: Any) -> bool:
    """Return whether the event is the kernel's, not the game's."""
    return type(event) in KERNEL_EVENTS
