"""The row with what this device's seat has; a tap opens a legend of the signs and numbers."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from frontend.app.components.sheet import Sheet
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import button, el, fill, labelled, patch, picture
from frontend.app.core.i18n import t
from frontend.app.core.types import Node


class Fact(Struct, frozen=True):
    """A number of the row: its ``sign`` (the id of a symbol), ``text`` and accessible ``label``.

    ``limit``: what the number is out of, which the narrowest phones leave out.
    """

    sign: str
    text: str
    label: str
    limit: int | None = None
    kind: str = ""


class OwnRow:
    """The row (``node``), hidden for spectators, and the legend that it opens.

    ``legend()`` returns the entries of the legend: a sign and what it means.
    """

    def __init__(
        self, host: ScreenHost, legend: Callable[[], Sequence[tuple[Node | None, str]]]
    ) -> None:
        self.host = host
        self.legend = legend
        self.sheet: Sheet | None = None
        self.row = el("button", {"type": "button", "class": "own-row", "onclick": self._open})
        self.node = el("div", {"hidden": True}, self.row)
        self.legend_button = button(t("legend.title"), self._open, "quiet")

    def seat(self, now: ViewModel) -> int | None:
        """Return the seat to show: that to act here, else the reader's; None for spectators."""
        if now.seat is not None:
            return now.seat
        match = self.host.match
        own = match.own_seats() if match.active_seat is None else [match.active_seat]
        return own[0] if own else None

    def draw(self, seat: int | None, facts: Sequence[Fact]) -> None:
        """Show the facts about a seat; None hides the row."""
        self.node.hidden = seat is None
        if seat is None:
            return
        patch(self.row, {"style": f"--tone:var(--seat-{seat})", "title": t("legend.title")})
        letter = self.host.match.letters[seat]
        fill(
            self.row,
            el("span", {"class": "seat-letter", "aria-hidden": "true"}, letter),
            el("span", {"class": "own-name"}, el("span", {}, self.host.match.short_name(seat))),
            [_fact_node(fact) for fact in facts],
            el("span", {"class": "hush"}, t("legend.title")),
        )

    def _open(self, _event: Any) -> None:
        if self.sheet is None:
            entries = [
                el("li", {}, el("span", {"class": "sign"}, sign), el("span", {}, meaning))
                for sign, meaning in self.legend()
            ]
            self.sheet = Sheet(t("legend.title"), el("ul", {"class": "sign-list"}, entries))
            self.host.root.append(self.sheet.node)
        self.sheet.open()


def _fact_node(fact: Fact) -> Node:
    return labelled(
        f"own-fact {fact.kind}",
        fact.label,
        picture(fact.sign, 18),
        el("span", {}, fact.text) if fact.text else None,
        el("span", {"class": "own-limit"}, f"/{fact.limit}") if fact.limit else None,
    )
