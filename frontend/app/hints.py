"""A line at the table that says what one may do, for whom a game is new. Whether it is shown is
kept on the device."""

from typing import Any

from _native import fill, guides, stored

from frontend.app import houses
from frontend.app.dom import el
from frontend.app.games import Now
from frontend.app.options import switch
from frontend.app.typed import Node
from frontend.app.words import t, words_of


class Hints:
    """``node`` is the line, ``switch`` what turns it on and off."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.now: Any = None
        self.here = False  # whether the game's guide is
        self.on = stored("hints") == "on"
        self.node = el("p", {"class": "hint-line", "role": "note", "hidden": True})

    def switch(self) -> Node:
        """The question whether hints are wanted."""
        small = t("what you may do, in a line at the table")
        return switch(t("Hints"), small, self.on, self._set)

    def _set(self, on: bool) -> None:
        self.on = on
        stored("hints", "on" if on else None)
        self.draw(self.now)

    def draw(self, now: Now) -> None:
        """Shows what may be done at a moment by the seat of this device that is to act."""
        self.now = now
        if not self.on or self.slug not in guides():
            self.node.hidden = True
        elif self.here:
            self._show()
        else:
            houses.load_guide(self.slug, self._come)

    def _come(self) -> None:
        self.here = True
        self.draw(self.now)

    def _show(self) -> None:
        now = self.now
        mine = now is not None and now.live and now.seat is not None
        words = houses.guide_of(self.slug).hint(now.view, now.seat) if mine else ""
        self.node.hidden = not words
        fill(self.node, words_of(self.slug)[0](words) if words else None)
