"""The place of the log and the chat: beside the board, or in a sheet on narrow screens."""

from collections.abc import Sequence

from _native import media_matches

from frontend.app.api import client
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data
from frontend.app.match.chat import Chat
from frontend.app.match.log import Log
from frontend.app.match.moment_view import MomentView
from frontend.app.match.offline_copy import OfflineCopy
from frontend.app.match.replay_controls import ReplayControls


class LogPanel:
    """The log and the chat; ``node``: their place beside the board; ``sheet``: the other place.

    ``is_beside``: whether they are beside the board, None before the first update.
    ``sync()`` requests the match from the service.
    """

    def __init__(
        self,
        context: MatchContext,
        moment_view: MomentView,
        replay: ReplayControls,
        offline_copy: OfflineCopy,
        sync: Action,
    ) -> None:
        self.context = context
        self.match = context.match
        self.moment_view = moment_view
        self.offline_copy = offline_copy
        self.is_beside: bool | None = None
        text_of = moment_view.host.screen.log_text
        self.log = Log(context.match, text_of, replay.jump_to, replay.step)
        self.node = el("section", {"class": "beside"}, el("h2", {}, t("log.title")))
        self.sheet = Sheet(t("log.title"), el("div", {}))
        self.chat = Chat(context, sync, lambda: self.sheet.is_open)
        moment_view.playback.moves_found.subscribe(self.log.mark_new)
        context.match_changed.subscribe(self._update)
        context.moment_changed.subscribe(self._mark)

    def open(self) -> None:
        """Open the sheet and scroll to the marked line."""
        self.sheet.open()
        self.chat.mark_read()
        self.log.reveal()

    def _update(self, _texts: Sequence[str]) -> None:
        """Add new lines, and move the log to the place for the current width."""
        self.log.update()
        is_beside = media_matches("(min-width: 900px)")
        if is_beside != self.is_beside:
            self.is_beside = is_beside
            home = self.node if is_beside else self.sheet.body
            home.append(self.chat.node, self.log.node)
        self._mark()
        if self.match.is_log_redacted and self.match.data["status"] == "finished":
            self.match.is_log_redacted = False
            client.get(self.context.address("/events", after=0), self._on_unredacted_events)

    def _mark(self, _view_model: ViewModel | None = None) -> None:
        self.log.mark(self.context.at, self.sheet.is_open or self.is_beside)

    def _on_unredacted_events(self, answer: Data) -> None:
        if not self.context.is_closed and len(answer["events"]) == self.match.version:
            self.match.replace_events(answer["events"])
            self.offline_copy.store_all()
            self.log.rebuild()
            self.moment_view.draw()
