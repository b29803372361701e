"""The base class of the panels about seats: clocks, vacant and lost seats, recovery requests."""

from collections.abc import Callable
from typing import Any

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.problem import Problem, show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Node


class SeatPanel:
    """A panel about seats (``node``), updated at each change of the moment.

    ``shown``: what the panel was last filled for. ``sync()`` requests the match from the service.
    """

    def __init__(self, context: MatchContext, sync: Action, node: Node) -> None:
        self.context = context
        self.sync = sync
        self.node = node
        self.shown: Any = None
        self.flight = SingleFlight()
        context.moment_changed.subscribe(self.update)

    def update(self, view_model: ViewModel) -> None:
        """Show what there is to show at a moment; each panel has its own."""
        raise NotImplementedError

    def vote(self, seat: int, about: int, bot: bool) -> None:
        """Vote for giving another seat to a bot, or withdraw the vote."""
        body = {"seat": seat, "about": about, "bot": bot}
        self.run(client.call, "POST", self.context.path + "/vote", body)

    def run(self, send: Callable[..., object], *args: Any) -> None:
        """Call ``send(*args, done, failed)`` unless a request is in progress; sync when answered.

        A problem is shown.
        """
        self.flight.run(send, args, lambda _match: self.sync(), self._on_error)

    def _on_error(self, problem: Problem) -> None:
        show_problem(problem)
        self.sync()
