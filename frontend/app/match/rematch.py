"""The rematch of a finished match: one player offers it, the others accept."""

from typing import Any

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import announce, button, el, fill, notice
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Data, DomEvent, Node


class Rematch:
    """The rematch buttons of a finished match.

    ``buttons``: the node in the result sheet; ``banner``: the node above the match, filled while
    another player's offer is open.
    """

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        self.offer: Data | None = None
        self.shown: Any = ()
        self.flight = SingleFlight()
        self.buttons = el("div", {"class": "rematch"})
        self.banner = el("div", {})
        context.moment_changed.subscribe(self._update)

    def can_offer(self) -> bool:
        """Return whether this device can offer a rematch, for which it must hold a seat.

        Lessons and matches imported from a file have no rematch.
        """
        data = self.context.match.data
        from_file = "signed" in data and not data.get("phone")
        return (
            bool(self.context.match.own_seats())
            and not from_file
            and not match_ids.is_lesson(data["id"])
        )

    def _update(self, _view_model: ViewModel) -> None:
        """Update the buttons and the banner if the rematch offer has changed.

        Does nothing until the match is finished, or if a rematch is not possible.
        """
        data = self.context.match.data
        self.offer = data.get("rematch", self.offer)
        if data["status"] != "finished" or not self.can_offer() or self.shown == self.offer:
            return
        self.shown = self.offer
        offered = self.offer is not None and self.offer["offered"]
        fill(self.buttons, self._buttons(offered))
        fill(self.banner)
        if offered:
            fill(self.banner, notice(self._offer_text(), self._accept_button()))
            announce(self._offer_text())

    def _offer_text(self) -> str:
        assert self.offer is not None
        return t("result.wants_rematch", name=self.context.match.names[self.offer["by"]])

    def _buttons(self, offered: bool) -> list[Node]:
        if self.offer is None:
            return [button(t("result.rematch"), self._on_tap, "primary")]
        if offered:
            return [el("p", {"role": "status"}, self._offer_text()), self._accept_button()]
        address = f"/m/{self.offer['match']}"
        return [el("a", {"class": "button primary", "href": address}, t("result.to_rematch"))]

    def _accept_button(self) -> Node:
        return button(t("result.go_to_rematch"), self._on_tap, "primary")

    def _on_tap(self, _event: DomEvent) -> None:
        def done(match: Data) -> None:
            if not self.context.is_closed:
                self.context.navigate(f"/m/{match['id']}")

        self.flight.run(client.send, (self.context.path + "/rematch", {}), done, show_problem)
