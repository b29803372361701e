"""Commands of Caravansérail, by phase.

``wares`` are ``{ware: tokens}`` without zeros. Positions, trails and stores are written as in
`board`. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.contract.game import Seat

Ware: TypeAlias = str
Wares: TypeAlias = dict[str, int]

# --- commands: before the journeys ------------------------------------------------------------


class ChooseHome(Struct, frozen=True, tag=True):
    """Take a caravanserai that is still free (ruling 16)."""

    place: str


class Done(Struct, frozen=True, tag=True):
    """Be done with talking or business; the seat takes no more offers in this phase."""


# --- commands: the programme, always in this order, each once a caravan -----------------------


class Order(Struct, frozen=True, tag=True):
    """Order the position of a caravan after the move; its present place to stay."""

    caravan: int
    to: str


class SendLooters(Struct, frozen=True, tag=True):
    """Choose the trail to raid; None for no raid."""

    trail: str | None


class Load(Struct, frozen=True, tag=True):
    """Load a caravan that leaves home; every other one carries nothing (ruling 5)."""

    caravan: int
    wares: Wares


# --- commands: movement and raid --------------------------------------------------------------


class PayTax(Struct, frozen=True, tag=True):
    """Pay a token for the lodging of a visiting caravan."""

    caravan: int
    ware: Ware


class ChooseCaravan(Struct, frozen=True, tag=True):
    """Choose which of several caravans to attack, without knowing what they carry (ruling 11)."""

    victim: Seat
    caravan: int


class Loot(Struct, frozen=True, tag=True):
    """Take up to two tokens from the caravan attacked."""

    wares: Wares


# --- commands: business -----------------------------------------------------------------------


class Listen(Struct, frozen=True, tag=True):
    """Do nothing for now, and be asked again when any seat makes or answers an offer."""


class Draft(Struct, frozen=True, tag=True):
    """Begin an offer between the store ``mine`` and the partner's store ``theirs``."""

    mine: int
    partner: Seat
    theirs: int


class Give(Struct, frozen=True, tag=True):
    """Choose what the draft gives."""

    wares: Wares


class Ask(Struct, frozen=True, tag=True):
    """Choose what the draft asks for, which makes the offer."""

    wares: Wares


class DropDraft(Struct, frozen=True, tag=True):
    """Drop the draft."""


class Withdraw(Struct, frozen=True, tag=True):
    """Withdraw the seat's own unanswered offer."""


class Accept(Struct, frozen=True, tag=True):
    """Accept the offer and exchange the wares."""

    offerer: Seat


class Decline(Struct, frozen=True, tag=True):
    """Decline the offer."""

    offerer: Seat


class Shift(Struct, frozen=True, tag=True):
    """Move wares between two own caravans at the same place."""

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
