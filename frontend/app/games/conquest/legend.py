"""The facts of a seat's own row, and the legend of the signs and numbers."""

from domain.games.conquest.equipment import RESOURCES
from domain.games.conquest.picture import GROUND
from domain.games.conquest.state import EXTRA, MOVE
from frontend.app.components.own_row import Fact
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import el, picture
from frontend.app.core.types import Node
from frontend.app.games.conquest import phrases
from frontend.app.games.conquest.i18n import t

SYMBOLS = (
    ("crown", t("legend.wealth")),
    ("steps", t("legend.steps")),
    ("cq-gold", t("legend.gold")),
    ("cq-silk", t("legend.silk")),
    ("cq-spice", t("legend.spice")),
    ("cq-chest", t("legend.treasure")),
    ("load", t("legend.load")),
    ("cq-G", t("legend.grasslands")),
    ("cq-D", t("legend.desert")),
    ("cq-M", t("legend.mountains")),
    ("cq-O", t("legend.oasis")),
    ("cq-S", t("legend.camp_silk")),
    ("cq-P", t("legend.camp_spice")),
    ("cq-C", t("legend.city")),
    ("cq-R", t("legend.river")),
)


def own_facts(now: ViewModel, seat: int) -> list[Fact]:
    """Return wealth, the steps left while the seat moves, wares and load of a seat."""
    player = now.view["players"][seat]
    worth, load, capacity = player["wealth"], player["load"], player["capacity"]
    facts = [Fact("crown", str(worth), t("ledger.wealth_is", n=worth))]
    if now.seat == seat and now.view["step"] in (MOVE, EXTRA):
        left = now.view["steps_left"]
        facts.append(Fact("steps", str(left), t("panel.steps_left", n=left), kind="steps-left"))
    for what in RESOURCES:
        n = player[what]
        facts.append(Fact("cq-" + what, str(n), t("ledger.ware", n=n, what=what)))
    over = "over" if load > capacity else ""
    return [*facts, Fact("load", str(load), phrases.describe_load(player), capacity, over)]


def legend() -> list[tuple[Node | None, str]]:
    """Return the signs of the row and of the map with their meanings."""
    entries: list[tuple[Node | None, str]] = []
    for name, meaning in SYMBOLS:
        ground = GROUND.get(name[3:])
        style = f"background:{ground};border-radius:6px" if ground else None
        entries.append((picture(name, 28, style=style), meaning))
    entries.append((el("b", {}, "2"), t("legend.number")))
    return entries
