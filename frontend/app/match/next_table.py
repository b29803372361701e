"""The link to another match in which it is this player's turn, shown after their move."""

from frontend.app.api import client
from frontend.app.contract.context import ReplayHost
from frontend.app.core import match_ids
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node

WAITING_MATCHES_PATH = "/api/matches?scope=mine&status=playing&sort=turn"


class NextTable:
    """The link to the next match, requested each time this device's turn ends."""

    def __init__(self, page: ReplayHost) -> None:
        self.page = page
        self.was_own_turn = False
        self.next_id: str | None = None

    def update(self) -> None:
        """Request the next match if this device's turn has just ended and its moves are confirmed.

        Nothing is requested for spectators and in local matches.
        """
        page = self.page
        mine = page.match.seat_to_act() is not None
        over = self.was_own_turn and not mine and not page.move_queue.queue
        if mine:
            self.next_id = None
        if mine or over:
            self.was_own_turn = mine
        if over and page.match.own_seats() and not match_ids.is_local_match(page.id):
            client.get(WAITING_MATCHES_PATH, self._on_matches)

    def _on_matches(self, listed: Data) -> None:
        waiting = [item["id"] for item in listed["items"] if item["your_turn"]]
        others = [each for each in waiting if each != self.page.id]
        self.next_id = others[0] if others else None
        if self.next_id and not self.page.closed:
            self.page.draw_actions()

    def link(self) -> list[Node]:
        """Return ``[link]`` to the next match; [] if there is none or it is this device's turn."""
        if self.next_id is None or self.page.match.seat_to_act() is not None:
            return []
        given = {"class": "button primary", "href": f"/m/{self.next_id}"}
        return [el("a", given, t("Next table"))]
