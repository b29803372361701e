"""The rulebook and the rulings of Caravansérail, one by one; examples are the rulebook's."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.contract.game import IllegalMove
from domain.contract.options import schema_of
from domain.games.caravanserail import rules
from domain.games.caravanserail.board import (
    BOARDS,
    CARAVAN_CAPACITY,
    CARAVANS_PER_SEAT,
    TREASURE,
    caravanserais,
    continuations,
    destination,
)
from domain.games.caravanserail.commands import (
    Accept,
    Ask,
    ChooseCaravan,
    ChooseHome,
    Decline,
    Done,
    Draft,
    DropDraft,
    Give,
    Listen,
    Load,
    Loot,
    Order,
    PayTax,
    SendLooters,
    Shift,
    Withdraw,
)
from domain.games.caravanserail.events import (
    CaravanLodged,
    CaravanSearched,
    CaravansMoved,
    CaravanUnloaded,
    DiplomacyBegun,
    GameEnded,
    ListenersAsked,
    LootersClashed,
    LootersSent,
    OfferWithdrawn,
    ProgrammesRevealed,
    ProgrammeWithdrawn,
    RaidBegun,
    RaidMissed,
    SeatDone,
    TaxPaid,
    TreasureDealt,
    TurnBegun,
    WaresExchanged,
)
from domain.games.caravanserail.planning import reveal_programmes, steps_taken
from domain.games.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    MOVEMENT,
    OVER,
    PROGRAMME,
    RAID,
    Raid,
    State,
    size,
)
from domain.games.caravanserail.title import TITLE
from tests.domain.caravanserail.builders import (
    A,
    B,
    C,
    D,
    E,
    F,
    act,
    at,
    commands,
    fold,
    no_draw,
    plan_all,
    planning,
    put,
    started,
    stay,
    those,
    trading,
)
from tests.game_contract.strict_english import format_reason


def offered(state: State, seat: int, kind: type) -> list[Any]:
    """The seat's choices of a kind."""
    return [c for c in rules.choices(state, seat) if isinstance(c, kind)]


def refused(state: State, seat: int, command: Any) -> str:
    with pytest.raises(IllegalMove) as error:
        rules.decide(state, seat, command, no_draw)
    assert format_reason("caravanserail", error.value)
    return error.value.code


# --- boards and cards (sections (b) and (c) of the rule notes) -------------------------------


@pytest.mark.parametrize(("seats", "trails", "diameter"), [(6, 15, 3), (8, 20, 4)])
def test_boards(seats: int, trails: int, diameter: int) -> None:
    """A caravanserai for each seat with three trails, oases with four."""
    face = BOARDS[seats]
    assert len(caravanserais(face)) == seats
    assert len(face.trails) == trails == len(set(face.trails))
    assert all(trail[0] < trail[1] for trail in face.trails)
    for place in face.places:
        assert len(face.neighbours[place.letter]) == (4 if place.oasis else 3)
    assert max(max(far.values()) for far in face.distance.values()) == diameter
    assert all(len(far) == len(face.places) for far in face.distance.values())


def test_the_trails_of_the_small_board() -> None:
    """Section (b): the closure of the ten trails that the rulebook names."""
    known = "AB BC CD DE EF AF GH HI GI AG FG BH CH DI EI"
    assert " ".join(BOARDS[6].trails) == known


NOTES = Path(__file__).parent / "rule_notes.json"
"""The machine-readable copy of sections (b) and (c) of the rule notes, as it was handed over."""


@pytest.mark.parametrize("seats", [6, 8])
def test_trails_wares_and_cards_are_those_of_the_rule_notes(seats: int) -> None:
    """Section (c): name by name and token by token, in the order of the notes."""
    notes = msgspec.json.decode(NOTES.read_bytes())
    face = BOARDS[seats]
    assert list(face.trails) == notes[f"trails{seats}"]
    assert list(face.wares) == notes[f"wares{seats}"]
    cards = [{"start": card.start, "goal": card.goal} for card in face.cards]
    assert cards == notes[f"cards{seats}"]


def test_the_places_of_the_large_board() -> None:
    """Section (c): eight caravanserais, of which two bear names of oases on the small face, and
    four oases, the letter L left out."""
    names = "Agat el Djinn, Beni Marbat, Calam, Damman, El Harad, Fadhasin, Ghiyeh, Hawta"
    assert [p.name for p in BOARDS[8].places if not p.oasis] == names.split(", ")
    assert [p.name for p in BOARDS[8].places if p.oasis] == ["Ibb", "Jawf", "Khaybar", "Marib"]
    assert all(place.letter == place.name[0] for place in BOARDS[8].places)


def test_no_trails_cross_on_the_map() -> None:
    for face in BOARDS.values():
        spot = {place.letter: (place.x, place.y) for place in face.places}
        for one in face.trails:
            for two in face.trails:
                if not set(one) & set(two):
                    assert not _cross(*[spot[letter] for letter in one + two])


def _cross(a: Any, b: Any, c: Any, d: Any) -> bool:
    def side(p: Any, q: Any, r: Any) -> bool:
        return bool((q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


@pytest.mark.parametrize(("seats", "kinds"), [(6, 6), (8, 8)])
def test_treasure_cards(seats: int, kinds: int) -> None:
    """Twelve tokens to begin with, nine others to gather; of each ware there are 12 and 9."""
    face = BOARDS[seats]
    assert len(face.cards) == seats
    assert len(face.wares) == kinds
    for card in face.cards:
        assert size(card.start) == 12
        assert size(card.goal) == 9
        assert not set(card.start) & set(card.goal)
    for ware in face.wares:
        assert sum(card.start.get(ware, 0) for card in face.cards) == 12
        assert sum(card.goal.get(ware, 0) for card in face.cards) == 9


# --- setting up --------------------------------------------------------------------------------


def test_only_six_or_eight_play() -> None:
    """Ruling 15: other numbers are filled up with bots."""
    assert TITLE.seats == (6, 8)


def test_homes_are_chosen_in_a_random_order_and_differ() -> None:
    """Ruling 16: the order is drawn, and a caravanserai that is taken is not on offer."""
    options = {"business_minutes": 0, "diplomacy": False, "keep_secrets": False}
    orders = set()
    for seed in range(20):
        state = started(6, options, random.Random(seed))
        orders.add(state.order)
        assert sorted(state.order) == [*range(6)]
    assert len(orders) > 10
    for n, seat in enumerate(state.order):
        assert rules.to_act(state) == (seat,)
        assert len(rules.choices(state, seat)) == 6 - n
        if n:
            assert refused(state, seat, ChooseHome("A")) == "no_home"
        events = rules.decide(
            state, seat, ChooseHome("ABCDEF"[n]), random.Random(1).randrange
        ).events
        state = fold(state, events)
    dealt = those(events, TreasureDealt)
    assert sorted(event.card for event in dealt) == [1, 2, 3, 4, 5, 6]
    assert events[-1] == TurnBegun(1)
    for seat, sheikh in enumerate(state.sheikhs):
        assert sheikh.positions == (sheikh.home,) * 3
        assert sheikh.treasure == BOARDS[6].cards[dealt[seat].card - 1].start
        assert rules.view(state, None)["players"][seat]["looters"] == "up"


def test_an_oasis_is_no_home() -> None:
    options = {"business_minutes": 0, "diplomacy": False, "keep_secrets": False}
    state = started(8, options, random.Random(1))
    assert refused(state, state.order[0], ChooseHome("I")) == "no_home"
    assert refused(state, state.order[1], ChooseHome("A")) == "not_to_act"


def test_diplomacy_before_the_first_programme() -> None:
    """Rulebook, end of phase 4: talk without any exchange, if so agreed; "done" can be undone."""
    options = {"business_minutes": 5, "diplomacy": True, "keep_secrets": False}
    rng = random.Random(3)
    state = started(6, options, rng)
    for seat in state.order:
        choice = rules.choices(state, seat)[0]
        events = rules.decide(state, seat, choice, rng.randrange).events
        state = fold(state, events)
    assert events[-1] == DiplomacyBegun()
    assert state.phase == DIPLOMACY
    assert rules.turn(state) == 0
    assert rules.time_limit(state) is None
    for seat in range(5):
        assert rules.choices(state, seat) == [Done()]
        state, _ = act(state, seat, Done())
    state = fold(state, rules.take_back(state, 2))
    assert rules.to_act(state) == (2, 5)
    state, _ = act(state, 5, Done())
    state, events = act(state, 2, Done())
    assert events[-1] == TurnBegun(1)


# --- programming -------------------------------------------------------------------------------


def test_example_1() -> None:
    """Onto a trail, from trail to trail, into a caravanserai, and looters on DE."""
    state = at(planning(), A, "A", "GH", "BC")
    plan = ("AF", "HI", "C"), "DE", ({}, {}, {})
    state, events = plan_all(state, {A: plan})
    assert those(events, ProgrammesRevealed)[0].looters == ("DE", "", "", "", "", "")
    assert state.sheikhs[A].positions == ("AF", "HI", "C")
    assert those(events, RaidMissed) == [RaidMissed(A, "DE")]


def test_example_2() -> None:
    """Stay at the oasis, stop at the oasis, go on to the next trail, no looters."""
    state = at(planning(), B, "I", "DI", "DE")
    state, events = plan_all(state, {B: (("I", "I", "EF"), None)})
    assert state.sheikhs[B].positions == ("I", "I", "EF")
    assert not those(events, RaidMissed, LootersClashed)


def test_example_3() -> None:
    """From FG, out of Fadhasin: stop at Ghiyeh or go on to GI, GH or GA, but not FE, FA or back."""
    assert set(continuations(BOARDS[6], "FG")) == {"G", "GI", "GH", "GA"}
    state = at(planning(), C, "FG")
    assert {order.to for order in offered(state, C, Order)} == {"G", "GI", "GH", "GA"}
    for to in ("FE", "FA", "GF", "F", "FG"):
        assert refused(state, C, Order(0, to)) == "no_way"


def test_from_a_place_a_caravan_may_leave_in_any_direction() -> None:
    """Rulebook, phase 1; also where it came from."""
    for face in BOARDS.values():
        for place in face.places:
            ways = continuations(face, place.letter)
            assert ways[0] == place.letter
            assert {way[1] for way in ways[1:]} == set(face.neighbours[place.letter])


def test_a_caravan_on_a_trail_must_move() -> None:
    """Ruling 2: to the place ahead or another trail there, never about."""
    for face in BOARDS.values():
        for trail in face.trails:
            for position in (trail, trail[::-1]):
                ways = continuations(face, position)
                assert position not in ways
                assert position[::-1] not in ways
                assert ways[0] == position[1]
                assert len(ways) == len(face.neighbours[position[1]])


def test_the_three_orders_are_independent() -> None:
    """Ruling 3."""
    state = at(planning(), A, "A", "A", "HG")
    state, _ = plan_all(state, {A: (("AB", "A", "GF"), "CD")})
    assert state.sheikhs[A].positions == ("AB", "A", "GF")


def test_an_unlawful_or_missing_order() -> None:
    """Ruling 4: at a place the caravan stays, on a trail it stops at the place ahead."""
    face = BOARDS[6]
    assert destination(face, "A", None) == "A"
    assert destination(face, "A", "CD") == "A"
    assert destination(face, "AF", None) == "F"
    assert destination(face, "AF", "FA") == "F"
    assert destination(face, "AF", "FE") == "FE"
    state = put(at(planning(), A, "FG", "A", "A"), A, orders=("GF", "BH"))
    assert reveal_programmes(state).orders[A] == ("G", "A", "A")


def test_steps_come_in_order_one_event_each() -> None:
    """Programmes are secret: the number of events does not tell what was chosen."""
    state = planning()
    for step, command in enumerate(commands((("AB", "A", "AF"), "CD", ({"silk": 2}, {}, {})))):
        assert steps_taken(state.sheikhs[A]) == step
        wrong = SendLooters(None) if step != 3 else Order(0, "A")
        assert refused(state, A, wrong) == "wrong_step"
        for choice in rules.choices(state, A):
            assert len(rules.decide(state, A, choice, no_draw).events) == 1
        state, _ = act(state, A, command)
    assert not rules.choices(state, A)
    assert refused(state, A, Load(2, {})) == "not_to_act"
    assert refused(planning(), A, Order(1, "A")) == "wrong_caravan"


def test_all_plan_at_once_in_any_order_and_the_last_reveals() -> None:
    state = planning()
    for seat in (3, 0, 5, 2, 4):
        state, events = act(state, seat, *commands(stay(state, seat)))
        assert not those(events, ProgrammesRevealed)
    assert rules.to_act(state) == (1,)
    state, events = act(state, 1, *commands(stay(state, 1)))
    assert [type(event) for event in events[-3:]][:2] == [ProgrammesRevealed, CaravansMoved]
    assert state.phase == BUSINESS


def test_a_programme_is_taken_back_until_the_reveal() -> None:
    """The last step while it is not complete, all of it when it is; loads were not taken yet."""
    state = planning()
    state, _ = act(state, A, Order(0, "AB"), Order(1, "A"))
    assert rules.take_back(state, A) == [ProgrammeWithdrawn(A, 1)]
    assert rules.take_back(state, B) == []
    state = fold(state, rules.take_back(state, A))
    assert state.sheikhs[A].orders == ("AB",)
    rest = [Order(1, "AF"), Order(2, "A"), SendLooters("CD"), Load(0, {"silk": 4})]
    state, _ = act(state, A, *rest)
    assert rules.take_back(state, A) == [ProgrammeWithdrawn(A, 4)]
    assert fold(state, rules.take_back(state, A)).sheikhs[A].packed == ()
    assert fold(state, rules.take_back(state, A)).sheikhs[A].looters == "CD"
    state, _ = act(state, A, Load(1, {"dates": 4}), Load(2, {}))
    assert rules.take_back(state, A) == [ProgrammeWithdrawn(A, 0)]
    assert fold(state, rules.take_back(state, A)) == planning()
    state, _ = plan_all(planning(), {})
    state, _ = act(state, A, Listen())
    assert state.phase == BUSINESS
    assert not those(rules.take_back(state, A), ProgrammeWithdrawn)


# --- loading -----------------------------------------------------------------------------------


def loads_of(state: State, orders: tuple[str, str, str]) -> list[list[dict[str, int]]]:
    """The loads on offer to seat A for each caravan, each time choosing the last of them."""
    state, _ = act(state, A, *[Order(i, to) for i, to in enumerate(orders)], SendLooters(None))
    found = []
    for _ in range(CARAVANS_PER_SEAT):
        loads = offered(state, A, Load)
        found.append([load.wares for load in loads])
        state, _ = act(state, A, loads[-1])
    return found


def test_only_caravans_leaving_home_are_loaded() -> None:
    """Ruling 5: not one that stays, not one that is elsewhere; 0 to 6 tokens of the treasure."""
    state = at(planning(), A, "A", "A", "G", loads=({}, {}, {"salt": 2}))
    first, second, third = loads_of(state, ("AB", "A", "GA"))
    assert second == third == [{}]
    assert {} in first
    assert max(size(wares) for wares in first) == CARAVAN_CAPACITY
    assert {"silk": 2, "dates": 2, "ivory": 2} in first
    four = range(5)
    possible = [
        (s, d, i) for s in four for d in four for i in four if s + d + i <= CARAVAN_CAPACITY
    ]
    assert len(first) == len(possible)


def test_a_caravan_passing_through_home_is_neither_loaded_nor_unloaded() -> None:
    """Rulings 5 and 6: it does not stand there and goes by without stopping."""
    state = at(planning(), A, "BA", loads=({"salt": 2}, {}, {}))
    first, _, _ = loads_of(state, ("AF", "A", "A"))
    assert first == [{}]
    chosen, _ = act(state, A, Order(0, "AF"), Order(1, "A"), Order(2, "A"), SendLooters(None))
    assert refused(chosen, A, Load(0, {"silk": 1})) == "wrong_load"
    treasure = state.sheikhs[A].treasure
    state, events = plan_all(state, {A: (("AF", "A", "A"),)})
    assert those(events, CaravanUnloaded) == []
    assert state.sheikhs[A].positions[0] == "AF"
    assert state.sheikhs[A].loads[0] == {"salt": 2}
    assert state.sheikhs[A].treasure == treasure


def test_loads_may_not_exceed_the_treasure() -> None:
    """Ruling 5: the caravans are loaded from what is left."""
    first, second, third = loads_of(planning(), ("AB", "AB", "AF"))
    assert size(first[-1]) == 6
    assert size(second[-1]) == 6
    assert third == [{}]
    state, _ = act(planning(), A, *[Order(i, "AB") for i in range(3)], SendLooters(None))
    for wares in ({"silk": 5}, {"spices": 1}, {"silk": 4, "dates": 3}, {"silk": 0}, {"silk": -1}):
        assert refused(state, A, Load(0, wares)) == "wrong_load"


def test_loads_leave_the_treasure_with_the_caravan() -> None:
    plan = ("AB", "A", "AF"), None, ({"silk": 1, "dates": 4}, {}, {"ivory": 1})
    state, _ = plan_all(planning(), {A: plan})
    sheikh = state.sheikhs[A]
    assert sheikh.loads == ({"silk": 1, "dates": 4}, {}, {"ivory": 1})
    assert sheikh.treasure == {"silk": 3, "ivory": 3}


def test_a_caravan_coming_home_unloads() -> None:
    """Ruling 5 and phase 2: at once, into the treasure; others see only that it came."""
    state = at(planning(), A, "BA", "A", "FA", loads=({"salt": 2}, {}, {}))
    state, events = plan_all(state, {A: (("A", "A", "A"),)})
    assert those(events, CaravanUnloaded) == [
        CaravanUnloaded(A, 0, {"salt": 2}),
        CaravanUnloaded(A, 2, {}),
    ]
    assert state.sheikhs[A].treasure == {"silk": 4, "salt": 2, "dates": 4, "ivory": 4}
    assert state.sheikhs[A].loads == ({}, {}, {})
    assert rules.redact(those(events, CaravanUnloaded)[0], B).wares is None


# --- movement: lodging ---------------------------------------------------------------------------


def test_passing_a_place_costs_and_gives_nothing() -> None:
    """Ruling 6: through a foreign caravanserai, and through one's own without unloading."""
    state = at(planning(), A, "AB", "BA", loads=({"silk": 1}, {"salt": 3}, {}))
    state, events = plan_all(state, {A: (("BC", "AF", "A"),)})
    assert not those(events, CaravanLodged, CaravanUnloaded)
    assert state.sheikhs[A].loads[1] == {"salt": 3}
    assert state.phase == BUSINESS


def test_the_visitor_chooses_what_to_pay() -> None:
    """Ruling 7: one token, into the owner's treasure at once."""
    state = at(planning(), A, "AB", loads=({"silk": 2, "salt": 1}, {}, {}))
    state, events = plan_all(state, {A: (("B", "A", "A"),)})
    assert those(events, CaravanLodged) == [CaravanLodged(A, 0, B, True)]
    assert state.phase == MOVEMENT
    assert rules.to_act(state) == (A,)
    assert offered(state, A, PayTax) == [PayTax(0, "silk"), PayTax(0, "salt")]
    assert refused(state, A, PayTax(0, "ivory")) == "no_such_ware"
    assert refused(state, A, PayTax(1, "silk")) == "no_tax"
    assert refused(state, B, PayTax(0, "silk")) == "not_to_act"
    state, events = act(state, A, PayTax(0, "salt"))
    assert events[0] == TaxPaid(A, 0, B, "salt")
    assert state.sheikhs[A].loads[0] == {"silk": 2}
    assert state.sheikhs[B].treasure["salt"] == 1
    assert state.phase == BUSINESS


def test_the_tax_is_between_the_two() -> None:
    """Others see that it was paid, not with what."""
    paid = TaxPaid(A, 0, B, "salt")
    assert rules.redact(paid, A) == rules.redact(paid, B) == paid
    assert rules.redact(paid, C) == rules.redact(paid, None) == TaxPaid(A, 0, B, None)
    assert rules.reveals(paid)


def test_no_tax_when_empty_or_at_home_or_at_an_oasis() -> None:
    """Ruling 7."""
    state = at(planning(), A, "AB", "BA", "AG", loads=({}, {"salt": 1}, {"silk": 1}))
    state, events = plan_all(state, {A: (("B", "A", "G"),)})
    assert those(events, CaravanLodged) == [CaravanLodged(A, 0, B, False)]
    assert state.phase == BUSINESS


def test_the_tax_is_paid_once_on_entering() -> None:
    """Ruling 7: staying on is free; each caravan that enters pays."""
    state = at(planning(), A, "AB", "B", "CB", loads=({"silk": 2}, {"silk": 2}, {"salt": 2}))
    state, events = plan_all(state, {A: (("B", "B", "B"),)})
    assert [event.caravan for event in those(events, CaravanLodged)] == [0, 2]
    state, _ = act(state, A, PayTax(2, "salt"))
    assert rules.to_act(state) == (A,)
    state, _ = act(state, A, PayTax(0, "silk"))
    assert state.sheikhs[A].loads == ({"silk": 1}, {"silk": 2}, {"salt": 1})


# --- raid ----------------------------------------------------------------------------------------


def raided(
    looters: dict[int, str], loads: Any = ({"silk": 2, "salt": 1}, {}, {})
) -> tuple[State, list[Any]]:
    """Seat A travels BC -> CD and AB -> BC; others send looters."""
    state = at(planning(), A, "BC", "AB", loads=loads)
    plans: dict[int, Any] = {A: (("CD", "BC", "A"),)}
    for seat, trail in looters.items():
        plans[seat] = (stay(state, seat)[0], trail)
    return plan_all(state, plans)


def test_looters_take_up_to_two_tokens_of_their_choice() -> None:
    """Phase 3: they see the load of a lone caravan; the loot goes into the treasure."""
    state, events = raided({E: "CD"})
    assert those(events, RaidBegun) == [RaidBegun(E, "CD")]
    assert those(events, CaravanSearched) == [CaravanSearched(E, A, 0, {"silk": 2, "salt": 1})]
    assert state.phase == RAID
    assert rules.to_act(state) == (E,)
    assert [loot.wares for loot in offered(state, E, Loot)] == [
        {},
        {"salt": 1},
        {"silk": 1},
        {"silk": 1, "salt": 1},
        {"silk": 2},
    ]
    assert refused(state, E, Loot({"silk": 2, "salt": 1})) == "wrong_loot"
    assert refused(state, E, Loot({"salt": 2})) == "wrong_loot"
    state, _ = act(state, E, Loot({"silk": 1, "salt": 1}))
    assert state.sheikhs[A].loads[0] == {"silk": 1}
    assert state.sheikhs[E].treasure["silk"] == 1
    assert state.phase == BUSINESS


def test_only_raider_and_victim_know_the_load_and_the_loot() -> None:
    searched = CaravanSearched(E, A, 0, {"silk": 2})
    assert rules.redact(searched, E) == rules.redact(searched, A) == searched
    for viewer in (None, B):
        assert rules.redact(searched, viewer) == CaravanSearched(E, A, 0, None)
    state, _ = raided({E: "CD"})
    load = {"silk": 2, "salt": 1}
    shown = [rules.view(state, viewer)["raids"][0]["load"] for viewer in (E, A, B, None)]
    assert shown == [load, load, None, None]


def test_looters_stay_away_from_own_caravans() -> None:
    """Ruling 8: no trail on which an own caravan will be, in whichever direction it goes."""
    state = at(planning(), A, "GA", "BC")
    state, _ = act(state, A, Order(0, "AB"), Order(1, "CH"), Order(2, "A"))
    trails = [command.trail for command in offered(state, A, SendLooters)]
    assert trails == [None, *[t for t in BOARDS[6].trails if t not in ("AB", "CH")]]
    assert refused(state, A, SendLooters("AB")) == "no_raid"
    assert refused(state, A, SendLooters("BA")) == "no_raid"
    assert refused(state, A, SendLooters("C")) == "no_raid"  # no place can be attacked


@pytest.mark.parametrize("looters", [{E: "CD"}, {E: "EF"}, {E: "CD", F: "CD"}])
def test_looters_used_rest_a_turn(looters: dict[int, str]) -> None:
    """Ruling 8: after a raid, a raid that found nobody and a clash alike."""
    state, _ = raided(looters)
    if state.phase == RAID:
        state, _ = act(state, E, Loot({}))
    assert rules.view(state, None)["players"][E]["looters"] == "down"
    assert rules.view(state, None)["players"][D]["looters"] == "up"
    for turn, free in [(2, False), (3, True)]:
        later = fold(state, [TurnBegun(turn)])
        later, _ = act(later, E, *[Order(i, "E") for i in range(3)])
        assert (len(offered(later, E, SendLooters)) > 1) is free
        shown = rules.view(later, None)["players"][E]["looters"]
        assert shown == ("up" if free else "down")


def test_looters_on_one_trail_fight_each_other() -> None:
    """Ruling 9: nobody loots, all are used."""
    state, events = raided({E: "CD", F: "CD", D: "BC"})
    assert those(events, LootersClashed) == [LootersClashed("CD", (E, F))]
    assert those(events, RaidBegun) == [RaidBegun(D, "BC")]
    assert [state.sheikhs[seat].raided for seat in (D, E, F)] == [1, 1, 1]


def test_a_caravan_with_little_on_it() -> None:
    """Ruling 10: what is there; the raid of an empty caravan looks like any other."""
    state, _ = raided({E: "CD"}, ({"salt": 1}, {}, {}))
    assert offered(state, E, Loot) == [Loot({}), Loot({"salt": 1})]
    state, _ = raided({E: "BC"})
    assert offered(state, E, Loot) == [Loot({})]
    _, events = act(state, E, Loot({}))
    shown = [rules.redact(event, B) for event in events]
    _, richer = act(raided({E: "CD"})[0], E, Loot({"silk": 2}))
    assert [type(event) for event in events] == [type(event) for event in richer]
    assert shown[0].wares is None


def test_one_of_several_caravans_is_picked_unseen() -> None:
    """Ruling 11: whichever victim and direction; then the raider looks into that one."""
    state = at(planning(), A, "BC", "ED", loads=({"silk": 2}, {"dates": 3}, {}))
    state = at(state, B, "HC", loads=({"spices": 5}, {}, {}))
    plans: dict[int, Any] = {
        A: (("CD", "DC", "A"),),
        B: (("CD", "B", "B"),),
        F: (("F", "F", "F"), "CD"),
    }
    state, events = plan_all(state, plans)
    assert not those(events, CaravanSearched)
    assert offered(state, F, ChooseCaravan) == [
        ChooseCaravan(A, 0),
        ChooseCaravan(A, 1),
        ChooseCaravan(B, 0),
    ]
    assert rules.view(state, F)["raids"][0]["load"] is None
    assert refused(state, F, ChooseCaravan(B, 1)) == "no_caravan"
    assert refused(state, F, Loot({})) == "wrong_step"
    state, events = act(state, F, ChooseCaravan(A, 1))
    assert events == [CaravanSearched(F, A, 1, {"dates": 3})]
    assert rules.view(state, F)["raids"][0]["load"] == {"dates": 3}
    state, _ = act(state, F, Loot({"dates": 2}))
    assert state.sheikhs[A].loads == ({"silk": 2}, {"dates": 1}, {})


# --- business ------------------------------------------------------------------------------------


def market() -> State:
    """Business: A and C visit B in Beni Marbat, A and D are at the oasis H, E is on a trail."""
    state = at(planning(), A, "B", "H", "H", loads=({"silk": 5}, {"dates": 2}, {"ivory": 5}))
    state = at(state, C, "B", loads=({"incense": 3}, {}, {}))
    state = at(state, D, "H", "CD", loads=({}, {"salt": 1}, {}))
    return trading(at(state, E, "EF", loads=({"salt": 2}, {}, {})))


def make(draft: Draft, gives: dict[str, int], asks: dict[str, int]) -> list[Any]:
    return [draft, Give(gives), Ask(asks)]


def test_who_may_trade_with_whom() -> None:
    """Phase 4: visitors with the host's treasure and each other, caravans at one oasis; never on
    a trail, and nobody's treasure away from home."""
    state = market()
    assert offered(state, A, Draft) == [
        Draft(0, B, TREASURE),
        Draft(0, C, 0),
        Draft(1, D, 0),
        Draft(2, D, 0),
    ]
    assert offered(state, B, Draft) == [Draft(TREASURE, A, 0), Draft(TREASURE, C, 0)]
    assert offered(state, D, Draft) == [Draft(0, A, 1), Draft(0, A, 2)]
    assert offered(state, E, Draft) == offered(state, F, Draft) == []
    assert refused(state, D, Draft(1, A, 1)) == "no_partner"
    assert refused(state, A, Draft(TREASURE, B, TREASURE)) == "no_partner"


def test_the_host_trades_from_the_treasure() -> None:
    """Ruling 12: also with no caravan at home; caravans at home are empty and no stores."""
    state = at(market(), B, "BA", "BA", "BA")
    assert offered(state, B, Draft) == [Draft(TREASURE, A, 0), Draft(TREASURE, C, 0)]
    state, _ = act(state, B, *make(Draft(TREASURE, A, 0), {"spices": 2}, {"silk": 3}))
    state, events = act(state, A, Accept(B))
    assert events == [WaresExchanged(A, 0, B, TREASURE, {"spices": 2}, {"silk": 3})]
    assert state.sheikhs[A].loads[0] == {"silk": 2, "spices": 2}
    assert state.sheikhs[B].treasure == {"silk": 7, "spices": 2, "ivory": 4}


def test_visitors_trade_with_each_other() -> None:
    """Ruling 12."""
    state, _ = act(market(), C, *make(Draft(0, A, 0), {"incense": 1}, {"silk": 1}))
    state, _ = act(state, A, Accept(C))
    assert state.sheikhs[A].loads[0] == {"silk": 4, "incense": 1}
    assert state.sheikhs[C].loads[0] == {"silk": 1, "incense": 2}


def test_gifts_of_any_size_but_no_empty_offer() -> None:
    """Ruling 12: an exchange is free, nothing at all is none."""
    state, _ = act(market(), A, *make(Draft(1, D, 0), {"dates": 2}, {}))
    given, _ = act(state, D, Accept(A))
    assert given.sheikhs[D].loads[0] == {"dates": 2}
    state, _ = act(market(), A, Draft(1, D, 0), Give({}))
    assert Ask({}) not in offered(state, A, Ask)
    assert refused(state, A, Ask({})) == "nothing"


def test_no_caravan_above_six() -> None:
    """Ruling 12: neither the offerer's nor the partner's after the exchange."""
    state, _ = act(market(), A, Draft(0, B, TREASURE), Give({"silk": 2}))
    assert max(size(ask.wares) for ask in offered(state, A, Ask)) == 3
    assert refused(state, A, Ask({"spices": 4})) == "too_much"
    state = put(market(), A, loads=({"silk": 6}, {}, {}))
    state, _ = act(state, A, Draft(0, B, TREASURE))
    assert Give({}) not in offered(state, A, Give)
    assert refused(state, A, Give({})) == "no_room"
    state, _ = act(market(), B, *make(Draft(TREASURE, A, 0), {"spices": 2}, {}))
    assert offered(state, A, Accept) == []
    assert refused(state, A, Accept(B)) == "cannot_pay"
    assert offered(state, A, Decline) == [Decline(B)]


def test_an_offer_may_ask_for_what_the_partner_has_not_got() -> None:
    """The offerer learns nothing by asking: all asks are on offer, the partner just cannot
    accept, and nothing in the offerer's choices tells."""
    state, _ = act(market(), A, Draft(0, C, 0), Give({"silk": 1}))
    asks = offered(state, A, Ask)
    other = put(state, C, loads=({"salt": 6}, {}, {}))
    assert asks == offered(other, A, Ask)
    state, _ = act(state, A, Ask({"ivory": 1}))
    assert offered(state, C, Accept) == []
    other, _ = act(put(state, C, loads=({"ivory": 6}, {}, {})), A, Listen())
    assert offered(other, C, Accept) == [Accept(A)]
    assert rules.view(other, A)["offers"][0]["acceptable"] is None
    assert rules.view(other, C)["offers"][0]["acceptable"] is True


def test_counter_offers() -> None:
    """An offer back to the same partner takes the place of the one it answers."""
    state, _ = act(market(), A, *make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 2}))
    state, events = act(state, B, *make(Draft(TREASURE, A, 0), {"spices": 1}, {"silk": 1}))
    assert events[-1].counter
    assert state.sheikhs[A].offer is None
    state, _ = act(state, A, Accept(B))
    assert state.sheikhs[A].loads[0] == {"silk": 4, "spices": 1}
    _, events = act(market(), B, *make(Draft(TREASURE, A, 0), {"spices": 1}, {"silk": 1}))
    assert not events[-1].counter


def test_offers_are_declined_or_withdrawn() -> None:
    offer = make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 1})
    state, _ = act(market(), A, *offer)
    declined, _ = act(state, B, Decline(A))
    withdrawn, _ = act(state, A, Withdraw())
    assert declined.sheikhs[A].offer is withdrawn.sheikhs[A].offer is None
    assert refused(withdrawn, B, Accept(A)) == "no_offer"
    dropped, _ = act(market(), A, *offer[:2], DropDraft())
    assert dropped == market()


def test_an_offer_that_waits_can_be_kept() -> None:
    """The offerer's wares stay as they are until it is answered or withdrawn."""
    state, _ = act(market(), A, *make(Draft(1, D, 0), {"dates": 2}, {}))
    state, _ = act(state, C, *make(Draft(0, A, 0), {"incense": 1}, {"silk": 1}))
    kinds = {type(choice) for choice in rules.choices(state, A)}
    assert kinds == {Done, Listen, Withdraw, Decline}
    assert refused(state, A, Accept(C)) == "offer_waits"
    assert refused(state, A, Shift(1, 2, {"dates": 1})) == "offer_waits"
    state, _ = act(state, A, Withdraw(), Accept(C))
    assert state.sheikhs[A].loads[0] == {"silk": 4, "incense": 1}


def test_free_transfer_between_own_caravans() -> None:
    """Phase 4, last paragraph: at one place, any wares, no caravan above six."""
    state = market()
    shifts = offered(state, A, Shift)
    assert {(shift.source, shift.target) for shift in shifts} == {(1, 2), (2, 1)}
    assert [s.wares for s in shifts if s.source == 1] == [{"dates": 1}]
    assert refused(state, A, Shift(1, 2, {"dates": 2})) == "wrong_load"
    assert refused(state, A, Shift(0, 1, {"silk": 1})) == "not_together"
    state, _ = act(state, A, Shift(2, 1, {"ivory": 4}))
    assert state.sheikhs[A].loads == ({"silk": 5}, {"dates": 2, "ivory": 4}, {"ivory": 1})
    assert offered(at(market(), A, "AF", "AF", loads=({"silk": 1}, {}, {})), A, Shift) == []
    assert offered(market(), F, Shift) == []  # at home loads are in the treasure


def test_offers_are_between_the_two() -> None:
    """Ruling 14: events, views and words tell others neither parties nor wares."""
    state, events = act(market(), A, *make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 1}))
    drafted, gift, made = events
    assert [rules.redact(event, A) for event in events] == events
    for viewer in (B, C, None):
        for event in (drafted, gift):
            shown = rules.redact(event, viewer)
            assert all(getattr(shown, field) is None for field in shown.__struct_fields__)
    assert rules.redact(made, B) == made
    for viewer in (C, None):
        shown = rules.redact(made, viewer)
        assert all(getattr(shown, field) is None for field in shown.__struct_fields__)
        assert rules.tell(shown) == ("somebody-offers", {})
        assert rules.view(state, viewer)["offers"] == []
    assert [o["offerer"] for o in rules.view(state, B)["offers"]] == [A]
    _, events = act(state, B, Accept(A))
    shown = rules.redact(events[0], C)
    assert all(getattr(shown, field) is None for field in shown.__struct_fields__)


def test_the_phase_ends_when_all_are_done() -> None:
    state = market()
    for seat in range(5):
        state, events = act(state, seat, Done())
    assert rules.choices(state, 0) == []
    assert rules.to_act(state) == (5,)
    state, events = act(state, 5, Done())
    assert events[-1] == TurnBegun(2)
    assert not any(player["ready"] for player in rules.view(state, None)["players"])
    assert state.phase == PROGRAMME
    assert rules.turn(state) == 2


def test_a_seat_that_is_done_gets_no_offers_until_it_returns() -> None:
    state, _ = act(market(), A, *make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 1}))
    state, _ = act(state, C, Draft(0, B, TREASURE))
    state, _ = act(state, B, Done())
    assert state.sheikhs[A].offer is None
    assert state.sheikhs[C].draft is None
    assert all(draft.partner != B for draft in offered(state, A, Draft))
    state = fold(state, rules.take_back(state, B))
    assert offered(state, B, Draft)
    assert Draft(0, B, TREASURE) in offered(state, A, Draft)


def test_the_offer_of_a_seat_that_is_done_stands() -> None:
    state, _ = act(market(), A, *make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 1}), Done())
    state, _ = act(state, B, Accept(A))
    assert state.sheikhs[A].loads[0] == {"silk": 4, "spices": 1}


def test_who_listens_is_asked_again_when_any_offer_is_made_or_answered() -> None:
    """All who listen at once, so that nobody can tell whom it concerned; "done" is not."""
    state, _ = act(market(), D, Listen())
    state, _ = act(state, E, Listen())
    state, _ = act(state, F, Done())
    assert rules.to_act(state) == (A, B, C)
    state, _ = act(state, A, *make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 1})[:2])
    assert rules.to_act(state) == (A, B, C)
    state, _ = act(state, A, Ask({"spices": 1}))
    assert rules.to_act(state) == (A, B, C, D, E)
    for seat in (A, C, D, E):
        state, _ = act(state, seat, Listen())
    for answer in (Accept(A), Decline(A)):
        assert rules.to_act(act(state, B, answer)[0]) == (A, B, C, D, E)
    state, events = act(state, B, Listen())
    assert events[-1] == TurnBegun(2)
    assert not any(player["listening"] for player in rules.view(state, None)["players"])


def listening(offer: bool = True) -> State:
    """A made B an offer (or nobody did anything), then A, C, D, E and F only listen."""
    state = market()
    if offer:
        state, _ = act(state, A, *make(Draft(0, B, TREASURE), {"silk": 1}, {"spices": 1}))
    for seat in (A, C, D, E):
        state, _ = act(state, seat, Listen())
    return state


def test_who_listens_is_asked_again_when_an_offer_is_withdrawn() -> None:
    """Phase 4: others may want to deal with who is free again."""
    state = put(listening(), A, listening=False)
    state, events = act(state, A, Withdraw())
    assert [type(event) for event in events] == [OfferWithdrawn, ListenersAsked]
    assert rules.to_act(state) == (A, B, C, D, E, F)


def test_who_listens_is_asked_again_when_an_offer_lapses() -> None:
    """A hears that B, to whom it made an offer, is done; so do all who listen. They do too when
    a seat is done that had no offer: nobody can tell from it who was offered something."""
    for seat in (B, F):
        state, events = act(listening(), seat, Done())
        assert [type(event) for event in events] == [SeatDone, ListenersAsked]
        assert rules.to_act(state) == tuple(each for each in range(6) if each != seat)
    state, _ = act(state, B, Done())
    assert state.sheikhs[A].offer is None


def test_who_is_done_wakes_nobody_where_nothing_was_offered() -> None:
    """Then nothing can have lapsed, as all know; so the phase ends with the last who is done."""
    state, events = act(listening(offer=False), B, Done())
    assert [type(event) for event in events] == [SeatDone]
    state, events = act(state, F, Done())
    assert [type(event) for event in events] == [SeatDone, TurnBegun]


def test_matches_of_the_first_version_wake_nobody() -> None:
    """They fold and verify as they were played."""
    assert rules.decide(listening(), B, Done(), no_draw, 1).events == [SeatDone(B)]
    state = put(listening(), A, listening=False)
    assert rules.decide(state, A, Withdraw(), no_draw, 1).events == [OfferWithdrawn(A, B)]


def test_the_time_limit_ends_the_phase_for_those_who_are_asked_again() -> None:
    """Ruling 13: also for who only listened, whom the first that is done wakes."""
    state = replace(listening(), business_minutes=5)
    limit = rules.time_limit(state)
    assert limit is not None
    assert [seat for seat, _ in limit[1]] == [B, F, A, C, D, E]
    for seat, command in limit[1]:
        state, _ = act(state, seat, command)
    assert state.phase == PROGRAMME


def test_a_time_limit_is_optional() -> None:
    """Ruling 13: default none; when the time is up all are done and the next turn begins."""
    assert schema_of(TITLE)["properties"]["business_minutes"]["default"] == 0
    assert rules.time_limit(market()) is None
    state = replace(market(), business_minutes=5)
    assert rules.time_limit(planning(minutes=5)) is None
    state, _ = act(state, C, Listen())
    state, _ = act(state, A, Draft(0, B, TREASURE))
    limit = rules.time_limit(state)
    assert limit == (300, [(seat, Done()) for seat in (A, B, D, E, F)])
    for seat, command in limit[1]:
        state, _ = act(state, seat, command)
    assert state.phase == PROGRAMME


# --- victory -------------------------------------------------------------------------------------


def nearly(state: State, seat: int, missing: str, **more: int) -> State:
    """The seat's treasure lacks one token of a ware."""
    goal = state.sheikhs[seat].goal
    return put(state, seat, treasure={**goal, missing: goal[missing] - 1, **more})


def test_victory_by_bringing_goods_home() -> None:
    """Ruling 1: checked before taxes are paid; at least the wares listed."""
    state = nearly(planning(), A, "salt", silk=7)
    state = at(state, A, "BA", loads=({"salt": 3}, {}, {}))
    state = at(state, C, "CB", loads=({"salt": 1}, {}, {}))
    state, events = plan_all(state, {A: (("A", "A", "A"),), C: (("B", "C", "C"),)})
    assert events[-1] == GameEnded((A,))
    assert not those(events, CaravanLodged)
    assert state.phase == OVER
    assert rules.to_act(state) == ()
    standings = rules.outcome(state)
    assert standings is not None
    assert [(s.seat, s.rank) for s in standings] == [(0, 1), *[(n, 2) for n in range(1, 6)]]
    assert standings[0].score == 9


def test_goods_on_caravans_do_not_count() -> None:
    """Ruling 1."""
    state = nearly(planning(), A, "salt")
    state = at(state, A, "BH", loads=({"salt": 3}, {}, {}))
    state, _ = plan_all(state, {})
    assert state.phase == BUSINESS
    assert rules.outcome(state) is None


@pytest.mark.parametrize(("load", "wins"), [({"spices": 1}, False), ({"silk": 1}, True)])
def test_wares_packed_do_not_count_for_victory(load: dict[str, int], wins: bool) -> None:
    """Rulings 1 and 5: one caravan brings the last ware home while another leaves. What it takes
    along is out of the treasure by then, so taking wares of the card puts the victory off."""
    state = nearly(planning(), A, "salt", silk=1)
    state = at(state, A, "BA", loads=({"salt": 1}, {}, {}))
    plan = ("A", "AB", "A"), None, ({}, load, {})
    state, events = plan_all(state, {A: plan})
    assert those(events, GameEnded) == ([GameEnded((A,))] if wins else [])
    assert state.phase == (OVER if wins else BUSINESS)


def test_joint_victory_by_goods_brought_home() -> None:
    """Ruling 1: all who come home with their last ware in the same movement win together."""
    state = nearly(nearly(planning(), A, "salt"), D, "dates")
    state = at(state, A, "BA", loads=({"salt": 1}, {}, {}))
    state = at(state, D, "CD", loads=({"dates": 2}, {}, {}))
    state, events = plan_all(state, {A: (("A", "A", "A"),), D: (("D", "D", "D"),)})
    assert events[-1] == GameEnded((A, D))
    assert len(those(events, CaravanUnloaded)) == 2
    standings = rules.outcome(state)
    assert standings is not None
    assert [(s.seat, s.rank) for s in standings[:3]] == [(A, 1), (D, 1), (B, 3)]


def test_victory_by_tax_and_joint_victory() -> None:
    """Ruling 1: all who qualify by the taxes of one turn draw, whoever paid first."""
    state = nearly(nearly(planning(), B, "salt"), D, "dates")
    state = at(state, A, "AB", loads=({"salt": 1}, {}, {}))
    state = at(state, C, "CD", loads=({"dates": 1}, {}, {}))
    state, _ = plan_all(state, {A: (("B", "A", "A"),), C: (("D", "C", "C"),)})
    for first, second in ((A, C), (C, A)):
        ware = {A: "salt", C: "dates"}
        half, events = act(state, first, PayTax(0, ware[first]))
        assert not those(events, GameEnded)
        end, events = act(half, second, PayTax(0, ware[second]))
        assert events[-1] == GameEnded((B, D))
        standings = rules.outcome(end)
        assert standings is not None
        assert [(s.seat, s.rank) for s in standings[:3]] == [(B, 1), (D, 1), (A, 3)]


def test_victory_by_raid() -> None:
    """Ruling 1: after all raids of the turn."""
    state = nearly(nearly(planning(), E, "silk"), F, "spices")
    state = at(state, A, "BC", "GH", loads=({"silk": 1}, {"spices": 1}, {}))
    plans: dict[int, Any] = {
        A: (("CD", "HI", "A"),),
        E: (("E", "E", "E"), "CD"),
        F: (("F", "F", "F"), "HI"),
    }
    state, _ = plan_all(state, plans)
    assert state.raids == (Raid(E, "CD", A, 0), Raid(F, "HI", A, 1))
    state, events = act(state, F, Loot({"spices": 1}))
    assert not those(events, GameEnded)
    _, events = act(state, E, Loot({"silk": 1}))
    assert events[-1] == GameEnded((E, F))


def test_victory_by_trade_at_home() -> None:
    """Ruling 1: the host's treasure at once; a visitor's goods must come home first."""
    state = nearly(nearly(market(), C, "ivory"), B, "incense", ivory=1)
    state, _ = act(state, C, *make(Draft(0, B, TREASURE), {"incense": 1}, {"ivory": 1}))
    _, events = act(state, B, Accept(C))
    assert events[-1] == GameEnded((B,))


def test_looters_are_sent_in_secret() -> None:
    """Sending none and sending some look alike until the reveal."""
    for trail in ("", "CD"):
        assert rules.redact(LootersSent(A, trail), B) == LootersSent(A, None)
