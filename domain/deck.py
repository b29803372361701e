"""Decks that are drawn on demand: what is left of them is known, its order is nobody's.

A shuffled deck in a state would tell the future to whoever holds the state, and a match that is
branched off would meet the same cards. So a deck is only how many cards of each kind are left,
and the next card is drawn when it is turned. Ships to the browser.
"""

from domain.game import Draw

Deck = tuple[int, ...]
"""How many cards of each kind are left, by the kind's number."""


def turn(deck: Deck, draw: Draw) -> int:
    """The kind of the next card, every card left being as likely as any other.

    IndexError when none is left. The deck does not change: the event that says which card came
    takes it away (`without`), so that the fold needs no chance.
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


def without(deck: Deck, kind: int) -> Deck:
    """The deck after a card of a kind was taken; ValueError when there is none."""
    if not deck[kind]:
        raise ValueError("there is no such card")
    return (*deck[:kind], deck[kind] - 1, *deck[kind + 1 :])


def hand(deck: Deck, many: int, draw: Draw) -> tuple[int, ...]:
    """The kinds of the next ``many`` cards, one after the other; fewer when fewer are left."""
    kinds = []
    for _ in range(min(many, sum(deck))):
        kind = turn(deck, draw)
        deck = without(deck, kind)
        kinds.append(kind)
    return tuple(kinds)


def together(deck: Deck, discards: Deck) -> Deck:
    """The deck with the discards shuffled into it again."""
    return tuple([a + b for a, b in zip(deck, discards, strict=True)])
