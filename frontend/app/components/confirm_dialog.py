"""A sheet that asks for confirmation."""

from typing import Any

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, row, stack
from frontend.app.core.types import Action, DomEvent


class ConfirmDialog:
    """A sheet that asks before something irreversible; calls ``then()`` when confirmed."""

    def __init__(
        self, title: str, paragraphs: Any, yes_label: Any, no_label: Any, then: Action
    ) -> None:
        def on_yes(_event: DomEvent) -> None:
            sheet.close()
            then()

        no = button(no_label, lambda _e: sheet.close(), "primary grow")
        yes = button(yes_label, on_yes, "grow")
        text = [el("p", {}, part) for part in paragraphs]
        sheet = Sheet(title, stack(text, row(no, yes)))
        sheet.open_once()
