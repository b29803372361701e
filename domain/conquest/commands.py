"""Commands of Caravan Conquest: small steps, so that every list of choices is short.

Places, resources and tiles are those of the events. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.conquest.events import Place


class Move(Struct, frozen=True, tag=True):
    """One step to a neighbouring tile; also the extra step that a card grants (ruling 25)."""

    to: Place


class Stop(Struct, frozen=True, tag=True):
    """End the movement here; of an extra step: do without it."""


class Stay(Struct, frozen=True, tag=True):
    """Spend the turn where it began, for a caravan that has no speed (ruling 4)."""


class Jettison(Struct, frozen=True, tag=True):
    """Throw away gold, silk or spice before the first step (ruling 24)."""

    what: str
    amount: int


class Take(Struct, frozen=True, tag=True):
    """The resource that an oasis or a card gives by choice."""

    what: str


class GiveUp(Struct, frozen=True, tag=True):
    """The good that a card takes, where there is a choice (ruling 28)."""

    what: str


class Deal(Struct, frozen=True, tag=True):
    """Accept what a card offers for one of this resource (ruling 9)."""

    gives: str


class Decline(Struct, frozen=True, tag=True):
    """Do without what a card offers."""


class Ignore(Struct, frozen=True, tag=True):
    """Give the fortune teller's card away so that the drawn one does nothing (ruling 12)."""


class Heed(Struct, frozen=True, tag=True):
    """Let the drawn card happen and keep the fortune teller's."""


class Sell(Struct, frozen=True, tag=True):
    """Sell so much of the good of this trade camp."""

    amount: int


class Buy(Struct, frozen=True, tag=True):
    """Buy so much of the good of this trade camp."""

    amount: int


class Exchange(Struct, frozen=True, tag=True):
    """A new animal or caravan of the city for an old one (ruling 15)."""

    old: str
    new: str


class Done(Struct, frozen=True, tag=True):
    """Leave the trade camp or the city."""


Command: TypeAlias = (
    Move
    | Stop
    | Stay
    | Jettison
    | Take
    | GiveUp
    | Deal
    | Decline
    | Ignore
    | Heed
    | Sell
    | Buy
    | Exchange
    | Done
)
COMMANDS: tuple[type, ...] = (
    Move,
    Stop,
    Stay,
    Jettison,
    Take,
    GiveUp,
    Deal,
    Decline,
    Ignore,
    Heed,
    Sell,
    Buy,
    Exchange,
    Done,
)
