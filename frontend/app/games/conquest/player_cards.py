"""The ledger: prices and decks, and each player's possessions, load and wealth."""

from collections.abc import Sequence
from typing import Any

from domain.games.conquest.equipment import RESOURCES
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el, fill, labelled, picture, tone
from frontend.app.core.i18n import join_and
from frontend.app.core.types import Data, Node, View
from frontend.app.games.conquest import phrases
from frontend.app.games.conquest.encounters import DECK_SIGNS
from frontend.app.games.conquest.i18n import t


class PlayerCards:
    """The ledger; players' cards that have not changed keep their nodes."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.prices = el("p", {"class": "prices"})
        self.list = el("ul", {"class": "merchants"})
        self.node = el(
            "section", {"class": "players", "aria-label": t("ledger.title")}, self.prices, self.list
        )
        self.known: dict[int, Any] = {}
        self.order: Sequence[Any] = ()

    def draw(self, now: ViewModel) -> None:
        """Draw the round, the prices and the decks, then the players in seat order."""
        view = now.view
        fill(self.prices, *_prices(view))
        order = _ranks(view)
        rows = []
        for player in view["players"]:
            seat = player["seat"]
            look = (player, order.get(seat), view["seat"] == seat, self.host.match.names[seat])
            known = self.known.get(seat)
            if known is None or known[0] != look:
                known = self.known[seat] = (look, self._merchant(player, order, view))
            rows.append(known[1])
        if rows != self.order:
            self.order = rows
            fill(self.list, *rows)

    def _merchant(self, player: Data, order: dict[int, int], view: View) -> Node:
        seat = player["seat"]
        name = self.host.match.names[seat]
        head = el(
            "div",
            {"class": "merchant-head"},
            el("span", {"class": "pill"}, self.host.match.letters[seat]),
            el("b", {"class": "who", "title": name}, self.host.match.short_name(seat)),
            el("span", {"class": "pace"}, _state(player, order)),
            _worth(player["wealth"]),
        )
        goods = el("div", {"class": "wares"}, *wares(player), load_bar(player))
        gear = phrases.describe_team(player)
        kept = [phrases.card_name(card) for card in player["kept"]]
        line = t("ledger.gear_kept", gear=gear, cards=join_and(kept)) if kept else gear
        look = "merchant acting" if view["seat"] == seat else "merchant"
        return el("li", {"class": look, "style": tone(seat)}, head, goods, el("small", {}, line))


def wares(player: Data) -> list[Node]:
    """Return a player's resources and treasure chests with their numbers."""
    numbers = [(what, player[what]) for what in RESOURCES]
    found = [_ware(what, n, t("ledger.ware", n=n, what=what)) for what, n in numbers]
    n = player["treasure"]
    if n:
        found.append(_ware("chest", n, t("ledger.chests", n=n)))
    return found


def load_bar(player: Data) -> Node:
    """Return a bar with load and capacity and, if overloaded, the steps lost."""
    load, most = player["load"], player["capacity"]
    filled = el("i", {"style": f"width:{min(100, 100 * load // most)}%"})
    bar = el("i", {"class": "bar-of", "aria-hidden": "true"}, filled)
    text = el("span", {"class": "figures"}, phrases.describe_load(player))
    return el("span", {"class": "burden over" if load > most else "burden"}, bar, text)


def _worth(n: int) -> Node:
    label = t("ledger.wealth_is", n=n)
    given = {"class": "worth figures", "role": "img", "aria-label": label, "title": label}
    return el("b", given, picture("crown", 18), el("span", {"aria-hidden": "true"}, n))


def _ware(name: str, n: int, label: str) -> Node:
    number = el("span", {"aria-hidden": "true"}, n)
    return labelled("ware figures", label, picture("cq-" + name, 20), number)


def _state(player: Data, order: dict[int, int]) -> str:
    """Return a player's place at the finish, turns to miss, or speed."""
    if player["finished"]:
        return t("ledger.finished", place=order[player["seat"]])
    if player["skip"]:
        return t("ledger.misses", n=player["skip"])
    return t("ledger.speed", speed=player["speed"])


def _ranks(view: View) -> dict[int, int]:
    """Return the place of each finished seat: by round of arrival, then in turn order."""
    count, first = len(view["players"]), view["starter"]
    there = [player for player in view["players"] if player["finished"]]
    there.sort(key=lambda player: (player["finished"], (player["seat"] - first) % count))
    return {player["seat"]: place + 1 for place, player in enumerate(there)}


def _prices(view: View) -> list[Any]:
    numbers = [(what, view["prices"][what]) for what in ("silk", "spice")]
    prices = [_ware(what, n, t("ledger.price", what=what, n=n)) for what, n in numbers]
    moment = t("picture.round", round=view["round"])
    if view["last_round"]:
        moment = t("picture.countdown", round=view["round"], last=view["last_round"])
    decks = [_deck(letter, view["decks"][name]) for name, letter in DECK_SIGNS.items()]
    left = el("span", {"class": "decks"}, el("span", {}, t("ledger.cards_left")), decks)
    return [el("b", {}, moment), el("span", {}, t("ledger.prices")), *prices, left]


def _deck(letter: str, left: int) -> Node:
    label = t("ledger.deck", n=left, tile=phrases.tile_name(letter))
    return _ware(letter, left, label)
