"""The filters of the public tables, by game and by time control."""

from collections.abc import Callable
from typing import Any

from _native import fill

from frontend.app.api import game_catalogue
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Node

GAME_ATTRIBUTE = "data-game"
"""The attribute of a card that names its game."""
PACE_ATTRIBUTE = "data-pace"
"""The attribute of a card that names its kind of time control, a key of `PACE_TITLES`."""
PACE_TITLES = {"live": t("time.live"), "days": t("time.correspondence"), "none": t("time.none")}
"""The titles of the kinds of time control, in the order of their buttons."""


class FilterGroup:
    """A group of buttons in ``node``, one for each value that the listed cards have.

    It is hidden if they all have the same value. ``attribute``: the attribute of the cards with the
    value; ``titles(values)``: the values with the titles of their buttons, in order, after the
    button for all values with the title ``title_of_all``; ``on_choice()``: called after a choice.
    """

    def __init__(
        self,
        attribute: str,
        label: str,
        title_of_all: str,
        titles: Callable[[list[str]], list[tuple[str, str]]],
        on_choice: Action,
    ) -> None:
        self.node = el("div", {"class": "row filters", "role": "group", "aria-label": label})
        self.node.hidden = True
        self.chosen = ""  # the value shown, "" for all
        self._attribute = attribute
        self._title_of_all = title_of_all
        self._titles = titles
        self._on_choice = on_choice
        self._values: list[str] = []

    def update(self, cards: list[Node], keep: bool) -> None:
        """Offer the values of the cards; ``keep``: in addition to those offered before."""
        before = self._values if keep else []
        listed = [card.getAttribute(self._attribute) for card in cards]
        new = {value: 0 for value in listed if value and value not in before}
        values = [*before, *new]
        if values != self._values:  # otherwise the buttons keep the focus
            self._values = values
            self.choose(self.chosen if self.chosen in values else "")

    def choose(self, value: str) -> None:
        """Show only the cards with this value, "" for all."""
        self.chosen = value
        self.node.hidden = len(self._values) < 2
        offered = [("", self._title_of_all), *self._titles(self._values)]
        fill(self.node, [self._button(value, title) for value, title in offered])

    def has_match(self, card: Node) -> bool:
        """Return whether a card has the chosen value."""
        return not self.chosen or bool(card.getAttribute(self._attribute) == self.chosen)

    def focus(self) -> None:
        """Focus the button of the chosen value."""
        self.node.querySelector("[aria-pressed=true]").focus()

    def _button(self, value: str, title: str) -> Node:
        def on_tap(_event: Any) -> None:
            self.choose(value)
            self._on_choice()
            self.focus()

        pressed = "true" if value == self.chosen else "false"
        return button(title, on_tap, **{"aria-pressed": pressed})


class TableFilter:
    """The filters in ``bar`` for the cards in ``cards``; hidden if there is nothing to choose."""

    def __init__(self, bar: Node, cards: Node) -> None:
        self.bar = bar
        self.cards = cards
        by_game = (t("home.filter_by_game"), t("home.all_games"))
        by_pace = (t("home.filter_by_pace"), t("home.all_paces"))
        self.groups = [
            FilterGroup(GAME_ATTRIBUTE, *by_game, _game_titles, self._apply),
            FilterGroup(PACE_ATTRIBUTE, *by_pace, _pace_titles, self._apply),
        ]
        # The text is filled in when it applies, so that screen readers announce it.
        self.empty_text = el("p", {"class": "muted", "role": "status"})
        self.clear_button = button(t("home.clear_filters"), self._clear)
        nodes = [group.node for group in self.groups]
        fill(bar, *nodes, self.empty_text, self.clear_button)

    def update(self, *, is_next_page: bool) -> None:
        """Offer the values of the listed tables; ``is_next_page``: more were added."""
        for group in self.groups:
            group.update(self._listed(), is_next_page)
        self.bar.hidden = all(group.node.hidden for group in self.groups)
        self._apply()

    def _listed(self) -> list[Node]:
        """Return the cards; other nodes of the list have no game."""
        nodes = [self.cards.children[number] for number in range(self.cards.children.length)]
        return [node for node in nodes if node.getAttribute(GAME_ATTRIBUTE)]

    def _apply(self) -> None:
        """Show the cards that match all groups, or say that there are none."""
        listed = self._listed()
        for card in listed:
            card.hidden = not all(group.has_match(card) for group in self.groups)
        is_empty = bool(listed) and all(card.hidden for card in listed)
        fill(self.empty_text, t("home.no_matching_tables") if is_empty else "")
        self.clear_button.hidden = not is_empty

    def _clear(self, _event: Any) -> None:
        for group in self.groups:
            group.choose("")
        self._apply()
        next(group for group in self.groups if not group.node.hidden).focus()


def _game_titles(slugs: list[str]) -> list[tuple[str, str]]:
    return [(slug, game_catalogue.get(slug)["title"]) for slug in slugs]


def _pace_titles(kinds: list[str]) -> list[tuple[str, str]]:
    return [(kind, title) for kind, title in PACE_TITLES.items() if kind in kinds]
