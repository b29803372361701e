"""Sheets: dialogs that slide over a page, such as the log and the list of moves."""

from typing import Any

from _native import pop_overlay, push_overlay, remove_listener

from frontend.app.core.dom import add_listener, button, by_id, el
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, DomEvent


def show_modal(dialog: Any) -> None:
    """Show a modal dialog; the Back button closes it instead of leaving the page.

    Does nothing if the dialog is already open.
    """
    if dialog.open:
        return
    if not dialog.hasAttribute("data-overlay"):
        _register_overlay(dialog)
    dialog.showModal()


def _register_overlay(dialog: Any) -> None:
    """Give a dialog an overlay until it is closed.

    A browser sends the event of a closed dialog a little later. A dialog opened again by then keeps
    its overlay, which that event would end otherwise.
    """
    dialog.setAttribute("data-overlay", "")

    def close() -> None:
        dialog.removeAttribute("data-overlay")
        dialog.close()

    def on_close(_event: DomEvent) -> None:
        if not dialog.open:
            dialog.removeAttribute("data-overlay")
            remove_listener(ear)
            pop_overlay(layer)

    layer = push_overlay(close)
    ear = add_listener(dialog, "close", on_close)


class Sheet:
    """A dialog with a title, a body and a close button."""

    def __init__(self, title: str, content: Any) -> None:
        self.body = el("div", {"class": "sheet-body", "tabindex": "0"}, content)
        self.banners = el("div", {"class": "notices"})
        close = button(t("common.close"), lambda _e: self.close(), "round quiet", "i-close")
        bar = el("div", {"class": "sheet-bar"}, el("h2", {}, title), close)
        inner = el("div", {"class": "sheet-inner"}, bar, self.banners, self.body)
        given = {"class": "sheet", "aria-label": title, "onclick": self._on_backdrop}
        self.node = el("dialog", given, inner)

    @property
    def is_open(self) -> bool:
        """Whether the sheet is shown."""
        return bool(self.node.open)

    def open(self) -> None:
        """Show the sheet."""
        show_modal(self.node)

    def open_once(self) -> None:
        """Add the sheet to the page and show it; it is removed again when it is closed."""
        by_id("app").append(self.node)
        self.on_close(lambda: self.node.remove())
        self.open()

    def on_close(self, action: Action) -> None:
        """Call ``action()`` whenever the sheet is closed, however that happens."""
        add_listener(self.node, "close", lambda _event: action())

    def close(self) -> None:
        """Close the sheet."""
        if self.is_open:
            self.node.close()

    def _on_backdrop(self, event: DomEvent) -> None:
        if event.target.tagName == "DIALOG":
            self.close()
