"""The silk road as one picture: three stages that climb from the start to the third palace.

Measures are whole numbers; the picture is 640 wide. A spot is a square of the road; spot 0 is the
start, and square k of a stage is the k-th spot after the palace before it.
"""

from _native import size_of, svg

WIDTH, HEIGHT = 640, 770
SKY = 50  # above the last palace, so that the sign of the stage does not hide it
LEFT, RIGHT = 92, 548  # where a row of squares begins and ends
FAR_LEFT, FAR_RIGHT = 42, 598  # where the road turns
STEP = 96  # from one row to the next
FOOT = 700  # the lowest row
SWAY = (0, 7, 10, 7, 0, -7, -10, -7)
WORDS = {"water": "+2 water", "leak": "−2 leak", "bale": "+1 silk", "damage": "−1 torn"}
SAID = {
    "water": "2 gourds of water are found",
    "leak": "2 gourds leak",
    "bale": "a bale of silk is found",
    "damage": "a bale is damaged and lost",
}
# Rows from the start up: stage, squares in the row (the start and a palace too), to the right?,
# what ends it.
ROWS = (
    (1, 8, False, "turn"),
    (1, 7, True, "palace"),
    (2, 8, False, "turn"),
    (2, 7, True, "turn"),
    (2, 8, False, "palace"),
    (3, 9, True, "turn"),
    (3, 9, False, "palace"),
)
BANDS = ((1, "outer", 770, 566), (2, "intermediate", 566, 272), (3, "central", 272, 0))
AHEAD = 30  # how much more of the road before the camels is shown than behind them
SPREAD = (
    ((0, 0),),
    ((-15, 2), (15, -2)),
    ((-19, -8), (19, -8), (0, 13)),
    ((-19, -14), (19, -14), (-19, 16), (19, 16)),
    ((-28, -14), (0, -18), (28, -14), (-15, 16), (15, 16)),
)


def _spots():
    spots = []
    for row, (_, count, right, end) in enumerate(ROWS):
        y = FOOT - STEP * row
        begin, stop = (LEFT, RIGHT) if right else (RIGHT, LEFT)
        if end == "palace":
            stop = RIGHT - 62 if right else LEFT + 62
        for number in range(count - (end == "palace")):
            gaps = count - 1 - (end == "palace")
            x = begin + (stop - begin) * number // gaps
            spots.append((x, y + SWAY[number * 8 // count]))
        if end == "turn":
            spots.append((FAR_RIGHT if right else FAR_LEFT, y - STEP // 2))
        else:
            spots.append((RIGHT if right else LEFT, y))
    return tuple(spots)


SPOTS = _spots()


def _between(before, begin, end, after):
    """A smooth piece of road through two spots."""
    ax, ay = begin[0] + (end[0] - before[0]) // 6, begin[1] + (end[1] - before[1]) // 6
    bx, by = end[0] - (after[0] - begin[0]) // 6, end[1] - (after[1] - begin[1]) // 6
    return f"C{ax} {ay} {bx} {by} {end[0]} {end[1]}"


def _way():
    """Spots, with a bend where the road leaves a palace for the row above it."""
    points = []
    for number, spot in enumerate(SPOTS):
        points.append(spot)
        if number in (15, 40):
            far = FAR_RIGHT + 14 if spot[0] > 320 else FAR_LEFT - 14
            points.append((far, spot[1] - STEP // 2))
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for number in range(len(points) - 1):
        before = points[max(0, number - 1)]
        after = points[min(len(points) - 1, number + 2)]
        parts.append(_between(before, points[number], points[number + 1], after))
    return "".join(parts)


class Road:
    """Draws the ground once and moves the camels on it. ``track``: as in the game's view."""

    def __init__(self):
        self.svg = svg("svg", {"viewBox": f"0 {-SKY} {WIDTH} {HEIGHT + SKY}", "role": "img"})
        self.camels = {}
        self.lengths = ()
        self.marks = ()
        self.at = {}

    # -- the ground ----------------------------------------------------------------------------

    def lay(self, track, seats):
        """Draws the ground."""
        self.lengths = tuple([stage["length"] for stage in track])
        self.svg.append(_signs())
        for number, depth, foot, top in BANDS:
            self.svg.append(svg("path", {"class": "band-" + depth, "d": _band(foot, top)}))
            self.svg.append(svg("path", {"class": "dune-line", "d": _dunes(number)}))
        way = _way()
        for name in ("road-edge", "road", "road-dots"):
            self.svg.append(svg("path", {"class": name, "d": way}))
        self.marks = []
        for stage in track:
            mark = svg("g", {"class": "stage"})
            self.marks.append(mark)
            self.svg.append(mark)
            for square in range(1, stage["length"]):
                mark.append(self._square(stage["stage"], square, stage["special"]))
            mark.append(self._palace(stage, seats))
            mark.append(self._title(stage["stage"]))
        x, y = SPOTS[0]
        self.svg.append(_use("camp", x + 36, y - 2, 72))
        self.layers = (svg("g", {}), svg("g", {}))
        for layer in self.layers:
            self.svg.append(layer)

    def spot(self, stage, square):
        """The number of a square of a stage on the whole road."""
        return sum(self.lengths[: max(1, stage) - 1]) + square

    def _square(self, stage, square, special):
        x, y = SPOTS[self.spot(stage, square)]
        what = special.get(str(square))
        name = f"Square {square} of stage {stage}" + (f": {SAID[what]}" if what else "")
        group = svg("g", {"class": "square " + (what or "plain")}, svg("title", {}, name))
        if what is None:
            group.append(svg("circle", {"cx": x, "cy": y, "r": 15}))
            return group
        group.append(svg("circle", {"cx": x, "cy": y, "r": 25}))
        group.append(_use("sign-" + what, x, y, 38))
        place = {"x": x, "y": y - 34 if y < FOOT - 5 * STEP - 60 else y + 47}
        if x in (FAR_LEFT, FAR_RIGHT):  # at a turn there is no room below
            left = x == FAR_LEFT
            place = {"x": x + (34 if left else -34), "y": y + 8}
            place["style"] = "text-anchor:" + ("start" if left else "end")
        group.append(svg("text", {**place, "class": "sign-word"}, WORDS[what]))
        return group

    def _palace(self, stage, seats):
        number = stage["stage"]
        x, y = SPOTS[self.spot(number, stage["length"])]
        silk = [str(bales) for bales in stage["palace"][:seats]]
        words = f"Palace {number}, bales by place: " + ", ".join(silk)
        group = svg("g", {"class": "palace"}, svg("title", {}, words))
        group.append(svg("ellipse", {"class": "court", "cx": x, "cy": y + 6, "rx": 44, "ry": 26}))
        group.append(_use(f"palace-{number}", x, y - 40, 92))
        line = {"x": x, "y": y + 48}
        if seats > 4:
            edge = (8, "start") if x < WIDTH // 2 else (WIDTH - 8, "end")
            line = {"x": edge[0], "y": y + 48, "style": "text-anchor:" + edge[1]}
        group.append(svg("text", {**line, "class": "silk-word"}, " · ".join(silk)))
        return group

    def _title(self, number):
        _, y = SPOTS[self.spot(number, 0)]
        place = (
            {"x": 500, "y": y + 54, "style": "text-anchor:end"},
            {"x": 168, "y": y - 40, "style": "text-anchor:start"},
            {"x": 626, "y": y - 42, "style": "text-anchor:end"},
        )[number - 1]
        return svg("text", {"class": "stage-word", **place}, f"Stage {number}")

    def current(self, stage):
        """Marks the stage that is raced; the others step back."""
        for number, mark in enumerate(self.marks, start=1):
            mark.setAttribute("class", "stage" if number == max(1, stage) else "stage other")

    # -- camels --------------------------------------------------------------------------------

    def stand(self, places, letters, own):
        """Puts each seat's camel on its spot; several share one by standing apart."""
        crowd = {}
        for seat, spot in enumerate(places):
            crowd.setdefault(spot, []).append(seat)
        for spot, seats in crowd.items():
            x, y = SPOTS[spot]
            if spot == 0:
                x += 14
            for (dx, dy), seat in zip(SPREAD[len(seats) - 1], seats, strict=True):
                self._put(seat, x + dx, y - 8 + dy, letters[seat], seat == own)

    def _put(self, seat, x, y, letter, own):
        nodes = self.camels.get(seat)
        if nodes is None:
            nodes = self.camels[seat] = (_medallion(seat, own), _tag(seat, letter))
            for layer, node in zip(self.layers, nodes, strict=True):
                layer.append(node)
        if self.at.get(seat) != (x, y):
            self.at[seat] = (x, y)
            place = f"--tone:var(--seat-{seat});transform:translate({x}px,{y}px)"
            for node in nodes:
                node.setAttribute("style", place)

    def bring(self, scroller, places):
        """Scrolls so that camels on these spots, and what lies before them, are in sight."""
        _, high = size_of(self.svg)
        _, sight = size_of(scroller)
        heights = [SPOTS[spot][1] for spot in places]
        middle = SKY + (min(heights) + max(heights)) // 2 - AHEAD
        scroller.scrollTop = middle * high // (HEIGHT + SKY) - sight // 2


def _medallion(seat, own):
    beast = {"href": "#camel", "x": -17, "y": -19, "width": 34, "height": 29, "class": "beast"}
    return svg(
        "g",
        {"class": "camel own" if own else "camel", "data-seat": seat},
        svg("circle", {"class": "halo", "r": 27}),
        svg("circle", {"class": "ring", "r": 23}),
        svg("use", beast),
    )


def _tag(seat, letter):
    """The beginning of the name; all tags lie over all medallions, so that a crowd is legible."""
    wide = 14 * len(letter) + 12
    return svg(
        "g",
        {"class": "camel", "data-tag": seat},
        svg(
            "rect",
            {"class": "tag", "x": -wide // 2, "y": 7, "width": wide, "height": 24, "rx": 9},
        ),
        svg("text", {"class": "letter", "y": 26}, letter),
    )


def _band(foot, top):
    if top == 0:
        return f"M-600-600H1240V{foot}H-600Z"
    crest = f"C120 {top - 26} 210 {top + 22} 330 {top}S540 {top - 22} 640 {top}"
    return f"M-600 {top}H0{crest}H1240V{foot + 30}H-600Z"


def _dunes(number):
    """A few crests of sand between the rows."""
    foot = {1: 742, 2: 540, 3: 246}[number]
    parts = []
    for part in range(2 if number == 1 else 3):
        y = foot - STEP * part
        x = 130 + 150 * ((part * 2 + number) % 3)
        parts.append(f"M{x} {y}q38-22 84-4M{x + 44} {y - 12}q34-16 70 2")
    return "".join(parts)


def _use(name, x, y, size):
    half = size // 2
    return svg(
        "use", {"href": "#" + name, "x": x - half, "y": y - half, "width": size, "height": size}
    )


# Signs: what is lost has a gap in it, so that shape tells it as well as colour.
GOURD = (
    "M-2-15h4v4c0 3 2 4 4 6 3 3 2 5 0 7 5 2 8 6 8 9"
    "a14 8.5 0 0 1-28 0c0-3 3-7 8-9-2-2-3-4 0-7 2-2 4-3 4-6Z"
)
SIGNS = (
    ("sign-water", -17, 34, (("gourd", GOURD), ("sign-line", "M-6 9q3 3 6 0t6 0"))),
    (
        "sign-leak",
        -17,
        34,
        (("gourd", GOURD), ("crack", "M-9-3-1 3-5 7 5 13"), ("drop", "M11 5q5 6 0 9-5-3 0-9Z")),
    ),
    (
        "sign-bale",
        -17,
        34,
        (
            ("silk", "M-13-8q13-6 26 0v16q-13 6-26 0Z"),
            ("sign-line", "M-5-10.5v21M5-10.5v21M-13 0q13 6 26 0"),
        ),
    ),
    (
        "sign-damage",
        -17,
        34,
        (
            ("silk", "M-14-8q6-3 11-3l-3 7 5 5-6 5 3 5q-5 0-10-3Z"),
            ("silk", "M4-11q5 0 10 3v16q-5 3-9 3l-3-5 6-5-6-5Z"),
        ),
    ),
    (
        "sign-bag",
        -17,
        34,
        (
            ("sack", "M-5-9q-9 6-9 15 0 8 14 8t14-8q0-9-9-15Z"),
            ("sign-line", "M-7-9H7M-5-9l-3-6q8 3 16 0l-3 6"),
        ),
    ),
    (
        "camp",
        -36,
        72,
        (
            ("tent", "M0-24 30 18H-30Z"),
            ("tent-door", "M0-10 9 18H-9Z"),
            ("flag", "M0-24v-9l11 4-11 4"),
        ),
    ),
    (
        "palace-1",
        -46,
        92,
        (
            ("wall", "M-40 40V4h9v-6h6v6h8v-6h34v6h8v-6h6v6h9v36Z"),
            ("dome", "M-17-2q0-20 17-26 17 6 17 26Z"),
            ("flag", "M0-28v-12l12 4-12 4"),
            ("gate", "M-9 40V22q0-8 9-12 9 4 9 12v18Z"),
        ),
    ),
    (
        "palace-2",
        -46,
        92,
        (
            ("wall", "M-30 40V0h60v40Z"),
            ("wall", "M-44 40v-58h15v58ZM29 40v-58h15v58Z"),
            (
                "dome",
                "M-46-18q2-12 9.5-17 7.5 5 9.5 17ZM27-18q2-12 9.5-17 7.5 5 9.5 17Z",
            ),
            ("dome", "M-20 0q-4-22 20-32 24 10 20 32Z"),
            ("flag", "M0-32v-12l12 4-12 4"),
            ("gate", "M-10 40V20q0-9 10-13 10 4 10 13v20Z"),
        ),
    ),
    (
        "palace-3",
        -46,
        92,
        (
            ("wall", "M-32 40V16h64v24ZM-23 10v-14h46v14ZM-14-10v-12h28v12Z"),
            ("dome", "M-45 18q10-2 15-10h60q5 8 15 10Z"),
            ("dome", "M-34-6q8-2 12-8h44q4 6 12 8Z"),
            ("dome", "M-24-24q10-4 24-18 14 14 24 18Z"),
            ("flag", "M0-42v-4l11 3-11 4"),
            ("gate", "M-9 40V27h18v13Z"),
        ),
    ),
)


def _signs():
    defs = svg("defs", {})
    for name, least, size, parts in SIGNS:
        shapes = [svg("path", {"class": look, "d": shape}) for look, shape in parts]
        box = f"{least} {least} {size} {size}"
        defs.append(svg("symbol", {"id": name, "viewBox": box}, shapes))
    return defs
