"""The hand-over of a shared device between seats in a game with secrets.

A page without secrets is shown between two seats. The next seat's view is requested only when its
player confirms having the device.
"""

from typing import TYPE_CHECKING, Any

from frontend.app.components.sheet import show_modal
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import add_listener, button, el, fill, patch, picture, tone
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent, Node

if TYPE_CHECKING:
    from frontend.app.contract.model import Match  # can be imported only in the browser


def next_seat(match: "Match") -> int | None:
    """Return the seat that should get the device next, or None.

    A seat keeps the device while it is to act; then the device goes to the next acting seat in
    order. None if the device holds fewer than two seats or none of its seats is to act.
    """
    held = match.own_seats()
    acting = [seat for seat in held if seat in match.acting_seats()]
    if len(held) < 2 or not acting or match.active_seat in acting:
        return None
    begin = -1 if match.active_seat is None else match.active_seat
    later = [seat for seat in acting if seat > begin]
    return (later or acting)[0]


class Handover:
    """The page shown between two seats.

    ``host``: the match page; ``on_taken(seat)`` is called when a player has taken the device.
    """

    def __init__(self, host: ScreenHost, on_taken: Any) -> None:
        self.host = host
        self.on_taken = on_taken
        self.body = el("div", {"class": "handover"})
        self.node = el("dialog", {"class": "handover-page"}, self.body)
        add_listener(self.node, "cancel", self._dismiss)
        self.asked_seat: Any = None

    def next_seat(self) -> int | None:
        """Return the seat that should get the device next, or None."""
        return next_seat(self.host.match)

    def update(self, view_model: ViewModel, hold_back: bool) -> None:
        """Open the page if the device has to change hands; close it if no hand-over is due.

        A dismissed page is not opened again for the same seat. ``hold_back``: do not open it now,
        because the players are looking at something together.
        """
        seat = self.next_seat() if view_model.live else None
        if seat is None:
            self.asked_seat = None
            self._dismiss(None)
        elif self.asked_seat != seat and (self.node.open or not hold_back):
            self.ask(seat)

    def ask(self, seat: int) -> None:
        """Show the page that asks for the device to be passed to a seat."""
        self.asked_seat = seat
        name = self.host.match.names[seat]
        others = [each for each in self.host.match.own_seats() if each != seat]
        title = t("seat.pass_phone", name=name)
        medal = {"class": "big-medal", "style": tone(seat)}
        more = [self._take_button(each, "") for each in others]
        more.append(button(t("seat.view_board"), self._dismiss, "quiet"))
        patch(self.node, {"aria-label": title})
        fill(
            self.body,
            el("span", medal, picture("camel", 72)),
            el("h2", {}, title),
            el("p", {}, t("seat.look_away", name=name)),
            self._take_button(seat, "primary"),
            el("div", {"class": "row handover-more"}, more),
        )
        if not self.node.open:
            self.host.root.append(self.node)
            show_modal(self.node)

    def _take_button(self, seat: int, kind: str) -> Node:
        text = t("seat.take_phone", names=self.host.match.names[seat])
        return button(text, lambda _e: self.take(seat), kind)

    def _dismiss(self, _event: DomEvent) -> None:
        if self.node.open:
            self.node.close()

    def take(self, seat: int) -> None:
        """Make a seat active on this device and request its view."""
        self._dismiss(None)
        self.host.match.active_seat = seat
        self.host.match.server_choices = ()
        self.host.match.server_groups = ()
        self.on_taken(seat)
        self.host.sync()
