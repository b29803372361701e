"""The hex board as a picture: cells, tiles, standing goods, caravans, and what may be tapped.

Hexagons stand on a corner. All measures are whole numbers: a cell is 52 units wide.
"""

from _native import svg

from domain.hexgrid import DIRECTIONS

HALF, SIDE, ROW = 26, 15, 45
CORNERS = ((26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15), (0, -30))
HEX = "m26-15v30l-26 15-26-15v-30l26-15Z"
INNER = "m20-12v24l-20 12-20-12v-24l20-12Z"
DOTS = ("1 11", "8 8", "1 6 8 6", "14 7", "3 7", "1 5 1 12")
COLOURS = ("white", "black", "purple", "red", "yellow")


def centre(q, r):
    """Where the middle of a cell is."""
    return HALF * (2 * q + r), ROW * r


class HexBoard:
    """Draws into groups of one svg; the ground is drawn once, the rest at each moment."""

    def __init__(self, parent):
        self.parent = parent
        self.cells = ()
        self.index = {}
        self.at = []
        self.layers = {}
        self.drums = {}
        self.shown = {}

    # -- the ground ----------------------------------------------------------------------------

    def lay(self, cells, tile_of):
        """Draws the ground when it is another one than before; gives its bounds."""
        if cells == self.cells:
            return self.bounds
        self.cells = cells
        self.index = {(cell[0], cell[1]): number for number, cell in enumerate(cells)}
        self.at = [centre(cell[0], cell[1]) for cell in cells]
        xs = [x for x, _ in self.at]
        ys = [y for _, y in self.at]
        self.bounds = (
            min(xs) - 34,
            min(ys) - 38,
            max(xs) - min(xs) + 68,
            max(ys) - min(ys) + 76,
        )
        self.parent.replaceChildren()
        self.drums = {}
        self.shown = {}
        for zone in ("outer", "intermediate", "central"):
            paths = [
                f"M{x} {y}{HEX}"
                for (x, y), cell in zip(self.at, cells, strict=True)
                if cell[3] == zone
            ]
            shape = " ".join(paths)
            self.parent.append(svg("path", {"class": "hex-" + zone, "d": shape}))
            self.parent.append(svg("path", {"class": "cell-line", "d": shape}))
        self.parent.append(svg("path", {"class": "tile-line", "d": self._borders(tile_of)}))
        stops = svg("g", {})
        for (x, y), cell in zip(self.at, cells, strict=True):
            if cell[2] is not None:
                stops.append(_use("stop-" + cell[2], x, y, 60))
        self.parent.append(stops)
        for name in ("fresh", "standing", "caravans", "ghost", "legal", "cursor"):
            self.layers[name] = svg("g", {})
            self.parent.append(self.layers[name])
        return self.bounds

    def _borders(self, tile_of):
        parts = []
        for number, cell in enumerate(self.cells):
            x, y = self.at[number]
            for way, (dq, dr) in enumerate(DIRECTIONS):
                other = self.index.get((cell[0] + dq, cell[1] + dr), -1)
                if other >= 0 and (other < number or tile_of[other] == tile_of[number]):
                    continue
                (ax, ay), (bx, by) = CORNERS[way], CORNERS[(way + 1) % 6]
                parts.append(f"M{x + ax} {y + ay}L{x + bx} {y + by}")
        return "".join(parts)

    def cell_at(self, x, y):
        """The cell at a place, or None."""
        best, distance = None, 30 * 30
        for number, (cx, cy) in enumerate(self.at):
            if -30 < cx - x < 30 and -30 < cy - y < 30:
                gap = (cx - x) * (cx - x) + (cy - y) * (cy - y)
                if gap < distance:
                    best, distance = number, gap
        return best

    def box(self, cells, margin):
        """The box of units round some cells."""
        xs = [self.at[cell][0] for cell in cells]
        ys = [self.at[cell][1] for cell in cells]
        left, top = min(xs) - margin, min(ys) - margin
        return (left, top, max(xs) + margin - left, max(ys) + margin - top)

    # -- pieces --------------------------------------------------------------------------------

    def stand(self, standing):
        """Standing goods, ``(q, r)`` each: upright drums. Only what changed is drawn."""
        layer = self.layers["standing"]
        numbers = [self.index[(q, r)] for q, r in standing]
        for number in [each for each in self.drums if each not in numbers]:
            self.drums.pop(number).remove()
        for number in numbers:
            if number not in self.drums:
                x, y = self.at[number]
                self.drums[number] = _use("drum-" + self.cells[number][2], x, y - 3, 42)
                layer.append(self.drums[number])

    def caravans(self, caravans, fresh=0, leaving=0, owner=None):
        """Caravans by seat, pieces ``(q, r, kind)`` tail first. Of the owner's, the last
        ``fresh`` pieces are new this turn and the first ``leaving`` are about to come back.
        A caravan that is as it was is not drawn again."""
        layer = self.layers["caravans"]
        marks = self.layers["fresh"]
        marks.replaceChildren()
        for seat, pieces in enumerate(caravans):
            mine = seat == owner
            look = (pieces, leaving if mine else 0)
            known = self.shown.get(seat)
            if known is None or known[0] != look:
                node = self._caravan(seat, *look)
                if known is None:
                    layer.append(node)
                else:
                    known[1].replaceWith(node)
                self.shown[seat] = (look, node)
            if mine and fresh:
                for q, r, _ in pieces[len(pieces) - fresh :]:
                    x, y = centre(q, r)
                    marks.append(svg("path", {"class": "fresh", "d": f"M{x} {y}{INNER}"}))

    def _caravan(self, seat, pieces, leaving):
        group = svg("g", {"style": f"--tone:var(--seat-{seat});color:var(--seat-{seat})"})
        if not pieces:
            return group
        places = [centre(q, r) for q, r, _ in pieces]
        line = "M" + "L".join([f"{x} {y}" for x, y in places])
        for wide, colour in ((20, "var(--legal-halo)"), (15, "var(--tone)")):
            group.append(
                svg(
                    "path",
                    {
                        "d": line,
                        "fill": "none",
                        "stroke": colour,
                        "stroke-width": wide,
                        "stroke-linecap": "round",
                        "stroke-linejoin": "round",
                    },
                )
            )
        group.append(
            svg(
                "path",
                {
                    "d": line,
                    "fill": "none",
                    "stroke": "var(--seat-ink)",
                    "stroke-width": 2.5,
                    "stroke-linecap": "round",
                    "stroke-dasharray": DOTS[seat],
                },
            )
        )
        last = len(pieces) - 1
        for number, (_, _, kind) in enumerate(pieces):
            x, y = places[number]
            if kind in COLOURS:
                group.append(_use("good-" + kind, x, y, 27))
            else:
                _medal(group, kind, x, y, 23 if number == last else 17)
            if number < leaving:
                group.append(svg("circle", {"class": "leaving", "cx": x, "cy": y, "r": 19}))
        return group

    # -- what may be done ----------------------------------------------------------------------

    def legal(self, near, far, picked, kind=None):
        """Cells to tap: ``near`` first, ``far`` also possible, ``picked`` already chosen."""
        layer = self.layers["legal"]
        layer.replaceChildren()
        for cell in far:
            if cell not in near:
                layer.append(self._ring(cell, "legal far", None))
        for cell in near:
            plain = self.cells[cell][2] is None
            layer.append(self._ring(cell, "legal", plain))
        for cell in picked:
            x, y = self.at[cell]
            layer.append(svg("path", {"class": "picked", "d": f"M{x} {y}{INNER}"}))
            if kind in COLOURS:
                layer.append(_use("good-" + kind, x, y, 27))

    def _ring(self, cell, name, mark):
        x, y = self.at[cell]
        shape = f"M{x} {y}{INNER}"
        group = svg(
            "g",
            {"class": name, "data-cell": cell},
            svg("path", {"class": "legal-halo", "d": shape}),
            svg("path", {"class": "legal-ring", "d": shape}),
        )
        if mark:
            group.append(svg("circle", {"class": "legal-mark", "cx": x, "cy": y, "r": 6}))
        return group

    def cursor(self, cell):
        """Where the keyboard is; None for nowhere."""
        layer = self.layers["cursor"]
        layer.replaceChildren()
        if cell is not None:
            x, y = self.at[cell]
            layer.append(svg("path", {"class": "cursor", "d": f"M{x} {y}{HEX}"}))


def _use(name, x, y, size):
    half = size // 2
    return svg(
        "use", {"href": "#" + name, "x": x - half, "y": y - half, "width": size, "height": size}
    )


def _medal(group, kind, x, y, radius):
    group.append(
        svg(
            "circle",
            {
                "cx": x,
                "cy": y,
                "r": radius,
                "fill": "var(--paper)",
                "stroke": "var(--tone)",
                "stroke-width": 4,
            },
        )
    )
    wide = radius * 4 // 3
    high = wide * 84 // 100
    place = {"x": x - wide // 2, "y": y - high // 2, "width": wide, "height": high}
    group.append(svg("use", {"href": "#" + kind, **place}))
