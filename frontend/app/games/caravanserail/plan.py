"""The draft of a turn's secret plan."""

from collections.abc import Sequence

from domain.games.caravanserail import board
from frontend.app.core.types import Data, View
from frontend.app.games.caravanserail.wares import minus


class Plan:
    """A seat's plan: the orders and loads of its caravans, and the looters' trail ("" for none).

    ``steps``: how many of its commands have been sent; ``destinations``: the positions to choose
    from, by caravan.
    """

    def __init__(self, view: View, player: Data) -> None:
        sent = player["programme"]
        given = sent["orders"]
        self.player = player
        self.trails = view["board"]["trails"]
        self.steps = player["steps"]
        self.destinations: list[Sequence[str]] = [
            board.continuations(board.BOARDS[len(view["players"])], caravan["at"])
            if n >= len(given)
            else ()
            for n, caravan in enumerate(player["caravans"])
        ]
        self.orders = [*given, *[places[0] for places in self.destinations[len(given) :]]]
        self.looters = sent["looters"] or ""
        self.loads = [*sent["loads"], *[{}] * (board.CARAVANS_PER_SEAT - len(sent["loads"]))]

    def position(self, caravan: int) -> str:
        """Return the current position of a caravan."""
        return str(self.player["caravans"][caravan]["at"])

    def leaves(self, caravan: int) -> bool:
        """Return whether a caravan leaves home, so may be loaded."""
        return board.leaves_home(self.player["home"], self.position(caravan), self.orders[caravan])

    def order(self, caravan: int, to: str) -> None:
        """Set the order of a caravan, and drop a load and a raid that it makes impossible."""
        self.orders[caravan] = to
        if not self.leaves(caravan):
            self.loads[caravan] = {}
        if self.looters and self.looters not in self.raidable():
            self.looters = ""

    def raidable(self) -> Sequence[str]:
        """Return the trails to which the looters can be sent."""
        if self.steps > board.CARAVANS_PER_SEAT or self.player["looters"] == "down":
            return ()
        return board.trails_without(self.trails, tuple(self.orders))

    def stock(self, loaded: int | None = None) -> dict[str, int]:
        """Return the treasure without the loads of all caravans but ``loaded``."""
        left = self.player["treasure"]
        for caravan, load in enumerate(self.loads):
            if caravan != loaded:
                left = minus(left, load)
        return dict(left)

    def commands(self) -> list[Data]:
        """Return the commands that have not been sent yet."""
        orders = [{"type": "Order", "caravan": n, "to": to} for n, to in enumerate(self.orders)]
        looters = {"type": "SendLooters", "trail": self.looters or None}
        loads = [
            {"type": "Load", "caravan": n, "wares": self.loads[n] if self.leaves(n) else {}}
            for n in range(board.CARAVANS_PER_SEAT)
        ]
        return [*orders, looters, *loads][self.steps :]
