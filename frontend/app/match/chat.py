"""Match chat: the input field above the log, and toasts for messages from other players."""

from collections.abc import Callable, Sequence

from _native import media_matches

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import el, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.signal import Signal
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Data, DomEvent, Event

MAX_MESSAGE_CHARS = 500
"""Maximum length of a message in characters; the same as in the service."""
MESSAGE_TOAST_S = 8
"""Seconds for which the toast of a message is shown."""


class Chat:
    """The chat form (``node``), shown to players if people on other devices play too.

    ``sync()`` requests the match from the service; ``is_log_open()`` returns whether the log sheet
    is open, which also shows messages. ``has_unread``: whether a message came that was only shown
    as a toast; ``unread_changed()`` is emitted when that changes.
    """

    def __init__(
        self, context: MatchContext, sync: Action, is_log_open: Callable[[], bool]
    ) -> None:
        self.context = context
        self.sync = sync
        self.is_log_open = is_log_open
        self.flight = SingleFlight()
        self.seen_version = context.match.version
        self.has_unread = False
        self.unread_changed = Signal()
        field = {
            "type": "text",
            "name": "say",
            "maxlength": MAX_MESSAGE_CHARS,
            "autocomplete": "off",
        }
        attributes = {
            "aria-label": t("chat.message_everyone"),
            "placeholder": t("chat.placeholder"),
        }
        self.line = el("input", {**field, **attributes, "enterkeyhint": "send"})
        send = el("button", {"type": "submit", "class": "button"}, t("chat.send"))
        self.node = el("form", {"class": "talk", "onsubmit": self._on_submit}, self.line, send)
        self._update_form()
        context.match_changed.subscribe(self._on_match_changed)

    def _on_match_changed(self, _texts: Sequence[str]) -> None:
        self._update_form()
        events = self.context.match.events
        self._show_new_messages(events[self.seen_version :])
        self.seen_version = len(events)

    def _update_form(self) -> None:
        """Show the form if this device holds a seat and another person plays on another device."""
        people = [seat for seat in self.context.match.data["seats"] if seat["kind"] == "human"]
        elsewhere = any(not seat["you"] for seat in people)
        self.node.hidden = not (elsewhere and self.context.match.own_seats())

    def _show_new_messages(self, events: list[Event]) -> None:
        """Show new messages from other players as toasts, unless the log is visible."""
        if media_matches("(min-width: 900px)") or self.is_log_open():
            return
        held = self.context.match.own_seats()
        for event in events:
            if event["type"] == "Said" and event["data"]["seat"] not in (None, *held):
                toast(event["text"], MESSAGE_TOAST_S)
                self._set_unread(True)

    def mark_read(self) -> None:
        """Note that the log, which has all messages, is open."""
        self._set_unread(False)

    def _set_unread(self, has_unread: bool) -> None:
        if has_unread != self.has_unread:
            self.has_unread = has_unread
            self.unread_changed.emit()

    def _on_submit(self, event: DomEvent) -> None:
        event.preventDefault()
        text = str(self.line.value).strip()
        if not text or self.flight.is_running:
            self.line.focus()
            return
        match = self.context.match
        seat = match.own_seats()[0] if match.active_seat is None else match.active_seat
        body: Data = {"seat": seat, "text": text, "to": None}
        path = self.context.path + "/say"
        self.flight.run(client.send, (path, body), self._on_sent, show_problem)

    def _on_sent(self, _match: Data) -> None:
        self.line.value = ""
        self.sync()
