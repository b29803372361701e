"""Presence: who is viewing a match, as reported over the live stream.

Shows a dot for each other person in the match, filled while they are viewing it, and the number of
spectators.
"""

from collections.abc import Sequence
from typing import Any

from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import el, fill, icon, patch
from frontend.app.core.i18n import join_and, join_sentences, t
from frontend.app.core.types import Data, Node

NO_WATCHERS: Data = {"seats": (), "watching": 0}


class Presence:
    """The presence indicators: ``node`` for the top bar, and `dot` for lines about a seat."""

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        self.seats: list[Data] = []
        self.watchers = NO_WATCHERS
        self.dots: dict[int, list[Node]] = {}
        self.count = el("span", {"class": "watching figures"})
        self.node = el("div", {"class": "looking-now", "role": "img", "hidden": True})
        context.match_changed.subscribe(self._on_match_changed)

    def _on_match_changed(self, _texts: Sequence[str]) -> None:
        """Update the dots if the people at the table have changed."""
        seats = self.context.match.data["seats"]
        others = _others(seats)
        if others != _others(self.seats) or not self.seats:
            self.dots = {}
            fill(self.node, [self.dot(seat["seat"]) for seat in others], self.count)
        self.seats = seats
        self._draw()

    def dot(self, seat: int) -> Node:
        """Return a new dot that is filled while the player of a seat is viewing the match."""
        made = el("span", {"class": "dot", "style": f"--tone:var(--seat-{seat})"})
        self.dots.setdefault(seat, []).append(made)
        self._colour(seat, made)
        return made

    def on_watchers(self, watchers: Data | None) -> None:
        """Update who is viewing the match; None: unknown."""
        self.watchers = watchers or NO_WATCHERS
        for seat, dots in self.dots.items():
            for made in dots:
                self._colour(seat, made)
        self._draw()

    def _colour(self, seat: int, made: Node) -> None:
        made.classList.toggle("there", seat in self.watchers["seats"])

    def _draw(self) -> None:
        watching = self.watchers["watching"]
        if watching and not any(seat["you"] for seat in self.seats):
            watching -= 1  # do not count the spectator on this device
        others = _others(self.seats)
        fill(self.count, [icon("i-eye"), str(watching)] if watching else None)
        here = [seat["name"] for seat in others if seat["seat"] in self.watchers["seats"]]
        sentences = [t("table.online_now", names=join_and(here))] if here else []
        if others and not here:
            sentences.append(t("table.nobody_online"))
        if watching:
            sentences.append(t("table.more_watching", n=watching))
        text: Any = join_sentences(sentences)
        patch(self.node, {"aria-label": text, "title": text})
        self.node.hidden = not (others or watching)


def _others(seats: list[Data]) -> list[Data]:
    """Return the seats held by people on other devices."""
    return [seat for seat in seats if seat["kind"] == "human" and not seat["you"]]
