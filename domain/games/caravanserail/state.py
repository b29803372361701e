"""State of a game of Caravansérail; `evolve` has its fold. Ships to the browser."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.caravanserail.board import BOARDS, CARAVANS_PER_SEAT, TREASURE, WARES, Board
from domain.games.caravanserail.commands import Wares

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
"""Phases of the game."""

PROGRAMME_STEPS = CARAVANS_PER_SEAT + 1 + CARAVANS_PER_SEAT
"""Number of steps of a programme: orders of the caravans, the looters, loads of the caravans."""

NO_WARES: tuple[dict[str, int], ...] = ({},) * CARAVANS_PER_SEAT


def _hashed(wares: Wares | None) -> int:
    """Return a hash that does not depend on the order of the wares."""
    return hash(None if wares is None else frozenset(wares.items()))


class Offer(Struct, frozen=True):
    """An offer of a seat, or its draft while ``gives`` or ``asks`` is None."""

    mine: int
    partner: Seat
    theirs: int
    gives: Wares | None = None
    asks: Wares | None = None

    def __hash__(self) -> int:
        return hash((self.mine, self.partner, self.theirs, _hashed(self.gives), _hashed(self.asks)))


class Sheikh(Struct, frozen=True):
    """One seat.

    Hidden from the others: ``card``, ``goal``, ``treasure``, ``loads``, ``draft``; ``offer`` except
    from its partner; and until the reveal ``orders``, ``looters`` (None: not chosen yet, "": none)
    and ``packed``, the programme so far. ``raided``: the turn in which the looters were used last;
    ``offers``: number of offers made in this phase.
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
        """Return a hash of the most distinctive fields; wares are dicts, which are unhashable."""
        stores = [_hashed(wares) for wares in (self.treasure, *self.loads, *self.packed)]
        public = (self.positions, self.orders, self.looters, self.done, self.listening)
        return hash((self.card, *stores, *public, self.draft, self.offer))


class Debt(Struct, frozen=True):
    """A visiting caravan that still has to pay for its lodging."""

    seat: Seat
    caravan: int
    owner: Seat


class Raid(Struct, frozen=True):
    """A raid in progress; ``victim`` is None until the raider has picked a caravan."""

    seat: Seat
    trail: str
    victim: Seat | None = None
    caravan: int | None = None


class State(Struct, frozen=True):
    """The state of a game; ``revealed``: the latest public orders and looters by seat."""

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
    """Return the board of the game."""
    return BOARDS[len(state.sheikhs)]


def raid_of(state: State, seat: Seat) -> Raid:
    """Return the raid of the seat's looters."""
    return next(raid for raid in state.raids if raid.seat == seat)


# --- wares ------------------------------------------------------------------------------------


def in_order(wares: Wares) -> dict[str, int]:
    """Return the wares in the standard order, without zeros."""
    return {ware: wares[ware] for ware in WARES if wares.get(ware)}


def plus(wares: Wares, more: Wares) -> dict[str, int]:
    """Return the sum of two sets of wares."""
    return in_order({ware: wares.get(ware, 0) + more.get(ware, 0) for ware in (*wares, *more)})


def minus(wares: Wares, fewer: Wares) -> dict[str, int]:
    """Return the difference of two sets of wares; there must be enough."""
    return in_order({ware: wares[ware] - fewer.get(ware, 0) for ware in wares})


def holds(wares: Wares, some: Wares) -> bool:
    """Return whether there is at least as much of each ware."""
    return all(wares.get(ware, 0) >= some[ware] for ware in some)


def size(wares: Wares) -> int:
    """Return the total number of tokens."""
    return sum(wares.values())


def wares_in(sheikh: Sheikh, which: int) -> dict[str, int]:
    """Return the wares of a seat's treasure or of one of its caravans."""
    return sheikh.treasure if which == TREASURE else sheikh.loads[which]


def with_store(sheikh: Sheikh, which: int, wares: Wares) -> Sheikh:
    """Return the seat with other wares in the store."""
    if which == TREASURE:
        return replace(sheikh, treasure=wares)
    loads = [*sheikh.loads]
    loads[which] = wares
    return replace(sheikh, loads=tuple(loads))
