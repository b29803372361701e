"""The tile grid of the map editor, for touch, mouse and keyboard.

Each tile is a grid cell that can be reached with the arrow keys. A finger taps or, in brush mode,
paints by dragging. If cells are too small for a finger, a tap only zooms in.
"""

from typing import Any, Protocol

from _native import add_listener, fill, observe_size, patch, size_of

from domain.games.conquest.events import Place
from domain.games.conquest.map_draft import CHEST, Draft, places_between
from frontend.app.core.dom import ARROW_KEYS, el
from frontend.app.core.types import DomEvent, Node
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.terrain import name_of, sign

MIN_TAP_PX = 44  # minimum side of a cell that can be tapped reliably
MAX_CELL_PX = 72
MIN_CELL_PX = 8

Cell = tuple[str, bool, bool]
"""The content of a cell: its letter, whether it has a chest, and whether it has a fault."""


class GridInput(Protocol):
    """The receiver of the grid's input."""

    def is_painting(self, event: DomEvent) -> bool:
        """Return whether dragging with this pointer paints."""

    def on_tap(self, place: Place) -> None:
        """Handle a tap on a tile."""

    def on_stroke(self, places: list[Place]) -> None:
        """Paint more tiles of the current stroke."""

    def on_stroke_end(self) -> None:
        """End the stroke."""

    def on_key(self, event: DomEvent, place: Place) -> bool:
        """Handle a key pressed on a tile; return whether it was handled."""


class Grid:
    """The grid that shows a draft; ``node`` scrolls if the map is larger than the space."""

    def __init__(self, hand: GridInput) -> None:
        self.hand = hand
        self.map = el("div", {"role": "grid", "class": "tiles", "aria-label": t("map_editor.map")})
        self.node = el("div", {"class": "tiles-area"}, self.map)
        self.signs: dict[str, Node] = {}
        self.cells: list[list[Node]] = []
        self.shown: list[list[Cell | None]] = []
        self.at: Place = (0, 0)
        self.whole = False
        self.side = MIN_TAP_PX
        self.last: Place | None = None
        self.brushing = False
        for name, does in (
            ("pointerdown", self._down),
            ("pointermove", self._move),
            ("pointerup", self._up),
            ("pointercancel", self._up),
            ("click", self._click),
            ("keydown", self._on_key),
        ):
            add_listener(self.map, name, does)
        observe_size(self.node, lambda *_: self.fit())

    # -- display -------------------------------------------------------------------------------

    def show(self, draft: Draft, wrong: set[Place]) -> None:
        """Show a draft, updating changed cells; ``wrong``: the places with faults."""
        size = (len(draft.rows), len(draft.rows[0]))
        if size != (len(self.cells), len(self.cells[0]) if self.cells else 0):
            self._create_cells(*size)
        chests = set(draft.treasure)
        for row, letters in enumerate(draft.rows):
            shown = self.shown[row]
            for column, letter in enumerate(letters):
                place = (row, column)
                cell = (letter, place in chests, place in wrong)
                if shown[column] != cell:
                    shown[column] = cell
                    self._draw(place, cell)

    def _create_cells(self, high: int, wide: int) -> None:
        """Create the cells for a map of this size."""
        self.cells = [[self._cell(row, column) for column in range(wide)] for row in range(high)]
        self.shown = [[None] * wide for _ in range(high)]
        fill(self.map, [el("div", {"role": "row"}, cells) for cells in self.cells])
        self.at = (min(self.at[0], high - 1), min(self.at[1], wide - 1))
        self._node(self.at).setAttribute("tabindex", "0")
        self.fit()

    def _cell(self, row: int, column: int) -> Node:
        given = {"role": "gridcell", "tabindex": "-1", "data-at": f"{row} {column}"}
        return el("div", {**given, "class": "tile-cell"})

    def _draw(self, place: Place, cell: Cell) -> None:
        letter, chest, wrong = cell
        parts = [self._sign(letter)] + ([self._sign(CHEST)] if chest else [])
        node = fill(self._node(place), parts)
        if wrong:
            node.append(el("b", {"class": "wrong", "aria-hidden": "true"}, "!"))
        node.setAttribute("aria-label", self.describe_cell(place))

    def _sign(self, letter: str) -> Node:
        if letter not in self.signs:
            self.signs[letter] = sign(letter)
        return self.signs[letter].cloneNode(True)

    def describe_cell(self, place: Place) -> str:
        """Return a description of the cell at a place."""
        row, column = place
        letter, chest, wrong = self.shown[row][column] or (".", False, False)
        args: dict[str, Any] = {"row": row + 1, "column": column + 1, "tile": name_of(letter)}
        if chest and wrong:
            return t("map_editor.cell_chest_problem", **args)
        if chest:
            return t("map_editor.cell_chest", **args)
        if wrong:
            return t("map_editor.cell_problem", **args)
        return t("map_editor.cell", **args)

    # -- size ----------------------------------------------------------------------------------

    def fit(self) -> None:
        """Set the cell size so that the map fills the space.

        Cells are at least `MIN_TAP_PX` pixels wide unless the whole map is shown.
        """
        if not self.cells:
            return
        width, height = size_of(self.node)
        high, wide = len(self.cells), len(self.cells[0])
        room = min((width - 2) // wide, (height - 2) // high)
        self.side = max(MIN_CELL_PX, min(MAX_CELL_PX, room))
        if not self.whole:
            self.side = max(MIN_TAP_PX, self.side)
        patch(self.map, {"style": f"--side:{self.side}px;--wide:{wide}"})

    def set_zoomed_out(self, whole: bool) -> None:
        """Show the whole map if ``whole``; otherwise zoom in to cells large enough for a finger."""
        self.whole = whole
        self.fit()

    def nearer(self, place: Place) -> None:
        """Zoom in on a place and focus it."""
        self.set_zoomed_out(False)
        width, height = size_of(self.node)
        row, column = place
        self.node.scrollLeft = column * self.side + self.side // 2 - width // 2
        self.node.scrollTop = row * self.side + self.side // 2 - height // 2
        self.go(place)

    def go(self, place: Place) -> None:
        """Move the focus to a place."""
        self._node(self.at).setAttribute("tabindex", "-1")
        self.at = place
        self._node(place).setAttribute("tabindex", "0")
        self._node(place).focus()

    def _node(self, place: Place) -> Node:
        row, column = place
        return self.cells[row][column]

    # -- pointer and keyboard input ------------------------------------------------------------

    def _place(self, event: DomEvent) -> Place | None:
        box = self.map.getBoundingClientRect()
        row = int((event.clientY - box.top) // self.side)
        column = int((event.clientX - box.left) // self.side)
        inside = 0 <= row < len(self.cells) and 0 <= column < len(self.cells[0])
        return (row, column) if inside else None

    def _down(self, event: DomEvent) -> None:
        place = self._place(event)
        self.brushing = bool(
            # ``isPrimary`` is unreliable: in Firefox it is false for a finger after a button was
            # redrawn.
            place and self.last is None and event.button <= 0 and self.hand.is_painting(event)
        )
        if not self.brushing or place is None:
            self._up(event)
            return
        self.map.setPointerCapture(event.pointerId)
        self.last = place
        self.hand.on_stroke([place])

    def _move(self, event: DomEvent) -> None:
        place = self._place(event) if self.last else None
        if self.last is None or place is None or place == self.last:
            return
        places = places_between(self.last, place)
        self.last = place
        self.hand.on_stroke(places)

    def _up(self, _event: DomEvent) -> None:
        if self.last is not None:
            self.last = None
            self.hand.on_stroke_end()

    def _click(self, event: DomEvent) -> None:
        if self.brushing and event.detail > 0:
            return
        place = self._target_cell(event) or self._place(event)
        if place is None:
            return
        if self.side < MIN_TAP_PX and event.pointerType != "mouse":
            self.nearer(place)
            return
        self.go(place)
        self.hand.on_tap(place)

    def _target_cell(self, event: DomEvent) -> Place | None:
        """Return the place of the cell that is an event's target, or None.

        The target is needed because clicks by a screen reader have no usable coordinates.
        """
        if event.target.hasAttribute("data-at"):
            row, column = event.target.getAttribute("data-at").split(" ")
            return int(row), int(column)
        return None

    def _on_key(self, event: DomEvent) -> None:
        row, column = self.at
        if event.key in ARROW_KEYS:
            right, down = ARROW_KEYS[event.key]
            row = max(0, min(len(self.cells) - 1, row + down))
            column = max(0, min(len(self.cells[0]) - 1, column + right))
            self.go((row, column))
        elif event.key == "Home":
            self.go((row, 0))
        elif event.key == "End":
            self.go((row, len(self.cells[0]) - 1))
        elif not self.hand.on_key(event, self.at):
            return
        event.preventDefault()
