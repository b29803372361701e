"""What a game's screen may ask of the match page; see `ScreenHost`."""

from collections.abc import Callable, Sequence
from typing import Any

from _native import explain

from domain.contract.game import IllegalMove
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Command
from frontend.app.match.confirm_move import ConfirmMove
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.own_undo import OwnUndo


class MatchScreenHost:
    """The host of a game's screen (``screen``), and the node of the page (``root``).

    For ``take_back``, ``sync`` and ``address`` see `ScreenHost`.
    """

    shown: ViewModel
    """The moment shown, once one was drawn."""

    def __init__(
        self,
        context: MatchContext,
        screen_class: type[Screen],
        move_queue: MoveQueue,
        own_undo: OwnUndo,
        sync: Callable[[], None],
    ) -> None:
        self.match = context.match
        self.path = context.path
        self.listeners = context.listeners
        self.move_queue = move_queue
        self.root = el("main", {"class": "game"})
        self.confirm_move = ConfirmMove(context, move_queue)
        self.take_back = own_undo.take_back
        self.sync = sync
        self.address = context.address
        context.moment_changed.subscribe(self._on_moment)
        self.screen = screen_class(self)

    def _on_moment(self, view_model: ViewModel) -> None:
        self.shown = view_model

    # -- actions -------------------------------------------------------------------------------

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play moves, asking for confirmation first if undoing them would need consent.

        ``final``: the screen knows that these moves cannot be undone freely; ignored if this device
        holds all human seats.
        """
        if (final and not self.match.is_alone) or self._is_final(commands):
            self.confirm_move.ask(self._question(commands[-1]), lambda: self.commit(*commands))
        else:
            self.commit(*commands)

    def commit(self, *commands: Command) -> None:
        """Play moves without asking for confirmation."""
        self.move_queue.commit(commands, self._refusal_name(commands[-1]))

    def _is_final(self, commands: Sequence[Command]) -> bool:
        seat = self.match.seat_to_act()
        if seat is None or (self.match.rules is None and self.move_queue.queue):
            return False
        if self.match.rules is None:
            return any(self._is_marked_final(command) for command in commands)
        try:
            return self.match.is_final(seat, commands)
        except IllegalMove:
            return False  # a double tap: the move is no longer legal

    def _is_marked_final(self, command: Command) -> bool:
        """Return whether the service marked a command as final."""
        for choice in self.match.server_choices:
            if choice["command"] == command:
                return bool(choice["final"])
        for group in self.match.server_groups:
            for each in group["ranges"]:
                if {**each["command"], each["field"]: command.get(each["field"])} == command:
                    return bool(each["final"])
        return False

    def _question(self, command: Command) -> str:
        """Return the label of the confirm button; generic if the command is secret or unlisted."""
        label = "" if self.screen.is_secret_command(command) else self._label(command)
        return label or t("turn.confirm_yes")

    def _refusal_name(self, command: Command) -> str:
        """Return the name of a move for the refusal message (see `outbox.REFUSAL_TEXTS`).

        The name is generic in games with secrets and for moves without a label.
        """
        label = "" if self.match.has_secrets else self._label(command)
        return t("format.quoted", label=label) if label else "choice"

    def _label(self, command: Command) -> str:
        """Return the label of a command, or "" if it is not among the listed choices."""
        for choice in self.shown.choices:
            if self.screen.command(choice) == command:
                return self.screen.label(choice, self.shown).rstrip(".")
        return ""

    # -- texts --------------------------------------------------------------------------------

    def show_refusal(self, attempt: Any) -> None:
        """Explain why the rules forbid ``attempt``, a command or a check to call, if they do."""
        text = self.match.refusal(attempt)
        if text:
            explain(text)

    def idle_reason(self, view_model: ViewModel) -> str:
        """Return why this device cannot act at a moment; "" if it can, or if no game is running."""
        if self.match.data["status"] != "playing" or (
            view_model.live and view_model.seat is not None
        ):
            return ""
        if not view_model.live:
            return t("turn.earlier_move")
        if self.match.data.get("lost") and not self.match.own_seats():
            return t("seat.bot_plays_hint")
        if not self.match.own_seats():
            return t("turn.watching")
        return t("error.not_your_turn")
