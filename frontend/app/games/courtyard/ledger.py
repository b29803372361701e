"""The ledger of all players: wealth, purse, debt, goods and cards."""

from typing import Any

from _native import fill, keep_focus

from domain.games.courtyard.board import GOAL_WEALTH, LAST_LIMIT
from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, labelled, picture, tone
from frontend.app.core.i18n import join_sentences
from frontend.app.core.types import Data, Node, View
from frontend.app.games.courtyard.cards import ability_card, ability_text, order_card
from frontend.app.games.courtyard.derived import goods_node
from frontend.app.games.courtyard.i18n import t


class Ledger:
    """The ledger, with a line for each player that can be expanded to show cards."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.opened: set[int] = set()
        self.shown: Any = None
        self.node = el("div", {"class": "players"})

    def draw(self, view: View) -> None:
        """Draw the players at a moment; the active seat of this device comes first."""
        hand = self.host.match.active_seat
        seats = [*range(len(view["players"]))]
        if hand is not None:
            seats = [hand, *[seat for seat in seats if seat != hand]]
        state = str((view["players"], view["to_move"], hand, view["step"]))
        if state != self.shown:
            self.shown = state
            lines = [self._line(view, seat) for seat in seats]
            keep_focus(lambda: fill(self.node, lines))

    def _line(self, view: View, seat: int) -> Node:
        player = view["players"][seat]

        def on_toggle(event: Any) -> None:
            (self.opened.add if event.target.open else self.opened.discard)(seat)

        look = "player-line mine" if seat == self.host.match.active_seat else "player-line"
        if view["to_move"] == seat and view["step"] != "over":
            look += " acting"
        given = {"class": look, "style": tone(seat), "data-player": str(seat)}
        head = (self._head(player), _open_minor(player), _tracks(player))
        return el(
            "details",
            {**given, "open": seat in self.opened or None, "ontoggle": on_toggle},
            el("summary", {"name": f"player-{seat}"}, *head),
            _cards(player),
        )

    def _head(self, player: Data) -> Node:
        seat, score = player["seat"], player["score"]
        wealth = score["total"] if score else player["wealth"]
        text = t("ledger.wealth_of_goal", wealth=wealth, goal=GOAL_WEALTH)
        if score:
            text = t("ledger.points", n=wealth)
        goal = None if score else f"/{GOAL_WEALTH}"
        return el(
            "span",
            {"class": "player-head"},
            el("span", {"class": "pill-tag"}, self.host.match.letters[seat]),
            el("span", {"class": "who"}, self.host.match.short_name(seat)),
            goods_node(player["goods"], 22),
            labelled("wealth", text, picture("crown", 18), el("b", {}, str(wealth)), goal),
        )


def _open_minor(player: Data) -> Node | None:
    """Return the open minor order with its value and goods, or None."""
    order = player["minor"]
    if order is None:
        return None
    text, value = el("span", {}, t("ledger.open_minor")), el("b", {}, str(order["value"]))
    goods = goods_node(order["goods"], 20)
    return el("span", {"class": "open-minor"}, picture("scroll", 18), text, value, goods)


def _piles(player: Data) -> list[Node]:
    """Return the numbers of a player's major orders, minor orders and abilities, if not zero."""
    majors, abilities = len(player["majors"]), len(player["abilities"])
    minors = len(player["minors"]) + (player["minor"] is not None)
    piles = (
        ("frame-red", majors, t("ledger.majors", n=majors)),
        ("scroll", minors, t("ledger.minors", n=minors)),
        ("skill", abilities, t("ledger.abilities", n=abilities)),
    )
    return [
        labelled("ware", label, picture(sign, 18), el("b", {}, str(n)))
        for sign, n, label in piles
        if n
    ]


def _tracks(player: Data) -> Node:
    """Return purse and debt with their limits, the numbers of cards, and a wealth bar."""
    wealth = player["score"]["total"] if player["score"] else player["wealth"]
    full = max(0, min(100, 100 * wealth // GOAL_WEALTH))
    coins, purse = player["coins"], player["purse"]
    debt, credit = player["debt"], player["credit"]
    purse_text = t("ledger.purse_track", n=coins, room=purse)
    debt_text = t("ledger.debt_track", n=debt, room=credit)
    return el(
        "span",
        {"class": "tracks"},
        _pips("purse", t("ledger.purse"), purse_text, coins, purse),
        _pips("debt", t("ledger.debt"), debt_text, debt, credit),
        el("span", {"class": "piles"}, _piles(player)),
        el("span", {"class": "meter"}, el("span", {"style": f"width:{full}%"})),
    )


def _pips(kind: str, name: str, text: str, full: int, room: int) -> Node:
    looks = ["full" if i < full else "free" if i < room else "shut" for i in range(LAST_LIMIT)]
    pips = el("span", {"class": "pips"}, [el("span", {"class": "pip " + look}) for look in looks])
    head = el("span", {"class": "track-name"}, name)
    return labelled("track " + kind, text, head, pips, el("b", {}, f"{full}/{room}"))


def _cards(player: Data) -> Node:
    """Return a player's orders and abilities, then the score, or the limits before the end."""
    parts = []
    done = [*player["majors"], *player["minors"]]
    if done:
        parts.append(el("p", {}, t("ledger.completed_orders")))
        parts.append(el("div", {"class": "cards"}, [order_card(order) for order in done]))
    if player["abilities"]:
        cards = [ability_card(name, name in player["used"]) for name in player["abilities"]]
        parts.append(el("div", {"class": "abilities"}, cards))
    if player["score"]:
        parts.append(_score(player["score"]))
    else:
        parts.append(el("p", {"class": "muted"}, _limits(player)))
    return el("div", {"class": "player-cards"}, parts)


def _limits(player: Data) -> str:
    """Return sentences about the limits of purse and debt, and how they grow."""
    room, may = player["purse"], player["credit"]
    purse_, debt_ = t("ledger.purse_limit", room=room), t("ledger.credit_limit", may=may)
    if room == LAST_LIMIT:
        purse_ = t("ledger.purse_max", room=room)
    if may == LAST_LIMIT:
        debt_ = t("ledger.credit_max", may=may)
    return join_sentences([purse_, debt_])


def _score(score: Data) -> Node:
    lines = [
        (t("review.wealth"), score["wealth"]),
        (t("ledger.coins"), score["coins"]),
        (t("ledger.debt"), -score["debt"]),
        (t("ledger.frame_sets"), score["sets"]),
        *[(ability_text(name), points) for name, points in score["abilities"].items()],
        (t("ledger.score_total"), score["total"]),
    ]
    rows = [el("div", {}, el("dt", {}, name), el("dd", {}, str(n))) for name, n in lines]
    return el("dl", {"class": "sums"}, rows)
