"""The banner about a pending request to let a player who lost their device back in."""

from typing import Any

from _native import fill, format_moment

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, notice, row
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data, Node
from frontend.app.match.seat_panel import SeatPanel


class RecoveryBanner(SeatPanel):
    """The banner about a match's pending recovery request: seat, deadline and answer buttons."""

    def __init__(self, context: MatchContext, sync: Action) -> None:
        super().__init__(context, sync, el("div", {"class": "recovery", "role": "status"}))

    def update(self, _view_model: ViewModel) -> None:
        """Show the pending request, or nothing if there is none."""
        match = self.context.match
        request = match.data.get("recovery")
        held = match.own_seats()
        shown = (request, held)
        if shown == self.shown:
            return
        self.shown = shown
        fill(self.node, self._notice(request, held) if request else None)

    def _notice(self, request: Data, held: list[Any]) -> Node:
        about, name = request["about"], request["name"]
        when = format_moment(request["ends"])
        actions: list[Node] = []
        if request["you"]:
            text = t("seat.watch_until_let_back", name=name)
            if request["began"]:
                text = t("seat.play_from", name=name, when=when)
        elif about in held:
            text = t("seat.you_may_be_moved")
            if request["began"]:
                text = t("seat.moves_unless", when=when)
            actions = [self._button(t("seat.object"), "object", {"seat": about})]
        elif request["began"]:
            text = t("seat.plays_elsewhere", name=name, when=when)
        else:
            text = t("seat.let_back_question", name=name)
        if held and about not in held:
            seat = next((each for each in held if each in request["waiting"]), None)
            if seat is not None:
                body = {"seat": seat, "about": about, "accept": True}
                actions.append(self._button(t("common.agree"), "answer", body))
            own = held[0] if seat is None else seat
            body = {"seat": own, "about": about, "accept": False}
            label = t("common.cancel_request") if request["seat"] in held else t("common.decline")
            actions.append(self._button(label, "answer", body))
        return notice(text, row(actions) if actions else None)

    def _button(self, label: str, call: str, body: Data) -> Node:
        path = f"{self.context.path}/recovery/{call}"
        return button(label, lambda _e: self.run(client.call, "POST", path, body))
