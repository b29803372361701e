"""Previews before a move is final: paths, effects of stopping, combined amounts."""

import random

import pytest

from domain.games.conquest import rules
from domain.games.conquest.board import FINISH
from domain.games.conquest.caravan_stats import load, speed
from domain.games.conquest.commands import Buy, Jettison, Move, Sell, Stop
from domain.games.conquest.equipment import RESOURCES
from domain.games.conquest.market import amount_held, split_amount
from domain.games.conquest.move_preview import ends_at, preview_stop, reachable_paths, steps_left
from domain.games.conquest.state import EXTRA, MOVE, State, place_of
from tests.domain.conquest.builders import OPEN, act, first, game, put, random_moves


def journeys(seed: int, kind: str, most: int = 400) -> list[State]:
    """Moments of a random game at which steps may be made."""
    rng = random.Random(seed)
    state = rules.setup(rules.Options(map=kind), 3, rng.randrange).state  # type: ignore[arg-type]
    found = [now for now, _ in random_moves(state, rng) if now.step in (MOVE, EXTRA)]
    return found[:most]


@pytest.mark.parametrize("kind", ["short", "standard", "full"])
def test_ways_begin_with_all_steps_on_offer_and_can_be_gone(kind: str) -> None:
    """One step ahead are exactly the choices; further on each way is legal to its end."""
    gone = 0
    for state in journeys(1, kind):
        seat = state.seat
        found = reachable_paths(state)
        offered = {c.to for c in rules.choices(state, seat) if isinstance(c, Move)}
        assert {way[0].to for way in found.values() if len(way) == 1} == offered
        assert all(way[0].to in offered for way in found.values())
        for cell, way in found.items():
            assert len(way) <= max(steps_left(state), 1)
            assert place_of(state, cell) == way[-1].to
            after = act(state, *way, draw=first)
            gone += 1
            if after.seat == seat and after.step == MOVE and after.turn == state.turn:
                assert (Stop() in rules.choices(after, seat)) == ends_at(state, cell)
    assert gone > 1000


def test_nothing_within_the_steps_left_is_forgotten() -> None:
    """On open ground all tiles at a distance of three and less, but for where one stands."""
    state = game(*OPEN)
    reached = {place_of(state, cell) for cell in reachable_paths(state)}
    near = {(row, column) for row in range(3) for column in range(5)}
    far = {place for place in near if abs(place[0] - 1) + abs(place[1] - 1) > 3}
    assert reached == near - far - {(1, 1)}


def test_what_stopping_brings_is_what_it_brought() -> None:
    """Before the card: the gain, the chest and the load; and the speed when no card came."""
    seen = set()
    for state in [each for seed in range(3) for each in journeys(seed, "standard")]:
        seat, before = state.seat, state.players[state.seat]
        for cell, way in reachable_paths(state).items():
            if not ends_at(state, cell) or state.step == EXTRA:
                continue
            stop = preview_stop(state, cell)
            short = len(way) < steps_left(state) and stop.letter != FINISH
            after = act(state, *way, *([Stop()] if short else []), draw=first)
            player = after.players[seat]
            seen.add(stop.letter)
            if stop.wealth is not None:
                assert player.wealth == stop.wealth
            elif stop.camp or stop.city:
                assert load(player) == stop.load
                assert player.treasure - before.treasure == stop.chest
            elif stop.chosen:
                assert after.step == "oasis"
            elif stop.gain is not None:
                what, _ = stop.gain
                assert sum(stop_gained(state, way, short, what)) >= stop.gain[1]
    assert seen >= {"D", "G", "M", "O", "C", "S", "P", "F"}


def stop_gained(state: State, way: tuple[Move, ...], short: bool, what: str) -> list[int]:
    """Return the gain of a resource from the tile itself, from the events."""
    for step in way[:-1]:
        state = rules.decide(state, state.seat, step, first).state
    course = rules.decide(state, state.seat, way[-1], first)
    events = list(course.events)
    if short:
        events += rules.decide(course.state, state.seat, Stop(), first).events
    gains = [each for each in events if type(each).__name__ == "Gained" and not each.card]
    return [each.amount for each in gains if each.what == what]


def test_the_next_turn_is_told_with_the_load_it_will_have() -> None:
    """90 carried on grasslands: one spice more and the caravan is slower."""
    state = put(game(*OPEN), 0, gold=80, silk=5, spice=5)
    cell = state.stride + 2
    stop = preview_stop(state, cell)
    assert (stop.load, stop.over, stop.speed, stop.cards) == (91, 1, 2, 1)
    lighter = preview_stop(put(state, 0, gold=79), cell)
    assert (lighter.load, lighter.over, lighter.speed) == (90, 0, 3)


def test_after_an_extra_step_no_card_is_told() -> None:
    for state in [each for seed in range(9) for each in journeys(seed, "short")]:
        if state.step == EXTRA:
            assert all(not preview_stop(state, cell).cards for cell in reachable_paths(state))
            return
    raise AssertionError("no extra step was granted")


@pytest.mark.parametrize("most", [1, 4, 5, 9, 10, 11, 37, 120])
def test_any_amount_is_made_of_those_on_offer(most: int) -> None:
    """Thrown away one after the other, each is offered at its time."""
    for wanted in range(1, most + 1):
        made = split_amount(wanted, most)
        assert sum(made) == wanted
        state = put(game(*OPEN), 0, gold=most, silk=1)
        act(state, *[Jettison("gold", n) for n in made])


def test_amounts_are_traded_at_a_camp() -> None:
    camp = put(game("BSF", "GGG"), 0, gold=73, silk=13)
    camp = act(camp, Move((0, 1)), Stop())
    assert camp.step == "camp"
    sold = act(camp, *[Sell(n) for n in split_amount(7, 13)])
    assert (sold.players[0].silk, sold.players[0].gold) == (6, 143)
    bought = act(camp, *[Buy(n) for n in split_amount(6, 7)])
    assert (bought.players[0].silk, bought.players[0].gold) == (19, 13)
    assert {amount_held(bought.players[0], what) for what in RESOURCES} == {13, 19, 10}


def test_the_speed_of_a_turn_begun_on_dried_ground_is_told() -> None:
    """Stopping on an oasis draws its card, so the next turn begins on desert."""
    state = game("GBO", "GGF")
    stop = preview_stop(state, 2)
    assert (stop.chosen, stop.deck, stop.speed) == (2, "oasis", 2)
    assert speed(state.players[0], "O", 0) == 3
