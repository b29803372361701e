"""The kernel's events, which can occur in every match, whatever the game."""

from typing import Any, Literal

from msgspec import Struct

from domain.contract.game import leaf_classes
from domain.match.seats import Origin, Seat, Visibility
from domain.match.time_control import ClockRules, Pace, TimeoutAction

UndoRight = Literal["free", "consent", "open"]
"""Condition for an undo: "free" at any time, "consent" if all others agree, "open" at any time
because one person plays all seats."""


class KernelEvent(Struct, frozen=True, tag=True):
    """Base class of the kernel's events."""


class SeatEvent(KernelEvent, frozen=True):
    """Base class of the events of one seat."""

    seat: int


class MatchOpened(KernelEvent, frozen=True):
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


class SeatTaken(SeatEvent, frozen=True):
    """A player took an open seat."""

    player: str
    name: str


class SeatLeft(SeatEvent, frozen=True):
    """A player left or lost the seat, or a bot took an open one.

    ``kind``: "open" if the seat is now open to everybody, "bot" if a bot has it. ``name``: the
    previous name of the seat, which the bot keeps; empty if it had none.
    """

    name: str
    kind: Literal["open", "bot"]


class MatchStarted(KernelEvent, frozen=True):
    """The match started; the game's setup follows in the same decision."""


class UndoProposed(SeatEvent, frozen=True):
    """A seat asked the others for consent to undo to ``to_version``.

    ``reason`` and ``args``: why consent is needed (a message id and its arguments).
    """

    to_version: int
    reason: str
    args: dict[str, Any]


class UndoAnswered(SeatEvent, frozen=True):
    """A seat accepted or declined the undo proposal; by declining, the proposer withdraws it."""

    accept: bool


class MovesUndone(SeatEvent, frozen=True):
    """An undo set the game back to its state at ``to_version``."""

    to_version: int
    kind: UndoRight


class MovesRedone(SeatEvent, frozen=True):
    """A redo restored the game's state at ``to_version``, the version before the undo."""

    to_version: int


class Said(KernelEvent, frozen=True):
    """A chat message to everybody (``to`` is None) or to one seat; undo does not remove it.

    ``seat`` is None if the message is withheld from the viewer (see `WITHHELD`).
    """

    seat: int | None
    text: str
    to: int | None = None


class SeedRevealed(KernelEvent, frozen=True):
    """The game ended, and the seed whose hash is in the first event is published.

    ``seed`` is empty if it would reveal what stays secret (see `domain.match.secrecy`).
    """

    seed: str


class TimeRanOut(SeatEvent, frozen=True):
    """The seat's time ran out.

    ``follows``: the consequence. The decision's ``at`` is the instant at which the time ran out.
    """

    follows: TimeoutAction


class WentAway(SeatEvent, frozen=True):
    """The seat's player went on vacation; the seat's clock is stopped."""


class CameBack(SeatEvent, frozen=True):
    """The seat's player came back from vacation."""


class Voted(SeatEvent, frozen=True):
    """A seat voted on whether a bot takes the seat ``about``, which is open or out of time.

    ``bot``: the vote; False withdraws an earlier one.
    """

    about: int
    bot: bool


class SeatRecovered(SeatEvent, frozen=True):
    """The seat moved to another device of its player, whose player id is ``player``.

    ``by``: "pin" if the device knew the seat's PIN, "others" if the others agreed.
    """

    player: str
    by: Literal["pin", "others"]


class RecoveryAsked(SeatEvent, frozen=True):
    """A seat asked the others to recover the seat ``about``.

    The other fields are those of `domain.match.commands.AskRecovery`.
    """

    about: int
    player: str
    delay: int
    patience: int


class RecoveryAnswered(SeatEvent, frozen=True):
    """A seat accepted or declined the recovery of the seat ``about``; declining ends it."""

    about: int
    accept: bool


class RecoveryBegan(KernelEvent, frozen=True):
    """All others agreed to the recovery; the seat ``about`` moves when the delay is over."""

    about: int


class RecoveryEnded(SeatEvent, frozen=True):
    """The recovery of the seat ended, and the seat stays where it is.

    ``why``: "objected" if the seat's player objected, "expired" if not everybody agreed in time.
    """

    why: Literal["objected", "expired"]


class SeatReclaimed(SeatEvent, frozen=True):
    """A player who lost the seat on time or by a vote got it back from the bot."""

    player: str
    name: str


class ReturnRequested(SeatEvent, frozen=True):
    """A player who lost the seat a second time asked the others for it."""


class ReturnAnswered(SeatEvent, frozen=True):
    """A seat accepted or declined the return of the seat ``about`` to the player who lost it."""

    about: int
    accept: bool


WITHHELD = Said(None, "", None)
"""What viewers who may not read a private message see in its place."""

EVENTS = leaf_classes(KernelEvent)
RECOVERY_EVENTS = (SeatRecovered, RecoveryAsked, RecoveryAnswered, RecoveryBegan, RecoveryEnded)
"""Events of seat recovery; none of them changes the game."""
TIME_EVENTS = (TimeRanOut, WentAway, CameBack, Voted, ReturnRequested, ReturnAnswered)
"""Events of clocks, vacations, votes and lost seats; none of them changes the game."""
META_EVENTS = (*TIME_EVENTS, *RECOVERY_EVENTS)
KERNEL_EVENTS = frozenset(EVENTS)


def is_kernel(event: Any) -> bool:
    """Return whether the event is one of the kernel, not of the game."""
    return type(event) in KERNEL_EVENTS
