"""The hex board on the page: the drawing of `domain.games.caravanserai.picture` and overlays.

The overlays show tap targets, new pieces and the latest moves.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from _native import patch, svg

from domain.games.caravanserai import picture
from domain.games.caravanserai.picture import BEADS, HEX, INNER, cell_centre
from frontend.app.core.dom import fill, tone
from frontend.app.core.scene_nodes import PieceLayer, to_node
from frontend.app.core.types import Box, Node

PIECES = ("standing", "halos", "ribbons", "beads", "fresh")
OVERLAYS = ("leaving", "latest", "ghost", "legal", "lit", "cursor")
NAME, DOT = 10, -12
"""Vertical offsets from the centre of a cell to its name's baseline and to a legal cell's dot."""
TAG_HEIGHT = 34  # height in units of the name of a chosen cell


class HexBoard:
    """The hex board in an SVG: a background drawn once, and layers updated at each moment."""

    def __init__(self, parent: Any) -> None:
        self.parent = parent
        self.cells: tuple[Any, ...] = ()
        self.index: dict[Any, Any] = {}
        self.at: list[tuple[int, int]] = []
        self.bounds: Box = (0, 0, 0, 0)
        self.layers: dict[Any, Any] = {}
        self.pieces: dict[str, PieceLayer] = {}
        self.colours: dict[Any, Any] = {}
        self.titles: Sequence[str] = ()
        self.names: dict[int, Node] = {}
        self.quiet: set[int] = set()
        self.taken: set[int] = set()
        self.shown: dict[Any, Any] = {}
        self.stood: Any = None

    # -- the ground ----------------------------------------------------------------------------

    def draw_board(self, cells: Any, tile_of: Any, names: Sequence[str]) -> Box:
        """Draw the background if it has changed, and return its bounds."""
        if cells != self.cells:
            for _ in self.draw_board_in_parts(cells, tile_of, names):
                pass
        return self.bounds

    def draw_board_in_parts(self, cells: Any, tile_of: Any, names: Sequence[str]) -> Iterator[None]:
        """Draw the background in steps, yielding after each."""
        self.index = {(cell[0], cell[1]): number for number, cell in enumerate(cells)}
        yield
        self.at = [cell_centre(cell[0], cell[1]) for cell in cells]
        self.colours = {(cell[0], cell[1]): cell[2] for cell in cells}
        self.bounds = picture.board_bounds(cells)
        self.parent.replaceChildren()
        self.shown = {}
        self.stood = None
        yield
        for node in picture.draw_ground_in_parts(cells, tile_of):
            self.parent.append(to_node(node))
            yield
        for name in (*PIECES, *OVERLAYS):
            self.layers[name] = svg("g", {})
            self.parent.append(self.layers[name])
        self.parent.append(self._cell_labels(cells, names))
        yield
        self.pieces = {name: PieceLayer(self.layers[name]) for name in PIECES}
        self.cells = cells

    def _cell_labels(self, cells: Any, names: Sequence[str]) -> Node:
        """Return the layer with the centred names of the cells.

        Caravanserais show a symbol instead; their names follow from those of the neighbouring
        cells.
        """
        self.titles = names
        layer = svg("g", {"class": "cell-names", "aria-hidden": "true"})
        self.names, self.quiet = {}, set()
        for number, name in enumerate(names):
            if cells[number][2] is None:
                x, y = self.at[number]
                self.names[number] = svg("text", {"x": x, "y": y + NAME}, name)
                layer.append(self.names[number])
        return layer

    def _keep_quiet(self, cells: set[int]) -> None:
        """Hide the names of these cells, which are occupied, and show all others."""
        for cell in cells ^ self.quiet:
            if cell in self.names:
                patch(self.names[cell], {"visibility": "hidden" if cell in cells else None})
        self.quiet = cells

    def box(self, cells: Any, margin: int) -> tuple[Any, ...]:
        """Return the box ``(x, y, width, height)`` around cells with a margin, in SVG units."""
        xs = [self.at[cell][0] for cell in cells]
        ys = [self.at[cell][1] for cell in cells]
        left, top = min(xs) - margin, min(ys) - margin
        return (left, top, max(xs) + margin - left, max(ys) + margin - top)

    # -- pieces --------------------------------------------------------------------------------

    def draw_standing_goods(self, standing: Any) -> None:
        """Draw the standing goods at the coordinates ``(q, r)`` if they have changed."""
        if standing == self.stood:
            return
        self.stood = standing
        self.pieces["standing"].put(picture.draw_standing_goods(self.colours, standing))

    def draw_caravans(
        self, caravans: Any, fresh: int = 0, leaving: int = 0, owner: int | None = None
    ) -> None:
        """Draw the caravans, given by seat as pieces ``(q, r, kind)`` from tail to head.

        ``owner`` is the seat whose last ``fresh`` pieces are new this turn and whose first
        ``leaving`` pieces are about to be returned. Unchanged caravans are not recomputed.
        """
        for seat, pieces in enumerate(caravans):
            known = self.shown.get(seat)
            if known is None or known[0] != pieces:
                self.shown[seat] = (pieces, picture.draw_caravan(seat, pieces))
        for number, name in enumerate(("halos", "ribbons", "beads")):
            layer: list[Any] = []
            for seat in range(len(caravans)):
                layer.extend(self.shown[seat][1][number])
            self.pieces[name].put(layer)
        self.taken = {self.index[(q, r)] for pieces in caravans for q, r, _ in pieces}
        self._keep_quiet(self.taken)
        own = [] if owner is None else caravans[owner]
        new = own[len(own) - fresh :] if fresh else []
        self.pieces["fresh"].put(picture.draw_new_pieces([(q, r) for q, r, _ in new]))
        tail = [self.index[q, r] for q, r, _ in own[:leaving]]
        fill(self.layers["leaving"], [self._circle("leaving", cell, 19) for cell in tail])

    def mark_caravan(self, seat: int, letter: str, cells: Any, lettered: Any, left: Any) -> None:
        layer = self.layers["latest"]
        patch(layer, {"style": tone(seat), "aria-hidden": "true"})
        fill(layer, [self._circle("latest-left", cell, 15) for cell in left])
        for look in ("latest-halo", "latest-edge"):
            layer.append(self._outline(look, cells, HEX))
        for cell in lettered:
            x, y = self.at[cell]
            wide = 12 * len(letter) + 10
            # Inside the cell, so that it does not cover the name of another.
            place = {"x": x + 12, "y": y - 32, "width": wide, "height": 24, "rx": 8}
            layer.append(svg("rect", {"class": "latest-tag", **place}))
            attributes = {"class": "latest-letter", "x": x + 12 + wide // 2, "y": y - 13}
            layer.append(svg("text", attributes, letter))

    def _circle(self, look: str, cell: int, radius: int, **more: Any) -> Node:
        x, y = self.at[cell]
        return svg("circle", {"class": look, "cx": x, "cy": y, "r": radius, **more})

    def _outline(self, look: str, cells: Any, shape: str, **more: Any) -> Node:
        """Return a path with a ``shape`` around the centre of each cell."""
        path = "".join([f"M{self.at[cell][0]} {self.at[cell][1]}{shape}" for cell in cells])
        return svg("path", {"class": look, "d": path, **more})

    # -- legal moves ---------------------------------------------------------------------------

    def mark_legal(self, near: Any, far: Any, picked: Any, kind: str | None = None) -> None:
        """Mark the tap targets.

        ``near``: cells that can be tapped next; ``far``: cells further along a path; ``picked``:
        chosen cells, which show a good if ``kind`` is a colour.
        """
        self._keep_quiet(self.taken.union(picked))
        rings = [self._ring(cell, "legal far", None) for cell in far if cell not in near]
        rings += [self._ring(cell, "legal", self.cells[cell][2] is None) for cell in near]
        layer = fill(self.layers["legal"], rings)
        for cell in picked:
            x, y = self.at[cell]
            layer.append(self._outline("picked", [cell], INNER, **{"data-cell": cell}))
            if kind in BEADS:
                layer.append(_use("good-" + kind, x, y, 27))

    def _ring(self, cell: Any, name: str, mark: Any) -> Node:
        halo = self._outline("legal-halo", [cell], INNER)
        ring = self._outline("legal-ring", [cell], INNER)
        group = svg("g", {"class": name, "data-cell": cell}, halo, ring)
        if mark:
            x, y = self.at[cell]
            group.append(svg("circle", {"class": "legal-mark", "cx": x, "cy": y + DOT, "r": 6}))
        return group

    def mark_target(self, cell: Any) -> None:
        """Mark the chosen, unconfirmed cell (if not None) with a ring visible on small boards."""
        if cell is not None:
            layer = self.layers["legal"]
            layer.append(self._circle("aim-halo", cell, 52))
            layer.append(self._circle("aim", cell, 52, **{"data-cell": cell}))
            layer.append(self._tag(cell, 56))

    def _tag(self, cell: int, gap: int) -> Node:
        """Return the name of a cell, for texts that refer to it, ``gap`` units above its centre.

        It is below the cell where there is no room above.
        """
        x, y = self.at[cell]
        over = y - gap - TAG_HEIGHT >= self.bounds[1]
        place = {"x": x, "y": y - gap if over else y + gap + TAG_HEIGHT}
        return svg("text", {"class": "cell-tag", "aria-hidden": "true", **place}, self.titles[cell])

    def highlight(self, cells: Any) -> None:
        """Highlight these cells instead of the previous ones; name a single one."""
        lit = [self._outline("lit", [cell], HEX) for cell in cells]
        fill(self.layers["lit"], lit, self._tag(cells[0], 34) if len(cells) == 1 else None)

    def show_cursor(self, cell: Any) -> None:
        """Show the keyboard cursor on a cell; None hides it."""
        cells = [] if cell is None else [cell]
        fill(self.layers["cursor"], [self._outline("cursor", [cell], HEX) for cell in cells])


def _use(name: str, x: int, y: int, size: int) -> Node:
    place = {"x": x - size // 2, "y": y - size // 2, "width": size, "height": size}
    return svg("use", {"href": "#" + name, **place})
