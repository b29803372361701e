"""Seats that bots took over after a time-out or a vote: reclaiming one, and the others' consent."""

from _native import fill

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, row
from frontend.app.core.i18n import t
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Data, Node
from frontend.app.match.seat_panel import SeatPanel
from frontend.app.match.sync import sync_callbacks


class LostSeat(SeatPanel):
    """The panel of lost seats.

    ``node`` has a card for each seat that this device lost, and for each request to return that
    this device has yet to answer.
    """

    def __init__(self, context: MatchContext, sync: Action) -> None:
        attributes = {"class": "clocks lost-seat", "aria-label": t("seat.lost"), "hidden": True}
        super().__init__(context, sync, el("section", attributes))
        self.flight = SingleFlight()

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
        seat, back = lost["seat"], lost["back"]
        title, text = t("seat.bot_has_seat"), ""
        act = None
        if back == "free":
            text = t("seat.time_out")
            if self.context.match.data["clock"]["pace"]["kind"] == "live":
                text = t("seat.time_out_live")
            act = button(t("seat.take_back"), lambda _e: self._reclaim(seat), "primary grow")
        elif back == "ask":
            text = t("seat.time_out_again")
            act = button(t("seat.ask_return"), lambda _e: self._reclaim(seat), "primary grow")
        elif back == "asked":
            text = t("seat.return_asked")
        else:
            text = t("seat.bot_kept")
        return _card(title, text, [act] if act else [])

    def _question(self, request: Data) -> Node:
        about, seat = request["seat"], self._voters(request)[0]
        name = self.context.match.names[about]
        return _card(
            t("seat.asks_return", name=name),
            t("seat.return_request_text"),
            [
                button(t("common.agree"), lambda _e: self._answer(seat, about, True), "grow"),
                button(t("seat.keep_bot"), lambda _e: self._answer(seat, about, False), "grow"),
            ],
        )

    def _reclaim(self, seat: int) -> None:
        self._send("/reclaim", {"seat": seat})

    def _answer(self, seat: int, about: int, accept: bool) -> None:
        self._send("/reclaim/answer", {"seat": seat, "about": about, "accept": accept})

    def _send(self, path: str, body: Data) -> None:
        callbacks = sync_callbacks(self.sync)
        self.flight.run(client.send, (self.context.path + path, body), *callbacks)


def _card(title: str, text: str, buttons: list[Node]) -> Node:
    return el(
        "div",
        {"class": "notice"},
        el("strong", {}, title),
        el("span", {}, text),
        row(buttons) if buttons else None,
    )
