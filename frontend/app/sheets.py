"""Sheets that slide over a page: the log, the list of moves, and others."""

from typing import Any

from _native import lay, lift, unlisten

from frontend.app.dom import button, el, listen
from frontend.app.typed import Does, DomEvent
from frontend.app.words import t


def over_the_page(dialog: Any) -> None:
    """Shows a dialog; "back" closes it instead of leaving the page."""
    if dialog.open:
        return
    layer = lay(lambda: dialog.close())

    def closed(_event: DomEvent) -> None:
        unlisten(ear)
        lift(layer)

    ear = listen(dialog, "close", closed)
    dialog.showModal()


class Sheet:
    """A dialog with a title, a body and a button to close it."""

    def __init__(self, title: str, content: Any) -> None:
        self.body = el("div", {"class": "sheet-body", "tabindex": "0"}, content)
        self.notices = el("div", {"class": "notices"})
        inner = el(
            "div",
            {"class": "sheet-inner"},
            el(
                "div",
                {"class": "sheet-bar"},
                el("h2", {}, title),
                button(t("Close"), lambda _e: self.close(), "round quiet", "i-close"),
            ),
            self.notices,
            self.body,
        )
        self.node = el(
            "dialog", {"class": "sheet", "aria-label": title, "onclick": self._outside}, inner
        )

    @property
    def is_open(self) -> bool:
        """Whether it is to be seen."""
        return bool(self.node.open)

    def open(self) -> None:
        """Shows it."""
        over_the_page(self.node)

    def on_close(self, does: Does) -> None:
        """Calls ``does()`` whenever it is put away, in whatever way."""
        listen(self.node, "close", lambda _event: does())

    def close(self) -> None:
        """Puts it away."""
        if self.is_open:
            self.node.close()

    def _outside(self, event: DomEvent) -> None:
        if event.target.tagName == "DIALOG":
            self.close()
