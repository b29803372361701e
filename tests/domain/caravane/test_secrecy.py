"""Nothing hidden leaves the game: indistinguishable states look the same to a viewer."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import ALL_SEEING
from domain.games.caravane import rules
from domain.games.caravane.commands import Bid
from domain.games.caravane.events import BidMade, GourdsAllotted, WaterLeaked
from domain.games.caravane.state import OVER, State
from domain.games.caravane.title import TITLE
from tests.domain.caravane.builders import OPTIONS, act, fold, no_draw, put, race, random_moves
from tests.domain.caravane.worlds import other_world, stock_after
from tests.game_contract.strict_english import format_message

TABLES = [
    pytest.param(seats, options, id=f"{seats}-{'-'.join(n for n, on in options.items() if on)}")
    for seats in TITLE.seats
    for options in OPTIONS
]


def seen(state: State, viewer: int | None, view: Any = rules.view) -> bytes:
    """Return everything of a state that the viewer sees, as bytes."""
    mine = viewer is not None and viewer >= 0
    parts = [
        view(state, viewer),
        rules.to_act(state),
        rules.turn(state),
        rules.choices(state, viewer) if mine else [],
        rules.take_back(state, viewer) if mine else [],
        rules.outcome(state),
    ]
    return msgspec.json.encode(parts)


def told(events: list[Any], viewer: int | None, redact: Any = rules.redact) -> bytes:
    """Return the redacted events with their texts, as bytes."""
    names = ("A", "B", "C", "D", "E")
    shown = [redact(event, viewer) for event in events]
    texts = [format_message("caravane", *rules.tell(event), names) for event in shown]
    return msgspec.json.encode([*zip(shown, texts, strict=True)])


def viewers(state: State) -> list[int | None]:
    kept = [ALL_SEEING] if state.keep_secrets else []
    return [None, *range(len(state.racers)), *kept]


def leaks(
    state: State, seat: int, command: Any, rng: random.Random, view: Any, redact: Any
) -> tuple[int, list[str]]:
    """Count the compared states, and the aspects in which they differed."""
    compared, found = 0, []
    for viewer in viewers(state):
        other = other_world(state, viewer, rng.randrange)
        if other is not None:
            compared += 1
            if seen(state, viewer, view) != seen(other, viewer, view):
                found.append("view")
            if seat not in (viewer, -1) and rules.to_act(state) != (seat,):
                found += _choice_leaks(state, other, seat, command, viewer, rng, redact)
        twin = other_world(state, viewer, rng.randrange, same_bids=True)
        if twin is not None and seat >= 0 and _same_choice(state, twin, seat, command):
            compared += 1
            before, after = act(state, seat, command), act(twin, seat, command)
            if viewer != ALL_SEEING and told(before[1], viewer, redact) != told(
                after[1], viewer, redact
            ):
                found.append("event")
            if seen(before[0], viewer, view) != seen(after[0], viewer, view):
                found.append("view after")
    return compared, found


def _same_choice(state: State, twin: State, seat: int, command: Any) -> bool:
    """Return whether the other state's seat has the same choice, with a bag of the same value."""
    if isinstance(command, Bid) and command.bag:
        level = state.stage - 1
        if state.racers[seat].bags[level] != twin.racers[seat].bags[level]:
            return False
    return command in rules.choices(twin, seat)


def _choice_leaks(
    state: State, other: State, seat: int, command: Any, viewer: Any, rng: Any, redact: Any
) -> list[str]:
    """Let the seat choose differently in the two states while others have yet to choose."""
    another = rng.choice(rules.choices(other, seat))
    before, after = act(state, seat, command), act(other, seat, another)
    found = []
    if viewer != ALL_SEEING and told(before[1], viewer, redact) != told(after[1], viewer, redact):
        found.append("choice")
    if seen(before[0], viewer) != seen(after[0], viewer):
        found.append("view after choice")
    return found


def comparisons(
    seats: int, options: dict[str, Any], view: Any = rules.view, redact: Any = rules.redact
) -> Iterator[tuple[int, list[str]]]:
    """Yield the result of `leaks` for each state of a random race."""
    rng = random.Random(f"{seats}{options}")
    start = race(seats, options["split"], options["food"], options["keep_secrets"])
    for state, seat, command in random_moves(start, rng):
        yield leaks(state, seat, command, rng, view, redact)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_two_worlds_look_the_same(seats: int, options: dict[str, Any]) -> None:
    """Ruling 16: views, choices, sentences and events of a viewer are equal byte for byte."""
    compared = 0
    for pairs, found in comparisons(seats, options):
        assert not found
        compared += pairs
    assert compared > 20


def leaky_view(change: Callable[[State, dict[str, Any]], None]) -> Any:
    def view(state: State, viewer: int | None) -> dict[str, Any]:
        shown = rules.view(state, viewer)
        change(state, shown)
        return shown

    return view


@pytest.mark.parametrize(
    "change",
    [
        lambda state, shown: shown.update(stocks=[r.stock for r in state.racers]),
        lambda state, shown: shown.update(bids=[r.bid for r in state.racers]),
        lambda state, shown: shown.update(bags=[r.bags for r in state.racers]),
        lambda state, shown: shown.update(empty=[not r.stock for r in state.racers]),
        lambda state, shown: shown.update(final=[r.revised for r in state.racers]),
    ],
    ids=["stock", "bid", "bags", "empty", "revised"],
)
def test_a_leak_in_the_view_is_found(change: Any) -> None:
    options = {"split": True, "food": True, "keep_secrets": False}
    assert any(found for _, found in comparisons(3, options, view=leaky_view(change)))


@pytest.mark.parametrize("kind", [BidMade, GourdsAllotted, WaterLeaked])
def test_a_leak_in_the_events_is_found(kind: type) -> None:
    def redact(event: Any, viewer: int | None) -> Any:
        return event if isinstance(event, kind) else rules.redact(event, viewer)

    options = {"split": True, "food": True, "keep_secrets": False}
    assert any(
        found for seats in (2, 3, 4, 5) for _, found in comparisons(seats, options, redact=redact)
    )


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_worlds_fit_what_was_seen(seats: int, options: dict[str, Any]) -> None:
    """Replaying the open rounds gives each seat's gourds, in both states."""
    rng = random.Random(seats)
    start = race(seats, options["split"], options["food"], options["keep_secrets"])
    changed = 0
    for state, _, _ in random_moves(start, rng):
        other = other_world(state, 0, rng.randrange)
        for world in (state, other):
            if world is None or not world.stage:
                continue
            for seat, racer in enumerate(world.racers):
                assert stock_after(world, seat, racer.allotted) == racer.stock
                assert sum(racer.allotted) == 60
                assert (racer.bid or 0) <= racer.stock
            changed += world is other and world.racers[0] == state.racers[0]
    assert changed > 5


def differing_moves(suggest: Any) -> tuple[int, int]:
    """Count a bot's moves in two states that differ only in what is hidden from its seat (splits,
    bags, bids), and the different moves."""
    asked = different = 0
    for seed in range(2):
        rng = random.Random(seed)
        for state, seat, _ in random_moves(race(4, split=True, food=True), rng):
            other = other_world(state, seat, rng.randrange) if seat >= 0 else None
            if other is None:
                continue
            choices = rules.choices(state, seat)
            for n in range(4):
                asked += 1
                in_both = [suggest(world, seat, choices, _drawing(n)) for world in (state, other)]
                different += in_both[0] != in_both[1]
    return asked, different


def bot(state: State, seat: int, _choices: list[Any], draw: Any) -> Any:
    """Return the bot's move after three trials; as draws never vary, all trials are alike."""
    time_left = iter([True, True])
    thinking = Thinking(draw, has_time_left=lambda: next(time_left, False))
    return suggest_command("caravane", state, seat, thinking)


def _drawing(n: int) -> Any:
    return lambda bound: n % bound


@pytest.mark.slow
def test_bots_know_only_their_own_secrets() -> None:
    """Ruling 16: gourds, bags and bids of the others never change a bot's move."""
    asked, different = differing_moves(bot)
    assert asked > 500
    assert different == 0


def test_a_bot_that_peeks_is_found() -> None:
    def peeks(state: State, seat: int, choices: list[Any], draw: Any) -> Any:
        return choices[sum(racer.stock for racer in state.racers) % len(choices)]

    assert differing_moves(peeks)[1] > 20


def test_the_number_of_events_does_not_tell_the_choice() -> None:
    """Everybody sees version numbers: every choice of a seat that is not the last to choose makes
    as many events of the same types."""
    for split, food in [(False, False), (True, True)]:
        for state, seat, _ in random_moves(race(3, split, food), random.Random(8)):
            if len(rules.to_act(state)) < 2:
                continue
            kinds = {
                tuple(type(e) for e in rules.decide(state, seat, choice, no_draw).events)
                for choice in rules.choices(state, seat)
            }
            assert len(kinds) == 1


def test_a_leak_looks_the_same_for_an_empty_container() -> None:
    """Ruling 6 with ruling 16: only the seat itself learns how many gourds were lost."""
    events = []
    for stock in (0, 1, 5):
        state = put(put(race(2, split=False), 1, square=9, stock=stock), 0, square=3)
        state, _ = act(state, 0, Bid(5))
        events.append(rules.decide(state, 1, Bid(0), no_draw).events)
    lost = [[e.gourds for e in made if isinstance(e, WaterLeaked)] for made in events]
    assert lost == [[0], [1], [2]]
    assert len({told(made, 0) for made in events}) == 1
    assert len({told(made, None) for made in events}) == 1
    assert len({told(made, 1) for made in events}) == 3


def test_kept_secrets_stay_after_the_end() -> None:
    """Option keep_secrets: even the all-seeing viewer of a finished match sees no hidden facts."""
    start = race(3, split=True, food=True, keep=True)
    end = [state for state, _, _ in random_moves(start, random.Random(3))][-1]
    assert end.phase == OVER
    assert rules.view(end, ALL_SEEING) == rules.view(end, None)
    shown = rules.view(replace(end, keep_secrets=False), ALL_SEEING)
    assert [r["allotted"] for r in shown["racers"]] == [list(r.allotted) for r in end.racers]
    assert [r["bags"] for r in shown["racers"]] == [list(r.bags) for r in end.racers]


def test_an_all_seeing_viewer_sees_secret_choices_as_they_were() -> None:
    """Past versions of a finished match show bids before their reveal."""
    state, events = act(race(2), 0, Bid(7))
    assert rules.view(state, ALL_SEEING)["racers"][0]["bid"] == {"gourds": 7, "bag": False}
    assert rules.view(state, 1)["racers"][0]["bid"] is None
    assert rules.redact(events[0], ALL_SEEING) == BidMade(0, 7, False)
    assert rules.redact(events[0], 0) == BidMade(0, 7, False)
    assert rules.redact(events[0], 1) == BidMade(0, None, None)
    assert fold(race(2), events) == state
