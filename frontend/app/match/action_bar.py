"""The buttons below the board: undo and redo, the lists, and, looking back, the way on."""

from collections.abc import Sequence

from frontend.app.components.share import share_link
from frontend.app.contract.context import MatchContext
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, fill, patch, set_blocked_reason
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node
from frontend.app.match.fork import ForkSheet, fork_button
from frontend.app.match.log_panel import LogPanel
from frontend.app.match.move_list import MoveList
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.next_table import NextTable
from frontend.app.match.own_undo import OwnUndo
from frontend.app.match.replay_controls import ReplayControls
from frontend.app.match.result import ResultSheet
from frontend.app.match.undo_offer import DECLINED_TEXT, WAITING_TEXT
from frontend.app.match.undo_requests import UndoRequests

UNSENT_TEXT = t("turn.unsent")


class ActionBar:
    """The buttons (``node``), and the sheet ``fork_sheet``."""

    def __init__(
        self,
        context: MatchContext,
        move_queue: MoveQueue,
        own_undo: OwnUndo,
        requests: UndoRequests,
        replay: ReplayControls,
        move_list: MoveList,
        log_panel: LogPanel,
        result: ResultSheet,
    ) -> None:
        self.context = context
        self.match = context.match
        self.move_queue = move_queue
        self.own_undo = own_undo
        self.requests = requests
        self.replay = replay
        self.move_list = move_list
        self.log_panel = log_panel
        self.result = result
        self.is_looking_back = False
        self.node = el("div", {"class": "actions"})
        self.log_button = button(
            t("log.title"), lambda _e: log_panel.open(), "round beside-not", "i-chat"
        )
        self.fork_sheet = ForkSheet(context.path, context.navigate)
        self.next_table = NextTable(context, lambda: bool(move_queue.queue), self._update)
        context.moment_changed.subscribe(lambda _view_model: self._update())
        context.match_changed.subscribe(self._on_match_changed)
        requests.pause_ended.subscribe(self._update)
        log_panel.chat.unread_changed.subscribe(self._mark_unread)

    def _on_match_changed(self, _texts: Sequence[str]) -> None:
        if self.context.at is not None:  # otherwise the moment is drawn
            self._update()

    def _update(self) -> None:
        was_looking_back, self.is_looking_back = self.is_looking_back, self.context.at is not None
        if was_looking_back and self.is_looking_back:
            return  # the buttons are the same at all earlier moments
        if self.is_looking_back:
            parts = self._looking_buttons()
        else:
            parts = [
                *self._live_buttons(),
                button(t("turn.all_moves"), lambda _e: self.move_list.open(), "round", "i-list"),
            ]
        fill(self.node, [*parts, self.log_button])

    def _mark_unread(self) -> None:
        """Mark the button that opens the log with the chat while a message is unread."""
        has_unread = self.log_panel.chat.has_unread
        name = t("log.unread") if has_unread else t("log.title")
        kind = "button round beside-not" + (" unread" if has_unread else "")
        patch(self.log_button, {"class": kind, "aria-label": name, "title": name})

    def _looking_buttons(self) -> list[Node]:
        now = button(t("history.back_to_latest"), lambda _e: self.replay.leave(), "primary")
        is_trial = match_ids.is_trial(self.context.id)
        return [now] if is_trial else [now, fork_button(lambda _e: self._fork())]

    def _live_buttons(self) -> list[Node]:
        if self.match.data["status"] == "finished":
            return [button(t("result.title"), lambda _e: self.result.open(), "primary")]
        if not self.match.own_seats():
            return []
        return [*self.next_table.link(), *self._undo_buttons(self.match.data["undo"])]

    def _fork(self) -> None:
        version = self.context.at
        if version is None:
            return
        match = self.match
        link = share_link(match.data, version, self.context.share_code)
        start = match.fork_version(version)
        where = t("fork.at_move", move=match.move_name(start))
        text = match.last_text(start)
        self.fork_sheet.open(match.data, start, where, text, link, is_earlier=start < version)

    # -- undo ----------------------------------------------------------------------------------

    def _undo_buttons(self, undo: Data) -> list[Node]:
        waiting = bool(self.move_queue.queue)
        kind = undo["kind"]
        can = (kind is not None and not undo.get("proposal")) or waiting
        turn = undo["turn"] if undo["turn"] != undo["step"] else None
        if kind == "consent" and not waiting:
            parts = self._ask_buttons(undo, turn, can)
        else:
            parts = self._step_buttons(undo, None if kind == "consent" else turn, can)
        # An unconfirmed move already rules out redo, although the service may still report it.
        if self.match.data.get("redo") and not waiting:
            parts.append(
                button(t("undo.redo"), lambda _e: self.move_queue.redo(), "round", "i-redo")
            )
        return parts

    def _step_buttons(self, undo: Data, turn: int | None, can: bool) -> list[Node]:
        """Build the buttons that undo the last step or the whole turn without asking others.

        ``undo``: the undo data of the match; ``turn``: the version before the turn, None for no
        turn button; ``can``: whether undo is currently possible.
        """
        reason = UNSENT_TEXT if self.move_queue.queue else undo["reason"]
        step = button(
            t("undo.step"),
            lambda _e: self.own_undo.take_back(),
            sign="i-undo",
            disabled=not can and not reason,
            title=reason,
        )
        set_blocked_reason(step, None if can else reason)
        if not can or turn is None:
            return [step]
        label = t(self.replay.turn_labels["undo"])
        return [step, button(label, lambda _e: self.own_undo.take_back(turn))]

    def _ask_buttons(self, undo: Data, turn: int | None, can: bool) -> list[Node]:
        """Build the buttons that ask the other players to undo the whole turn or the last step.

        ``undo``: the undo data of the match; ``turn``: the version before the turn, None if the
        turn is a single step; ``can``: whether a request is currently possible.
        """
        quiet = self.requests.was_declined()
        why = DECLINED_TEXT if quiet else undo["reason"]
        barred = DECLINED_TEXT if quiet else None if can else WAITING_TEXT
        ask = self.replay.turn_labels["ask"]
        whole = button(
            t(ask) if turn is not None else t("undo.ask_step"),
            lambda _e: self.own_undo.take_back(turn),
            sign="i-undo",
            title=why,
        )
        set_blocked_reason(whole, barred)
        if turn is None:
            return [whole]
        step = button(t("undo.ask_only_step"), lambda _e: self.own_undo.take_back(), title=why)
        return [whole, set_blocked_reason(step, barred)]
