"""Passing a shared device from seat to seat in a game with secrets.

Between two seats a page without secrets is shown. Only when the next player confirms who they are
does the device request what that seat may see.
"""

from typing import TYPE_CHECKING, Any

from frontend.app.components.sheet import over_the_page
from frontend.app.contract.game_screen import Host, Now
from frontend.app.core.dom import button, el, fill, listen, patch, picture
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent, Node

if TYPE_CHECKING:
    from frontend.app.contract.model import Match  # needs the browser


def due(match: "Match") -> int | None:
    """Return the seat that should get the device now, or None.

    A seat keeps the device while it is to act; then it goes to the next acting seat in order.
    """
    held = match.held()
    acting = [seat for seat in held if seat in match.acting()]
    if len(held) < 2 or not acting or match.in_hand in acting:
        return None
    begin = -1 if match.in_hand is None else match.in_hand
    later = [seat for seat in acting if seat > begin]
    return (later or acting)[0]


class Handover:
    """The page between two seats.

    ``host``: the match page; ``taken(seat)`` is called when somebody has taken the device.
    """

    def __init__(self, host: Host, taken: Any) -> None:
        self.host = host
        self.taken = taken
        self.body = el("div", {"class": "handover"})
        self.node = el("dialog", {"class": "handover-page"}, self.body)
        listen(self.node, "cancel", self._put_off)
        self.asked: Any = None
        self.offered: Any = None

    @property
    def several(self) -> bool:
        """Whether this device holds more than one seat."""
        return len(self.host.match.held()) > 1

    def due(self) -> int | None:
        """Return the seat that should get the device now, or None."""
        return due(self.host.match)

    def update(self, now: Now, hold_back: bool) -> None:
        """Open the page when the device has to change hands, close it when not.

        ``hold_back``: do not open it unasked, because everybody is looking at something now.
        """
        seat = self.due() if now.live else None
        if seat is None:
            self.asked = None
            if self.node.open:
                self.node.close()
        elif (self.asked != seat and not hold_back) or (self.node.open and self.offered != seat):
            self.ask(seat)

    def ask(self, seat: int) -> None:
        """Show the page for a seat."""
        self.asked = self.offered = seat
        names = self.host.names()
        name = names[seat]
        others = [each for each in self.host.match.held() if each != seat]
        patch(self.node, {"aria-label": t("Give the phone to {name}", name=name)})
        fill(
            self.body,
            el("span", {"class": "big-medal", "style": f"--tone:var(--seat-{seat})"}, _camel()),
            el("h2", {}, t("Give the phone to {name}", name=name)),
            el("p", {}, t("What comes next is for {name} alone. The others look away.", name=name)),
            self._me(seat, "primary"),
            el(
                "div",
                {"class": "row handover-more"},
                [self._me(each, "") for each in others],
                button(t("Look at the table"), self._put_off, "quiet"),
            ),
        )
        if not self.node.open:
            self.host.frame.append(self.node)
            over_the_page(self.node)

    def _me(self, seat: int, kind: str) -> Node:
        return button(
            t("I am {names}", names=self.host.names()[seat]), lambda _e: self.take(seat), kind
        )

    def _put_off(self, _event: DomEvent) -> None:
        if self.node.open:
            self.node.close()

    def take(self, seat: int) -> None:
        """Give the device to a seat and request its view."""
        self.offered = None
        self._put_off(None)
        self.host.match.in_hand = seat
        self.host.server_choices = ()
        self.host.server_groups = ()
        self.taken(seat)
        self.host.sync()


def _camel() -> Node:
    return picture("camel", 72)
