"""The generic screen: the view as text, and the legal moves.

In games with secrets, the text shows the spectators' view, and the seat's own view and moves are
under a cover.
"""

from collections.abc import Callable
from typing import Any

from frontend.app.api import client
from frontend.app.components.secret_panel import SecretPanel
from frontend.app.contract import game_screen
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.contract.model import KERNEL_EVENTS
from frontend.app.core.dom import button, el, fill
from frontend.app.core.i18n import join_list, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Choice, Data, Event, Node

MAX_CHOICE_BUTTONS = 40  # choices shown below the text; the list of moves contains all


class Screen(game_screen.Screen):
    """The generic screen, which displays views as nested lists."""

    MAX_LISTED_CHOICES = 500  # the maximum that the service allows

    def __init__(self, host: ScreenHost) -> None:
        super().__init__(host)
        self.now: Any = None
        self.public: Any = None
        self.asked: Any = None
        self.picture = el("div", {"class": "in-words", "tabindex": "0", "role": "region"})
        self.picture.setAttribute("aria-label", t("turn.board_as_text"))
        self.node = el("div", {"class": "board-area"}, self.picture)
        self.desk = ActionPanel(host, self._moves) if host.match.has_secrets else None
        self.panel = self.desk.node if self.desk else el("div", {"class": "desk"})

    def draw(self, view_model: ViewModel) -> None:
        """Draw a moment."""
        self.now = view_model
        if self.desk:
            self._ask()
            self.desk.draw(view_model)
            self.desk.handover.update(view_model, False)
        else:
            fill(self.picture, _value_node(view_model.view))
            fill(self.panel, self._moves())

    def describe_position(self, view_model: ViewModel) -> list[Any]:
        """Return the displayed view; in a game with secrets, the spectators' view."""
        return [(t("turn.visible"), [_value_node(self.public if self.desk else view_model.view)])]

    def move_of(self, event: Event) -> tuple[Any, ...] | None:
        """Return ``(seat, turn)`` for all events of the game, None for kernel events."""
        return None if event["type"] in KERNEL_EVENTS else (event["seat"], event["turn"])

    def _moves(self) -> Node:
        moves = [
            button(choice["label"], lambda _e, choice=choice: self._play(choice))
            for choice in self.now.choices[:MAX_CHOICE_BUTTONS]
        ]
        for group in self.now.unlisted_groups():
            text = t("turn.options_in_list", label=group["label"], count=group["count"])
            moves.append(el("p", {"class": "muted"}, text))
        return el("div", {"class": "moves"}, moves)

    def _play(self, choice: Choice) -> None:
        if self.desk:
            self.desk.cover.hide()
        self.host.play(choice["command"])

    # -- games with secrets --------------------------------------------------------------------

    def _ask(self) -> None:
        """Request the spectators' view of this moment and show it when it arrives."""
        wanted = (self.now.version, self.host.match.data["status"])
        if wanted == self.asked:
            return
        self.asked = wanted

        def on_answer(data: Data) -> None:
            if self.asked == wanted:
                self.public = data["view"]
                fill(self.picture, _value_node(self.public))

        def on_error(_problem: Problem) -> None:
            if self.asked == wanted:
                self.asked = None

        client.get(self.host.address("", seat=-1, at=wanted[0]), on_answer, on_error)


class ActionPanel(SecretPanel):
    """The seat's moves, as built by ``build_moves()``, and its view, both under a cover."""

    def __init__(self, host: ScreenHost, build_moves: Callable[[], Node]) -> None:
        super().__init__(host)
        self.build_moves = build_moves

    def content_key(self, now: ViewModel, seat: int | None) -> tuple[Any, ...]:
        commands = [choice["command"] for choice in now.choices[:MAX_CHOICE_BUTTONS]]
        return (now.version, str(commands))

    def build_secrets(self) -> list[Any]:
        return [self.build_moves(), el("div", {"class": "in-words"}, _value_node(self.now.view))]


def _value_node(value: Any) -> Node:
    if isinstance(value, dict):
        parts = []
        for name, part in value.items():
            parts.append(el("dt", {"translate": "no"}, name.replace("_", " ")))
            parts.append(el("dd", {}, _value_node(part)))
        return el("dl", {}, parts)
    if isinstance(value, tuple):
        if all(not isinstance(part, (dict, tuple)) for part in value):
            return join_list([_value_node(part) for part in value]) or t("format.none")
        return el("ul", {}, [el("li", {}, _value_node(part)) for part in value])
    if isinstance(value, bool):
        return t("format.yes") if value else t("format.no")
    return t("format.none") if value is None else str(value)
