"""The position as text, for players who cannot see the board; generated when it is opened.

`Screen.describe_position` returns it as ``[(heading, [line])]``, with the same place names as the
list of moves.
"""

from collections.abc import Callable
from typing import Any

from frontend.app.components.sheet import Sheet
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.core.dom import button, el, fill
from frontend.app.core.i18n import t
from frontend.app.core.types import Node


class ScreenReaderView:
    """The sheet with the position as text, and its button, which is visible on keyboard focus."""

    def __init__(self, screen: Screen, get_view_model: Callable[[], ViewModel]) -> None:
        self.screen = screen
        self.get_view_model = get_view_model
        self.content = el("div", {"class": "reading"})
        self.sheet = Sheet(t("turn.board_as_text"), self.content)
        self.button = button(t("turn.read_board"), lambda _e: self.open(), "reader")

    def open(self) -> None:
        """Open the sheet with the text of the moment shown."""
        fill(
            self.content,
            [_section(*part) for part in self.screen.describe_position(self.get_view_model())],
        )
        self.sheet.open()


def _section(heading: Any, lines: Any) -> Node:
    return el("section", {}, el("h3", {}, heading), el("ul", {}, [el("li", {}, x) for x in lines]))
