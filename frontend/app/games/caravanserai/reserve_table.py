"""The market and the reserves, as chips with counts in a fixed order."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.games.caravanserai.pieces import COLOURS
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el, fill, patch, picture
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravanserai.i18n import t


class ReserveTable:
    """The table of the market and the players' reserves, except that of the acting user."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.now: Any = None
        self.node = el("table", {"class": "reserves"})
        self.rows: dict[Any, Any] = {}
        self.listed: list[Any] = []

    def draw(self, now: ViewModel) -> None:
        """Draw the rows of the market and the players, reusing existing rows."""
        for _ in self.draw_in_parts(now):
            pass

    def draw_in_parts(self, now: ViewModel) -> Iterator[None]:
        """Draw the table row by row, yielding before each player's row."""
        self.now = now
        view = now.view
        market = (None, False, {"goods": view["market"]})
        rows = [self._row("market", market, lambda: self._market_row(view))]
        for player in view["players"]:
            yield
            seat = player["seat"]
            if self.now.live and seat == self.now.seat:
                continue  # the tray shows this seat's reserve, larger
            look = (self.host.names()[seat], view["to_move"] == seat, player)
            rows.append(self._row(seat, look, lambda each=player: self._player_row(view, each)))
        if rows != self.listed:
            self.listed = rows
            fill(self.node, el("caption", {"class": "hush"}, t("board.reserves")), *rows)

    def _row(self, name: str | int, look: tuple[Any, Any, Any], make: Callable[..., Node]) -> Node:
        """Return a row, updating its counts in place if possible, so that stepping is fast."""
        known = self.rows.get(name)
        if known is None or known[0][:2] != look[:2]:
            node = make()
        else:
            node = known[1]
            _recount(node, known[0][2], look[2])
        self.rows[name] = (look, node)
        return node

    def _market_row(self, view: View) -> Node:
        cells = [self._good(colour, view["market"][colour]) for colour in COLOURS]
        last = el("td", {})
        return el("tr", {}, el("th", {"scope": "row"}, t("picture.market")), cells, last)

    def _player_row(self, view: View, player: Data) -> Node:
        seat = player["seat"]
        name = self.host.names()[seat]
        name_node = el(
            "div",
            {"class": "who"},
            el("span", {"class": "dot"}),
            el("span", {"title": name}, self.host.short_name(seat)),
            el("b", {"class": "figures", "title": t("board.length")}, player["length"]),
        )
        cells = [self._good(colour, player["goods"][colour]) for colour in COLOURS]
        camels = el(
            "td",
            {"aria-label": t("board.camels", n=player["camels"])},
            el(
                "span",
                {"class": "chip", "style": f"color:var(--seat-{seat})"},
                picture("camel"),
                el("span", {"style": "color:var(--ink)"}, player["camels"]),
            ),
        )
        acting = view["to_move"] == seat
        return el(
            "tr",
            {"class": "acting" if acting else None, "style": f"--tone:var(--seat-{seat})"},
            el("th", {"scope": "row"}, name_node),
            cells,
            camels,
        )

    def _good(self, colour: str, count: int) -> Node:
        return el(
            "td",
            {"class": None if count else "none", "aria-label": _goods(count, colour)},
            el("span", {"class": "chip"}, picture("good-" + colour), el("span", {}, count)),
        )


def _goods(count: int, colour: str) -> str:
    return t("board.goods", n=count, colour=colour)


def _recount(row: Node, before: Data, now: Data) -> None:
    """Update the counts that have changed in a row."""
    for place, colour in enumerate(COLOURS, start=1):
        count = now["goods"][colour]
        if before["goods"][colour] != count:
            cell = row.children[place]
            patch(cell, {"class": None if count else "none", "aria-label": _goods(count, colour)})
            fill(cell.firstChild.lastChild, count)
    if "camels" not in now:
        return
    if before["camels"] != now["camels"]:
        cell = row.lastChild
        patch(cell, {"aria-label": t("board.camels", n=now["camels"])})
        fill(cell.firstChild.lastChild, now["camels"])
    if before["length"] != now["length"]:
        fill(row.firstChild.firstChild.lastChild, now["length"])
