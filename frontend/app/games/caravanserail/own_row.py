"""The row with what this device's seat has gathered for its card, and the legend of its signs."""

from typing import Any

from frontend.app.components.own_row import Fact, OwnRow
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import fill, picture
from frontend.app.core.types import Data, Node
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.wares import ware_icon


class TreasureRow:
    """The row (``node``): how much of the card is in the treasure, in all and of each ware.

    While the seat's secrets are covered, it shows only how many goods the card needs.
    """

    def __init__(self, host: ScreenHost) -> None:
        self.wares: dict[str, int] = {}
        self.row = OwnRow(host, self._legend)
        self.node = self.row.node

    def draw(self, now: ViewModel, is_open: bool) -> None:
        """Draw a moment; ``is_open``: whether the secrets of the seat are uncovered."""
        self.wares = now.view["board"]["wares"]
        seat = self.row.seat(now)
        player = now.view["players"][seat] if seat is not None else None
        known = player is not None and player["treasure"] is not None and player["goal"]
        self.row.draw(seat, _facts(player, is_open) if known else [])
        if seat is not None:
            fill(self.row.row.firstChild, picture(f"emblem-{seat}", 20))

    def _legend(self) -> list[tuple[Node | None, str]]:
        return [
            (picture("fort", 26), t("legend.gathered")),
            *[(ware_icon(ware, 26), t(f"ware-{ware}")) for ware in self.wares],
            (picture("emblem-0", 26), t("legend.emblem")),
            (picture("looters", 26), t("legend.raiders")),
            (picture("raiders-rest", 26), t("legend.raiders_rest")),
        ]


def _facts(player: Any, is_open: bool) -> list[Fact]:
    goal: Data = player["goal"]
    needed = sum([*goal.values()])
    if not is_open:
        return [Fact("fort", "–", t("own.covered", needed=needed), needed)]
    held = {ware: min(most, player["treasure"].get(ware, 0)) for ware, most in goal.items()}
    gathered = sum([*held.values()])
    label = t("own.gathered", n=gathered, needed=needed)
    facts = [Fact("fort", str(gathered), label, needed, "own-main")]
    for ware, most in goal.items():
        label = t("own.ware", ware=t(f"ware-{ware}"), n=held[ware], needed=most)
        facts.append(Fact("ware-" + ware, str(held[ware]), label, most))
    return facts
