"""The map drawing dialog: grid, palette, tools and faults."""

from collections.abc import Callable

from domain.games.conquest import map_draft as drafts
from domain.games.conquest.board import FINISH, START
from domain.games.conquest.events import Place
from domain.games.conquest.map_draft import BARE, CHEST, Draft, DraftHistory, Fault
from frontend.app.components.sheet import show_modal
from frontend.app.core.dom import (
    after,
    button,
    cancel,
    el,
    fill,
    icon,
    plain_button,
    set_blocked_reason,
    svg,
)
from frontend.app.core.types import Callback, DomEvent, Node
from frontend.app.games.conquest.grid import MIN_TAP_PX, Grid
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.map_templates import MapTemplates
from frontend.app.games.conquest.palette import Palette
from frontend.app.games.conquest.terrain import NAMES, describe_flaw, name_of

CHECK_DELAY_MS = 150  # delay between a change and the check of the map
FILL_ICON = "M5 12 12 5l7 7-7 7ZM12 5 9 2M20 16q2 3 0 4t-2-2q0-1 2-2"
BRUSH_ICON = "M4 20q5 1 6-4l9-11q-3-2-4-1L6 14q-1 4-2 6Z"


class Toolbar:
    """The tools of the map drawing dialog.

    ``is_filling``: whether a tap fills an area; ``is_brushing``: whether a finger paints by
    dragging.
    """

    def __init__(self, sheet: "MapDrawingSheet") -> None:
        self.sheet = sheet
        self.is_filling = self.is_brushing = False
        self.undo = button(t("map_editor.undo"), lambda _e: sheet.undo(), "round", "i-undo")
        self.redo = button(t("map_editor.redo"), lambda _e: sheet.redo(), "round", "i-redo")
        label = t("map_editor.size_and_template")
        tools = [
            self.undo,
            self.redo,
            _toggle(t("map_editor.fill_tool"), _icon(FILL_ICON), self._toggle_filling),
            _toggle(t("map_editor.brush_tool"), _icon(BRUSH_ICON), self._toggle_brush),
            _toggle(t("map_editor.whole"), icon("i-whole"), self._toggle_zoom),
            button(label, lambda _e: sheet.templates.open(), "round", "i-list"),
        ]
        given = {"class": "tools", "role": "group", "aria-label": t("map_editor.tools")}
        self.node = el("div", given, tools)

    def show(self, steps: DraftHistory) -> None:
        """Show whether there is a step to undo or redo."""
        no_undo, no_redo = t("map_editor.nothing_to_undo"), t("map_editor.nothing_to_redo")
        set_blocked_reason(self.undo, None if steps.before else no_undo)
        set_blocked_reason(self.redo, None if steps.undone else no_redo)

    def _toggle_filling(self) -> bool:
        self.is_filling = not self.is_filling
        return self.is_filling

    def _toggle_brush(self) -> bool:
        self.is_brushing = not self.is_brushing
        self.sheet.grid.map.className = "tiles brushed" if self.is_brushing else "tiles"
        return self.is_brushing

    def _toggle_zoom(self) -> bool:
        grid = self.sheet.grid
        grid.set_zoomed_out(not grid.whole)
        if grid.side < MIN_TAP_PX:
            self.sheet.announce(t("map_editor.tap_to_zoom"))
        return grid.whole


def _icon(shape: str) -> Node:
    given = {"viewBox": "0 0 24 24", "aria-hidden": "true"}
    return svg("svg", given, svg("path", {"d": shape, "class": "i"}))


def _toggle(label: str, drawn: Node, toggle: Callable[[], bool]) -> Node:
    """Return a tool that is switched on and off; ``toggle()`` returns whether it is on now."""

    def on_click(event: DomEvent) -> None:
        event.currentTarget.setAttribute("aria-pressed", "true" if toggle() else "false")

    given = {"aria-pressed": "false", "aria-label": label, "title": label}
    return plain_button("button round", on_click, drawn, **given)


class MapDrawingSheet:
    """The map drawing dialog.

    ``changed(draft)`` is called after each step; ``name()`` returns the map's name.
    """

    def __init__(self, draft: Draft, changed: Callback, name: Callable[[], str]) -> None:
        self.steps = DraftHistory(draft)
        self.changed = changed
        self.name = name
        self.stroke: Draft | None = None
        self.checking: int | None = None
        self.faults: list[Fault] = []
        self.palette = Palette(self.take_up)
        self.grid = Grid(self)
        self.templates = MapTemplates(self)
        self.tools = Toolbar(self)
        self.status = el("p", {"class": "hush", "role": "status"})
        self.verdict = el("div", {"class": "verdict"})
        self.title = el("h2", {})
        done = button(t("map_editor.done"), lambda _e: self.dialog.close(), "primary")
        bar = el("div", {"class": "drawing-bar"}, self.title, done)
        given = {"class": "drawing", "aria-label": t("map_editor.edit")}
        parts = [bar, self.verdict, self.grid.node, self.tools.node, self.palette.node]
        self.dialog = el("dialog", given, el("div", {"class": "drawing-inner"}, parts, self.status))
        self.node = el("div", {}, self.templates.sheet.node, self.dialog)

    def open(self) -> None:
        """Open the dialog."""
        fill(self.title, self.name() or t("map_editor.your_map"))
        show_modal(self.dialog)
        self.show()
        self.grid.fit()

    def start(self, draft: Draft) -> None:
        """Replace the map and clear the undo history."""
        self.steps = DraftHistory(draft)
        self.show()

    def show(self) -> None:
        """Show the current map and its faults."""
        self.faults = drafts.faults(self.name(), self.steps.now)
        self._draw(self.steps.now)
        fill(self.verdict, self._verdict())

    def _draw(self, draft: Draft) -> None:
        wrong = {fault.place for fault in self.faults if fault.place and fault.key != "map-bare"}
        self.grid.show(draft, wrong)
        self.palette.show(drafts.count_remaining_tiles(draft))
        self.tools.show(self.steps)

    # -- faults --------------------------------------------------------------------------------

    def _verdict(self) -> Node:
        if not self.faults:
            text = t("map_editor.playable", n=drafts.route_length(self.steps.now))
            return el("p", {"class": "fine", "role": "status"}, text)
        head = el("summary", {}, t("map_editor.problems", n=len(self.faults)))
        lines = [el("li", {}, self._fault(fault)) for fault in self.faults]
        was = self.verdict.querySelector("details[open]")
        return el("details", {"open": bool(was)}, head, el("ul", {}, lines))

    def _fault(self, fault: Fault) -> Node:
        text = describe_flaw(fault.key, fault.args)
        place = fault.place
        if place is not None:
            return button(text, lambda _e: self.grid.nearer(place), "quiet")
        if fault.letter in NAMES:
            return button(text, lambda _e: self._point(fault.letter), "quiet")
        return el("p", {}, text)

    def _point(self, letter: str) -> None:
        self.take_up(letter)
        self.palette.nodes[letter].focus()

    # -- steps ---------------------------------------------------------------------------------

    def go(self, draft: Draft) -> None:
        """Make ``draft`` the current map as one undoable step; do nothing if it is unchanged."""
        if self.steps.go(draft):
            self._on_step()

    def _on_step(self) -> None:
        self._draw(self.steps.now)
        self.changed(self.steps.now)
        cancel(self.checking)
        self.checking = after(CHECK_DELAY_MS, self.show)

    def announce(self, text: str) -> None:
        """Announce a text to screen readers."""
        fill(self.status, text)

    def undo(self) -> None:
        """Undo the last step, if any."""
        self._on_moved(self.steps.undo(), t("map_editor.undone"))

    def redo(self) -> None:
        self._on_moved(self.steps.redo(), t("map_editor.redone"))

    def _on_moved(self, is_moved: bool, text: str) -> None:
        if is_moved:
            self.announce(text)
            self._on_step()

    def take_up(self, letter: str) -> None:
        """Select and announce the tile to paint with."""
        self.palette.choose(letter)
        self.palette.show(drafts.count_remaining_tiles(self.steps.now))
        self.announce(t("map_editor.selected", tile=name_of(letter)))

    # -- input from the grid -------------------------------------------------------------------

    def is_painting(self, event: DomEvent) -> bool:
        """Return whether dragging paints: with a mouse always, with a finger in brush mode.

        Returns False in fill mode, and for start, finish and treasure, which are placed one by one.
        """
        several = self.palette.letter not in (START, FINISH, CHEST) and not self.tools.is_filling
        return several and (self.tools.is_brushing or event.pointerType == "mouse")

    def on_tap(self, place: Place) -> None:
        """Paint the tapped tile, or fill its area in fill mode."""
        self.put(place, self.palette.letter)

    def put(self, place: Place, letter: str) -> None:
        """Put a tile at a place, or fill the connected area around it in fill mode."""
        draft = self.steps.now
        one = letter in (START, FINISH, CHEST) or not self.tools.is_filling
        places = [place] if one else drafts.connected_area(draft, place)
        self.go(drafts.paint(draft, places, letter))
        self.announce(self.grid.describe_cell(place))

    def on_stroke(self, places: list[Place]) -> None:
        """Paint tiles of the current stroke, which becomes a step when it ends."""
        self.stroke = drafts.paint(self.stroke or self.steps.now, places, self.palette.letter)
        self._draw(self.stroke)

    def on_stroke_end(self) -> None:
        """End the stroke and make it one step."""
        stroke, self.stroke = self.stroke, None
        if stroke is not None:
            self.go(stroke)

    def on_key(self, event: DomEvent, place: Place) -> bool:
        """Handle a key pressed on a tile; return whether it was handled.

        A letter puts its tile, Enter and Space the selected one, Delete and Backspace a bare tile.
        Ctrl or Cmd with Z undoes; with Y or Shift+Z it redoes.
        """
        key = str(event.key)
        letter = key.upper()
        if event.ctrlKey or event.metaKey:
            undone = {"Z": self.redo if event.shiftKey else self.undo, "Y": self.redo}
            if letter in undone:
                undone[letter]()
            return letter in undone
        if key in ("Enter", " "):
            self.put(place, self.palette.letter)
        elif key in ("Delete", "Backspace"):
            self.put(place, BARE)
        elif letter in NAMES:
            self.take_up(letter)
            self.put(place, letter)
        else:
            return False
        return True
