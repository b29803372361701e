"""A cover that hides a player's secrets, so that a phone lying on the table shows none of them.

A long press shows them while the finger is down. A tap shows them until the next tap, until
`IDLE_TIMEOUT_MS` milliseconds pass without input, until Back is pressed, or until the page is
hidden. Covered content is not in the DOM.

Against bots there is no cover: nobody else shares the table.
"""

from collections.abc import Callable
from typing import Any

from _native import is_page_hidden, pop_overlay, push_overlay

from frontend.app.components.sheet import Sheet
from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import add_listener, after, button, cancel, el, fill, patch
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent, Node

LONG_PRESS_MS = 350  # minimum duration of a long press
IDLE_TIMEOUT_MS = 20_000  # time without input after which an open cover closes


def cover_move_list(sheet: Sheet, moves: Node, listeners: list[int]) -> None:
    """Empty the list of moves when its sheet closes, and close the sheet when the page is hidden.

    The list would reveal what a player holds.
    """

    def on_visibility_change(_event: DomEvent) -> None:
        if is_page_hidden():
            sheet.close()

    add_listener(sheet.node, "close", lambda _event: fill(moves))
    listeners.append(add_listener("document", "visibilitychange", on_visibility_change))


class Cover:
    """A cover and its toggle button.

    The content is visible while the cover is "open", against bots always. ``build_content()``
    returns the covered nodes, ``label()`` the button's text while closed; ``on_change(is_open)`` is
    called after each change.
    """

    def __init__(
        self,
        host: ScreenHost,
        label: Callable[[], str],
        build_content: Callable[[], Any],
        on_change: Callable[[bool], object],
    ) -> None:
        self.match = host.match
        self.label = label
        self.build_content = build_content
        self.on_change = on_change
        self.open = False
        self.pressed_at: float | None = None
        """Timestamp of the pointerdown event while the button is held, or None.

        Durations are measured between event timestamps, because building the covered nodes may be
        slow and must not turn a tap into a long press.
        """
        self.idle_timer: Any = None
        self.overlay: Any = None
        self.button = button("", None, "cover-button", "i-eye")
        self.inside = el("div", {"class": "covered"})
        self.node = el("div", {"class": "cover"})
        add_listener(self.button, "pointerdown", self._on_pointer_down)
        add_listener(self.button, "click", self._on_click)
        add_listener(self.button, "contextmenu", lambda event: event.preventDefault())
        for name in ("pointerdown", "input", "keydown"):
            add_listener(self.inside, name, self._restart_idle_timer)
        for target, name, does in (
            ("document", "pointerup", self._on_pointer_up),
            ("document", "pointercancel", self._on_pointer_cancel),
            ("document", "visibilitychange", self._on_visibility_change),
            ("window", "pagehide", self._close_now),
        ):
            host.listeners.append(add_listener(target, name, does))

    @property
    def is_bare(self) -> bool:
        """Whether there is no cover, because this device's seat plays against bots only."""
        return self.match.is_against_bots

    def draw(self) -> None:
        """Update the button, and rebuild the covered nodes if the cover is open."""
        bare = self.is_bare
        if bare and not self.open:
            self.open = True
            self.on_change(True)
        parts = (self.inside,) if bare else (self.button, self.inside)
        if self.node.children.length != len(parts):
            patch(self.node, {"class": "bare" if bare else "cover"})
            fill(self.node, *parts)
        self.update_label()
        self.button.setAttribute("aria-expanded", "true" if self.open else "false")
        fill(self.inside, *(self.build_content() if self.open else ()))

    def update_label(self) -> None:
        """Update the text of the button."""
        fill(self.button.lastChild, t("common.hide") if self.open else self._closed_label())

    def _closed_label(self) -> str:
        """Return the text while closed, with the seat's name if the device holds several seats."""
        seat = self.match.active_seat
        if seat is None or len(self.match.own_seats()) < 2:
            return self.label()
        return t("seat.cover_label", name=self.match.names[seat], label=self.label())

    def show(self) -> None:
        """Show the covered content."""
        if not self.open:
            self.open = True
            self._restart_idle_timer(None)
            self.draw()
            self.on_change(True)

    def hide(self) -> None:
        """Hide the covered content and remove it from the DOM."""
        cancel(self.idle_timer)
        if self.overlay is not None:
            pop_overlay(self.overlay)
            self.overlay = None
        if self.open and not self.is_bare:
            self.open = False
            self.draw()
            self.on_change(False)

    def _restart_idle_timer(self, _event: DomEvent) -> None:
        cancel(self.idle_timer)
        self.idle_timer = after(IDLE_TIMEOUT_MS, self.hide)

    def _on_pointer_down(self, event: DomEvent) -> None:
        if event.button > 0:
            return
        if self.open:
            self.hide()
            return
        self.pressed_at = event.timeStamp
        self.show()

    def _on_pointer_up(self, event: DomEvent) -> None:
        if self.pressed_at is None:
            return
        began, self.pressed_at = self.pressed_at, None
        if event.timeStamp - began >= LONG_PRESS_MS:
            self.hide()
        else:
            self._keep_open()

    def _keep_open(self) -> None:
        """Keep the cover open after the tap; the browser's Back button closes it, too."""
        if self.open and self.overlay is None:
            self.overlay = push_overlay(self.hide)

    def _on_pointer_cancel(self, _event: DomEvent) -> None:
        """Close the cover if it was being held: the touch turned into a scroll."""
        if self.pressed_at is not None:
            self._close_now(None)

    def _on_click(self, event: DomEvent) -> None:
        """Toggle the cover on a click without a pointer, from the keyboard or a screen reader."""
        if event.detail == 0 and self.open:
            self.hide()
        elif event.detail == 0:
            self.show()
            self._keep_open()

    def _on_visibility_change(self, _event: DomEvent) -> None:
        if is_page_hidden():
            self._close_now(None)

    def _close_now(self, _event: DomEvent) -> None:
        self.pressed_at = None
        self.hide()
