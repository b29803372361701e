"""Rules of Caravansérail; ruling numbers are those of the game's rule notes.

Homes are chosen in a random order, treasure cards are dealt, and, as an option, all seats may talk.
In each turn all seats plan in secret (`planning`), all caravans move at once, goods are brought
home and lodging is paid for, looters strike (`raids`), and all seats trade in secret (`trading`).
The game ends after the first step that completes a treasure; all seats whose treasure is then
complete win together (ruling 1). The steps are: all goods brought home; all taxes; all raids; each
deal.

Taxes and raids of different seats are independent and may be resolved in any order. It is public
that an empty caravan pays no tax at another seat's home (ruling 7): this much of a load is visible,
as at a physical table. Ships to the browser.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, IllegalMove, Rules, Seat, Standing
from domain.games.caravanserail import events, planning, raids, trading
from domain.games.caravanserail.board import BOARDS
from domain.games.caravanserail.commands import COMMANDS, Command, Done
from domain.games.caravanserail.effects import event_of
from domain.games.caravanserail.events import EVENTS, Event
from domain.games.caravanserail.evolve import evolve
from domain.games.caravanserail.legal_commands import choices, groups, seats_to_act
from domain.games.caravanserail.options import Options
from domain.games.caravanserail.scoring import is_complete, standings
from domain.games.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    HOMES,
    MOVEMENT,
    OVER,
    PROGRAMME,
    RAID,
    State,
    in_order,
)
from domain.games.caravanserail.tell import label, tell
from domain.games.caravanserail.title import TITLE
from domain.games.caravanserail.view import keeps_secrets, redact, reveals, view

_Recorder: TypeAlias = EventRecorder[State, Event]

WAKING_VERSION = 2
"""First rules version in which withdrawn or possibly lapsed offers wake listening seats."""


# --- the sequence of play -----------------------------------------------------------------------


def setup(
    options: Options, seats: int, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Set up the board and draw the order in which homes are chosen (ruling 16)."""
    order = _shuffled(seats, draw)
    laid_out = events.KingdomsLaidOut(
        seats, order, options.business_minutes, options.diplomacy, options.keep_secrets
    )
    return EventRecorder.begin(laid_out, evolve)


def _shuffled(n: int, draw: Draw) -> tuple[int, ...]:
    left = [*range(n)]
    return tuple([left.pop(draw(len(left))) for _ in range(n)])


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = TITLE.rules_version
) -> _Recorder:
    """Apply a command and, if no seat is to act any longer, continue with the next phase.

    Raises `IllegalMove` if the command is illegal.
    """
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "refusal.not_to_act")
    recorder: _Recorder = EventRecorder(state, evolve)
    recorder.emit(event_of(state, seat, command))
    if state.phase == BUSINESS:
        if version >= WAKING_VERSION and trading.wakes_listeners(
            recorder.state, recorder.events[0]
        ):
            recorder.emit(events.ListenersAsked())
        _end_if_won(recorder)
    if not to_act(recorder.state) and recorder.state.phase != OVER:
        _NEXT[state.phase](recorder, draw)
    return recorder


def _deal(recorder: _Recorder, draw: Draw) -> None:
    cards = BOARDS[len(recorder.state.sheikhs)].cards
    for seat, card in enumerate(_shuffled(len(cards), draw)):
        start, goal = in_order(cards[card].start), in_order(cards[card].goal)
        recorder.emit(events.TreasureDealt(seat, card + 1, start, goal))
    if recorder.state.diplomacy:
        recorder.emit(events.DiplomacyBegun())
    else:
        _begin_turn(recorder, draw)


def _begin_turn(recorder: _Recorder, draw: Draw) -> None:
    recorder.emit(events.TurnBegun(recorder.state.turn + 1))


def _move(recorder: _Recorder, draw: Draw) -> None:
    """Reveal all programmes, move all caravans, unload those at home and record taxes due.

    If no tax is due, continue with the raids.
    """
    before = recorder.state
    recorder.emit(planning.reveal_programmes(before))
    recorder.emit(events.CaravansMoved(tuple([orders for orders, _ in recorder.state.revealed])))
    arrived = [
        (seat, caravan, to)
        for seat, (orders, _) in enumerate(recorder.state.revealed)
        for caravan, to in enumerate(orders)
        if len(to) == 1 and to != before.sheikhs[seat].positions[caravan]
    ]
    for seat, caravan, place in arrived:
        sheikh = recorder.state.sheikhs[seat]
        if sheikh.home == place:
            recorder.emit(events.CaravanUnloaded(seat, caravan, sheikh.loads[caravan]))
    _end_if_won(recorder)
    if recorder.state.phase == OVER:
        return
    hosts = {sheikh.home: seat for seat, sheikh in enumerate(recorder.state.sheikhs)}
    for seat, caravan, place in arrived:
        owner = hosts.get(place)
        if owner not in (None, seat):
            owes = bool(recorder.state.sheikhs[seat].loads[caravan])
            recorder.emit(events.CaravanLodged(seat, caravan, owner, owes))
    if not recorder.state.debts:
        _raid(recorder, draw)


def _raid(recorder: _Recorder, draw: Draw) -> None:
    """Begin the raids; if none needs a decision, begin the business phase."""
    _end_if_won(recorder)
    if recorder.state.phase == OVER:
        return
    raids.begin_raids(recorder)
    if not recorder.state.raids:
        recorder.emit(events.BusinessBegun())


def _begin_business(recorder: _Recorder, draw: Draw) -> None:
    _end_if_won(recorder)
    if recorder.state.phase != OVER:
        recorder.emit(events.BusinessBegun())


_NEXT: dict[str, Any] = {
    HOMES: _deal,
    DIPLOMACY: _begin_turn,
    PROGRAMME: _move,
    MOVEMENT: _raid,
    RAID: _begin_business,
    BUSINESS: _begin_turn,
}
"""The function that ends each phase once no seat is to act any longer."""


def _end_if_won(recorder: _Recorder) -> None:
    winners = [seat for seat, sheikh in enumerate(recorder.state.sheikhs) if is_complete(sheikh)]
    if winners:
        recorder.emit(events.GameEnded(tuple(winners)))


# --- turns --------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats to act."""
    return seats_to_act(state)


def turn(state: State) -> int:
    """Return the number of the current turn, 0 before the first."""
    return state.turn


# --- taking back, time, and the end -------------------------------------------------------------


def take_back(state: State, seat: Seat) -> list[Any]:
    """Return the events that take back the seat's latest choice, if that is still possible.

    It is possible for programme steps, for being done or listening, and for a draft.
    """
    if state.phase == PROGRAMME:
        return planning.take_back(state, seat)
    if state.phase == DIPLOMACY and state.sheikhs[seat].done:
        return [events.SeatReturned(seat)]
    return trading.take_back(state, seat) if state.phase == BUSINESS else []


def time_limit(state: State) -> tuple[int, list[tuple[int, Any]]] | None:
    """Return the time limit of the business phase in seconds, with its commands (ruling 13).

    The commands ``(seat, Done())`` are played for the remaining seats when the time is up. Return
    None in other phases, or if there is no limit.
    """
    if state.phase != BUSINESS or not state.business_minutes:
        return None
    waiting = [*to_act(state), *trading.listeners_to_wake(state)]
    return 60 * state.business_minutes, [(seat, Done()) for seat in waiting]


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings if the game is over, otherwise None."""
    return standings(state)


if TYPE_CHECKING:
    from domain.games.caravanserail import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
