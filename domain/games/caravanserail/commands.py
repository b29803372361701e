"""Commands of Caravansérail, by phase.

``wares`` are ``{ware: tokens}`` without zeros. Positions, trails and stores are represented as in
`board`. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat

Ware: TypeAlias = str
Wares: TypeAlias = dict[str, int]

# --- commands: before the journeys ------------------------------------------------------------


class ChooseHome(Struct, frozen=True, tag=True):
    """Choose a free caravanserai as the home (ruling 16)."""

    place: str


class Done(Struct, frozen=True, tag=True):
    """Finish the diplomacy or business phase; the seat gets no more offers in it."""


# --- commands: the programme, in this order; orders and loads once per caravan ----------------


class Order(Struct, frozen=True, tag=True):
    """Set a caravan's position after the move; its current place means to stay."""

    caravan: int
    to: str


class SendLooters(Struct, frozen=True, tag=True):
    """Choose the trail to raid, or None for no raid."""

    trail: str | None


class Load(Struct, frozen=True, tag=True):
    """Load a caravan; it must be leaving home, otherwise ``wares`` are empty (ruling 5)."""

    caravan: int
    wares: Wares


# --- commands: movement and raid --------------------------------------------------------------


class PayTax(Struct, frozen=True, tag=True):
    """Pay a token from a visiting caravan for its lodging."""

    caravan: int
    ware: Ware


class ChooseCaravan(Struct, frozen=True, tag=True):
    """Choose which of several caravans to attack, without knowing their loads (ruling 11)."""

    victim: Seat
    caravan: int


class Loot(Struct, frozen=True, tag=True):
    """Take up to two tokens from the attacked caravan."""

    wares: Wares


# --- commands: business -----------------------------------------------------------------------


class Listen(Struct, frozen=True, tag=True):
    """Wait until any seat makes, answers or withdraws an offer."""


class Draft(Struct, frozen=True, tag=True):
    """Begin an offer between the store ``mine`` and the partner's store ``theirs``."""

    mine: int
    partner: Seat
    theirs: int


class Give(Struct, frozen=True, tag=True):
    """Choose the wares that the draft gives."""

    wares: Wares


class Ask(Struct, frozen=True, tag=True):
    """Choose the wares that the draft asks for, and make the offer."""

    wares: Wares


class DropDraft(Struct, frozen=True, tag=True):
    """Drop the draft."""


class Withdraw(Struct, frozen=True, tag=True):
    """Withdraw the seat's own unanswered offer."""


class Accept(Struct, frozen=True, tag=True):
    """Accept a seat's offer and exchange the wares."""

    offerer: Seat


class Decline(Struct, frozen=True, tag=True):
    """Decline a seat's offer."""

    offerer: Seat


class Shift(Struct, frozen=True, tag=True):
    """Move wares between two of the seat's own caravans at the same place."""

    source: int
    target: int
    wares: Wares


Command: TypeAlias = (
    ChooseHome
    | Done
    | Order
    | SendLooters
    | Load
    | PayTax
    | ChooseCaravan
    | Loot
    | Listen
    | Draft
    | Give
    | Ask
    | DropDraft
    | Withdraw
    | Accept
    | Decline
    | Shift
)
COMMANDS: tuple[type, ...] = (
    ChooseHome,
    Done,
    Order,
    SendLooters,
    Load,
    PayTax,
    ChooseCaravan,
    Loot,
    Listen,
    Draft,
    Give,
    Ask,
    DropDraft,
    Withdraw,
    Accept,
    Decline,
    Shift,
)
