"""Undo by this device, which on a shared device may also undo secret choices of other seats."""

from _native import fill

from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.model import KERNEL_EVENTS
from frontend.app.core.dom import button, el, join_names
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent
from frontend.app.match.move_queue import MoveQueue


class OwnUndo:
    """Undo by this device; ``sheet`` asks for confirmation where that is needed."""

    def __init__(self, context: MatchContext, move_queue: MoveQueue) -> None:
        self.match = context.match
        self.move_queue = move_queue
        self.sheet = Sheet(t("undo.others_title"), el("div", {}))

    def take_back(self, to_version: int | None = None) -> None:
        """Undo this device's latest step, or all moves after ``to_version``.

        Unconfirmed moves are dropped without an undo request. Asks for confirmation first if that
        would also undo secret choices that other seats of this device have made since.
        """
        others = [] if self.move_queue.queue else self._others(to_version)
        if not others:
            self.move_queue.take_back(to_version)
            return

        def wanted(_event: DomEvent) -> None:
            self.sheet.close()
            self.move_queue.take_back(to_version)

        names = [self.match.names[seat] for seat in others]
        text = t(
            "undo.others_text",
            list=join_names(names, 8),
        )
        buttons = el(
            "div",
            {"class": "row", "style": "margin-top:16px"},
            button(t("undo.keep"), lambda _e: self.sheet.close(), "primary grow"),
            button(t("undo.all"), wanted, "grow"),
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
