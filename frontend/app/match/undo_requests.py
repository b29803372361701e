"""Undo requests: the banner that shows a pending one or the outcome of this device's latest one.

The service decides what an undo covers and whether it needs consent.
"""

from typing import Any

from _native import fill, scroll_into_view

from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.model import KERNEL_EVENTS
from frontend.app.core.dom import after, button, el, notice, row
from frontend.app.core.i18n import join_and, t
from frontend.app.core.signal import Signal
from frontend.app.core.types import Data, Event, Node
from frontend.app.match.move_queue import MoveQueue
from frontend.app.match.replay_controls import ReplayControls
from frontend.app.match.sheets import Sheets

SIDE_EVENT_TYPES = (
    *("Said", "TimeRanOut", "WentAway", "CameBack", "Voted"),
    *("ReturnRequested", "ReturnAnswered"),
    *("SeatRecovered", "RecoveryAsked", "RecoveryAnswered", "RecoveryBegan", "RecoveryEnded"),
)
"""Types of events outside the game, which do not close a pending undo request."""
DECLINED_PAUSE_MS = 60_000  # milliseconds before a declined request can be repeated

# The states of the banner.
NOTHING = "nothing"
ASKED = "asked"  # another player's request, which this device has yet to answer
REQUESTED = "requested"  # this device's own request
OBSERVED = "observed"  # another player's request that this device need not answer
DECIDED = "decided"  # the outcome of this device's latest request, until it is dismissed


class UndoRequests:
    """The undo requests of one match.

    ``banner``: the node above the match; the same banner is shown in all sheets.
    ``pause_ended()``: emitted when a declined request can be repeated.
    """

    def __init__(
        self, context: MatchContext, move_queue: MoveQueue, replay: ReplayControls, sheets: Sheets
    ) -> None:
        self.context = context
        self.match = context.match
        self.move_queue = move_queue
        self.replay = replay
        self.sheets = sheets
        self.pause_ended = Signal()
        self.dismissed_version = 0
        self.shown: Any = None
        self.outcome_cache: tuple[Any, ...] = (None, None)
        self.pauses: dict[Any, Any] = {}
        self.banner = el("div", {})
        # On a small phone the banner is a narrow bar; this sheet shows the whole request.
        self.full_sheet = Sheet(t("undo.request_title"), el("div", {}))
        context.match_changed.subscribe(lambda _texts: self._update())

    def was_declined(self) -> bool:
        """Return whether this device's request was just declined, so it cannot be repeated yet.

        That lasts `DECLINED_PAUSE_MS` or until the next move. A withdrawn request does not count.
        """
        match = self.match
        version = None
        for event in reversed(match.events):
            if event["type"] == "UndoAnswered" and not event["data"]["accept"]:
                version = event["version"]
                break
            if event["type"] not in SIDE_EVENT_TYPES:
                break
        if version is None:
            return False
        asked = _latest_request(match.events[:version])
        if asked is None or asked["seat"] not in match.own_seats():
            return False
        if match.events[version - 1]["seat"] in match.own_seats():
            return False  # withdrawn by this device
        if version not in self.pauses:
            self.pauses[version] = True
            after(DECLINED_PAUSE_MS, lambda: self._end_pause(version))
        return self.pauses[version]

    def _end_pause(self, version: int) -> None:
        self.pauses[version] = False
        if not self.context.is_closed:
            self.pause_ended.emit()

    # -- banners -------------------------------------------------------------------------------

    def _update(self) -> None:
        """Show the state in all banners, if it has changed."""
        state, subject = self._find_state()
        if (state, subject) == self.shown:
            return
        self.shown = (state, subject)
        for slot in [self.banner, *[sheet.banners for sheet in self.sheets.all]]:
            fill(slot, self._build_banner(state, subject))
        if state in (NOTHING, DECIDED):
            self.full_sheet.close()
        if state != NOTHING:
            scroll_into_view(self.banner)

    def _find_state(self) -> tuple[str, Any]:
        """Return the state, and what it is about: a request, ``(text, version)`` or None."""
        request = self.match.data["undo"].get("proposal")
        held = self.match.own_seats()
        if request is None:
            outcome = self._request_outcome()
            return (DECIDED, outcome) if outcome else (NOTHING, None)
        if request["seat"] in held:
            return REQUESTED, request
        return (ASKED if self._voters(request) else OBSERVED), request

    def _voters(self, request: Data) -> list[int]:
        """Return this device's seats that have yet to answer a request."""
        return [seat for seat in request["waiting"] if seat in self.match.own_seats()]

    def _build_banner(self, state: str, subject: Any) -> Node | None:
        if state == NOTHING:
            return None
        if state == DECIDED:
            text, version = subject
            dismiss = button(t("common.ok"), lambda _e: self._dismiss(version))
            return notice(text, dismiss, role="alert")
        if state == ASKED:
            more = t("undo.request_hint", reason=subject["reason"])
        else:
            names = join_and([self.match.names[seat] for seat in subject["waiting"]])
            more = t("undo.waiting_for", names=names)
        text_node = el("span", {"class": "asked"}, self._request_text(subject))
        answer = button(t("undo.answer"), lambda _e: self.full_sheet.open(), "primary answer")
        return el(
            "div",
            {"class": "notice asking" + ("" if state == ASKED else " waiting"), "role": "alert"},
            el("span", {}, text_node, el("small", {}, more)),
            answer if state == ASKED else None,
            row(self._answer_buttons(state, subject)),
        )

    def _request_text(self, proposal: Data) -> str:
        """Return a sentence that says who asks to undo to which moment."""
        first_move, moment = self._first_undone(proposal["to_version"], proposal["seat"])
        if self.match.own_seats() == [proposal["seat"]]:
            if first_move:
                return t("undo.you_ask_before", told=first_move)
            return t("undo.you_ask_to", moment=moment)
        asker = self.match.names[proposal["seat"]]
        if first_move:
            return t("undo.asks_before", who=asker, told=first_move)
        return t("undo.asks_to", who=asker, moment=moment)

    def _answer_buttons(self, state: str, request: Data) -> list[Node]:
        """Build the buttons to answer, withdraw or look at a request."""
        answer = self.move_queue.answer_proposal
        version = request["to_version"]
        look = button(t("undo.view"), lambda _e: self.replay.jump_to(version), "quiet")
        if state == ASKED:
            seat = self._voters(request)[0]
            return [
                button(t("common.agree"), lambda _e: answer(seat, True), "primary"),
                button(t("common.decline"), lambda _e: answer(seat, False)),
                look,
            ]
        if state == REQUESTED:
            withdraw = button(t("common.cancel_request"), lambda _e: answer(request["seat"], False))
            return [withdraw, look]
        return [look]

    def _first_undone(self, version: int, asker: int) -> tuple[str, str]:
        """Return ``(text of the first move to be undone, "")``.

        If there is no such text, return ``("", name of the version)``. If the text starts with the
        name of the requesting seat ``asker``, an ellipsis replaces the name.
        """
        match = self.match
        for event in match.events[version:]:
            if event["type"] in KERNEL_EVENTS or event["version"] in match.undone_by:
                continue
            if event["text"] and event["seat"] is not None:
                text = event["text"].rstrip(".")
                asker_name = self.match.names[asker] + " "
                if event["seat"] == asker and text.startswith(asker_name):
                    text = "… " + text[len(asker_name) :]
                return text, ""
        return "", match.move_name(version)

    def _dismiss(self, version: int) -> None:
        self.dismissed_version = version
        self._update()

    def _request_outcome(self) -> Any:
        stamp = (self.match.version, self.dismissed_version, self.match.own_seats())
        if self.outcome_cache[0] != stamp:
            self.outcome_cache = (stamp, self._find_outcome())
        return self.outcome_cache[1]

    def _find_outcome(self) -> Any:
        """Return ``(text, version)`` of the outcome of the match's latest undo request, or None.

        None if the request is not from this device, has no outcome yet, or was closed by this
        device; also None once this device has made another decision or dismissed the outcome.
        """
        match = self.match
        held = match.own_seats()
        asked = _latest_request(match.events)
        if asked is None or asked["seat"] not in held:
            return None
        end = None
        moment = asked["at"]
        for event in match.events[asked["version"] :]:
            # All events of a decision have the same time. Only the first one has the seat that
            # decided: a later one may begin a turn of this device.
            decided = event["at"] != moment
            moment = event["at"]
            if event["type"] in SIDE_EVENT_TYPES or _is_consent(event):
                continue
            if end is None:
                end = event
            elif decided and event["seat"] in held:
                return None  # this device has made another decision
        if end is None or end["version"] <= self.dismissed_version:
            return None
        text = self._outcome_text(end, held)
        return text and (text, end["version"])

    def _outcome_text(self, end: Any, held: Any) -> str | None:
        """Return a sentence on how this device's request ended; None if this device closed it."""
        if end["type"] == "MovesUndone" and end["data"]["kind"] == "consent":
            return t("undo.accepted")
        if end["seat"] in held:
            return None
        name = self.match.names[end["seat"]] if end["seat"] is not None else t("player.someone")
        if end["type"] == "UndoAnswered":
            return t("undo.declined", who=name)
        return t("undo.closed", who=name)


def _latest_request(events: list[Event]) -> Event | None:
    """Return the latest undo request of these events; None if there is none."""
    for event in reversed(events):
        if event["type"] == "UndoProposed":
            return event
    return None


def _is_consent(event: Event) -> bool:
    return event["type"] == "UndoAnswered" and event["data"]["accept"]
