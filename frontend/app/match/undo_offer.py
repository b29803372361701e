"""The offer to undo to the earlier moment shown."""

from typing import Any

from _native import fill

from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import button, el, set_blocked_reason, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.types import Data
from frontend.app.match.moment_cache import MomentCache
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.replay_controls import ReplayControls
from frontend.app.match.undo_requests import UndoRequests

DECLINED_TEXT = t("undo.declined_wait")
WAITING_TEXT = t("undo.request_pending")
LOADING_TEXT = t("undo.loading")

# The states of the offer.
HIDDEN = "hidden"  # at the current moment, while the replay plays, for spectators, after the end
LOADING = "loading"
REQUEST_PENDING = "request pending"
IMPOSSIBLE = "impossible"
DECLINED = "declined"
FREE = "free"
OPEN = "open"
CONSENT = "consent"

KIND_TEXTS = {FREE: t("undo.kind.free"), OPEN: t("undo.kind.open"), CONSENT: t("undo.kind.consent")}
"""What the undo takes, in the states in which it is possible."""
BLOCKED_TEXTS = {LOADING: "", REQUEST_PENDING: WAITING_TEXT, DECLINED: DECLINED_TEXT}
"""Why the undo is not possible, in states for which the service gives no reason."""


class UndoOffer:
    """The offer (``node``), with what the undo requires or why it is impossible."""

    def __init__(
        self,
        context: MatchContext,
        move_queue: MoveQueue,
        moment_cache: MomentCache,
        replay: ReplayControls,
        requests: UndoRequests,
    ) -> None:
        self.context = context
        self.match = context.match
        self.move_queue = move_queue
        self.moment_cache = moment_cache
        self.replay = replay
        self.requests = requests
        self.node = el("div", {"class": "go-back", "hidden": True})
        context.moment_changed.subscribe(lambda _view_model: self._update())
        context.match_changed.subscribe(lambda _texts: self._update())
        replay.play_changed.subscribe(self._update)
        requests.pause_ended.subscribe(self._update)

    def _update(self) -> None:
        at = self.context.at
        known: Any = None if at is None else self.moment_cache.undo_at(at)
        state = self._find_state(known)
        self.node.hidden = state == HIDDEN
        if at is None or state == HIDDEN:
            return
        if known is None:
            self.moment_cache.request(at, self._update)
        explanation: Any = known["reason"] if state == IMPOSSIBLE else BLOCKED_TEXTS.get(state)
        action = None
        if state in KIND_TEXTS:
            explanation = [el("b", {}, KIND_TEXTS[state] + ". "), known["reason"]]
            action = lambda _e: self._undo_to(known)  # noqa: E731
        label = t("undo.ask_to_here") if state in (CONSENT, DECLINED) else t("undo.to_here")
        undo_button = button(label, action, sign="i-undo")
        set_blocked_reason(undo_button, None if action else explanation or LOADING_TEXT)
        fill(self.node, undo_button, el("p", {}, explanation))

    def _find_state(self, known: Any) -> str:
        """Return the state; ``known``: the service's data about the undo, None if not loaded."""
        can = self.match.data["status"] == "playing" and self.match.own_seats()
        if self.context.at is None or self.replay.timer is not None or not can:
            return HIDDEN
        if known is None:
            return LOADING
        if known.get("proposal"):
            return REQUEST_PENDING
        if known["kind"] is None:
            return IMPOSSIBLE
        if known["kind"] == CONSENT and self.requests.was_declined():
            return DECLINED
        return str(known["kind"])

    def _undo_to(self, known: Data) -> None:
        self.replay.show_present()
        self.move_queue.undo_to(known["seat"], known["step"], _on_undone)


def _on_undone(match: Data) -> None:
    if match["undo"].get("proposal") is None:
        more = t("undo.can_redo") if match.get("redo") else ""
        toast(join_sentences([t("undo.done"), more]), 4)
