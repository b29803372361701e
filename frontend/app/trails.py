"""The trails between oases as one picture: forts and springs, caravans on their way, journeys.

Measures are whole numbers; the ring of forts lies 250 to the sides of the middle
and 292 above and below it. Positions are written as
in `domain.caravanserail.board`: a letter for a place, "AF" for the trail from A towards F.
"""

from _native import fill, patch, size_of, svg

from domain.caravanserail.board import trail_of

RING, HIGH = 250, 292
BOX = (-350, -388, 700, 790)
FORT = "M-40 34V-8h-5v-16h9v7h8v-7h9v7h8v-7h22v7h8v-7h9v7h8v-7h9v16h-5v42Z"
GATE = "M-17 34V12q0-13 17-20 17 7 17 20v22Z"
SPRING = "M-37 12q4-15 37-15t37 15-37 17-37-17Z"
PALM = "M4 8Q8-10 3-24M3-24Q-14-30-20-16M3-24Q-8-40-22-36M3-24Q12-42 26-36M3-24Q20-30 26-14"
SABRES = "M-17-17Q2-8 14 13l-4 3Q-10 6-17-17ZM9 17l8-8M17-17Q-2-8-14 13l4 3Q10 6 17-17ZM-9 17l-8-8"
ROW = 3  # caravans side by side below a place
ACROSS, DOWN = 56, 38  # from one to the next


class Trails:
    """Draws the ground once and moves the caravans on it. ``letters``: what tells seats apart."""

    def __init__(self):
        x, y, w, h = BOX
        self.svg = svg("svg", {"viewBox": f"{x} {y} {w} {h}", "role": "img", "class": "trails"})
        self.at = {}
        self.forts = {}
        self.pieces = {}
        self.layers = {}

    # -- the ground ----------------------------------------------------------------------------

    def lay(self, board):
        """Draws the ground of a board as in the game's view."""
        self.svg.append(svg("path", {"class": "dune-line", "d": _dunes()}))
        self.at = {
            place["letter"]: (int(place["x"] * RING), int(place["y"] * HIGH))
            for place in board["places"]
        }
        ways = "".join([_line(self.at[trail[0]], self.at[trail[1]]) for trail in board["trails"]])
        for look in ("trail-edge", "trail-bed", "trail-dots"):
            self.svg.append(svg("path", {"class": look, "d": ways}))
        for place in board["places"]:
            self.svg.append(self._place(place, len(board["places"]) > 9))
        for name in ("legal", "journeys", "bands", "pieces", "taps"):
            self.layers[name] = svg("g", {"class": "layer-" + name})
            self.svg.append(self.layers[name])

    def _place(self, place, crowded):
        x, y = self.at[place["letter"]]
        node = svg("g", {"transform": f"translate({x} {y})", "class": "spot"})
        if place["oasis"]:
            node.append(svg("ellipse", {"class": "green", "cx": 0, "cy": 8, "rx": 50, "ry": 34}))
            node.append(svg("path", {"class": "spring", "d": SPRING}))
            node.append(svg("path", {"class": "palm", "d": PALM, "transform": "translate(26 -4)"}))
            node.append(svg("text", {"class": "place-letter on-water", "y": 16}, place["letter"]))
        else:
            fort = svg("path", {"class": "fort", "d": FORT})
            self.forts[place["letter"]] = fort
            node.append(fort)
            node.append(svg("path", {"class": "fort-gate", "d": GATE}))
            node.append(svg("text", {"class": "place-letter", "y": 29}, place["letter"]))
        look = "place-name crowded" if crowded else "place-name"
        lift = -40 if place["oasis"] else -36
        node.append(svg("text", {"class": look, "y": lift}, place["name"]))
        return node

    def settle(self, homes):
        """Paints each fort in the colour of the seat that lives there: ``{letter: seat}``."""
        for letter, fort in self.forts.items():
            seat = homes.get(letter)
            tone = f"--tone:var(--seat-{seat})" if seat is not None else None
            patch(fort, {"style": tone, "class": "fort" if seat is None else "fort home"})

    # -- caravans ------------------------------------------------------------------------------

    def stand(self, where, letters, own):
        """Puts caravans to ``{(seat, caravan): position}``; several share a spot side by side."""
        crowds = {}
        for key, position in where.items():
            crowds.setdefault(trail_of(position) or position, []).append(key)
        for spot, keys in crowds.items():
            places = self._beside(spot, len(keys))
            for key, place in zip(keys, places, strict=True):
                self._put(key, place, where[key], letters[key[0]], key[0] == own)
        for key in [*self.pieces]:
            if key not in where:
                self.pieces.pop(key).remove()

    def _beside(self, spot, count):
        """Points for so many caravans at one place, or on one trail."""
        if len(spot) == 1:
            x, y = self.at[spot]
            wide = ROW if count <= 2 * ROW else 4
            step = ACROSS if wide == ROW else 54
            rows = [min(wide, count - first) for first in range(0, count, wide)]
            return [
                (x + step * (2 * number - row + 1) // 2, y + 46 + DOWN * line)
                for line, row in enumerate(rows)
                for number in range(row)
            ]
        (ax, ay), (bx, by) = self.at[spot[0]], self.at[spot[1]]
        ux, uy = _unit(bx - ax, by - ay)
        mx, my = (ax + bx) / 2, (ay + by) / 2
        if count == 1:
            return [(int(mx), int(my))]
        lines = (count + 1) // 2
        points = []
        for number in range(count):
            along = 42 * (2 * (number // 2) - lines + 1) / 2
            aside = 27 if number % 2 else -27
            points.append((int(mx + along * ux - aside * uy), int(my + along * uy + aside * ux)))
        return points

    def _put(self, key, place, position, letter, own):
        seat, caravan = key
        node = self.pieces.get(key)
        if node is None:
            node = self.pieces[key] = _piece(caravan, letter, own)
            self.layers["pieces"].append(node)
        x, y = place
        patch(node, {"style": f"--tone:var(--seat-{seat});transform:translate({x}px,{y}px)"})
        ahead = ""
        if len(position) == 2:
            (ax, ay), (bx, by) = self.at[position[0]], self.at[position[1]]
            ux, uy = _unit(bx - ax, by - ay)
            ahead = _nose(ux, uy)
        patch(node.firstChild, {"d": ahead})

    # -- what lies over it ---------------------------------------------------------------------

    def offer(self, targets):
        """Marks positions that a tap may choose: ``[(position, words, does)]``."""
        marks, taps = [], []
        for position, words, does in targets:
            x, y = self._middle(position)
            size = 56 if len(position) == 1 else 26
            marks.append(svg("circle", {"class": "legal-halo", "cx": x, "cy": y, "r": size}))
            marks.append(svg("circle", {"class": "legal-ring", "cx": x, "cy": y, "r": size}))
            tap = svg("circle", {"class": "tap", "cx": x, "cy": y, "r": 48, "onclick": does})
            tap.append(svg("title", {}, words))
            taps.append(tap)
        fill(self.layers["legal"], marks)
        fill(self.layers["taps"], taps)

    def journeys(self, seat, orders, looters):
        """Arrows for a programme: ``orders`` are ``(caravan, from, to)``; ``looters`` a trail."""
        tone = f"--tone:var(--seat-{seat})"
        parts = [self._journey(*order) for order in orders if order[1] != order[2]]
        if looters:
            parts.append(self._band(looters, ""))
        fill(self.layers["journeys"], svg("g", {"style": tone}, parts) if parts else None)

    def _journey(self, caravan, begin, end):
        start, stop = self._middle(begin), self._middle(end)
        way = f"M{start[0]} {start[1]}"
        corner = start
        if len(begin) == 2 and len(end) == 2:
            corner = self.at[begin[1]]
            way += f"Q{corner[0]} {corner[1]} {stop[0]} {stop[1]}"
        else:
            way += f"L{stop[0]} {stop[1]}"
        ux, uy = _unit(stop[0] - corner[0], stop[1] - corner[1])
        x, y = int(stop[0] - 4 * ux), int(stop[1] - 4 * uy)
        return [
            svg("path", {"class": "journey-edge", "d": way}),
            svg("path", {"class": "journey", "d": way}),
            svg("path", {"class": "journey-tip", "d": _nose(ux, uy), "transform": _to(x, y)}),
            svg("circle", {"class": "journey-end", "cx": x, "cy": y, "r": 19}),
            svg("text", {"class": "journey-number", "x": x, "y": y + 9}, str(caravan + 1)),
        ]

    def bands(self, raids, letters):
        """Looters at work: ``[(seat, trail)]``."""
        parts = []
        for seat, trail in raids:
            tone = f"--tone:var(--seat-{seat})"
            parts.append(svg("g", {"style": tone}, self._band(trail, letters[seat])))
        fill(self.layers["bands"], parts)

    def _band(self, trail, letter):
        (ax, ay), (bx, by) = self.at[trail[0]], self.at[trail[1]]
        ux, uy = _unit(bx - ax, by - ay)
        x, y = int((ax + bx) / 2 - 56 * uy), int((ay + by) / 2 + 56 * ux)
        group = svg(
            "g",
            {"class": "band", "transform": _to(x, y)},
            svg("circle", {"class": "band-disc", "r": 25}),
            svg("path", {"class": "band-sabres", "d": SABRES}),
        )
        if letter:
            group.append(svg("text", {"class": "band-letter", "x": 30, "y": 34}, letter))
        return group

    def bring(self, scroller, position):
        """Scrolls so that a position is in the middle of what is in sight."""
        _, high = size_of(self.svg)
        _, sight = size_of(scroller)
        _, top, _, span = BOX
        scroller.scrollTop = (self._middle(position)[1] - top) * high // span - sight // 2

    def _middle(self, position):
        if len(position) == 1:
            return self.at[position]
        (ax, ay), (bx, by) = self.at[position[0]], self.at[position[1]]
        return (ax + bx) // 2, (ay + by) // 2


def _piece(caravan, letter, own):
    words = letter + str(caravan + 1)
    wide = 20 + 16 * len(words)
    box = {"class": "pill", "x": -wide // 2, "y": -17, "width": wide, "height": 34, "rx": 15}
    return svg(
        "g",
        {"class": "caravan own" if own else "caravan"},
        svg("path", {"class": "nose"}),
        svg("rect", box),
        svg("text", {"class": "pill-word", "y": 9}, words),
    )


def _unit(x, y):
    far = (x * x + y * y) ** 0.5
    return x / far, y / far


def _nose(ux, uy):
    """A wedge that points the way, from beneath a piece."""
    points = ((44 * ux, 44 * uy), (10 * ux - 17 * uy, 10 * uy + 17 * ux))
    points = (*points, (10 * ux + 17 * uy, 10 * uy - 17 * ux))
    return "M" + "L".join([f"{int(x)} {int(y)}" for x, y in points]) + "Z"


def _to(x, y):
    return f"translate({x} {y})"


def _line(a, b):
    return f"M{a[0]} {a[1]}L{b[0]} {b[1]}"


def _dunes():
    """A few crests of sand behind it all."""
    parts = []
    for x, y in (
        (-300, -40),
        (210, 20),
        (-60, 210),
        (-40, -30),
        (120, -260),
        (-330, 280),
        (230, 290),
    ):
        parts.append(f"M{x} {y}q34-20 76-4M{x + 40} {y - 11}q30-14 62 2")
    return "".join(parts)
