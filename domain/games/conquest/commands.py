"""Commands of Caravan Conquest, fine-grained so that lists of legal commands stay short.

Places and resources are represented as in the events. Ships to the browser.
"""

from msgspec import Struct

from domain.games.conquest.events import Place


class Command(Struct, frozen=True, tag=True):
    """Base class of the game's commands."""


class Move(Command, frozen=True):
    """Make one step to an adjacent tile, or the extra step granted by a card (ruling 25)."""

    to: Place


class Stop(Command, frozen=True):
    """End the movement here, or decline an extra step."""


class Stay(Command, frozen=True):
    """Stay for the whole turn because the caravan has speed 0 (ruling 4)."""


class Jettison(Command, frozen=True):
    """Throw away gold, silk or spice before the first step (ruling 24)."""

    what: str
    amount: int


class Take(Command, frozen=True):
    """Take the chosen resource from an oasis or a card."""

    what: str


class GiveUp(Command, frozen=True):
    """Choose the resource to lose to a card (ruling 28)."""

    what: str


class Deal(Command, frozen=True):
    """Accept a card's offer by giving one unit of this resource (ruling 9)."""

    gives: str


class Decline(Command, frozen=True):
    """Decline a card's offer."""


class Ignore(Command, frozen=True):
    """Give up the Fortune Teller's card to ignore the drawn card (ruling 12)."""


class Heed(Command, frozen=True):
    """Resolve the drawn card and keep the Fortune Teller's card."""


class Sell(Command, frozen=True):
    """Sell an amount of this trade camp's good."""

    amount: int


class Buy(Command, frozen=True):
    """Buy an amount of this trade camp's good."""

    amount: int


class Exchange(Command, frozen=True):
    """Exchange an animal or the caravan for a new one in a city (ruling 15)."""

    old: str
    new: str


class Done(Command, frozen=True):
    """Leave the trade camp or the city."""


COMMANDS: tuple[type, ...] = tuple(Command.__subclasses__())
