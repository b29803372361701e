"""State of a match of Caravane. Ships to the browser."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from domain.contract.game import Seat
from domain.games.caravane.board import STAGE_LENGTHS

Phase: TypeAlias = Literal["prepare", "bid", "revise", "move", "over"]
PREPARE: Final = "prepare"
BID: Final = "bid"
REVISE: Final = "revise"
MOVE: Final = "move"
OVER: Final = "over"
"""Phases of the game. "move" exists only between the events of one decision; no seat acts in it."""


class Racer(Struct, frozen=True):
    """The state of a seat.

    Hidden from other seats: ``stock``, ``allotted`` (if split freely), ``bags``, and, until they
    are revealed, ``bid``, ``adds_bag`` and ``revised``. ``place``: the place at the palace of this
    stage, 0 while the camel races. ``stock``: gourds left for this stage. ``allotted`` and
    ``bags``: gourds and bag for each stage, as far as chosen. ``revised``: the final bid of gourds
    after bags were announced.
    """

    square: int = 0
    place: int = 0
    bales: int = 0
    stock: int = 0
    allotted: tuple[int, ...] = ()
    bags: tuple[int, ...] = ()
    bag_spent: bool = False
    bid: int | None = None
    adds_bag: bool = False
    revised: int | None = None


class Round(Struct, frozen=True):
    """A revealed bidding round; see `BidsRevealed`."""

    stage: int
    number: int
    gourds: tuple[int | None, ...]
    bags: tuple[int, ...]
    steps: tuple[int, ...]


class State(Struct, frozen=True):
    """The state of a race.

    ``stage``: 0 before the race; ``number``: the current round, counted across all stages;
    ``rewards``: bales by seat at each palace so far; ``ranks``: final ranks by seat, empty before
    the end.
    """

    racers: tuple[Racer, ...]
    split: bool
    food: bool
    keep_secrets: bool
    phase: Phase = PREPARE
    stage: int = 0
    number: int = 0
    rounds: tuple[Round, ...] = ()
    rewards: tuple[tuple[int, ...], ...] = ()
    ranks: tuple[int, ...] = ()


def missing_choice(state: State, seat: Seat) -> str | None:
    """Return what the seat must still choose, as in `ChoiceWithdrawn`, or None if nothing."""
    racer = state.racers[seat]
    if state.phase == PREPARE:
        return _unprepared(state, racer)
    if racer.place:
        return None
    if state.phase == BID and racer.bid is None:
        return "bid"
    if state.phase == REVISE and not racer.adds_bag and racer.revised is None:
        return "revision"
    return None


def _unprepared(state: State, racer: Racer) -> str | None:
    if len(racer.allotted) < len(STAGE_LENGTHS):
        return "allotment"
    return "bags" if state.food and not racer.bags else None


def racing_seats(state: State) -> list[int]:
    """Return the seats whose camel has not yet arrived at the palace of this stage."""
    return [seat for seat, racer in enumerate(state.racers) if not racer.place]
