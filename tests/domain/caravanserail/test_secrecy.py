"""Nothing hidden leaves the game: indistinguishable states look the same to a viewer."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import ALL_SEEING
from domain.games.caravanserail import rules
from domain.games.caravanserail.board import TREASURE
from domain.games.caravanserail.events import (
    CaravanSearched,
    CaravanUnloaded,
    GameEnded,
    OfferMade,
    OrderGiven,
    TaxPaid,
    TreasureDealt,
    WaresExchanged,
)
from domain.games.caravanserail.state import OVER, PROGRAMME, State
from tests.domain.caravanserail.builders import TABLES, fold, random_moves, started, those
from tests.domain.caravanserail.worlds import other_world
from tests.game_contract.strict_english import format_message

NAMES = tuple("ABCDEFGH")


def seen(state: State, viewer: int | None, view: Any = rules.view) -> bytes:
    """Return everything of a state that the viewer sees, as bytes."""
    mine = viewer is not None and viewer >= 0
    parts = [
        view(state, viewer),
        rules.to_act(state),
        rules.turn(state),
        rules.choices(state, viewer) if mine else [],
        rules.take_back(state, viewer) if mine else [],
        rules.time_limit(state),
        rules.outcome(state),
    ]
    return msgspec.json.encode(parts)


def told(events: list[Any], viewer: int | None, redact: Any = rules.redact) -> bytes:
    """Return the redacted events with their texts, as bytes."""
    shown = [redact(event, viewer) for event in events]
    kinds = [type(event).__name__ for event in shown]
    texts = [format_message("caravanserail", *rules.tell(event), NAMES) for event in shown]
    return msgspec.json.encode([*zip(kinds, shown, texts, strict=True)])


def alike(command: Any, choices: list[Any], same: bool, rng: random.Random) -> Any:
    """Return a command that looks the same to viewers who do not know its secret; if possible the
    identical one if it is about to be revealed (``same``)."""
    like = [c for c in choices if public_part(c) == public_part(command)]
    if same and command in like:
        return command
    return rng.choice(like) if like else None


def public_part(command: Any) -> tuple[Any, ...]:
    """Return the public part of a command: its kind, and which caravan pays or is attacked."""
    return type(command), getattr(command, "caravan", None), getattr(command, "victim", None)


def open_to(viewer: int | None, events: list[Any]) -> bool:
    """Return whether the viewer legitimately learns a secret, or the game ends."""
    return any(
        isinstance(event, GameEnded)
        or (
            event != rules.redact(event, None)
            and viewer is not None
            and rules.redact(event, viewer) == event
        )
        for event in events
    )


def compare(
    state: State, seat: int, command: Any, viewer: int | None, rng: random.Random, how: Any
) -> tuple[int, list[str]]:
    """Count the compared pairs of states, and the aspects in which they differed."""
    view, redact = how
    other = other_world(state, viewer, rng.randrange)
    pairs = 0
    found = []
    if other is not None:
        pairs += 1
        if seen(state, viewer, view) != seen(other, viewer, view):
            found.append("view")
    if seat < 0 or viewer == ALL_SEEING:
        return pairs, found
    planning = state.phase == PROGRAMME and len(rules.to_act(state)) > 1
    twin = other if planning else other_world(state, viewer, rng.randrange, same_deeds=True)
    if twin is None:
        return pairs, found
    another = command
    if seat != viewer:
        same = state.phase == "homes" or (state.phase == PROGRAMME and not planning)
        another = alike(command, rules.choices(twin, seat), same, rng)
    if another is None:
        return pairs, found
    before = rules.decide(state, seat, command, lambda n: n - 1).events
    after = rules.decide(twin, seat, another, lambda n: n - 1).events
    if seat != viewer and (open_to(viewer, before) or open_to(viewer, after)):
        return pairs, found
    if seat == viewer and those([*before, *after], CaravanSearched, GameEnded, TaxPaid):
        return pairs, found
    pairs += 1
    if told(before, viewer, redact) != told(after, viewer, redact):
        found.append("event")
    if seen(fold(state, before), viewer, view) != seen(fold(twin, after), viewer, view):
        found.append("view after")
    return pairs, found


def comparisons(
    seats: int,
    options: dict[str, Any],
    steps: int = 250,
    view: Any = rules.view,
    redact: Any = rules.redact,
    seed: str = "",
) -> Iterator[tuple[int, list[str]]]:
    """Yield the results of `compare` throughout a game of bots and random play."""
    rng = random.Random(f"{seats}{options}{seed}")
    eyes: list[int | None] = [None, *range(seats)]
    if options["keep_secrets"]:
        eyes.append(ALL_SEEING)
    for state, seat, command in random_moves(started(seats, options, rng), rng, steps):
        for viewer in rng.sample(eyes, 2):
            yield compare(state, seat, command, viewer, rng, (view, redact))


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_two_worlds_look_the_same(seats: int, options: dict[str, Any]) -> None:
    """Ruling 14 and all else that is secret: views, choices, events and their words are equal
    byte for byte."""
    pairs = 0
    for compared, found in comparisons(seats, options):
        assert not found
        pairs += compared
    assert pairs > 300


PLAIN = {"business_minutes": 0, "diplomacy": False, "keep_secrets": False}


@pytest.mark.parametrize(
    "leak",
    [
        lambda sheikh: sheikh.treasure,
        lambda sheikh: sheikh.goal,
        lambda sheikh: sheikh.loads,
        lambda sheikh: [not load for load in sheikh.loads],
        lambda sheikh: sheikh.orders,
        lambda sheikh: sheikh.looters,
        lambda sheikh: sheikh.packed,
        lambda sheikh: sheikh.draft is None,
        lambda sheikh: sheikh.offer is None,
    ],
)
def test_a_leak_in_the_view_is_found(leak: Any) -> None:
    def view(state: State, viewer: int | None) -> dict[str, Any]:
        return {**rules.view(state, viewer), "leak": [leak(sheikh) for sheikh in state.sheikhs]}

    assert any("view" in found for _, found in comparisons(6, PLAIN, 200, view=view))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [OrderGiven, CaravanUnloaded, TaxPaid, OfferMade, CaravanSearched])
def test_a_leak_in_the_events_is_found(kind: type) -> None:
    def redact(event: Any, viewer: int | None) -> Any:
        return event if isinstance(event, kind) else rules.redact(event, viewer)

    assert any(
        "event" in found
        for n in range(8)
        for _, found in comparisons(6, PLAIN, 250, redact=redact, seed=str(n))
    )


def differing_moves(suggest: Any, draws: range = range(3)) -> tuple[int, int]:
    """Count a bot's moves in two states that differ only in what is hidden from its seat (cards,
    treasures, loads, programmes, offers), and the different moves."""
    rng = random.Random(21)
    asked = different = 0
    for state, seat, _ in random_moves(started(6, PLAIN, rng), rng, 700, bots=0.9):
        other = other_world(state, seat, rng.randrange) if seat >= 0 else None
        if other is None:
            continue
        choices = rules.choices(state, seat)
        assert rules.choices(other, seat) == choices
        for n in draws:
            asked += 1
            in_both = [suggest(world, seat, choices, _drawing(n)) for world in (state, other)]
            different += in_both[0] != in_both[1]
    return asked, different


def bot(state: State, seat: int, _choices: list[Any], draw: Any) -> Any:
    return suggest_command("caravanserail", state, seat, Thinking(draw))


def _drawing(n: int) -> Any:
    return lambda bound: n % bound


@pytest.mark.slow
def test_bots_know_only_their_own_secrets() -> None:
    """Ruling 14: what the others hold, plan or offer each other never changes a bot's move."""
    asked, different = differing_moves(bot)
    assert asked > 1_500
    assert different == 0


def test_a_bot_that_peeks_is_found() -> None:
    def peeks(state: State, seat: int, choices: list[Any], draw: Any) -> Any:
        return choices[state.sheikhs[seat - 1].card % len(choices)]

    assert differing_moves(peeks)[1] > 20


def test_the_worlds_keep_the_invariants() -> None:
    """Choices of the other state are legal in it; wares are conserved."""
    rng = random.Random(5)
    changed = 0
    for state, _, _ in random_moves(started(6, PLAIN, rng), rng, 500):
        other = other_world(state, 0, rng.randrange)
        if other is None:
            continue
        changed += 1
        assert other.sheikhs[0] == state.sheikhs[0]
        assert total(other) == total(state)
        for seat in rules.to_act(other):
            choices = rules.choices(other, seat)
            assert choices
            command = rng.choice(choices)
            assert fold(other, rules.decide(other, seat, command, lambda n: n - 1).events)
    assert changed > 300


def total(state: State) -> int:
    return sum(
        sum(wares.values()) for each in state.sheikhs for wares in (each.treasure, *each.loads)
    )


def test_the_number_of_events_does_not_tell() -> None:
    """Version numbers are seen by all. Choices of one kind make as many events of the same types,
    except a last step that opens the programmes or ends a phase for all to see."""
    rng = random.Random(9)
    compared = 0
    for state, seat, _ in random_moves(started(6, PLAIN, rng), rng, 400, bots=0.8):
        if seat < 0 or state.phase in (OVER, "homes") or len(rules.to_act(state)) == 1:
            continue
        kinds: dict[type, set[Any]] = {}
        for choice in rules.choices(state, seat):
            events = rules.decide(state, seat, choice, lambda n: n - 1).events
            if not those(events, GameEnded):
                made = tuple(type(event) for event in events)
                kinds.setdefault(type(choice), set()).add(made)
        compared += len(kinds)
        assert all(len(made) == 1 for made in kinds.values())
    assert compared > 300


def test_kept_secrets_stay_after_the_end() -> None:
    """Option keep_secrets: even the all-seeing viewer of a finished match sees no hidden facts."""
    rng = random.Random(2)
    options = {**PLAIN, "keep_secrets": True}
    *_, (end, _, _) = random_moves(started(6, options, rng), rng, 20_000, bots=1.0)
    assert end.phase == OVER
    assert rules.view(end, ALL_SEEING) == rules.view(end, None)
    standings = rules.outcome(end) or ()
    assert all(s.score == (9 if s.rank == 1 else 0) for s in standings)
    told_all = replace(end, keep_secrets=False)
    shown = rules.view(told_all, ALL_SEEING)["players"]
    assert [p["treasure"] for p in shown] == [sheikh.treasure for sheikh in end.sheikhs]
    assert any(s.score for s in rules.outcome(told_all) or () if s.rank > 1)


def test_time_travel_in_a_finished_match_shows_all() -> None:
    made = OfferMade(0, 0, 1, TREASURE, {"silk": 1}, {}, False)
    dealt = TreasureDealt(0, 1, {"silk": 4}, {"salt": 3})
    deal = WaresExchanged(1, TREASURE, 0, 0, {"silk": 1}, {})
    for event in (made, dealt, deal):
        assert rules.redact(event, ALL_SEEING) == event
        assert rules.redact(event, 5) != event
