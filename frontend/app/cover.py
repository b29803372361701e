"""A cover over what only one player may see, so that a phone laid down shows nothing secret.

Press and hold to look for as long as the finger stays; a tap opens it until it is tapped again,
until nobody has touched it for a while, or until the page is out of sight. What is covered is not
in the page at all.
"""

from collections.abc import Callable
from typing import Any

from _native import hidden, lay, lift

from frontend.app.dom import after, button, cancel, el, fill, listen
from frontend.app.games import Host
from frontend.app.sheets import Sheet
from frontend.app.typed import Does, DomEvent, Node
from frontend.app.words import t

HOLD = 350  # milliseconds that make a press of a tap
IDLE = 20_000  # and that an open cover waits to be touched


def guard_moves(sheet: Sheet, moves: Node, ears: list[int]) -> None:
    """The list of moves tells what one holds: closed it is empty, out of sight it closes."""

    def sight(_event: DomEvent) -> None:
        if hidden():
            sheet.close()

    listen(sheet.node, "close", lambda _event: fill(moves))
    ears.append(listen("document", "visibilitychange", sight))


class Cover:
    """``made()`` gives the nodes under the cover; ``label()`` the words on it while it is closed;
    ``changed()`` is called when it was opened or closed."""

    def __init__(
        self, host: Host, label: Callable[[], str], made: Callable[[], Any], changed: Does
    ) -> None:
        self.match = host.match
        self.label = label
        self.made = made
        self.changed = changed
        self.open = False
        self.since: float | None = None
        """When the finger came down that is still on the button, by the clock of the events: that
        what lies under the cover takes long to make does not lengthen a tap."""
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
        """Says on the button what it does, and makes what is under the cover when it is open."""
        self.tell()
        self.button.setAttribute("aria-expanded", "true" if self.open else "false")
        fill(self.inside, *(self.made() if self.open else ()))

    def tell(self) -> None:
        """Says on the button what it does now."""
        fill(self.button.lastChild, t("Hide") if self.open else self._closed())

    def _closed(self) -> str:
        """What a touch does; where several share a device, whose secrets these are."""
        seat = self.match.in_hand
        if seat is None or len(self.match.held()) < 2:
            return self.label()
        return t("{name}: {label}", name=self.match.names[seat], label=self.label())

    def show(self) -> None:
        """Opens it."""
        if not self.open:
            self.open = True
            self._touched(None)
            self.draw()
            self.changed()

    def hide(self) -> None:
        """Closes it; nothing that was under it stays in the page."""
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
        """It stays open until it is shut; "back" shuts it too."""
        if self.open and self.layer is None:
            self.layer = lay(self.hide)

    def _scrolled(self, _event: DomEvent) -> None:
        """The finger only moved the page."""
        if self.since is not None:
            self._gone(None)

    def _key(self, event: DomEvent) -> None:
        """A click without a pointer: the keyboard, or a reader of the screen."""
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
