"""The sequence of play of Caravane. Rulings are those of the game's rule notes.

Before the race each seat may secretly split its gourds (ruling 10) and pack its food bags
(ruling 12). Then every stage goes round after round: all bid in secret, all is revealed at once,
all camels move, special squares take effect, camels arrive; when the last has arrived the palace
gives its silk.

What a table would see, and so everybody here: bids once revealed, moves, bales, who is ready.
Hidden from the others: gourds left (ruling 16), the split, the bags not used yet. Two things
would tell how many gourds are left, so they are kept quiet: a seat without gourds still has to
bid its 0 (ruling 9), and a leak that finds fewer than two gourds looks like any other (ruling 6).
Ships to the browser.
"""

from typing import Any

from domain.caravane.board import (
    ALL_GOURDS,
    BAGS,
    LENGTHS,
    PALACES,
    SPECIAL,
    SPILL,
    STOCKS,
    effect,
    length,
)
from domain.caravane.events import (
    COMMANDS,
    EVENTS,
    Allot,
    BagsPacked,
    BaleDamaged,
    BaleFound,
    Bid,
    BidMade,
    BidRevised,
    BidsRevealed,
    CamelAdvanced,
    CamelArrived,
    ChoiceWithdrawn,
    GourdsAllotted,
    GourdsRevealed,
    PackBags,
    PalaceRewarded,
    RaceEnded,
    RaceLaidOut,
    Revise,
    RoundBegun,
    StageBegun,
    WaterFound,
    WaterLeaked,
)
from domain.caravane.state import BID, OVER, PREPARE, REVISE, Racer, Round, State, evolve
from domain.caravane.words import TEXT, tell
from domain.course import Course
from domain.game import ALL_SEEING, Choice, Draw, IllegalMove, Standing, pick_any

__all__ = [
    "COMMANDS",
    "EVENTS",
    "TEXT",
    "choices",
    "decide",
    "evolve",
    "outcome",
    "redact",
    "reveals",
    "setup",
    "suggest",
    "take_back",
    "tell",
    "time_limit",
    "to_act",
    "turn",
    "view",
]

PACKINGS = tuple((a, b, c) for a in BAGS for b in BAGS for c in BAGS if a != b != c != a)
"""The ways to lay one bag on each level."""


# --- the sequence of play -------------------------------------------------------------------


def setup(options: dict[str, Any], seats: int, draw: Draw) -> list[Any]:
    """The camels at the start; the first round too, when nobody has to prepare in secret."""
    course = Course(None, evolve)
    stocks = () if options["split"] else STOCKS
    course.happen(RaceLaidOut(seats, stocks, options["food"], options["keep_secrets"]))
    if not to_act(course.state):
        _begin_stage(course)
    return course.events


def decide(state: State, seat: int, command: Any, draw: Draw) -> list[Any]:
    """The seat's secret choice and, when it was the last, all that it brings to light.

    Raises `IllegalMove`.
    """
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "This seat has made its choice or waits for the others.")
    course = Course(state, evolve)
    for event in _choose(state, seat, command):
        course.happen(event)
    if to_act(course.state):
        return course.events
    if state.phase == PREPARE:
        _begin_stage(course)
    elif state.phase == BID and _some_may_revise(course.state):
        course.happen(_announcement(course.state))
    else:
        _play_round(course)
    return course.events


def _begin_stage(course: Course) -> None:
    course.happen(StageBegun(course.state.stage + 1))
    course.happen(RoundBegun(course.state.number + 1))


def _some_may_revise(state: State) -> bool:
    """Whether a bag is announced while somebody bid none (ruling 12)."""
    bags = {racer.adds_bag for racer in state.racers if not racer.place}
    return len(bags) == 2


def _announcement(state: State) -> GourdsRevealed:
    return GourdsRevealed(
        tuple(racer.bid for racer in state.racers),
        tuple(racer.adds_bag for racer in state.racers),
    )


def _play_round(course: Course) -> None:
    """Reveal, move all, then special squares (ruling 4), then arrivals."""
    course.happen(_revelation(course.state))
    racing = _racing(course.state)
    for seat in racing:
        course.happen(_move(course.state, seat))
    for seat in racing:
        for event in _special(course.state, seat):
            course.happen(event)
    for event in _arrivals(course.state):
        course.happen(event)
    if _racing(course.state):
        course.happen(RoundBegun(course.state.number + 1))
    else:
        _finish_stage(course)


def _revelation(state: State) -> BidsRevealed:
    gourds = tuple(r.bid if r.revised is None else r.revised for r in state.racers)
    bags = tuple(r.bags[state.stage - 1] if r.adds_bag else 0 for r in state.racers)
    totals = [None if bid is None else bid + bags[seat] for seat, bid in enumerate(gourds)]
    return BidsRevealed(gourds, bags, advances(totals))


def advances(bids: list[int | None]) -> tuple[int, ...]:
    """Steps of each camel: as many as camels race, less one for each higher bid.

    So equal bids share the better rank and the ranks below them stay empty (rulebook,
    "Avancée des chameaux"; rulings 7 and 8). None is a camel at rest: 0 steps.
    """
    racing = [bid for bid in bids if bid is not None]
    return tuple(
        0 if mine is None else len(racing) - len([bid for bid in racing if bid > mine])
        for mine in bids
    )


def _move(state: State, seat: int) -> CamelAdvanced:
    """Steps beyond the palace are lost (ruling 2)."""
    square = state.racers[seat].square + state.rounds[-1].steps[seat]
    return CamelAdvanced(seat, min(square, length(state.stage)))


def _special(state: State, seat: int) -> list[Any]:
    """What the square does on which the camel stopped; nobody goes into debt (ruling 6)."""
    racer = state.racers[seat]
    match effect(state.stage, racer.square):
        case "water":
            return [WaterFound(seat, SPILL)]
        case "leak":
            return [WaterLeaked(seat, min(SPILL, racer.stock))]
        case "bale":
            return [BaleFound(seat)]
        case "damage":
            return [BaleDamaged(seat, min(1, racer.bales))]
        case _:
            return []


def _arrivals(state: State) -> list[Any]:
    """Camels of one round arrive together, whatever their surplus steps (ruling 3)."""
    earlier = len(state.racers) - len(_racing(state))
    return [
        CamelArrived(seat, earlier + 1)
        for seat in _racing(state)
        if state.racers[seat].square == length(state.stage)
    ]


def _finish_stage(course: Course) -> None:
    state = course.state
    silk = PALACES[state.stage - 1]
    bales = tuple(silk[racer.place - 1] for racer in state.racers)
    course.happen(PalaceRewarded(state.stage, bales))
    if state.stage < len(LENGTHS):
        _begin_stage(course)
    else:
        course.happen(_ending(course.state))


def _ending(state: State) -> RaceEnded:
    """Most bales, then the better place at the third palace, then shared (ruling 14)."""
    merits = [(racer.bales, -racer.place) for racer in state.racers]
    ranks = tuple(1 + len([other for other in merits if other > mine]) for mine in merits)
    return RaceEnded(ranks, tuple(racer.place for racer in state.racers))


def _racing(state: State) -> list[int]:
    return [seat for seat, racer in enumerate(state.racers) if not racer.place]


# --- whose choice, and which ----------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """The seats whose secret choice is still missing."""
    return tuple(seat for seat in range(len(state.racers)) if _missing(state, seat))


def _missing(state: State, seat: int) -> str | None:
    """What the seat still has to choose, in the words of `ChoiceWithdrawn`."""
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
    if len(racer.allotted) < len(LENGTHS):
        return "allotment"
    return "bags" if state.food and not racer.bags else None


def turn(state: State) -> int:
    """The number of the bidding round; 0 before the race."""
    return state.number


def choices(state: State, seat: int) -> list[Choice]:
    """Every choice the seat can make in secret now; only the seat itself may see the list."""
    racer = state.racers[seat]
    match _missing(state, seat):
        case "allotment":
            return _allotments(racer)
        case "bags":
            return [_packing(bags) for bags in PACKINGS]
        case "bid":
            return _bids(state, racer)
        case "revision":
            return _revisions(racer)
        case _:
            return []


def _allotments(racer: Racer) -> list[Choice]:
    """Any split of 60, nothing included (ruling 10): stage 1, then stage 2; stage 3 follows."""
    left = ALL_GOURDS - sum(racer.allotted)
    if racer.allotted:
        return [
            Choice(Allot(n), "allot-rest", {"gourds": n, "stage": 2, "rest": left - n})
            for n in range(left + 1)
        ]
    return [Choice(Allot(n), "allot", {"gourds": n, "stage": 1}) for n in range(left + 1)]


def _packing(bags: tuple[int, ...]) -> Choice:
    args = {"first": bags[0], "second": bags[1], "third": bags[2]}
    return Choice(PackBags(bags), "pack", args)


def _bids(state: State, racer: Racer) -> list[Choice]:
    plain = [Choice(Bid(n), "bid", {"gourds": n}) for n in range(racer.stock + 1)]
    if not state.food or racer.bag_spent:
        return plain
    return [
        *plain,
        *[Choice(Bid(n, True), "bid-bag", {"gourds": n}) for n in range(racer.stock + 1)],
    ]


def _revisions(racer: Racer) -> list[Choice]:
    return [
        Choice(Revise(n), "stay" if n == racer.bid else "change", {"gourds": n})
        for n in range(racer.stock + 1)
    ]


def _choose(state: State, seat: int, command: Any) -> list[Any]:
    """The secret events of a legal choice; as many for one choice as for another."""
    racer = state.racers[seat]
    match command, _missing(state, seat):
        case Allot(gourds=gourds), "allotment":
            return _allot(racer, seat, gourds)
        case PackBags(bags=bags), "bags":
            if bags not in PACKINGS:
                raise IllegalMove("wrong_bags", "Lay the bags 1, 2 and 3 on one level each.")
            return [BagsPacked(seat, bags)]
        case Bid(gourds=gourds, bag=bag), "bid":
            _check_amount(gourds, racer.stock)
            if bag and (not state.food or racer.bag_spent):
                raise IllegalMove("no_bag", "There is no food bag left in this stage.")
            return [BidMade(seat, gourds, bag)]
        case Revise(gourds=gourds), "revision":
            _check_amount(gourds, racer.stock)
            return [BidRevised(seat, gourds)]
        case _, missing:
            raise IllegalMove("wrong_step", f"What is to be chosen now is: {missing}.")


def _allot(racer: Racer, seat: int, gourds: int) -> list[Any]:
    left = ALL_GOURDS - sum(racer.allotted)
    _check_amount(gourds, left)
    if not racer.allotted:
        return [GourdsAllotted(seat, 1, gourds)]
    return [GourdsAllotted(seat, 2, gourds), GourdsAllotted(seat, 3, left - gourds)]


def _check_amount(gourds: int, most: int) -> None:
    if not 0 <= gourds <= most:
        raise IllegalMove("wrong_amount", f"Choose 0 to {most} gourds.")


def take_back(state: State, seat: int) -> list[Any]:
    """Withdraws the seat's latest choice that nobody has seen."""
    racer = state.racers[seat]
    what = None
    if state.phase == PREPARE:
        if racer.bags:
            what = "bags"
        elif state.split and racer.allotted:
            what = "allotment"
    elif state.phase == BID and racer.bid is not None:
        what = "bid"
    elif state.phase == REVISE and racer.revised is not None:
        what = "revision"
    return [ChoiceWithdrawn(seat, what)] if what else []


def time_limit(state: State) -> tuple[int, list[tuple[int, Any]]] | None:
    """No phase is timed."""
    return None


# --- who may see what -----------------------------------------------------------------------


def reveals(event: Any) -> bool:
    """Whether secret bids came to light."""
    return isinstance(event, (GourdsRevealed, BidsRevealed))


def redact(event: Any, viewer: int | None) -> Any:
    """The event as the viewer may see it: a secret choice, or a leak, of another is blank.

    An event knows nothing of ``keep_secrets``: whoever keeps them never asks as `ALL_SEEING`.
    """
    if viewer == ALL_SEEING:
        return event
    match event:
        case GourdsAllotted(seat=seat, stage=stage) if seat != viewer:
            return GourdsAllotted(seat, stage, None)
        case BagsPacked(seat=seat) if seat != viewer:
            return BagsPacked(seat, None)
        case BidMade(seat=seat) if seat != viewer:
            return BidMade(seat, None, None)
        case BidRevised(seat=seat) if seat != viewer:
            return BidRevised(seat, None)
        case WaterLeaked(seat=seat) if seat != viewer:
            return WaterLeaked(seat, None)
        case _:
            return event


def view(state: State, viewer: int | None) -> dict[str, Any]:
    """What the viewer may see.

    ``{phase: "prepare"|"bid"|"revise"|"move"|"over", stage: 0-3, round, split, food,
    track: [{stage, length, special: {square: "water"|"leak"|"bale"|"damage"}, palace: [bales
    by place]}], racers: [racer by seat], rounds: [this stage's open rounds, oldest first],
    last: the latest round or None, rewards: [[bales by seat] of each palace reached],
    ranks: [by seat, empty before the end]}``.

    A racer is ``{seat, square, place (0: still racing), bales, ready, bag_spent, stock,
    allotted, bags, bid: {gourds, bag}, revised}``; what the viewer may not know is None. A round
    is ``{stage, round, gourds, bags, steps}``, each a list by seat as in `BidsRevealed`.
    With ``keep_secrets`` not even `ALL_SEEING` sees what was hidden.
    """
    all_seeing = viewer == ALL_SEEING and not state.keep_secrets
    return {
        "phase": state.phase,
        "stage": state.stage,
        "round": state.number,
        "split": state.split,
        "food": state.food,
        "track": _track(),
        "racers": [
            _racer_view(state, seat, all_seeing or seat == viewer)
            for seat in range(len(state.racers))
        ],
        "rounds": [_round_view(seen) for seen in state.rounds if seen.stage == state.stage],
        "last": _round_view(state.rounds[-1]) if state.rounds else None,
        "rewards": [list(bales) for bales in state.rewards],
        "ranks": list(state.ranks),
    }


def _track() -> list[dict[str, Any]]:
    return [
        {
            "stage": i + 1,
            "length": LENGTHS[i],
            "special": {str(square): what for square, what in SPECIAL[i].items()},
            "palace": list(PALACES[i]),
        }
        for i in range(len(LENGTHS))
    ]


def _racer_view(state: State, seat: int, own: bool) -> dict[str, Any]:
    racer = state.racers[seat]
    bid = None
    if racer.bid is not None and (own or state.phase == REVISE):
        bid = {"gourds": racer.bid, "bag": racer.adds_bag}
    return {
        "seat": seat,
        "square": racer.square,
        "place": racer.place,
        "bales": racer.bales,
        "ready": _missing(state, seat) is None,
        "bag_spent": racer.bag_spent,
        "stock": racer.stock if own else None,
        "allotted": list(racer.allotted) if own or not state.split else None,
        "bags": list(racer.bags) if own else None,
        "bid": bid,
        "revised": racer.revised if own else None,
    }


def _round_view(seen: Round) -> dict[str, Any]:
    return {
        "stage": seen.stage,
        "round": seen.number,
        "gourds": list(seen.gourds),
        "bags": list(seen.bags),
        "steps": list(seen.steps),
    }


# --- the end, and a simple bot --------------------------------------------------------------


def outcome(state: State) -> tuple[Standing, ...] | None:
    """The standings once the last camel is at the third palace (ruling 14)."""
    if state.phase != OVER:
        return None
    standings = [
        Standing(seat, state.ranks[seat], racer.bales, {"palace": racer.place})
        for seat, racer in enumerate(state.racers)
    ]
    return tuple(sorted(standings, key=lambda standing: (standing.rank, standing.seat)))


def suggest(state: State, seat: int, choices: list[Choice], draw: Draw) -> Choice:
    """Spends its gourds about evenly over the rounds to come; knows only its own secrets."""
    racer = state.racers[seat]
    match _missing(state, seat):
        case "allotment":
            usual = STOCKS[len(racer.allotted)] - 3 + draw(7)
            return choices[min(usual, len(choices) - 1)]
        case "bid":
            rounds = _rounds_left(state, racer)
            bid = _even_bid(state, racer, rounds, draw)
            with_bag = len(choices) > racer.stock + 1 and draw(rounds) == 0
            return choices[bid + (racer.stock + 1 if with_bag else 0)]
        case "revision":
            return choices[min((racer.bid or 0) + draw(3), racer.stock)]
        case _:
            return pick_any(choices, draw)


def _rounds_left(state: State, racer: Racer) -> int:
    """Bids to come in this stage at the average pace of (n + 1) / 2 steps; at least 1."""
    pace = len(_racing(state)) + 1
    return max(1, (2 * (length(state.stage) - racer.square) + pace - 1) // pace)


def _even_bid(state: State, racer: Racer, rounds: int, draw: Draw) -> int:
    if len(_racing(state)) == 1:
        return 0  # alone, any bid is one step (ruling 8)
    if rounds == 1:
        return racer.stock  # what is left over would be lost (ruling 11)
    return min(racer.stock, draw(2 * racer.stock // rounds + 2))
