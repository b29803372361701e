"""The sheet to change the size of a drawn map or to start from a template."""

from typing import Protocol

from _native import random_below

from domain.games.conquest import map_draft as drafts
from domain.games.conquest.map_draft import Draft, DraftHistory
from domain.games.conquest.maps import MAX_SIDE_TILES, PRESETS
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, fill
from frontend.app.core.types import Data, Node
from frontend.app.games.conquest.by_chance import random_seed, request_preview
from frontend.app.games.conquest.i18n import t


class DraftEditor(Protocol):
    """The map editor as seen by the sheet."""

    steps: DraftHistory

    def go(self, draft: Draft) -> None:
        """Make ``draft`` the current map as one undoable step."""


class MapTemplates:
    """The sheet with sizes and templates, shown over the map editor."""

    def __init__(self, drawing: DraftEditor) -> None:
        self.drawing = drawing
        self.body = el("div", {"class": "stack"})
        self.status = el("p", {"class": "muted", "role": "status"})
        self.rows = el("b", {"class": "figures"})
        self.columns = el("b", {"class": "figures"})
        self.sheet = Sheet(t("map_editor.size_and_template"), self.body)
        text = t("map_editor.fill_random")
        rest = button(text, lambda _e: self._fill_rest(), style="width:100%")
        keys = el("p", {"class": "muted"}, t("map_editor.keyboard"))
        fill(self.body, self._size(), self._maps(), rest, self.status, keys)

    def open(self) -> None:
        """Open the sheet."""
        fill(self.status)
        self._update_size()
        self.sheet.open()

    def _size(self) -> Node:
        down, right = (1, 0), (0, 1)
        fewer, more = t("map_editor.row_less"), t("map_editor.row_more")
        rows = self._stepper(t("map_editor.rows"), fewer, more, self.rows, down)
        fewer, more = t("map_editor.column_less"), t("map_editor.column_more")
        columns = self._stepper(t("map_editor.columns"), fewer, more, self.columns, right)
        return el("section", {}, el("h3", {}, t("map_editor.size")), rows, columns)

    def _stepper(self, text: str, fewer: str, more: str, number: Node, by: tuple[int, int]) -> Node:
        down, right = by
        parts = [
            el("span", {"class": "grow"}, text),
            button(fewer, lambda _e: self._resize(-down, -right), "round", "i-minus"),
            number,
            button(more, lambda _e: self._resize(down, right), "round", "i-plus"),
        ]
        return el("div", {"class": "stepper"}, parts)

    def _resize(self, down: int, right: int) -> None:
        draft = self.drawing.steps.now
        high, wide = len(draft.rows) + down, len(draft.rows[0]) + right
        if 0 < high <= MAX_SIDE_TILES and 0 < wide <= MAX_SIDE_TILES:
            self.drawing.go(drafts.resize(draft, high, wide))
            self._update_size()
            args = {"rows": high, "columns": wide, "tiles": high * wide}
            fill(self.status, t("map_editor.size_status", **args))

    def _update_size(self) -> None:
        draft = self.drawing.steps.now
        fill(self.rows, str(len(draft.rows)))
        fill(self.columns, str(len(draft.rows[0])))

    def _maps(self) -> Node:
        names = {
            "short": t("option.map_short"),
            "standard": t("option.map_standard"),
            "full": t("option.map_full"),
        }
        buttons = [
            *[
                button(names[kind], lambda _e, kind=kind: self._preset(kind), "grow")
                for kind in PRESETS
            ],
            button(t("option.map_random"), lambda _e: self._chance(), "grow"),
            button(t("map_editor.empty"), lambda _e: self._bare(), "grow"),
        ]
        heading = el("h3", {}, t("map_editor.start_from"))
        return el("section", {}, heading, el("div", {"class": "begin-from"}, buttons))

    def _use(self, draft: Draft) -> None:
        self.drawing.go(draft)
        self._update_size()
        fill(self.status, t("map_editor.undo_about"))

    def _preset(self, kind: str) -> None:
        chart = PRESETS[kind]
        self._use(Draft(chart.rows, chart.treasure))

    def _bare(self) -> None:
        draft = self.drawing.steps.now
        self._use(drafts.blank_draft(len(draft.rows), len(draft.rows[0])))

    def _fill_rest(self) -> None:
        self._use(drafts.fill_bare_tiles(self.drawing.steps.now, random_below))

    def _chance(self) -> None:
        """Replace the map with a random one of about the same size."""
        draft = self.drawing.steps.now
        tiles = len(draft.rows) * len(draft.rows[0])
        size = "short" if tiles < 72 else "standard" if tiles < 133 else "full"

        def on_preview(view: Data) -> None:
            treasure = tuple([(row, column) for row, column in view["treasure"]])
            self._use(Draft(tuple(view["map"]["rows"]), treasure))

        options = {"map": "generated", "size": size, "seed": random_seed()}
        request_preview(options, on_preview, lambda problem: fill(self.status, problem.detail))
