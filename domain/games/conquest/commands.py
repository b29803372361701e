"""Commands of Caravan Conquest, fine-grained so that lists of legal commands stay short.

Places and resources are represented as in the events. Ships to the browser.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.games.conquest.events import Place


class Move(Struct, frozen=True, tag=True):
    """Make one step to an adjacent tile, or the extra step granted by a card (ruling 25)."""

    to: Place


class Stop(Struct, frozen=True, tag=True):
    """End the movement here, or decline an extra step."""


class Stay(Struct, frozen=True, tag=True):
    """Stay for the whole turn because the caravan has speed 0 (ruling 4)."""


class Jettison(Struct, frozen=True, tag=True):
    """Throw away gold, silk or spice before the first step (ruling 24)."""

    what: str
    amount: int


class Take(Struct, frozen=True, tag=True):
    """Take the chosen resource from an oasis or a card."""

    what: str


class GiveUp(Struct, frozen=True, tag=True):
    """Choose the resource to lose to a card (ruling 28)."""

    what: str


class Deal(Struct, frozen=True, tag=True):
    """Accept a card's offer by giving one unit of this resource (ruling 9)."""

    gives: str


class Decline(Struct, frozen=True, tag=True):
    """Decline a card's offer."""


class Ignore(Struct, frozen=True, tag=True):
    """Give up the Fortune Teller's card to ignore the drawn card (ruling 12)."""


class Heed(Struct, frozen=True, tag=True):
    """Resolve the drawn card and keep the Fortune Teller's card."""


class Sell(Struct, frozen=True, tag=True):
    """Sell an amount of this trade camp's good."""

    amount: int


class Buy(Struct, frozen=True, tag=True):
    """Buy an amount of this trade camp's good."""

    amount: int


class Exchange(Struct, frozen=True, tag=True):
    """Exchange an animal or the caravan for a new one in a city (ruling 15)."""

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
