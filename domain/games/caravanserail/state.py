"""State of a match of Caravansérail; see `evolve` for its transitions. Ships to the browser."""

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
"""Number of steps of a programme: an order per caravan, the looters, a load per caravan."""

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
    """The state of a seat.

    Hidden from other seats: ``card``, ``goal``, ``treasure``, ``loads`` and ``draft``; ``offer``,
    except from its partner; and the programme so far: ``orders``, ``looters`` (None: not chosen
    yet; "": no raid) and ``packed``, the loads. ``raided``: the turn in which the looters were last
    used, -1 before that; ``offers``: number of offers made in this business phase.
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
    """A tax that the caravan of ``seat`` still has to pay to ``owner`` for its lodging."""

    seat: Seat
    caravan: int
    owner: Seat


class Raid(Struct, frozen=True):
    """A raid in progress; ``victim`` and ``caravan`` are None until a caravan is searched."""

    seat: Seat
    trail: str
    victim: Seat | None = None
    caravan: int | None = None


class State(Struct, frozen=True):
    """The state of a match.

    ``order``: the seats in the order of choosing homes; ``revealed``: the latest revealed orders
    and looters' trail by seat.
    """

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
    """Return the board of the match."""
    return BOARDS[len(state.sheikhs)]


def raid_of(state: State, seat: Seat) -> Raid:
    """Return the seat's raid in progress; there must be one."""
    return next(raid for raid in state.raids if raid.seat == seat)


# --- wares ------------------------------------------------------------------------------------


def in_order(wares: Wares) -> dict[str, int]:
    """Return the wares in the standard order, without zeros."""
    return {ware: wares[ware] for ware in WARES if wares.get(ware)}


def plus(wares: Wares, more: Wares) -> dict[str, int]:
    """Return the sum of two sets of wares."""
    return in_order({ware: wares.get(ware, 0) + more.get(ware, 0) for ware in (*wares, *more)})


def minus(wares: Wares, fewer: Wares) -> dict[str, int]:
    """Return ``wares`` minus ``fewer``, which must be contained in it."""
    return in_order({ware: wares[ware] - fewer.get(ware, 0) for ware in wares})


def holds(wares: Wares, some: Wares) -> bool:
    """Return whether ``wares`` contains at least ``some`` of each ware."""
    return all(wares.get(ware, 0) >= some[ware] for ware in some)


def size(wares: Wares) -> int:
    """Return the total number of tokens."""
    return sum(wares.values())


def wares_in(sheikh: Sheikh, which: int) -> dict[str, int]:
    """Return the wares in a store of a seat: its treasure or one of its caravans."""
    return sheikh.treasure if which == TREASURE else sheikh.loads[which]


def with_store(sheikh: Sheikh, which: int, wares: Wares) -> Sheikh:
    """Return the seat with the wares of a store replaced."""
    if which == TREASURE:
        return replace(sheikh, treasure=wares)
    loads = [*sheikh.loads]
    loads[which] = wares
    return replace(sheikh, loads=tuple(loads))


def with_sheikh(state: State, seat: Seat, sheikh: Sheikh) -> State:
    """Return the state with a seat's sheikh replaced."""
    sheikhs = [*state.sheikhs]
    sheikhs[seat] = sheikh
    return replace(state, sheikhs=tuple(sheikhs))


def add_wares(state: State, seat: Seat, which: int, wares: Wares) -> State:
    """Return the state with more wares in a store of a seat."""
    sheikh = state.sheikhs[seat]
    return with_sheikh(state, seat, with_store(sheikh, which, plus(wares_in(sheikh, which), wares)))
