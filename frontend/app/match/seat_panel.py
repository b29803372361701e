"""The base class of the panels about seats: clocks, vacant and lost seats, recovery requests."""

from typing import Any

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.types import Action, Node
from frontend.app.match.sync import sync_callbacks


class SeatPanel:
    """A panel about seats (``node``), updated at each change of the moment.

    ``shown``: what the panel was last filled for. ``sync()`` requests the match from the service.
    """

    def __init__(self, context: MatchContext, sync: Action, node: Node) -> None:
        self.context = context
        self.sync = sync
        self.node = node
        self.shown: Any = None
        context.moment_changed.subscribe(self.update)

    def update(self, view_model: ViewModel) -> None:
        """Show what there is to show at a moment; each panel has its own."""
        raise NotImplementedError

    def vote(self, seat: int, about: int, bot: bool) -> None:
        """Vote for giving another seat to a bot, or withdraw the vote."""
        body = {"seat": seat, "about": about, "bot": bot}
        client.call("POST", self.context.path + "/vote", body, *sync_callbacks(self.sync))
