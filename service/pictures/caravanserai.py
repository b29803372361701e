"""The hex board of Caravanserai as a picture, from the game's view alone.

The ground is drawn once; caravans and standing goods are put together from small pictures of
their parts, which makes a frame of an animation a matter of milliseconds. Measures are those of
the app's own board: a cell is 52 units wide.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from PIL import Image

from domain.hexgrid import DIRECTIONS
from service.pictures import paint
from service.pictures.paint import GOODS, GROUND, INK, MUTED, PAPER, WHITE, Colour, Pad, Point
from service.pictures.scene import Scene

HALF, ROW = 26, 45
CORNERS = ((26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15), (0, -30))
"""Of a cell around its middle; side k, towards direction k, is from corner k to k + 1."""

DOTS = ((-8, 0, 8), (0,), (-9, -3, 3, 9), (-6, 6), (-10, 0, 10), (-4, 4))
"""Where the dots of a seat's track are between two cells: its second sign."""
DASHES = (3.0, 14.0, 3.0, 9.0, 6.0, 4.0)
"""How long they are."""


def centre(q: int, r: int) -> Point:
    """Where the middle of a cell is, in units."""
    return HALF * (2 * q + r), ROW * r


def _hexagon(at: Point, size: float = 1.0) -> list[Point]:
    return [(at[0] + x * size, at[1] + y * size) for x, y in CORNERS]


class HexPicture:
    """Pictures of one match in one size; wide ones have a panel beside the board."""

    def __init__(self, scene: Scene, size: tuple[int, int]) -> None:
        assert scene.view is not None
        self._size = size
        self._wide = size[0] > size[1]
        if self._wide:
            self._area = (14, 14, size[1] + 8, size[1] - 14)
        else:
            footer = 46 * -(-len(scene.names) // 3)
            self._area = (12, 62, size[0] - 12, size[1] - footer - 14)
        cells = scene.view["cells"]
        self._colours = {(q, r): colour for q, r, colour, _ in cells}
        self._scale, self._origin = self._fit([centre(q, r) for q, r, _, _ in cells])
        self._parts = _Parts(self._scale)
        self._ground = self._lay(cells, scene.view["tile_of"])

    def _fit(self, places: list[Point]) -> tuple[float, Point]:
        """Pixels a unit, and the units that lie in the picture's left upper corner."""
        left, top, right, bottom = self._area
        xs, ys = [x for x, _ in places], [y for _, y in places]
        wide, high = max(xs) - min(xs) + 60, max(ys) - min(ys) + 68
        scale = min((right - left) / wide, (bottom - top) / high, 1.35)
        middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return scale, (
            middle[0] - (left + right) / 2 / scale,
            middle[1] - (top + bottom) / 2 / scale,
        )

    def draw(self, scene: Scene) -> Image.Image:
        """The match at one moment."""
        assert scene.view is not None
        canvas = self._ground.copy()
        for q, r in scene.view["standing"]:
            self._put(canvas, self._parts.drum(self._colours[q, r]), centre(q, r))
        fresh = _fresh(scene.view)
        for player in scene.view["players"]:
            self._caravan(canvas, player["caravan"], player["seat"], scene, fresh)
        if self._wide:
            _panel(canvas, scene, self._area[2] + 14)
        else:
            _header(canvas, scene)
            _footer(canvas, scene)
        return canvas

    # -- the ground ------------------------------------------------------------------------

    def _lay(self, cells: list[Any], tile_of: list[int]) -> Image.Image:
        pad = Pad(self._size, self._scale, self._origin, GROUND, smooth=3)
        for q, r, _, _ in cells:  # the board's shadow on the sand
            x, y = centre(q, r)
            pad.polygon(_hexagon((x, y + 7), 1.06), paint.rgb("#dcbb80"))
        for q, r, _, zone in cells:
            pad.polygon(_hexagon(centre(q, r)), paint.ZONES[zone], paint.CELL_LINE, 1)
        self._borders(pad, cells, tile_of)
        for q, r, colour, _ in cells:
            if colour is not None:
                _stop(pad, colour, centre(q, r))
        return pad.done()

    @staticmethod
    def _borders(pad: Pad, cells: list[Any], tile_of: list[int]) -> None:
        number = {(q, r): index for index, (q, r, _, _) in enumerate(cells)}
        for index, (q, r, _, _) in enumerate(cells):
            corners = _hexagon(centre(q, r))
            for way, (dq, dr) in enumerate(DIRECTIONS):
                other = number.get((q + dq, r + dr), -1)
                if other < 0 or (other > index and tile_of[other] != tile_of[index]):
                    side = corners[way], corners[(way + 1) % 6]
                    pad.line(side, paint.TILE_LINE, 2.8)

    # -- pieces ----------------------------------------------------------------------------

    def _put(self, canvas: Image.Image, part: Image.Image, at: Point) -> None:
        x = round((at[0] - self._origin[0]) * self._scale - part.width / 2)
        y = round((at[1] - self._origin[1]) * self._scale - part.height / 2)
        canvas.paste(part, (x, y), part)

    def _caravan(
        self,
        canvas: Image.Image,
        pieces: list[Any],
        seat: int,
        scene: Scene,
        fresh: set[tuple[int, int]],
    ) -> None:
        """A ribbon along the cells in the owner's colour, beads and medallions on it."""
        tone = scene.colour(seat)
        links = list(_links(pieces))
        for layer in (True, False):
            for way, middle in links:
                self._put(canvas, self._parts.ribbon(seat, tone, way, halo=layer), middle)
        for number, (q, r, kind) in enumerate(pieces):
            at = centre(q, r)
            if (q, r) in fresh:
                self._put(canvas, self._parts.glow(), at)
            if kind in GOODS:
                part = self._parts.bead(kind)
            else:
                part = self._parts.medal(kind, tone, lead=number == len(pieces) - 1)
            self._put(canvas, part, at)


def _fresh(view: dict[str, Any]) -> set[tuple[int, int]]:
    """The cells of what is laid this turn."""
    placement = view["placement"]
    return {(q, r) for q, r, _ in placement["cells"]} if placement else set()


def _links(pieces: list[Any]) -> Iterator[tuple[int, Point]]:
    """The axis (0 to 2) and middle of each step from piece to piece."""
    for (q, r, _), (to_q, to_r, _) in pairwise(pieces):
        (x, y), (to_x, to_y) = centre(q, r), centre(to_q, to_r)
        way = DIRECTIONS.index((to_q - q, to_r - r)) % 3
        yield way, ((x + to_x) / 2, (y + to_y) / 2)


def _stop(pad: Pad, colour: str, at: Point) -> None:
    """A caravanserai cell: a court in the colour, with its sign."""
    face, edge, _ = GOODS[colour]
    inner = edge if colour in ("white", "black") else _mixed(face, WHITE, 0.55)
    pad.polygon(_hexagon(at, 0.86), face, edge, 3)
    pad.polygon(_hexagon(at, 0.7), face, inner, 1.2)
    paint.sign(pad, colour, at, 17)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


class _Parts:
    """Small pictures of pieces for a scale, drawn when first needed."""

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._known: dict[Any, Image.Image] = {}

    def _pad(self, wide: float, high: float) -> Pad:
        """A pad with its zero in the middle, so many units wide and high."""
        # even numbers of pixels keep the middle between two of them
        size = 2 * -(-int(wide * self._scale) // 2) + 2, 2 * -(-int(high * self._scale) // 2) + 2
        origin = -size[0] / 2 / self._scale, -size[1] / 2 / self._scale
        return Pad(size, self._scale, origin)

    def bead(self, colour: str) -> Image.Image:
        """A good in a caravan: it lies."""
        key = "bead", colour
        if key not in self._known:
            pad = self._pad(34, 34)
            pad.circle((0, 0), 14.6, WHITE)
            paint.good(pad, colour, (0, 0), 14.5)
            self._known[key] = pad.done()
        return self._known[key]

    def drum(self, colour: str) -> Image.Image:
        """A good on the board: it stands."""
        key = "drum", colour
        if key not in self._known:
            pad = self._pad(46, 52)
            face, edge, _ = GOODS[colour]
            top = _mixed(face, WHITE, 0.75 if colour == "white" else 0.35)
            for grown, fill in ((4.6, WHITE), (1.8, _mixed(edge, INK, 0.35)), (0.0, face)):
                wide, high = 14 + grown, 6.5 + grown
                pad.oval((0, 11), wide, high, fill)
                pad.band(-wide, -12, wide, 11, fill)
                pad.oval((0, -12), wide, high, fill)
            pad.oval((0, -12), 14, 6.5, _mixed(edge, INK, 0.35))
            pad.oval((0, -12.6), 13, 5.4, top)
            paint.sign(pad, colour, (0, 4.5), 15)
            self._known[key] = pad.done()
        return self._known[key]

    def medal(self, kind: str, tone: Colour, *, lead: bool) -> Image.Image:
        """A camel, standing or lying; the leading one is larger."""
        key = kind, tone, lead
        if key not in self._known:
            radius = 24 if lead else 17
            pad = self._pad(2 * radius + 10, 2 * radius + 10)
            pad.circle((0, 0), radius + 3.6, WHITE)
            pad.circle((0, 0), radius, PAPER, tone, 4.6)
            figure = paint.CAMEL if kind == "camel" else paint.LYING
            pad.figure(figure, (0, 0), radius * 1.36, tone)
            self._known[key] = pad.done()
        return self._known[key]

    def glow(self) -> Image.Image:
        """A ring around what is new."""
        if "glow" not in self._known:
            pad = self._pad(46, 46)
            pad.circle((0, 0), 19.5, WHITE)
            self._known["glow"] = pad.done()
        return self._known["glow"]

    def ribbon(self, seat: int, tone: Colour, way: int, *, halo: bool) -> Image.Image:
        """A piece of track from cell to cell; the halo sets it off from the board."""
        key = tone, way, halo
        if key not in self._known:
            pad = self._pad(80, 80)
            dx, dy = centre(*DIRECTIONS[way])
            ends = (-dx / 2, -dy / 2), (dx / 2, dy / 2)
            pad.line(ends, WHITE if halo else tone, 21 if halo else 16)
            if not halo:
                self._track(pad, seat, (dx / 52, dy / 52))
            self._known[key] = pad.done()
        return self._known[key]

    @staticmethod
    def _track(pad: Pad, seat: int, step: Point) -> None:
        x, y = step
        half = max(0.0, DASHES[seat % 6] - 3) / 2
        for dot in DOTS[seat % 6]:
            start, end = dot - half, dot + half
            pad.line(((x * start, y * start), (x * end, y * end)), WHITE, 3)


# --- words beside the board -------------------------------------------------------------------


def _turn_line(scene: Scene) -> str:
    view = scene.view or {}
    if scene.standings is not None:
        level = view.get("level")
        return f"{scene.headline()}: {level}" if level else scene.headline()
    if view.get("step") == "start":
        return f"{scene.headline()}: start"
    return scene.headline()


def _when(scene: Scene) -> str:
    view = scene.view or {}
    if scene.standings is not None:
        return f"Final result after {view['round']} rounds"
    if view["final_round"]:
        return f"Round {view['round']} · the final round"
    return f"Round {view['round']}" if view["round"] else "The caravans start"


def _tone(scene: Scene) -> Colour:
    """The colour of the seat the headline speaks of."""
    seats = scene.winners() if scene.standings is not None else list(scene.to_act)
    return scene.colour(seats[0]) if len(seats) == 1 else paint.rgb("#74430f")


def _plate(
    canvas: Image.Image, box: tuple[int, int, int, int], fill: Colour, radius: float
) -> None:
    """A smooth rounded plate."""
    left, top, right, bottom = box
    part = _plate_part(right - left, bottom - top, fill, radius)
    canvas.paste(part, (left, top), part)


@lru_cache(maxsize=256)
def _plate_part(wide: int, high: int, fill: Colour, radius: float) -> Image.Image:
    pad = Pad((wide, high), 1)
    pad.rounded(0, 0, wide - 0.5, high - 0.5, radius, fill)
    return pad.done()


def _pill(
    canvas: Image.Image, left: int, middle: int, text: str, size: int, tone: Colour, most: int
) -> int:
    """A line in white on a plate of a seat's colour; gives its width."""
    said = paint.fitted(text, size, most - size * 1.4)
    width = round(paint.length(said, size) + size * 1.4)
    high = round(size * 0.92)
    _plate(canvas, (left, middle - high, left + width, middle + high), tone, high)
    paint.write(canvas, (left + size * 0.7, middle - 1), said, size, WHITE, bold=True)
    return width


def _badge(canvas: Image.Image, at: tuple[int, int], tone: Colour, radius: int) -> None:
    """A camel medallion, as the leading camels on the board are."""
    part = _badge_part(tone, radius)
    canvas.paste(part, (at[0] - part.width // 2, at[1] - part.height // 2), part)


@lru_cache(maxsize=64)
def _badge_part(tone: Colour, radius: int) -> Image.Image:
    side = 2 * radius + 4
    pad = Pad((side, side), 1, (-side / 2, -side / 2))
    pad.circle((0, 0), radius - 2, PAPER, tone, 4)
    pad.figure(paint.CAMEL, (0, 0), radius * 1.3, tone)
    return pad.done()


@lru_cache(maxsize=64)
def _chip_part(colour: str, size: int) -> Image.Image:
    pad = Pad((2 * size, 2 * size), 1, (-size, -size))
    paint.good(pad, colour, (0, 0), size)
    return pad.done()


def _chips(
    canvas: Image.Image, at: tuple[int, int], goods: dict[str, int], size: int, gap: int
) -> int:
    """Goods of each colour with their numbers; gives where the row ends."""
    x, y = at
    for colour in GOODS:
        part = _chip_part(colour, size)
        canvas.paste(part, (x, y - size), part)
        paint.write(canvas, (x + 2 * size + 4, y), str(goods[colour]), round(size * 1.75))
        x += gap
    return x


def _panel(canvas: Image.Image, scene: Scene, left: int) -> None:
    """Title, turn line, seats with lengths and reserves, market."""
    view = scene.view
    assert view is not None
    right = canvas.width - 24
    players = {player["seat"]: player for player in view["players"]}
    step = min(104, 348 // len(players))
    top = max(20, (canvas.height - 236 - step * len(players)) // 2)
    paint.write(canvas, (left, top + 36), scene.title, 46, INK, bold=True)
    paint.write(canvas, (left, top + 78), _when(scene), 24, MUTED)
    _pill(canvas, left, top + 128, _turn_line(scene), 30, _tone(scene), right - left)
    top += 172
    for place, seat in enumerate(scene.order()):
        _row(canvas, scene, players[seat], (left, top + place * step, right, step))
    y = top + len(players) * step + 32
    paint.write(canvas, (left + 8, y), "Market", 26, INK)
    _chips(canvas, (left + 114, y), view["market"], 15, 78)


def _row(
    canvas: Image.Image, scene: Scene, player: dict[str, Any], at: tuple[int, int, int, int]
) -> None:
    """A seat: medallion, name, reserve, length of the caravan."""
    left, top, right, high = at
    seat = player["seat"]
    tone = scene.colour(seat)
    _plate(canvas, (left, top, right, top + high - 7), PAPER, 12)
    middle = top + (high - 7) // 2
    _badge(canvas, (left + 40, middle), tone, min(32, high // 2 - 5))
    number = str(player["length"])
    paint.write(canvas, (right - 16, middle), number, 44, tone, "rm", bold=True)
    size = min(12, high // 6)
    text, small = size * 2 + 4, round(size * 1.75)
    x, y = left + 84, middle + round(high * 0.22)
    name = paint.fitted(scene.names[seat], text, right - x - 80)
    paint.write(canvas, (x, middle - round(high * 0.18)), name, text, INK)
    x = _chips(canvas, (x, y), player["goods"], size, 32 + 2 * size)
    camel = 2 * size + 4
    pad = Pad((camel, camel), 1, (-camel / 2, -camel / 2))
    pad.figure(paint.CAMEL, (0, 0), camel, tone)
    part = pad.done()
    canvas.paste(part, (x, y - camel // 2), part)
    paint.write(canvas, (x + camel + 6, y), str(player["camels"]), small)


def _header(canvas: Image.Image, scene: Scene) -> None:
    """Title at the left, turn line at the right."""
    paint.write(canvas, (18, 32), scene.title, 26, INK, bold=True)
    text = paint.fitted(_turn_line(scene), 19, 300)
    width = round(paint.length(text, 19) + 19 * 1.4)
    _pill(canvas, canvas.width - 16 - width, 32, text, 19, _tone(scene), width + 4)


def _footer(canvas: Image.Image, scene: Scene) -> None:
    """Each seat with the length of its caravan, three to a row."""
    assert scene.view is not None
    lengths = {player["seat"]: player["length"] for player in scene.view["players"]}
    rows = -(-len(lengths) // 3)
    across = -(-len(lengths) // rows)
    wide = (canvas.width - 24) // across
    for place, seat in enumerate(scene.order()):
        left = 12 + place % across * wide
        top = canvas.height - 8 - 46 * (rows - place // across)
        _plate(canvas, (left + 3, top, left + wide - 3, top + 41), PAPER, 12)
        tone = scene.colour(seat)
        _badge(canvas, (left + 26, top + 20), tone, 17)
        number = str(lengths[seat])
        used = paint.write(canvas, (left + wide - 14, top + 20), number, 27, tone, "rm", bold=True)
        name = paint.fitted(scene.names[seat], 20, wide - 74 - used)
        paint.write(canvas, (left + 50, top + 20), name, 20, INK)
