"""Undo on the match page: request banners, their outcome, and undo to an earlier moment.

The service decides what an undo covers and whether it needs consent. This module only shows that in
advance.
"""

from typing import Any

from _native import fill

from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import ReplayHost
from frontend.app.contract.model import KERNEL_EVENTS
from frontend.app.core.dom import after, button, el, join_names, set_blocked_reason, toast
from frontend.app.core.i18n import join_and, join_sentences, t
from frontend.app.core.types import Data, DomEvent, Event, Node

BUTTON_TEXTS = {
    "free": (t("Go back to here"), t("Free")),
    "open": (t("Go back to here"), t("At once")),
    "consent": (t("Ask to go back"), t("Everyone has to agree")),
}
SIDE_EVENT_TYPES = (
    *("Said", "TimeRanOut", "WentAway", "CameBack", "Voted"),
    *("ReturnRequested", "ReturnAnswered"),
    *("SeatRecovered", "RecoveryAsked", "RecoveryAnswered", "RecoveryBegan", "RecoveryEnded"),
)
"""Types of events outside the game, which do not close a pending undo request."""
DECLINED_PAUSE_MS = 60_000  # milliseconds before a declined request can be repeated
DECLINED_TEXT = t("Declined just now. Ask again after the next move, or in a minute.")

WAITING_TEXT = t("A take-back is waiting for an answer.")
LOADING_TEXT = t("One moment: whether that can be done is being looked up.")


class UndoPanel:
    """The undo controls of one match.

    ``banner_nodes``: all elements that show the banner; ``node``: the offer to undo to the moment
    shown.
    """

    def __init__(self, page: ReplayHost) -> None:
        self.page = page
        self.banner_nodes: list[Any] = []
        self.dismissed_version = 0
        self.shown: Any = None
        self.outcome_cache: tuple[Any, ...] = (None, None)
        self.pauses: dict[Any, Any] = {}
        self.node = el("div", {"class": "go-back", "hidden": True})
        self.question = Sheet(t("Others would go back too"), el("div", {}))
        # On a small phone the banner is a narrow bar; this sheet shows the whole request.
        self.full_sheet = Sheet(t("Going back"), el("div", {}))

    # -- without consent, on a shared device -----------------------------------------------------

    def undo_own(self, to_version: int | None) -> None:
        """Undo this device's latest step, or all moves after ``to_version``.

        Asks for confirmation first if that would also undo secret choices that other seats of this
        device have made since.
        """
        page = self.page
        others = [] if page.move_queue.queue else self._others(to_version)
        if not others:
            page.move_queue.take_back(to_version)
            return

        def wanted(_event: DomEvent) -> None:
            self.question.close()
            page.move_queue.take_back(to_version)

        names = [page.names()[seat] for seat in others]
        text = t(
            "Your own last choice lies further back. The table would go back to before it, "
            "and what has been chosen since would be taken back too, also by {list}.",
            list=join_names(names, 8),
        )
        buttons = el(
            "div",
            {"class": "row", "style": "margin-top:16px"},
            button(t("Leave it as it is"), lambda _e: self.question.close(), "primary grow"),
            button(t("Take it all back"), wanted, "grow"),
        )
        fill(self.question.body, el("p", {}, text), buttons)
        self.question.open()

    def _others(self, to_version: int | None) -> list[int]:
        """Return the other seats of this device whose secret choices would be undone."""
        match = self.page.match
        undo = match.data["undo"]
        back = undo["step"] if to_version is None else to_version
        if not match.has_secrets or undo["kind"] != "open" or back is None:
            return []
        found, decision = set(), None
        for event in match.events[back:]:
            # The seat of a decision's first event is the seat that decided.
            first, decision = event["decision"] != decision, event["decision"]
            if (
                first
                and event["type"] not in KERNEL_EVENTS
                and event["version"] not in match.undone_by
            ):
                found.add(event["seat"])
        return sorted(
            [seat for seat in match.own_seats() if seat in found and seat != undo["seat"]]
        )

    # -- proposals ---------------------------------------------------------------------------------

    def ask_buttons(self, undo: Data, turn: int | None, can: bool) -> list[Any]:
        """Build the buttons that ask the other players to undo the whole turn or the last step.

        ``undo``: the undo data of the match; ``turn``: the version before the turn, None if the
        turn is a single step; ``can``: whether a request is currently possible.
        """
        page = self.page
        quiet = self.was_declined()
        why = DECLINED_TEXT if quiet else undo["reason"]
        barred = DECLINED_TEXT if quiet else None if can else WAITING_TEXT
        whole = button(
            t(page.turn_labels["ask"]) if turn is not None else t("Ask to take back this step"),
            lambda _e: page.take_back(turn),
            sign="i-undo",
            title=why,
        )
        set_blocked_reason(whole, barred)
        if turn is None:
            return [whole]
        step = button(t("Only this step"), lambda _e: page.take_back(), title=why)
        return [whole, set_blocked_reason(step, barred)]

    def was_declined(self) -> bool:
        """Return whether this device's request was just declined, so it cannot be repeated yet.

        That lasts `DECLINED_PAUSE_MS` or until the next move. A withdrawn request does not count.
        """
        match = self.page.match
        version = None
        for event in reversed(match.events):
            if event["type"] == "UndoAnswered" and not event["data"]["accept"]:
                version = event["version"]
                break
            if event["type"] not in SIDE_EVENT_TYPES:
                break
        if version is None or self._asking_seat(version) not in match.own_seats():
            return False
        if match.events[version - 1]["seat"] in match.own_seats():
            return False  # withdrawn by this device
        if version not in self.pauses:
            self.pauses[version] = True
            after(DECLINED_PAUSE_MS, lambda: self._end_pause(version))
        return self.pauses[version]

    def _asking_seat(self, version: int) -> int | None:
        for event in reversed(self.page.match.events[:version]):
            if event["type"] == "UndoProposed":
                return event["seat"]
        return None

    def _end_pause(self, version: int) -> None:
        self.pauses[version] = False
        if not self.page.closed:
            self.page.draw_actions()

    # -- banners -------------------------------------------------------------------------------

    def update_banners(self) -> None:
        """Show the pending request, or the outcome of this device's latest one, in all banners."""
        proposal = self.page.match.data["undo"].get("proposal")
        fate = None if proposal else self._request_outcome()
        shown = (proposal, fate)
        if shown != self.shown:
            self.shown = shown
            for slot in self.banner_nodes:
                fill(slot, self._banner(proposal, fate))
            if not shown[0]:
                self.full_sheet.close()

    def _banner(self, proposal: Data, fate: Any) -> Node | None:
        if proposal:
            return self._proposal(proposal)
        if fate:
            text, version = fate
            return el(
                "div",
                {"class": "notice", "role": "alert"},
                el("span", {}, text),
                button(t("Good"), lambda _e: self._dismiss(version)),
            )
        return None

    def _proposal(self, proposal: Data) -> Node:
        held = self.page.match.own_seats()
        mine = proposal["seat"] in held
        asked = [] if mine else [seat for seat in proposal["waiting"] if seat in held]
        if asked:
            more = t("{reason} A new move closes this.", reason=proposal["reason"])
        else:
            names = join_and([self.page.names()[seat] for seat in proposal["waiting"]])
            more = t("Waiting for {names}.", names=names)
        text_node = el("span", {"class": "asked"}, self._request_text(proposal))
        answer = button(t("Answer"), lambda _e: self.full_sheet.open(), "primary answer")
        return el(
            "div",
            {"class": "notice asking" + ("" if asked else " waiting"), "role": "alert"},
            el("span", {}, text_node, el("small", {}, more)),
            answer if asked else None,
            el("div", {"class": "row"}, self._answer_buttons(proposal, asked, mine)),
        )

    def _request_text(self, proposal: Data) -> str:
        """Return a sentence that says who asks to undo to which moment."""
        page = self.page
        first_move, moment = self._first_undone(proposal["to_version"], proposal["seat"])
        if page.match.own_seats() == [proposal["seat"]]:
            if first_move:
                return t("You ask to go back to before “{told}”.", told=first_move)
            return t("You ask to go back to {moment}.", moment=moment)
        asker = page.names()[proposal["seat"]]
        if first_move:
            return t("{who} asks to go back to before “{told}”.", who=asker, told=first_move)
        return t("{who} asks to go back to {moment}.", who=asker, moment=moment)

    def _answer_buttons(self, proposal: Data, asked: list[int], mine: bool) -> list[Node]:
        """Build the buttons to answer, withdraw or look at a request.

        ``asked``: this device's seats that have yet to answer; ``mine``: whether the request is
        from this device.
        """
        page, answer = self.page, self.page.move_queue.answer_proposal
        look = button(t("Look"), lambda _e: page.show_moment(proposal["to_version"]), "quiet")
        if asked:
            return [
                button(t("Agree"), lambda _e: answer(asked[0], True), "primary"),
                button(t("Decline"), lambda _e: answer(asked[0], False)),
                look,
            ]
        if mine:
            return [button(t("Withdraw"), lambda _e: answer(proposal["seat"], False)), look]
        return [look]

    def _first_undone(self, version: int, asker: int) -> tuple[str, str]:
        """Return ``(text of the first move to be undone, "")``.

        If there is no such text, return ``("", name of the version)``. If the text starts with the
        name of the requesting seat ``asker``, an ellipsis replaces the name.
        """
        match = self.page.match
        for event in match.events[version:]:
            if event["type"] in KERNEL_EVENTS or event["version"] in match.undone_by:
                continue
            if event["text"] and event["seat"] is not None:
                text = event["text"].rstrip(".")
                asker_name = self.page.names()[asker] + " "
                if event["seat"] == asker and text.startswith(asker_name):
                    text = "… " + text[len(asker_name) :]
                return text, ""
        return "", match.move_name(version)

    def _dismiss(self, version: int) -> None:
        self.dismissed_version = version
        self.update_banners()

    def _request_outcome(self) -> Any:
        stamp = (self.page.match.version, self.dismissed_version, self.page.match.own_seats())
        if self.outcome_cache[0] != stamp:
            self.outcome_cache = (stamp, self._find_outcome())
        return self.outcome_cache[1]

    def _find_outcome(self) -> Any:
        """Return ``(text, version)`` of the outcome of the match's latest undo request, or None.

        None if the request is not from this device, has no outcome yet, or was closed by this
        device; also None once this device has made another decision or dismissed the outcome.
        """
        match = self.page.match
        held = match.own_seats()
        asked = None
        for event in reversed(match.events):
            if event["type"] == "UndoProposed":
                asked = event
                break
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
            return t("Agreed: the moves are taken back.")
        if end["seat"] in held:
            return None
        name = self.page.names()[end["seat"]] if end["seat"] is not None else t("Somebody")
        if end["type"] == "UndoAnswered":
            return t("{who} declined: the moves stand.", who=name)
        return t("{who} has moved on, so your request to take back is closed.", who=name)

    # -- undo to the moment shown ----------------------------------------------------------------

    def offer_at(self, at: int | None) -> None:
        """Offer to undo to version ``at``, with what that requires or why it is impossible.

        Hides the offer if ``at`` is None, if the match is not being played, or for spectators.
        """
        page = self.page
        match = page.match
        can = match.data["status"] == "playing" and match.own_seats()
        self.node.hidden = at is None or not can
        if at is None or not can:
            return
        known = page.moment_cache.undo_at(at)
        explanation: Any
        label, explanation, does = t("Go back to here"), "", None
        if known is None:
            page.moment_cache.request(at, self._on_moment)
        elif known.get("proposal"):
            explanation = WAITING_TEXT
        elif known["kind"] is None:
            explanation = known["reason"]
        elif known["kind"] == "consent" and self.was_declined():
            label, explanation = BUTTON_TEXTS["consent"][0], DECLINED_TEXT
        else:
            label, kind = BUTTON_TEXTS[known["kind"]]
            explanation = [el("b", {}, kind + ". "), known["reason"]]
            does = lambda _e: self._undo_to(known)  # noqa: E731
        undo_button = set_blocked_reason(
            button(label, does, sign="i-undo"), None if does else explanation or LOADING_TEXT
        )
        fill(self.node, undo_button, el("p", {}, explanation))

    def _on_moment(self, at: int | None) -> None:
        if self.page.context.at == at:
            self.page.draw_actions()

    def _undo_to(self, known: Any) -> None:
        self.page.replay.show_present()
        self.page.move_queue.undo_to(known["seat"], known["step"], _on_undone)


def _is_consent(event: Event) -> bool:
    return event["type"] == "UndoAnswered" and event["data"]["accept"]


def _on_undone(match: Data) -> None:
    if match["undo"].get("proposal") is None:
        more = t("Redo brings it on again.") if match.get("redo") else ""
        toast(join_sentences([t("Taken back."), more]), 4)
