"""The link to another match in which it is this player's turn, shown after their move."""

from collections.abc import Callable

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Data, Node

WAITING_MATCHES_PATH = "/api/matches?scope=mine&status=playing&sort=turn"


class NextTable:
    """The link to the next match, requested each time this device's turn ends.

    ``has_queued_moves()`` returns whether moves are unconfirmed; ``on_change()`` is called when the
    link was found.
    """

    def __init__(
        self, context: MatchContext, has_queued_moves: Callable[[], bool], on_change: Action
    ) -> None:
        self.context = context
        self.has_queued_moves = has_queued_moves
        self.on_change = on_change
        self.was_own_turn = False
        self.next_id: str | None = None
        context.moment_changed.subscribe(self._update)

    def _update(self, _view_model: ViewModel) -> None:
        """Request the next match if this device's turn has just ended and its moves are confirmed.

        Nothing is requested for spectators and in local matches.
        """
        match = self.context.match
        mine = match.seat_to_act() is not None
        over = self.was_own_turn and not mine and not self.has_queued_moves()
        if mine:
            self.next_id = None
        if mine or over:
            self.was_own_turn = mine
        if over and match.own_seats() and not match_ids.is_local_match(self.context.id):
            client.get(WAITING_MATCHES_PATH, self._on_matches)

    def _on_matches(self, listed: Data) -> None:
        waiting = [item["id"] for item in listed["items"] if item["your_turn"]]
        others = [each for each in waiting if each != self.context.id]
        self.next_id = others[0] if others else None
        if self.next_id and not self.context.is_closed:
            self.on_change()

    def link(self) -> list[Node]:
        """Return ``[link]`` to the next match; [] if there is none or it is this device's turn."""
        if self.next_id is None or self.context.match.seat_to_act() is not None:
            return []
        given = {"class": "button primary", "href": f"/m/{self.next_id}"}
        return [el("a", given, t("history.next_game"))]
