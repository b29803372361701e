"""The palette of tiles, with the number of each that is left."""

from collections.abc import Callable

from domain.games.conquest.map_draft import BARE, CHEST
from domain.games.conquest.maps import CHESTS, COUNTS
from frontend.app.core.dom import el, fill, plain_button
from frontend.app.core.types import Node
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.terrain import NAMES, name_of, sign


class Palette:
    """The palette; ``chosen(letter)`` is called when a tile is selected."""

    def __init__(self, chosen: Callable[[str], object]) -> None:
        self.letter = "D"
        self.chosen = chosen
        self.now = el("p", {"class": "palette-now"})
        given = {"class": "figures", "aria-hidden": "true"}
        self.counts = {letter: el("b", given) for letter in NAMES}
        self.words = {letter: el("span", {"class": "hush"}) for letter in NAMES}
        self.nodes = {letter: self._button(letter) for letter in NAMES}
        given = {"class": "palette", "role": "group", "aria-label": t("map_editor.tiles")}
        self.node = el("div", {}, self.now, el("div", given, [*self.nodes.values()]))

    def _button(self, letter: str) -> Node:
        name = el("small", {"aria-hidden": "true"}, name_of(letter))
        content = (sign(letter), name, self.counts[letter], self.words[letter])
        pressed = {"aria-pressed": "false"}
        return plain_button("paint", lambda _e: self.chosen(letter), *content, **pressed)

    def choose(self, letter: str) -> None:
        """Select a tile; `show` draws the change."""
        self.letter = letter

    def show(self, left: dict[str, int]) -> None:
        """Show the selected tile and how many of each tile are left.

        Tiles that are not in ``left`` have no limit.
        """
        for letter, node in self.nodes.items():
            many = left.get(letter)
            over = many is not None and many < 0
            fill(self.counts[letter], "" if many is None else _figure(many))
            node.className = "paint over" if over else "paint"
            node.setAttribute("aria-pressed", "true" if letter == self.letter else "false")
            fill(self.words[letter], self._label(letter, many))
        fill(self.now, self._label(self.letter, left.get(self.letter)))

    def _label(self, letter: str, many: int | None) -> str:
        name = name_of(letter)
        if many is None or letter == BARE:
            return t("map_editor.eraser", tile=name)
        if many < 0:
            return t("map_editor.tiles_too_many", tile=name, n=_figure(many))
        most = CHESTS if letter == CHEST else COUNTS[letter]
        return t("map_editor.tiles_left", tile=name, n=many, most=most)


def _figure(many: int) -> str:
    return str(many).replace("-", "\u2212")
