"""Where a game of Caravansérail stands; how events change it says `fold`. Ships to the browser."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.caravanserail.board import BOARDS, CARAVANS, TREASURE, WARES, Board
from domain.caravanserail.commands import Wares
from domain.game import Seat

Phase: TypeAlias = Literal[
    "homes", "diplomacy", "programme", "movement", "raid", "business", "over"
]
HOMES: Final = "homes"
DIPLOMACY: Final = "diplomacy"
PROGRAMME: Final = "programme"
MOVEMENT: Final = "movement"
RAID: Final = "raid"
BUSINESS: Final = "business"
OVER: Final = "over"
"""Phases."""

STEPS = CARAVANS + 1 + CARAVANS
"""Steps of a programme: an order for each caravan, the looters, a load for each caravan."""

NO_WARES: tuple[dict[str, int], ...] = ({},) * CARAVANS


def _hashed(wares: Wares | None) -> int:
    """Equal for the same wares in whatever order."""
    return hash(None if wares is None else frozenset(wares.items()))


class Offer(Struct, frozen=True):
    """An offer of a seat, or its draft while ``gives`` or ``asks`` is still None."""

    mine: int
    partner: Seat
    theirs: int
    gives: Wares | None = None
    asks: Wares | None = None

    def __hash__(self) -> int:
        return hash((self.mine, self.partner, self.theirs, _hashed(self.gives), _hashed(self.asks)))


class Sheikh(Struct, frozen=True):
    """One seat.

    Hidden from the others: ``card``, ``goal``, ``treasure``, ``loads``, ``draft``; ``offer``
    except from its partner; and until the reveal ``orders``, ``looters`` (None: not said yet,
    "": nowhere) and ``packed``, the programme so far. ``raided`` is the turn in which the
    looters were used last, ``offers`` how many the seat has made in this phase.
    """

    home: str = ""
    card: int = 0
    goal: Wares = {}
    treasure: Wares = {}
    positions: tuple[str, ...] = ()
    loads: tuple[dict[str, int], ...] = NO_WARES
    raided: int = -1
    orders: tuple[str, ...] = ()
    looters: str | None = None
    packed: tuple[dict[str, int], ...] = ()
    done: bool = False
    listening: bool = False
    draft: Offer | None = None
    offer: Offer | None = None
    offers: int = 0

    def __hash__(self) -> int:
        """Of what tells most positions apart; wares are dicts, which have no hash of their own."""
        stores = [_hashed(wares) for wares in (self.treasure, *self.loads, *self.packed)]
        told = (self.positions, self.orders, self.looters, self.done, self.listening)
        return hash((self.card, *stores, *told, self.draft, self.offer))


class Debt(Struct, frozen=True):
    """A visiting caravan still has to pay for its lodging."""

    seat: Seat
    caravan: int
    owner: Seat


class Raid(Struct, frozen=True):
    """A raid under way; ``victim`` is None until the raider has picked a caravan."""

    seat: Seat
    trail: str
    victim: Seat | None = None
    caravan: int | None = None


class State(Struct, frozen=True):
    """The whole game. ``revealed`` are the latest open programmes: orders and looters by seat."""

    sheikhs: tuple[Sheikh, ...]
    order: tuple[int, ...]
    business_minutes: int
    diplomacy: bool
    keep_secrets: bool
    phase: Phase = HOMES
    turn: int = 0
    revealed: tuple[tuple[tuple[str, ...], str], ...] = ()
    debts: tuple[Debt, ...] = ()
    raids: tuple[Raid, ...] = ()
    winners: tuple[int, ...] = ()


def board(state: State) -> Board:
    """The face of the board that is played on."""
    return BOARDS[len(state.sheikhs)]


def raid_of(state: State, seat: Seat) -> Raid:
    """The raid that the seat's looters are about."""
    return next(raid for raid in state.raids if raid.seat == seat)


# --- wares ------------------------------------------------------------------------------------


def in_order(wares: Wares) -> dict[str, int]:
    """The same wares in the one order that is used everywhere, without zeros."""
    return {ware: wares[ware] for ware in WARES if wares.get(ware)}


def plus(wares: Wares, more: Wares) -> dict[str, int]:
    """Both together."""
    return in_order({ware: wares.get(ware, 0) + more.get(ware, 0) for ware in (*wares, *more)})


def minus(wares: Wares, fewer: Wares) -> dict[str, int]:
    """What is left; there must be enough."""
    return in_order({ware: wares[ware] - fewer.get(ware, 0) for ware in wares})


def holds(wares: Wares, some: Wares) -> bool:
    """Whether there is at least as much of each."""
    return all(wares.get(ware, 0) >= some[ware] for ware in some)


def size(wares: Wares) -> int:
    """Tokens in all."""
    return sum(wares.values())


def store(sheikh: Sheikh, which: int) -> dict[str, int]:
    """The wares of a seat's treasure or of one of its caravans."""
    return sheikh.treasure if which == TREASURE else sheikh.loads[which]


def stored(sheikh: Sheikh, which: int, wares: Wares) -> Sheikh:
    """The seat with other wares in the store."""
    if which == TREASURE:
        return replace(sheikh, treasure=wares)
    loads = [*sheikh.loads]
    loads[which] = wares
    return replace(sheikh, loads=tuple(loads))
