"""Decks without a stored order: counts of the remaining cards, drawn from at random on demand.

A shuffled deck in the state would reveal future cards to anyone who has the state, and a fork would
draw the same cards. So a deck holds only the number of cards left of each kind, and a card is drawn
at random when it is turned up. Ships to the browser.
"""

from domain.contract.game import Draw

Deck = tuple[int, ...]
"""The number of remaining cards of each kind, indexed by kind."""


def draw_next_card(deck: Deck, draw: Draw) -> int:
    """Draw the next card and return its kind; all remaining cards are equally likely.

    The deck is not changed: the card is removed (`remove_card`) when the event that contains it is
    folded, so that the fold needs no draws. Raises IndexError when no card is left.
    """
    left = sum(deck)
    if not left:
        raise IndexError("no card is left")
    place = draw(left)
    for kind, count in enumerate(deck):
        if place < count:
            return kind
        place -= count
    raise ValueError("a draw out of range")


def remove_card(deck: Deck, kind: int) -> Deck:
    """Return the deck with one card of a kind removed. Raises ValueError if none is left."""
    if not deck[kind]:
        raise ValueError("there is no such card")
    return (*deck[:kind], deck[kind] - 1, *deck[kind + 1 :])


def draw_cards(deck: Deck, count: int, draw: Draw) -> tuple[int, ...]:
    """Draw the next ``count`` cards, or all if fewer are left; return their kinds in order."""
    kinds = []
    for _ in range(min(count, sum(deck))):
        kind = draw_next_card(deck, draw)
        deck = remove_card(deck, kind)
        kinds.append(kind)
    return tuple(kinds)


def merge_decks(deck: Deck, discards: Deck) -> Deck:
    """Return the deck with the discards shuffled back into it."""
    return tuple([a + b for a, b in zip(deck, discards, strict=True)])
