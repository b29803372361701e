"""The facts of a seat's own row, and the legend of the signs and numbers."""

from domain.games.courtyard.board import GOAL_WEALTH, GOODS
from frontend.app.components.own_row import Fact
from frontend.app.core.dom import el, picture
from frontend.app.core.types import Data, Node
from frontend.app.games.courtyard.derived import amounts_by_good, goods_text, money_text, unit_price
from frontend.app.games.courtyard.i18n import t

# Signs that are symbols of the page or of the board, and texts that stand on the board.
SYMBOLS = (
    ("crown", t("legend.wealth", goal=GOAL_WEALTH)),
    ("dirham", t("legend.purse")),
    ("debt", t("legend.debt")),
    ("frame-red", t("legend.majors")),
    ("scroll", t("legend.minors")),
    ("skill", t("legend.turquoise")),
    ("laurel", t("legend.purple")),
)
TEXTS = (
    ("+2", t("legend.fountain")),
    ("11", t("legend.tower")),
    ("5", t("legend.stall")),
    ("● ○ ○", t("legend.trade")),
)


def own_facts(player: Data) -> list[Fact]:
    """Return wealth, money and goods of a seat; its points once the game is over."""
    score, wealth = player["score"], player["wealth"]
    coins, purse = player["coins"], player["purse"]
    owed, credit = player["debt"], player["credit"]
    label = t("ledger.wealth_of_goal", wealth=wealth, goal=GOAL_WEALTH)
    main = Fact("crown", str(wealth), label, GOAL_WEALTH)
    if score:
        main = Fact("crown", str(score["total"]), t("ledger.points", n=score["total"]))
    goods = [
        Fact("good-" + good, str(n) if n > 1 else "", goods_text({good: n}), kind="own-good")
        for good, n in amounts_by_good(player["goods"]).items()
    ]
    return [
        main,
        Fact("dirham", f"{coins}/{purse}", t("ledger.purse_track", n=coins, room=purse)),
        Fact("debt", f"{owed}/{credit}", t("ledger.debt_track", n=owed, room=credit)),
        *goods,
    ]


def legend() -> list[tuple[Node | None, str]]:
    """Return the signs of the row, of the goods and of the board with their meanings."""
    entries: list[tuple[Node | None, str]] = [(picture(name, 24), text) for name, text in SYMBOLS]
    for good in GOODS:
        price = t("space.price", good=good, price=money_text(unit_price(good)))
        entries.append((picture("good-" + good, 24), price))
    return [*entries, *[(el("b", {}, text), meaning) for text, meaning in TEXTS]]
