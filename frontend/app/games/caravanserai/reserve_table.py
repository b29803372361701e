"""The market and the reserves, as chips with counts in a fixed order."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.games.caravanserai.pieces import COLOURS
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import el, fill, picture, tone
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravanserai.i18n import t


class ReserveTable:
    """The table of the market and the players' reserves, except that of the acting user."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.node = el("table", {"class": "reserves"})
        self.rows: dict[Any, Any] = {}
        self.listed: list[Any] = []

    def draw(self, now: ViewModel) -> None:
        """Draw the rows of the market and the players, reusing existing rows."""
        for _ in self.draw_in_parts(now):
            pass

    def draw_in_parts(self, now: ViewModel) -> Iterator[None]:
        """Draw the table row by row, yielding before each player's row."""
        view = now.view
        rows = [self._row("market", (view["market"],), lambda: self._market_row(view))]
        for player in view["players"]:
            yield
            seat = player["seat"]
            if now.live and seat == now.seat:
                continue  # the tray shows this seat's reserve, larger
            numbers = [player[name] for name in ("goods", "camels", "length")]
            look = (self.host.match.names[seat], view["to_move"] == seat, *numbers)
            rows.append(self._row(seat, look, lambda each=player: self._player_row(view, each)))
        if rows != self.listed:
            self.listed = rows
            fill(self.node, el("caption", {"class": "hush"}, t("board.reserves")), *rows)

    def _row(self, name: str | int, look: tuple[Any, ...], make: Callable[..., Node]) -> Node:
        """Return a row, the previous one if it shows the same."""
        if name not in self.rows or self.rows[name][0] != look:
            self.rows[name] = (look, make())
        return self.rows[name][1]

    def _market_row(self, view: View) -> Node:
        cells = [self._good(colour, view["market"][colour]) for colour in COLOURS]
        last = el("td", {})
        return el("tr", {}, el("th", {"scope": "row"}, t("picture.market")), cells, last)

    def _player_row(self, view: View, player: Data) -> Node:
        seat = player["seat"]
        name = self.host.match.names[seat]
        length = {"class": "figures", "title": t("board.length")}
        name_node = el(
            "div",
            {"class": "who"},
            el("span", {"class": "dot"}),
            el("span", {"title": name}, self.host.match.short_name(seat)),
            el("b", length, player["length"]),
        )
        cells = [self._good(colour, player["goods"][colour]) for colour in COLOURS]
        number = el("span", {"style": "color:var(--ink)"}, player["camels"])
        chip = {"class": "chip", "style": f"color:var(--seat-{seat})"}
        camels = {"aria-label": t("board.camels", n=player["camels"])}
        cells.append(el("td", camels, el("span", chip, picture("camel"), number)))
        given = {"class": "acting" if view["to_move"] == seat else None, "style": tone(seat)}
        return el("tr", given, el("th", {"scope": "row"}, name_node), cells)

    def _good(self, colour: str, count: int) -> Node:
        label = t("board.goods", n=count, colour=colour)
        given = {"class": None if count else "none", "aria-label": label}
        number = el("span", {}, count)
        return el("td", given, el("span", {"class": "chip"}, picture("good-" + colour), number))
