"""Hidden facts of the courtyard: minors drawn by others, and those put back."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from domain.contract.game import ALL_SEEING, LEVELS
from domain.games.courtyard import rules
from domain.games.courtyard.commands import DrawOrders, KeepOrder
from domain.games.courtyard.events import MinorCompleted, MinorKept, MinorsDrawn, MinorsReturned
from domain.games.courtyard.options import Options
from domain.games.courtyard.state import MINOR, State
from tests.domain.courtyard.builders import act, drawing, events, random_game, stop, thought

LONGEST = 10_000


def other_deck(state: State, viewer: int | None, rng: random.Random) -> State:
    """The minors that the viewer may not know lie in another way: in the deck, under it, drawn."""
    unknown = [i for i, n in enumerate(state.stock.minors) if n] + [*state.stock.under]
    hides = state.step == MINOR and viewer != state.seat
    unknown += [*state.drawn] if hides else []
    rng.shuffle(unknown)
    above = sum(state.stock.minors)
    under = tuple(unknown[above : above + len(state.stock.under)])
    minors = tuple([int(i in unknown[:above]) for i in range(16)])
    drawn = tuple(unknown[above + len(under) :]) if hides else state.drawn
    return replace(state, stock=replace(state.stock, minors=minors, under=under), drawn=drawn)


def seen(state: State, viewer: int | None) -> bytes:
    own = viewer is not None and viewer >= 0
    return msgspec.json.encode(
        [
            rules.view(state, viewer),
            rules.choices(state, viewer) if own else [],
            rules.to_act(state),
            rules.outcome(state),
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_two_worlds_look_the_same(seats: int) -> None:
    """Views and choices do not tell how the minors lie; nor with keep_secrets after the end."""
    compared = 0
    rng = random.Random(seats)
    for state, *_ in random_game(seats, random.Random(seats), LONGEST, 0.8, keep=True):
        if rng.random() < 0.6 and rules.to_act(state):
            continue
        for viewer in (None, ALL_SEEING, *range(seats)):
            other = other_deck(state, viewer, rng)
            compared += other != state
            assert seen(other, viewer) == seen(state, viewer)
    assert compared > 200


def test_a_leak_would_be_found() -> None:
    state = act(stop("G_S"), DrawOrders(), draw=drawing(3, 0))
    other = other_deck(state, 1, random.Random(1))
    assert other.drawn != state.drawn
    assert seen(other, 0) != seen(state, 0)
    assert seen(other, ALL_SEEING) != seen(state, ALL_SEEING), "secrets are not kept here"


def test_only_the_drawer_sees_what_is_drawn_and_put_back() -> None:
    drawn = events(stop("G_S"), DrawOrders(), drawing(3, 0))[0]
    state = act(stop("G_S"), DrawOrders(), draw=drawing(3, 0))
    returned = events(state, KeepOrder(0))[1]
    assert returned == MinorsReturned(0, (0,))
    for event in (drawn, returned):
        assert rules.redact(event, 0) == event
        assert rules.redact(event, ALL_SEEING) == event
        assert rules.redact(event, 1) == replace(event, cards=None)
        assert rules.redact(event, None) == replace(event, cards=None)
    assert rules.view(state, 0)["drawn"] == [
        {"value": 4, "goods": ["diamond"]},
        {"value": 3, "goods": ["silver"]},
    ]
    assert rules.view(state, 1)["drawn"] is None
    assert rules.view(state, None)["drawn"] is None


def test_a_kept_minor_is_open_to_all() -> None:
    state = act(stop("G_S"), DrawOrders(), draw=drawing(3, 0))
    kept = events(state, KeepOrder(0))[0]
    assert rules.redact(kept, 1) == kept == MinorKept(0, 3)
    state = act(state, KeepOrder(0))
    assert rules.view(state, 1)["players"][0]["minor"] == {"value": 4, "goods": ["diamond"]}


def test_what_brings_hidden_cards_to_light() -> None:
    """Undo then needs consent."""
    assert rules.reveals(MinorsDrawn(0, (1, 2)))
    assert rules.reveals(MinorKept(0, 1))
    assert rules.reveals(MinorCompleted(0, 1, 5, True))
    assert not rules.reveals(MinorCompleted(0, 1, 5, False))
    assert not rules.reveals(MinorsReturned(0, (1,)))


def test_kept_secrets_stay_after_the_end() -> None:
    assert rules.keeps_secrets(Options(True))
    assert not rules.keeps_secrets(Options())
    state = act(stop("G_S"), DrawOrders(), draw=drawing(3, 0))
    kept = replace(state, keep_secrets=True)
    assert rules.view(kept, ALL_SEEING)["drawn"] is None
    assert rules.view(state, ALL_SEEING)["drawn"] is not None


@pytest.mark.slow
def test_bots_know_only_what_their_seat_may_see() -> None:
    """Two worlds that differ in the minors of deck and others give the same move."""
    rng = random.Random(4)
    asked = 0
    for state, seat, *_ in random_game(3, random.Random(11), LONGEST, 0.8):
        if rng.random() < 0.8:
            continue
        other = other_deck(state, seat, rng)
        if other == state:
            continue
        asked += 1
        for level in LEVELS:
            moves = [thought(world, seat, random.Random(asked), level) for world in (state, other)]
            assert moves[0] == moves[1]
    assert asked > 30
