"""The link to the next match that waits for this player, shown after their move."""

from frontend.app.api import client
from frontend.app.contract.context import ReplayHost
from frontend.app.core import match_ids
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node

WAITING = "/api/matches?scope=mine&status=playing&sort=turn"


class NextTable:
    """The search for another match to play, made once each time the turn leaves this device."""

    def __init__(self, page: ReplayHost) -> None:
        self.page = page
        self.mine = False
        self.found: str | None = None

    def note(self) -> None:
        """Check whose turn it is, and look for another match if the turn has just passed."""
        page = self.page
        mine = page.match.my_seat() is not None
        over = self.mine and not mine and not page.sending.queue
        if mine:
            self.found = None
        if mine or over:
            self.mine = mine
        if over and page.match.held() and not match_ids.is_local_match(page.id):
            client.get(WAITING, self._listed)

    def _listed(self, listed: Data) -> None:
        waiting = [item["id"] for item in listed["items"] if item["your_turn"]]
        others = [each for each in waiting if each != self.page.id]
        self.found = others[0] if others else None
        if self.found and not self.page.closed:
            self.page.draw_actions()

    def way(self) -> list[Node]:
        """Return the link to the next match; empty if there is none or it is this device's turn."""
        if self.found is None or self.page.match.my_seat() is not None:
            return []
        given = {"class": "button primary", "href": f"/m/{self.found}"}
        return [el("a", given, t("Next table"))]
