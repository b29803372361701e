"""Rules of Caravansérail; ruling numbers are those of the game's rule notes.

Homes are chosen in a random order, treasure cards dealt, and, as an option, all may talk. In each
turn all plan in secret (`programme`), all caravans move at once, goods come home and lodging is
paid for, looters strike, and all do business in secret (`business`). The game ends as soon as a
step completes a treasure; all who have completed theirs in that step win together (ruling 1). The
steps are: all goods brought home; all taxes; all raids; each deal.

Taxes and raids of different seats are independent, so they are paid and carried out in any order. A
caravan that enters another's home empty pays nothing (ruling 7), which is public: this much of a
load is visible, as at a physical table. Ships to the browser.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

from domain.caravanserail import planning, raids, trading
from domain.caravanserail.board import BOARDS, caravanserais
from domain.caravanserail.commands import COMMANDS, ChooseHome, Command, Done, PayTax
from domain.caravanserail.events import (
    EVENTS,
    BusinessBegun,
    CaravanLodged,
    CaravansMoved,
    CaravanUnloaded,
    DiplomacyBegun,
    Event,
    GameEnded,
    HomeChosen,
    KingdomsLaidOut,
    ListenersAsked,
    SeatDone,
    SeatReturned,
    TaxPaid,
    TreasureDealt,
    TurnBegun,
)
from domain.caravanserail.evolve import evolve
from domain.caravanserail.messages import TEXT
from domain.caravanserail.options import Options
from domain.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    HOMES,
    MOVEMENT,
    OVER,
    PROGRAMME,
    RAID,
    STEPS,
    Sheikh,
    State,
    board,
    holds,
    in_order,
)
from domain.caravanserail.tell import label, tell
from domain.caravanserail.title import TITLE
from domain.caravanserail.view import keeps_secrets, redact, reveals, view
from domain.course import Course
from domain.game import Amounts, Draw, Group, IllegalMove, Rules, Seat, Standing
from domain.groups import grouped, spread

__all__ = [
    "COMMANDS",
    "EVENTS",
    "TEXT",
    "Options",
    "choices",
    "decide",
    "evolve",
    "groups",
    "keeps_secrets",
    "label",
    "outcome",
    "redact",
    "reveals",
    "setup",
    "take_back",
    "tell",
    "time_limit",
    "to_act",
    "turn",
    "view",
]

_Course: TypeAlias = Course[State, Event]

WAKING = 2
"""Since this rules version an offer that is withdrawn or lapses wakes listening seats."""


# --- the sequence of play -----------------------------------------------------------------------


def setup(options: Options, seats: int, draw: Draw, version: int = TITLE.rules_version) -> _Course:
    """Set up the board; draw the order in which homes are chosen (ruling 16)."""
    order = _shuffled(seats, draw)
    laid_out = KingdomsLaidOut(
        seats,
        order,
        options.business_minutes,
        options.diplomacy,
        options.keep_secrets,
    )
    return Course.begin(laid_out, evolve)


def _shuffled(n: int, draw: Draw) -> tuple[int, ...]:
    left = [*range(n)]
    return tuple([left.pop(draw(len(left))) for _ in range(n)])


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = TITLE.rules_version
) -> _Course:
    """Decide a command, with all that follows when it was the last one awaited.

    Raises `IllegalMove`.
    """
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "This seat has nothing to do now.")
    course: _Course = Course(state, evolve)
    course.happen(_DECIDERS[state.phase](state, seat, command))
    if state.phase == BUSINESS:
        if version >= WAKING and trading.wakes(course.state, course.events[0]):
            course.happen(ListenersAsked())
        _end_if_won(course)
    if not to_act(course.state) and course.state.phase != OVER:
        _NEXT[state.phase](course, draw)
    return course


def _deal(course: _Course, draw: Draw) -> None:
    cards = BOARDS[len(course.state.sheikhs)].cards
    for seat, card in enumerate(_shuffled(len(cards), draw)):
        start, goal = in_order(cards[card].start), in_order(cards[card].goal)
        course.happen(TreasureDealt(seat, card + 1, start, goal))
    if course.state.diplomacy:
        course.happen(DiplomacyBegun())
    else:
        _begin_turn(course, draw)


def _begin_turn(course: _Course, draw: Draw) -> None:
    course.happen(TurnBegun(course.state.turn + 1))


def _move(course: _Course, draw: Draw) -> None:
    """Reveal all programmes, move all caravans, then unload and collect taxes."""
    before = course.state
    course.happen(planning.revelation(before))
    course.happen(CaravansMoved(tuple([orders for orders, _ in course.state.revealed])))
    arrived = [
        (seat, caravan, to)
        for seat, (orders, _) in enumerate(course.state.revealed)
        for caravan, to in enumerate(orders)
        if len(to) == 1 and to != before.sheikhs[seat].positions[caravan]
    ]
    for seat, caravan, place in arrived:
        sheikh = course.state.sheikhs[seat]
        if sheikh.home == place:
            course.happen(CaravanUnloaded(seat, caravan, sheikh.loads[caravan]))
    _end_if_won(course)
    if course.state.phase == OVER:
        return
    hosts = {sheikh.home: seat for seat, sheikh in enumerate(course.state.sheikhs)}
    for seat, caravan, place in arrived:
        owner = hosts.get(place)
        if owner not in (None, seat):
            owes = bool(course.state.sheikhs[seat].loads[caravan])
            course.happen(CaravanLodged(seat, caravan, owner, owes))
    if not course.state.debts:
        _raid(course, draw)


def _raid(course: _Course, draw: Draw) -> None:
    """Let the looters strike after the taxes; raids that need no decision end at once."""
    _end_if_won(course)
    if course.state.phase == OVER:
        return
    raids.begin(course)
    if not course.state.raids:
        course.happen(BusinessBegun())


def _begin_business(course: _Course, draw: Draw) -> None:
    _end_if_won(course)
    if course.state.phase != OVER:
        course.happen(BusinessBegun())


_NEXT: dict[str, Any] = {
    HOMES: _deal,
    DIPLOMACY: _begin_turn,
    PROGRAMME: _move,
    MOVEMENT: _raid,
    RAID: _begin_business,
    BUSINESS: _begin_turn,
}
"""What follows in each phase when nobody has anything left to do."""


def complete(sheikh: Sheikh) -> bool:
    """Return whether the treasure at home holds at least the wares of the card (ruling 1)."""
    return holds(sheikh.treasure, sheikh.goal)


def _end_if_won(course: _Course) -> None:
    winners = [seat for seat, sheikh in enumerate(course.state.sheikhs) if complete(sheikh)]
    if winners:
        course.happen(GameEnded(tuple(winners)))


# --- whose choice, and which --------------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the seats that are to act."""
    match state.phase:
        case "homes":
            homeless = [seat for seat in state.order if not state.sheikhs[seat].home]
            return tuple(homeless[:1])
        case "movement":
            return tuple(sorted({debt.seat for debt in state.debts}))
        case "raid":
            return tuple(sorted([raid.seat for raid in state.raids]))
        case "over":
            return ()
        case _:
            return tuple(
                [seat for seat, sheikh in enumerate(state.sheikhs) if _awaited(state, sheikh)]
            )


def _awaited(state: State, sheikh: Sheikh) -> bool:
    if state.phase == PROGRAMME:
        return planning.steps(sheikh) < STEPS
    return trading.active(sheikh)


def turn(state: State) -> int:
    """Return the number of the turn; 0 while homes are chosen and before the first programme."""
    return state.turn


def choices(state: State, seat: Seat) -> list[Command]:
    """Return every legal command of the seat; the list itself is secret."""
    return spread(_ways(state, seat))


def groups(state: State, seat: Seat) -> tuple[Group, ...]:
    """Return the legal commands by type, with ranges for those that hold wares."""
    return grouped(_ways(state, seat))


def _ways(state: State, seat: Seat) -> list[Command | Amounts]:
    if seat not in to_act(state):
        return []
    return _WAYS[state.phase](state, seat)  # type: ignore[no-any-return]


def _home_choices(state: State, seat: Seat) -> list[Command]:
    return [ChooseHome(place) for place in _free(state)]


def _free(state: State) -> list[str]:
    taken = [sheikh.home for sheikh in state.sheikhs]
    return [place for place in caravanserais(board(state)) if place not in taken]


def _done_choice(state: State, seat: Seat) -> list[Command]:
    return [Done()]


def _tax_choices(state: State, seat: Seat) -> list[Command]:
    return [
        PayTax(debt.caravan, ware)
        for debt in state.debts
        if debt.seat == seat
        for ware in state.sheikhs[seat].loads[debt.caravan]
    ]


_WAYS: dict[str, Any] = {
    HOMES: _home_choices,
    DIPLOMACY: _done_choice,
    PROGRAMME: planning.ways,
    MOVEMENT: _tax_choices,
    RAID: raids.ways,
    BUSINESS: trading.ways,
}


# --- decisions: the one event of a command ------------------------------------------------------


def _choose_home(state: State, seat: Seat, command: Any) -> Any:
    if not isinstance(command, ChooseHome) or command.place not in _free(state):
        raise IllegalMove("no_home", "Choose a caravanserai that is still free.")
    return HomeChosen(seat, command.place)


def _finish_talk(state: State, seat: Seat, command: Any) -> Any:
    if not isinstance(command, Done):
        raise IllegalMove("wrong_step", "This is the time to talk; all you can do is be done.")
    return SeatDone(seat)


def _pay_tax(state: State, seat: Seat, command: Any) -> Any:
    """Pay one token of the visitor's choice from the lodging caravan (ruling 7)."""
    for debt in state.debts:
        if isinstance(command, PayTax) and (debt.seat, debt.caravan) == (seat, command.caravan):
            if command.ware not in state.sheikhs[seat].loads[command.caravan]:
                raise IllegalMove("no_such_ware", "The caravan does not carry this.")
            return TaxPaid(seat, command.caravan, debt.owner, command.ware)
    raise IllegalMove("no_tax", "Pay for a caravan that owes the tax.")


_DECIDERS: dict[str, Any] = {
    HOMES: _choose_home,
    DIPLOMACY: _finish_talk,
    PROGRAMME: planning.decide,
    MOVEMENT: _pay_tax,
    RAID: raids.decide,
    BUSINESS: trading.decide,
}


def take_back(state: State, seat: Seat) -> list[Any]:
    """Return the events that take back a choice that is still secret.

    All of a complete programme, the last step of an incomplete one, being done or listening, and a
    draft.
    """
    if state.phase == PROGRAMME:
        return planning.take_back(state, seat)
    if state.phase == DIPLOMACY and state.sheikhs[seat].done:
        return [SeatReturned(seat)]
    return trading.take_back(state, seat) if state.phase == BUSINESS else []


def time_limit(state: State) -> tuple[int, list[tuple[int, Any]]] | None:
    """Return the time limit of the business phase (ruling 13), if any; else None.

    When it is over, all seats not done yet are done.
    """
    if state.phase != BUSINESS or not state.business_minutes:
        return None
    waiting = [*to_act(state), *trading.asked_again(state)]
    return 60 * state.business_minutes, [(seat, Done()) for seat in waiting]


# --- the end ------------------------------------------------------------------------------------


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings once somebody has won: winners share rank 1, all others the next.

    ``score`` counts the tokens of the seat's card in its treasure, and ``detail`` has the card's
    total. With ``keep_secrets`` the score of all but the winners is 0.
    """
    if state.phase != OVER:
        return None
    standings = [_standing(state, seat) for seat in range(len(state.sheikhs))]
    return tuple(sorted(standings, key=lambda standing: (standing.rank, standing.seat)))


def _standing(state: State, seat: Seat) -> Standing:
    sheikh = state.sheikhs[seat]
    won = seat in state.winners
    gathered = [min(n, sheikh.treasure.get(ware, 0)) for ware, n in sheikh.goal.items()]
    score = sum(gathered) if won or not state.keep_secrets else 0
    return Standing(
        seat,
        1 if won else 1 + len(state.winners),
        score,
        {"needed": sum(sheikh.goal.values())},
    )


if TYPE_CHECKING:
    from domain.caravanserail import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
