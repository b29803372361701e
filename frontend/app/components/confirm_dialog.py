"""A sheet that asks for confirmation."""

from typing import Any

from _native import fill, listen

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, by_id, el
from frontend.app.core.types import Does


class Question:
    """A sheet that asks before something irreversible; ``then()`` runs on "yes"."""

    def __init__(self, title: str, words: Any, yes: Any, no: Any, then: Does) -> None:
        sheet = Sheet(title, None)

        def answered(agreed: bool) -> None:
            sheet.close()
            if agreed:
                then()

        fill(
            sheet.body,
            el(
                "div",
                {"class": "stack"},
                [el("p", {}, part) for part in words],
                el(
                    "div",
                    {"class": "row"},
                    button(no, lambda _e: answered(False), "primary grow"),
                    button(yes, lambda _e: answered(True), "grow"),
                ),
            ),
        )
        listen(sheet.node, "close", lambda _e: sheet.node.remove())
        by_id("app").append(sheet.node)
        sheet.open()
