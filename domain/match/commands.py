"""The kernel's commands, which every match accepts, whatever the game."""

from typing import Any

from msgspec import Struct

from domain.match.seats import Origin, Seat, Visibility
from domain.match.time_control import ClockRules, Pace


class KernelCommand(Struct, frozen=True, tag=True):
    """Base class of the kernel's commands."""


class Open(KernelCommand, frozen=True):
    """Open a match.

    ``seed``: 64 hex digits, secret until the game ends; ``commitment``: its SHA-256.
    ``deal_seed`` and its hash ``deal_commitment``: in a match that keeps secrets after the end, a
    second seed, never published, for draws that decide something hidden; empty in all other
    matches. ``owner``: the player id of the match's owner; ``forked_from``: the origin of a fork.
    ``source``: `HERE`, `FROM_FILE`, `SIGNED_FILE`, `PHONE`, or empty if unknown. ``pace``: the time
    control, None for unlimited time; ``clock_rules``: see `domain.match.time_control.ClockRules`.
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


class Start(KernelCommand, frozen=True):
    """Set the game up; issued automatically when the last seat is filled."""


class Join(KernelCommand, frozen=True):
    """Take an open seat."""

    player: str
    name: str


class Leave(KernelCommand, frozen=True):
    """Leave a seat, or give up an open seat reserved for the player.

    ``free``: in a match that has begun, leave the seat open until a player joins, instead of giving
    it to a bot.
    """

    free: bool = False


class Reclaim(KernelCommand, frozen=True):
    """Take back a seat that the player lost on time or by a vote.

    After a second loss the command asks the other players for the seat instead.
    """

    player: str


class AnswerReturn(KernelCommand, frozen=True):
    """Accept or decline the return of the seat ``about`` to the player who lost it."""

    about: int
    accept: bool


class Undo(KernelCommand, frozen=True):
    """Set the game back to ``to_version``, or undo the seat's own latest decision if it is None."""

    to_version: int | None = None


class AnswerUndo(KernelCommand, frozen=True):
    """Accept or decline the open undo proposal; the proposer withdraws it by declining."""

    accept: bool


class Redo(KernelCommand, frozen=True):
    """Restore the moves that the latest undo of this player removed."""


class Say(KernelCommand, frozen=True):
    """Send a chat message to everybody or, if ``to`` is set, to that seat only."""

    text: str
    to: int | None = None


class RunOut(KernelCommand, frozen=True):
    """Apply the timeout of the seat; issued by the kernel, never by a player."""


class GoAway(KernelCommand, frozen=True):
    """Stop the seat's clock because its player goes on vacation."""


class ComeBack(KernelCommand, frozen=True):
    """End the vacation of the seat's player."""


class Vote(KernelCommand, frozen=True):
    """Vote on whether a bot takes the seat ``about``, which is open or out of time.

    ``bot``: the vote; False withdraws an earlier one.
    """

    about: int
    bot: bool


class RecoverSeat(KernelCommand, frozen=True):
    """Move the seat to another device of its player after its PIN was verified.

    ``player``: the player id of the new device.
    """

    player: str


class AskRecovery(KernelCommand, frozen=True):
    """Ask the other players to move the seat ``about`` to another device of its player.

    ``player``: the player id of the new device. ``delay``: milliseconds between the last agreement
    and the recovery; ``patience``: milliseconds after which the request expires unless all have
    agreed.
    """

    about: int
    player: str
    delay: int
    patience: int


class AnswerRecovery(KernelCommand, frozen=True):
    """Accept or decline the open request to recover the seat ``about``.

    The requester withdraws the request by declining.
    """

    about: int
    accept: bool


class ObjectToRecovery(KernelCommand, frozen=True):
    """End the open recovery of the seat because its player still has the old device."""


class EndRecovery(KernelCommand, frozen=True):
    """Complete the seat's open recovery or let it expire; issued by the kernel, not by players."""


COMMANDS: tuple[type, ...] = tuple(KernelCommand.__subclasses__())
