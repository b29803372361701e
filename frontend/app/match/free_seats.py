"""The vacant seats of a running match.

Players can invite somebody or give the seat to a bot. Others can take the seat if the match is
public or they have an invitation.
"""

from _native import fill

from frontend.app.api.reachable_address import find_reachable_address
from frontend.app.components.sheet import Sheet
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import button, el, notice, stack
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Node
from frontend.app.match import waiting_room
from frontend.app.match.seat_panel import SeatPanel


class FreeSeats(SeatPanel):
    """The panel of vacant seats, and the sheet with the invitation link.

    ``node`` shows players a question for each vacant seat, and everybody else a single offer to
    sit down.
    """

    def __init__(self, context: MatchContext, sync: Action) -> None:
        attributes = {"class": "clocks", "aria-label": t("seat.open_seats"), "hidden": True}
        super().__init__(context, sync, el("section", attributes))
        self.link = stack()
        self.sheet = Sheet(t("seat.invite"), self.link)

    def update(self, view_model: ViewModel) -> None:
        """Show the vacant seats; hide the panel while an earlier moment is shown.

        Seats reserved for somebody are not shown.
        """
        data = self.context.match.data
        running = view_model.live and data["status"] == "playing"
        open_seats = [s for s in data["seats"] if s["kind"] == "open" and "held_for" not in s]
        free = [seat["seat"] for seat in open_seats] if running else []
        sits = bool(self.context.match.own_seats())
        may_sit_down = data["visibility"] == "public" or bool(self.context.invite_code)
        if not (("invite" in data) if sits else may_sit_down):
            free = []
        if free != self.shown:
            self.shown = free
            asked = [self._question(seat) for seat in free] if sits else [self._offer()]
            fill(self.node, asked if free else [])
        self.node.hidden = not free
        if not free:
            self.sheet.close()  # the link is no longer valid

    def _offer(self) -> Node:
        join = {"class": "button", "href": self.context.join_address()}
        return notice(t("seat.free_offer"), el("a", join, t("seat.join")))

    def _question(self, seat: int) -> Node:
        own = self.context.match.own_seats()[0]
        return notice(
            t("seat.left_who_plays", name=self.context.match.names[seat]),
            button(t("seat.invite"), lambda _e: find_reachable_address(self._show), sign="i-share"),
            button(t("seat.replace_with_bot"), lambda _e: self.vote(own, seat, True)),
        )

    def _show(self, address: str) -> None:
        if self.shown:
            invite = self.context.match.data["invite"]
            fill(self.link, waiting_room.invitation_nodes(self.context.id, invite, address)[1:])
            self.sheet.open()
