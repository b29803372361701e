"""A sheet that asks for confirmation."""

from typing import Any

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, fill
from frontend.app.core.types import Action


class ConfirmDialog:
    """A sheet that asks before something irreversible; calls ``then()`` when confirmed."""

    def __init__(
        self, title: str, paragraphs: Any, yes_label: Any, no_label: Any, then: Action
    ) -> None:
        sheet = Sheet(title, None)

        def on_answer(agreed: bool) -> None:
            sheet.close()
            if agreed:
                then()

        no = button(no_label, lambda _e: on_answer(False), "primary grow")
        yes = button(yes_label, lambda _e: on_answer(True), "grow")
        parts = [*[el("p", {}, part) for part in paragraphs], el("div", {"class": "row"}, no, yes)]
        fill(sheet.body, el("div", {"class": "stack"}, parts))
        sheet.open_once()
