"""Decks drawn on demand are as fair as shuffled ones and store no order."""

from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.toolkit.deck import Deck, draw_cards, draw_next_card, merge_decks, remove_card

DECKS = st.lists(st.integers(0, 6), min_size=1, max_size=6).map(tuple).filter(any)


@given(DECKS)
def test_every_card_is_as_likely_as_any_other(deck: Deck) -> None:
    """Over all possible draws, each kind comes once for each of its cards."""
    kinds = [draw_next_card(deck, lambda _n, place=place: place) for place in range(sum(deck))]
    assert Counter(kinds) == {kind: count for kind, count in enumerate(deck) if count}


@given(DECKS, st.randoms(use_true_random=False), st.integers(0, 50))
def test_a_hand_is_cards_of_the_deck(deck: Deck, rng: object, many: int) -> None:
    kinds = draw_cards(deck, many, rng.randrange)  # type: ignore[attr-defined]
    assert len(kinds) == min(many, sum(deck))
    left = deck
    for kind in kinds:
        left = remove_card(left, kind)
    taken = tuple(kinds.count(kind) for kind in range(len(deck)))
    assert merge_decks(left, taken) == deck


def test_all_orders_come_as_often_as_from_a_shuffled_deck() -> None:
    """Counts every sequence of draws of a small deck and compares with all its permutations."""
    deck = (2, 1, 2)
    cards = [kind for kind, count in enumerate(deck) for _ in range(count)]
    drawn: Counter[tuple[int, ...]] = Counter()
    for places in product(*(range(n) for n in range(len(cards), 0, -1))):
        answers = iter(places)
        drawn[draw_cards(deck, len(cards), lambda _n, answers=answers: next(answers))] += 1
    assert drawn == Counter(permutations(cards))


@given(DECKS)
def test_what_is_left_tells_nothing_of_the_order(deck: Deck) -> None:
    """Two cards taken in either order leave the same deck."""
    pairs = [(a, b) for a in range(len(deck)) for b in range(len(deck)) if deck[a] and deck[b]]
    for one, other in pairs:
        if one != other:
            assert remove_card(remove_card(deck, one), other) == remove_card(
                remove_card(deck, other), one
            )


def test_an_empty_deck_has_no_card() -> None:
    with pytest.raises(IndexError):
        draw_next_card((0, 0), lambda n: 0)
    with pytest.raises(ValueError, match="no such card"):
        remove_card((0, 1), 0)
    assert draw_cards((0, 0), 3, lambda n: 0) == ()
