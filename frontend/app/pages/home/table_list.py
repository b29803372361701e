"""A list of match cards that is updated in place."""

from collections.abc import Callable
from typing import Any

from _native import dumps

from frontend.app.core.types import Data, Node
from frontend.app.pages.home.table_card import state_text

BuildCard = Callable[[Data], Node]


def has_other_people(item: Data) -> bool:
    """Return whether somebody else plays in a match, who may be waiting for this player."""
    return any(seat["kind"] == "human" and not seat["you"] for seat in item["seats"])


class TableList:
    """The list of cards in ``node``.

    A card whose match has not changed keeps its node, and so the focus and scroll position.
    ``headings``: the headings of the matches in which others wait for the player and of the rest;
    None for a list without them.
    """

    def __init__(self, node: Node, headings: tuple[Node, Node] | None = None) -> None:
        self.node = node
        self.cards: dict[str, tuple[str, Node]] = {}  # by match id, in order of display
        self.rest: list[Node] = []
        self.headings = headings
        self.waiting: set[str] = set()  # ids of the matches in which others wait for the player
        self.has_pages = False

    def show(self, items: list[Data], make: BuildCard, rest: list[Node], how: str = "show") -> None:
        """Show the cards of these matches, followed by the nodes ``rest``.

        ``how``: they replace the list ("show"), are appended to it as another page ("add"), or
        update its first page ("update"). Further pages stay below that one, with the nodes that
        follow them.
        """
        cards = {item["id"]: self._card(item, make) for item in items}
        if how == "add":
            self.has_pages = True
            self.cards = {**self.cards, **cards}
        elif how == "update" and self.has_pages:
            others = {key: card for key, card in self.cards.items() if key not in cards}
            self.cards = {**cards, **others}
            rest = self.rest
        else:
            self.has_pages = False
            self.cards = cards
        self._place(rest)

    def _card(self, item: Data, make: BuildCard) -> tuple[str, Node]:
        waits = item["your_turn"] and has_other_people(item)
        (self.waiting.add if waits else self.waiting.discard)(item["id"])
        text = dumps(item) + state_text(item)
        known = self.cards.get(item["id"])
        return known if known is not None and known[0] == text else (text, make(item))

    def _headed_cards(self) -> list[Node]:
        """Return the cards in order, with the headings of their groups."""
        if self.headings is None:
            return [node for _text, node in self.cards.values()]
        first = [card[1] for key, card in self.cards.items() if key in self.waiting]
        others = [card[1] for key, card in self.cards.items() if key not in self.waiting]
        nodes = [self.headings[0], *first] if first else []
        return [*nodes, self.headings[1], *others] if others or not first else nodes

    def _place(self, rest: list[Node]) -> None:
        """Set the children of the node, moving only those that are not in place."""
        self.rest = rest
        children: Any = self.node.children
        nodes = self._headed_cards() + rest
        for index, node in enumerate(nodes):
            there = children[index] if index < children.length else None
            if there is None or not there.isSameNode(node):
                self.node.insertBefore(node, there)
        while children.length > len(nodes):
            self.node.lastElementChild.remove()
