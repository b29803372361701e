"""Seats that bots took over after a time-out or a vote: reclaiming one, and the others' consent."""

from _native import fill

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, row
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data, Node
from frontend.app.match.seat_panel import SeatPanel


class LostSeat(SeatPanel):
    """The panel of lost seats.

    ``node`` has a card for each seat that this device lost, and for each request to return that
    this device has yet to answer.
    """

    def __init__(self, context: MatchContext, sync: Action) -> None:
        attributes = {"class": "clocks lost-seat", "aria-label": t("seat.lost"), "hidden": True}
        super().__init__(context, sync, el("section", attributes))

    def update(self, view_model: ViewModel) -> None:
        """Show the current cards; hide the panel while an earlier moment is shown."""
        data = self.context.match.data
        running = view_model.live and data["status"] == "playing"
        lost = [each for each in data.get("lost", ()) if each["back"]] if running else []
        asked = [each for each in data.get("returns", ()) if self._voters(each)] if running else []
        if [*lost, *asked] != self.shown:
            self.shown = [*lost, *asked]
            cards = [self._own(each) for each in lost] + [self._question(each) for each in asked]
            fill(self.node, cards)
        self.node.hidden = not self.shown

    def _voters(self, request: Data) -> list[int]:
        """Return this device's seats that have not answered a request yet."""
        return [seat for seat in self.context.match.own_seats() if seat in request["waiting"]]

    def _own(self, lost: Data) -> Node:
        back, label = lost["back"], ""
        if back == "free":
            text, label = t("seat.time_out"), t("seat.take_back")
            if self.context.match.data["clock"]["pace"]["kind"] == "live":
                text = t("seat.time_out_live")
        elif back == "ask":
            text, label = t("seat.time_out_again"), t("seat.ask_return")
        elif back == "asked":
            text = t("seat.return_asked")
        else:
            text = t("seat.bot_kept")
        reclaim = self._button(label, "/reclaim", {"seat": lost["seat"]}, "primary grow")
        return _card(t("seat.bot_has_seat"), text, [reclaim] if label else [])

    def _question(self, request: Data) -> Node:
        answer = {"seat": self._voters(request)[0], "about": request["seat"]}
        buttons = [
            self._button(label, "/reclaim/answer", {**answer, "accept": accept}, "grow")
            for label, accept in ((t("common.agree"), True), (t("seat.keep_bot"), False))
        ]
        title = t("seat.asks_return", name=self.context.match.names[request["seat"]])
        return _card(title, t("seat.return_request_text"), buttons)

    def _button(self, label: str, rest: str, body: Data, kind: str) -> Node:
        return button(label, lambda _e: self.run(client.send, self.context.path + rest, body), kind)


def _card(title: str, text: str, buttons: list[Node]) -> Node:
    return el(
        "div",
        {"class": "notice"},
        el("strong", {}, title),
        el("span", {}, text),
        row(buttons) if buttons else None,
    )
