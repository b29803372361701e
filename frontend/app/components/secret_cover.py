"""A cover over one player's secrets, so that a phone lying on the table shows none of them.

Press and hold to show them while the finger stays down. A tap shows them until the next tap, until
`IDLE` milliseconds pass without input, or until the page is hidden. Covered content is not in the
DOM at all.
"""

from collections.abc import Callable
from typing import Any

from _native import hidden, lay, lift

from frontend.app.components.sheet import Sheet
from frontend.app.contract.game_screen import Host
from frontend.app.core.dom import after, button, cancel, el, fill, listen
from frontend.app.core.i18n import t
from frontend.app.core.types import Does, DomEvent, Node

HOLD = 350  # milliseconds from which a tap counts as a long press
IDLE = 20_000  # milliseconds without input until an open cover closes


def guard_moves(sheet: Sheet, moves: Node, ears: list[int]) -> None:
    """Empty the list of moves when its sheet closes, and close the sheet when the page is hidden.

    The list reveals what a player holds.
    """

    def sight(_event: DomEvent) -> None:
        if hidden():
            sheet.close()

    listen(sheet.node, "close", lambda _event: fill(moves))
    ears.append(listen("document", "visibilitychange", sight))


class Cover:
    """A cover with its button.

    ``made()`` returns the covered nodes; ``label()`` the text of the button while closed;
    ``changed()`` is called after the cover was opened or closed.
    """

    def __init__(
        self, host: Host, label: Callable[[], str], made: Callable[[], Any], changed: Does
    ) -> None:
        self.match = host.match
        self.label = label
        self.made = made
        self.changed = changed
        self.open = False
        self.since: float | None = None
        """Time stamp of the pointerdown event that is still held on the button, or None.

        Measured by the clock of the events: building the covered nodes may be slow, and must not
        turn a tap into a long press.
        """
        self.idle: Any = None
        self.layer: Any = None
        self.button = button("", None, "cover-button", "i-eye")
        self.inside = el("div", {"class": "covered"})
        self.node = el("div", {"class": "cover"}, self.button, self.inside)
        listen(self.button, "pointerdown", self._down)
        listen(self.button, "click", self._key)
        listen(self.button, "contextmenu", lambda event: event.preventDefault())
        for name in ("pointerdown", "input", "keydown"):
            listen(self.inside, name, self._touched)
        for target, name, does in (
            ("document", "pointerup", self._up),
            ("document", "pointercancel", self._scrolled),
            ("document", "visibilitychange", self._sight),
            ("window", "pagehide", self._gone),
        ):
            host.ears.append(listen(target, name, does))
        self.draw()

    def draw(self) -> None:
        """Update the button, and rebuild the covered nodes if the cover is open."""
        self.tell()
        self.button.setAttribute("aria-expanded", "true" if self.open else "false")
        fill(self.inside, *(self.made() if self.open else ()))

    def tell(self) -> None:
        """Update the text of the button."""
        fill(self.button.lastChild, t("Hide") if self.open else self._closed())

    def _closed(self) -> str:
        """Return the text while closed; with the seat's name if the device holds several seats."""
        seat = self.match.in_hand
        if seat is None or len(self.match.held()) < 2:
            return self.label()
        return t("{name}: {label}", name=self.match.names[seat], label=self.label())

    def show(self) -> None:
        """Open the cover."""
        if not self.open:
            self.open = True
            self._touched(None)
            self.draw()
            self.changed()

    def hide(self) -> None:
        """Close the cover and remove the covered nodes from the DOM."""
        if self.idle is not None:
            cancel(self.idle)
            self.idle = None
        if self.layer is not None:
            lift(self.layer)
            self.layer = None
        if self.open:
            self.open = False
            self.draw()
            self.changed()

    def _touched(self, _event: DomEvent) -> None:
        if self.idle is not None:
            cancel(self.idle)
        self.idle = after(IDLE, self.hide)

    def _down(self, event: DomEvent) -> None:
        if event.button > 0:
            return
        if self.open:
            self.hide()
            return
        self.since = event.timeStamp
        self.show()

    def _up(self, event: DomEvent) -> None:
        if self.since is None:
            return
        began, self.since = self.since, None
        if event.timeStamp - began >= HOLD:
            self.hide()
        else:
            self._stay()

    def _stay(self) -> None:
        """Keep the cover open until it is closed; the browser's Back closes it too."""
        if self.open and self.layer is None:
            self.layer = lay(self.hide)

    def _scrolled(self, _event: DomEvent) -> None:
        """Close the cover: the touch turned out to scroll the page."""
        if self.since is not None:
            self._gone(None)

    def _key(self, event: DomEvent) -> None:
        """Toggle the cover on a click without a pointer: from the keyboard or a screen reader."""
        if event.detail == 0:
            if self.open:
                self.hide()
            else:
                self.show()
                self._stay()

    def _sight(self, _event: DomEvent) -> None:
        if hidden():
            self._gone(None)

    def _gone(self, _event: DomEvent) -> None:
        self.since = None
        self.hide()
