"""Commands of Caravan Conquest: small steps, so that lists of legal commands stay short.

Places, resources and tiles are written as in the events. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.games.conquest.events import Place


class Move(Struct, frozen=True, tag=True):
    """Make one step to an adjacent tile; also the extra step that a card grants (ruling 25)."""

    to: Place


class Stop(Struct, frozen=True, tag=True):
    """End the movement here, or forgo an extra step."""


class Stay(Struct, frozen=True, tag=True):
    """Stay for the whole turn, with a caravan that has no speed (ruling 4)."""


class Jettison(Struct, frozen=True, tag=True):
    """Throw away gold, silk or spice before the first step (ruling 24)."""

    what: str
    amount: int


class Take(Struct, frozen=True, tag=True):
    """Take the resource that an oasis or a card gives by choice."""

    what: str


class GiveUp(Struct, frozen=True, tag=True):
    """Give up the good that a card takes, if there is a choice (ruling 28)."""

    what: str


class Deal(Struct, frozen=True, tag=True):
    """Accept a card's offer for one of this resource (ruling 9)."""

    gives: str


class Decline(Struct, frozen=True, tag=True):
    """Decline a card's offer."""


class Ignore(Struct, frozen=True, tag=True):
    """Give the fortune teller's card away to ignore the drawn one (ruling 12)."""


class Heed(Struct, frozen=True, tag=True):
    """Resolve the drawn card and keep the fortune teller's."""


class Sell(Struct, frozen=True, tag=True):
    """Sell an amount of this trade camp's good."""

    amount: int


class Buy(Struct, frozen=True, tag=True):
    """Buy an amount of this trade camp's good."""

    amount: int


class Exchange(Struct, frozen=True, tag=True):
    """Exchange an old animal or caravan for a new one in a city (ruling 15)."""

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
