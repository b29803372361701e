"""Commands of Caravansérail, by phase.

``wares`` are ``{ware: tokens}`` without zeros. Positions, trails and stores are represented as in
`board`. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat

Ware: TypeAlias = str
Wares: TypeAlias = dict[str, int]


class Command(Struct, frozen=True, tag=True):
    """Base class of the game's commands."""


# --- commands: before the journeys ------------------------------------------------------------


class ChooseHome(Command, frozen=True):
    """Choose a free caravanserai as the home (ruling 16)."""

    place: str


class Done(Command, frozen=True):
    """Finish the diplomacy or business phase; the seat gets no more offers in it."""


# --- commands: the programme, in this order; orders and loads once per caravan ----------------


class Order(Command, frozen=True):
    """Set a caravan's position after the move; its current place means to stay."""

    caravan: int
    to: str


class SendLooters(Command, frozen=True):
    """Choose the trail to raid, or None for no raid."""

    trail: str | None


class Load(Command, frozen=True):
    """Load a caravan; it must be leaving home, otherwise ``wares`` are empty (ruling 5)."""

    caravan: int
    wares: Wares


# --- commands: movement and raid --------------------------------------------------------------


class PayTax(Command, frozen=True):
    """Pay a token from a visiting caravan for its lodging."""

    caravan: int
    ware: Ware


class ChooseCaravan(Command, frozen=True):
    """Choose which of several caravans to attack, without knowing their loads (ruling 11)."""

    victim: Seat
    caravan: int


class Loot(Command, frozen=True):
    """Take up to two tokens from the attacked caravan."""

    wares: Wares


# --- commands: business -----------------------------------------------------------------------


class Listen(Command, frozen=True):
    """Wait until any seat makes, answers or withdraws an offer."""


class Draft(Command, frozen=True):
    """Begin an offer between the store ``mine`` and the partner's store ``theirs``."""

    mine: int
    partner: Seat
    theirs: int


class Give(Command, frozen=True):
    """Choose the wares that the draft gives."""

    wares: Wares


class Ask(Command, frozen=True):
    """Choose the wares that the draft asks for, and make the offer."""

    wares: Wares


class DropDraft(Command, frozen=True):
    """Drop the draft."""


class Withdraw(Command, frozen=True):
    """Withdraw the seat's own unanswered offer."""


class Accept(Command, frozen=True):
    """Accept a seat's offer and exchange the wares."""

    offerer: Seat


class Decline(Command, frozen=True):
    """Decline a seat's offer."""

    offerer: Seat


class Shift(Command, frozen=True):
    """Move wares between two of the seat's own caravans at the same place."""

    source: int
    target: int
    wares: Wares


COMMANDS: tuple[type, ...] = tuple(Command.__subclasses__())
