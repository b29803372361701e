"""The ledger of all players: wealth, purse, debt, goods and cards."""

from typing import Any

from _native import fill, keep_focus

from domain.games.courtyard.board import GOAL_WEALTH, LAST_LIMIT
from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, picture
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
        acting = view["to_move"] == seat and view["step"] != "over"

        def on_toggle(event: Any) -> None:
            if event.target.open:
                self.opened.add(seat)
            else:
                self.opened.discard(seat)

        look = "player-line mine" if seat == self.host.match.active_seat else "player-line"
        return el(
            "details",
            {
                "class": look + (" acting" if acting else ""),
                "style": f"--tone:var(--seat-{seat})",
                "data-player": str(seat),
                "open": seat in self.opened or None,
                "ontoggle": on_toggle,
            },
            el(
                "summary",
                {"name": f"player-{seat}"},
                self._head(player),
                _open_minor(player),
                _tracks(player),
            ),
            _cards(player),
        )

    def _head(self, player: Data) -> Node:
        seat, score = player["seat"], player["score"]
        wealth = score["total"] if score else player["wealth"]
        text = t("ledger.wealth_of_goal", wealth=wealth, goal=GOAL_WEALTH)
        if score:
            text = t("ledger.points", n=wealth)
        return el(
            "span",
            {"class": "player-head"},
            el("span", {"class": "pill-tag"}, self.host.match.letters[seat]),
            el("span", {"class": "who"}, self.host.short_name(seat)),
            goods_node(player["goods"], 22),
            el(
                "span",
                {"class": "wealth", "role": "img", "aria-label": text, "title": text},
                picture("crown", 18),
                el("b", {}, str(wealth)),
                None if score else f"/{GOAL_WEALTH}",
            ),
        )


def _open_minor(player: Data) -> Node | None:
    """Return the open minor order with its value and goods, or None."""
    order = player["minor"]
    if order is None:
        return None
    return el(
        "span",
        {"class": "open-minor"},
        picture("scroll", 18),
        el("span", {}, t("ledger.open_minor")),
        el("b", {}, str(order["value"])),
        goods_node(order["goods"], 20),
    )


def _piles(player: Data) -> list[Node]:
    """Return the numbers of a player's major orders, minor orders and abilities, if not zero."""
    piles = []
    if player["majors"]:
        n = len(player["majors"])
        piles.append(_count("frame-red", n, t("ledger.majors", n=n)))
    minors = len(player["minors"]) + (player["minor"] is not None)
    if minors:
        piles.append(_count("scroll", minors, t("ledger.minors", n=minors)))
    if player["abilities"]:
        n = len(player["abilities"])
        piles.append(_count("skill", n, t("ledger.abilities", n=n)))
    return piles


def _count(sign: str, n: int, label: str) -> Node:
    return el(
        "span",
        {"class": "ware", "role": "img", "aria-label": label, "title": label},
        picture(sign, 18),
        el("b", {}, str(n)),
    )


def _tracks(player: Data) -> Node:
    """Return purse and debt with their limits, the numbers of cards, and a wealth bar."""
    wealth = player["score"]["total"] if player["score"] else player["wealth"]
    full = max(0, min(100, 100 * wealth // GOAL_WEALTH))
    return el(
        "span",
        {"class": "tracks"},
        _purse(player),
        _debt(player),
        el("span", {"class": "piles"}, _piles(player)),
        el("span", {"class": "meter"}, el("span", {"style": f"width:{full}%"})),
    )


def _purse(player: Data) -> Node:
    """Return the track of coins and the purse's capacity."""
    n, room = player["coins"], player["purse"]
    text = t("ledger.purse_track", n=n, room=room)
    return _pips("purse", t("ledger.purse"), text, n, room)


def _debt(player: Data) -> Node:
    """Return the track of debt and credit limit."""
    n, room = player["debt"], player["credit"]
    text = t("ledger.debt_track", n=n, room=room)
    return _pips("debt", t("ledger.debt"), text, n, room)


def _pips(kind: str, name: str, text: str, full: int, room: int) -> Node:
    pips = []
    for i in range(LAST_LIMIT):
        look = "full" if i < full else "free" if i < room else "shut"
        pips.append(el("span", {"class": "pip " + look}))
    return el(
        "span",
        {"class": f"track {kind}", "role": "img", "aria-label": text, "title": text},
        el("span", {"class": "track-name"}, name),
        el("span", {"class": "pips"}, pips),
        el("b", {}, f"{full}/{room}"),
    )


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
    purse_ = t("ledger.purse_limit", room=room)
    if room == LAST_LIMIT:
        purse_ = t("ledger.purse_max", room=room)
    debt_ = t("ledger.credit_limit", may=may)
    if may == LAST_LIMIT:
        debt_ = t("ledger.credit_max", may=may)
    return join_sentences([purse_, debt_])


def _score(score: Data) -> Node:
    lines = [
        (t("review.wealth"), score["wealth"]),
        (t("ledger.coins"), score["coins"]),
        (t("ledger.debt"), -score["debt"]),
        (t("ledger.frame_sets"), score["sets"]),
    ]
    for name, points in score["abilities"].items():
        lines.append((ability_text(name), points))
    lines.append((t("ledger.score_total"), score["total"]))
    return el(
        "dl",
        {"class": "sums"},
        [el("div", {}, el("dt", {}, name), el("dd", {}, str(n))) for name, n in lines],
    )
