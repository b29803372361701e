"""Undo by this device, which asks for confirmation where it undoes more than own moves."""

from _native import fill, local_storage

from frontend.app.api import client
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.model import KERNEL_EVENTS
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, join_names, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Data, DomEvent
from frontend.app.match.move_queue import MoveQueue

DISCLOSURES = ("why-drawn", "why-revealed")
"""The reasons of undos that would need consent if this device did not play against bots only."""


class OwnUndo:
    """Undo by this device; ``sheet`` asks for confirmation where that is needed."""

    def __init__(self, context: MatchContext, move_queue: MoveQueue) -> None:
        self.context = context
        self.match = context.match
        self.move_queue = move_queue
        self.flight = SingleFlight()
        self.sheet = Sheet(t("undo.confirm_title"), el("div", {}))

    def take_back(self, to_version: int | None = None) -> None:
        """Undo this device's latest step, or all moves after ``to_version``.

        Unconfirmed moves are dropped without an undo request. Asks for confirmation first if that
        would also undo secret choices that other seats of this device have made since or, against
        bots, go back to before a random draw or a reveal.
        """
        undo = self.match.data["undo"]
        if self.move_queue.queue:
            self.move_queue.take_back(to_version)
        elif others := self._others(to_version):
            names = join_names([self.match.names[seat] for seat in others], 8)
            self._ask(t("undo.others_text", list=names), t("undo.all"), to_version)
        elif to_version in (None, undo["step"]) or not self._asks_about_disclosures():
            self._take_back(undo, to_version)
        else:
            self.flight.run(
                client.get,
                (self.context.address("", at=to_version),),
                lambda match: self._take_back(match["undo"], to_version),
                _on_error,
            )

    def _take_back(self, undo: Data, to_version: int | None) -> None:
        """Undo to a version, after confirmation if ``undo`` is open and discloses something."""
        if undo["key"] in DISCLOSURES and self._asks_about_disclosures():
            text = join_sentences([undo["reason"], t("undo.seen_text")])
            self._ask(text, t("undo.confirm"), to_version)
        else:
            self.move_queue.take_back(to_version)

    def _asks_about_disclosures(self) -> bool:
        match_id = self.context.id
        return (
            self.match.is_against_bots
            and not match_ids.is_lesson(match_id)
            and not match_ids.is_trial(match_id)
            and local_storage("confirm-moves") != "off"
        )

    def _ask(self, text: str, label: str, to_version: int | None) -> None:
        def on_confirm(_event: DomEvent) -> None:
            self.sheet.close()
            self.move_queue.take_back(to_version)

        buttons = el(
            "div",
            {"class": "row", "style": "margin-top:16px"},
            button(t("undo.keep"), lambda _e: self.sheet.close(), "primary grow"),
            button(label, on_confirm, "grow"),
        )
        fill(self.sheet.body, el("p", {}, text), buttons)
        self.sheet.open()

    def _others(self, to_version: int | None) -> list[int]:
        """Return the other seats of this device whose secret choices would be undone."""
        match = self.match
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


def _on_error(problem: Problem) -> None:
    toast(problem.detail)
