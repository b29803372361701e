"""Forced moves: if there is only one legal move, the page plays it after a moment.

It never plays a move that draws or reveals something, that could not be undone freely, or that is
made while others choose as well; see `Screen.plays_itself` for the exceptions. A setting on the
device turns this off.
"""

from typing import Any

from _native import local_storage

from frontend.app.contract.context import MatchContext, Phase
from frontend.app.contract.game_screen import ViewModel
from frontend.app.contract.model import UNDO_EVENT_TYPES
from frontend.app.core import match_ids
from frontend.app.core.dom import after, announce, button, cancel, el, fill
from frontend.app.core.i18n import t
from frontend.app.core.types import Choice
from frontend.app.match.moment_view import MomentView
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.screen_host import MatchScreenHost
from frontend.app.match.sheets import Sheets

SETTING_KEY = "forced-moves"
"""The localStorage key of the setting; "off" turns forced moves off."""
DELAY_MS = 2000  # milliseconds for which the move is announced before it is played
REPORT_MS = 5000  # milliseconds for which the page says that it has played the move


def only_choice(view_model: ViewModel) -> Choice | None:
    """Return the only legal choice, or None if there are none or several."""
    count = sum([group["count"] for group in view_model.groups]) or len(view_model.choices)
    return view_model.choices[0] if count == 1 and view_model.choices else None


class ForcedMoves:
    """The announcement of a forced move (``node``), with buttons to play it now or to stop it.

    After the page has played the move, ``node`` says so for `REPORT_MS`.
    """

    def __init__(
        self,
        context: MatchContext,
        host: MatchScreenHost,
        move_queue: MoveQueue,
        moment_view: MomentView,
        sheets: Sheets,
    ) -> None:
        self.context = context
        self.match = context.match
        self.host = host
        self.move_queue = move_queue
        self.moment_view = moment_view
        self.sheets = sheets
        self.timer: Any = None
        self.stopped_version: int | None = None
        self.choice: Choice | None = None
        self.label = ""
        self.report_timer: Any = None
        self.text = el("span", {"class": "latest-text"})
        self.node = el("div", {"class": "forced", "hidden": True}, self.text)
        self.buttons = [
            button(t("turn.forced_now"), lambda _e: self._play()),
            button(t("turn.forced_stop"), lambda _e: self._stop(), "quiet"),
        ]
        self.node.append(*self.buttons)
        context.on_close(self._cancel)
        context.on_close(self._end_report)
        if not (match_ids.is_lesson(context.id) or match_ids.is_trial(context.id)):
            context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        """Announce the forced move of this moment, if there is one, in place of any earlier one."""
        self._cancel()
        if self._is_undone():
            self._end_report()
        if not self._may_play(view_model):
            return
        choice = only_choice(view_model)
        if choice is None or not self.host.screen.plays_itself(choice, view_model):
            return
        self._end_report()
        self.choice = choice
        self.label = self.host.screen.label(choice, view_model).rstrip(".")
        self._show(t("turn.forced", move=self.label), True)
        self.host.screen.highlight(choice)
        self.timer = after(DELAY_MS, self._play_unasked)

    def _show(self, words: str, with_buttons: bool) -> None:
        """Show and announce a text in place of the strip."""
        fill(self.text, words)
        announce(words)
        for each in self.buttons:
            each.hidden = not with_buttons
        self.node.hidden = False

    def _may_play(self, view_model: ViewModel) -> bool:
        """Return whether a move may be played by itself at this moment at all."""
        match = self.match
        return not (
            view_model.seat is None
            or not view_model.live
            or self.move_queue.queue
            or self.moment_view.playback.frame is not None
            or match.data["undo"].get("proposal")
            # After an undo the move would be played again at once.
            or self._is_undone()
            or match.version == self.stopped_version
            or local_storage(SETTING_KEY) == "off"
        )

    def _is_undone(self) -> bool:
        """Return whether the latest event is an undo or a redo."""
        match = self.match
        return match.events[match.version - 1]["type"] in UNDO_EVENT_TYPES

    def _cancel(self) -> None:
        cancel(self.timer)
        self.timer = None
        if self.choice is not None:
            self.host.screen.highlight(None)
        self.choice = None
        self.node.hidden = self.report_timer is None

    def _stop(self) -> None:
        self.stopped_version = self.match.version
        self._cancel()

    def _play_unasked(self) -> None:
        """Play the announced move and say so, unless a sheet is open: then wait until it closes."""
        if self.sheets.is_any_open():
            self.timer = after(DELAY_MS, self._play_unasked)
            return
        if self._play():
            self.report_timer = after(REPORT_MS, self._end_report)
            self._show(t("turn.forced_played", move=self.label), False)

    def _end_report(self) -> None:
        """Stop saying that a move was played."""
        if self.report_timer is not None:
            cancel(self.report_timer)
            self.report_timer = None
            self.node.hidden = True

    def _play(self) -> bool:
        """Play the announced move; return whether it was played."""
        choice = self.choice
        self._cancel()
        if choice is None or self.context.phase != Phase.MOUNTED:
            return False
        self.host.commit(self.host.screen.command(choice))
        return True
