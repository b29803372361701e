"""The row of one's own caravan: its length, those of the others, and how full the market is."""

from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el, fill, labelled, patch, tone
from frontend.app.core.types import Data, Node
from frontend.app.games.caravanserai.i18n import t


class OwnRow:
    """The row (``node``) of this device's acting seat, else of its first; spectators have none.

    The longest caravan wins once the market has run out of goods. What the seat has in reserve is
    shown below, to choose from.
    """

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.node = el("div", {"class": "own-line"})

    def draw(self, now: ViewModel) -> None:
        """Draw a moment, if a number has changed."""
        view = now.view
        held = self.host.match.own_seats()
        acting = view["to_move"] if view["to_move"] in held else None
        seat = next((each for each in (now.seat, acting, *held) if each is not None), None)
        self.node.hidden = seat is None
        if seat is None:
            return
        goods = sum([*view["market"].values()])
        rivals = [player for player in view["players"] if player["seat"] != seat]
        rivals.sort(key=lambda player: -player["length"])
        patch(self.node, {"style": tone(seat)})
        fill(
            self.node,
            el("span", {"class": "dot"}),
            el("b", {"class": "own-name"}, self.host.match.short_name(seat)),
            el("b", {"class": "own-length"}, t("own.length", n=view["players"][seat]["length"])),
            el("span", {"class": "rivals"}, [self._rival(player) for player in rivals]),
            el("span", {"class": "own-market"}, t("own.market", n=goods)),
        )

    def _rival(self, player: Data) -> Node:
        seat, length = player["seat"], player["length"]
        said = t("own.rival", name=self.host.match.names[seat], n=length)
        letter = el("span", {"class": "rival-letter"}, self.host.match.letters[seat])
        node = labelled("rival", said, letter, length)
        patch(node, {"style": tone(seat)})
        return node
