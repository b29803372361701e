"""Commands of Caravansérail: what a seat can ask for, phase by phase.

``wares`` are ``{ware: tokens}`` without zeros. Positions, trails and stores are written as in
`board`. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.game import Seat

Ware: TypeAlias = str
Wares: TypeAlias = dict[str, int]

# --- commands: before the journeys ----------------------------------------------------------


class ChooseHome(Struct, frozen=True, tag=True):
    """Take a caravanserai that is still free (ruling 16)."""

    place: str


class Done(Struct, frozen=True, tag=True):
    """Have done with talking or with business; no more offers are taken in this phase."""


# --- commands: the programme, always in this order, each once a caravan ----------------------


class Order(Struct, frozen=True, tag=True):
    """Where a caravan is to be after the move; the place it is at to stay."""

    caravan: int
    to: str


class SendLooters(Struct, frozen=True, tag=True):
    """The trail to raid, None to raid nowhere."""

    trail: str | None


class Load(Struct, frozen=True, tag=True):
    """What a caravan leaving home carries; nothing for every other (ruling 5)."""

    caravan: int
    wares: Wares


# --- commands: movement and raid --------------------------------------------------------------


class PayTax(Struct, frozen=True, tag=True):
    """The token that a visiting caravan pays for its lodging."""

    caravan: int
    ware: Ware


class ChooseCaravan(Struct, frozen=True, tag=True):
    """Attack this one of several caravans, without having seen what they carry (ruling 11)."""

    victim: Seat
    caravan: int


class Loot(Struct, frozen=True, tag=True):
    """Take up to two tokens from the caravan attacked."""

    wares: Wares


# --- commands: business -----------------------------------------------------------------------


class Listen(Struct, frozen=True, tag=True):
    """Want nothing more, but be asked again as soon as anybody makes or answers an offer."""


class Draft(Struct, frozen=True, tag=True):
    """Begin an offer between the store ``mine`` and the partner's store ``theirs``."""

    mine: int
    partner: Seat
    theirs: int


class Give(Struct, frozen=True, tag=True):
    """What the offer begun gives."""

    wares: Wares


class Ask(Struct, frozen=True, tag=True):
    """What the offer begun asks for; this makes the offer."""

    wares: Wares


class DropDraft(Struct, frozen=True, tag=True):
    """Throw the offer begun away."""


class Withdraw(Struct, frozen=True, tag=True):
    """Take back the own offer that waits for an answer."""


class Accept(Struct, frozen=True, tag=True):
    """Exchange the wares as the offer says."""

    offerer: Seat


class Decline(Struct, frozen=True, tag=True):
    """Turn the offer down."""

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
