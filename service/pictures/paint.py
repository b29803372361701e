"""Colours, letters and smooth shapes for pictures.

Colours, signs and the camel are those of the app's own drawings, so that a picture in a chat is
recognised at once. Shapes are drawn larger and scaled down, which makes their edges smooth.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor

from PIL import Image, ImageColor, ImageDraw, ImageFont

Point = tuple[float, float]
Colour = tuple[int, int, int]


def rgb(text: str) -> Colour:
    """The colour of a name such as ``#17697a``."""
    red, green, blue = ImageColor.getrgb(text)[:3]
    return red, green, blue


SEAT_COLOURS = tuple(map(rgb, ("#17697a", "#ad3d08", "#3c7429", "#3351a3", "#a82b69", "#5a5046")))
"""By seat; the same as ``--seat-0`` and so on of the app's style sheet."""

PAPER = rgb("#fdf5e4")
PAPER_EDGE = rgb("#d9b980")
GROUND = rgb("#f1dcb0")
INK = rgb("#38230f")
MUTED = rgb("#6a4825")
WHITE = (255, 255, 255)
ZONES = {
    "central": rgb("#f7e6bf"),
    "intermediate": rgb("#ecd19b"),
    "outer": rgb("#ddba79"),
}
TILE_LINE = rgb("#8f6228")
CELL_LINE = rgb("#c79f5f")

CAMEL = (
    "M14 82 15 58C9 52 8 42 13 35 17 29 22 27 27 29 30 14 39 10 43 23 45 30 49 30 52 25 55 10"
    " 64 11 68 25 71 33 75 36 79 31 83 26 82 18 83 12 84 7 89 5 93 6 97 7 100 10 99 13 98 16"
    " 94 17 90 17 90 26 91 35 86 43 83 49 79 53 75 56L74 82H68L66 59C56 62 44 62 33 58L31 82H25"
    "L23 61 20 82Z"
)
LYING = (
    "M10 74C6 68 8 56 14 50 18 46 23 44 28 46 31 30 40 27 44 40 46 46 50 46 53 41 56 27 65 28"
    " 69 42 72 49 76 51 80 46 84 41 82 31 83 25 84 20 89 18 93 19 97 20 100 23 99 26 98 29 94 30"
    " 90 30 90 39 92 49 88 57 86 62 90 68 96 69 98 74 94 77 88 77H16C13 77 11 76 10 74Z"
)
"""Outlines in a box of 100 by 84, in the notation of SVG paths (M, L, H, C and Z, absolute)."""

_CURVE = 6
"""Straight pieces that stand for one curve."""


@lru_cache
def outline(path: str) -> tuple[Point, ...]:
    """The corners of a path."""
    for sign in "MLHCZ":
        path = path.replace(sign, f" {sign} ")
    points: list[Point] = []
    sign, numbers = "", []
    for word in path.split():
        if word in "MLHCZ":
            sign = word
            continue
        numbers.append(float(word))
        if sign == "H":
            points.append((numbers[0], points[-1][1]))
        elif sign == "C" and len(numbers) == 6:
            points += _curve(points[-1], numbers)
        elif sign in "ML" and len(numbers) == 2:
            points.append((numbers[0], numbers[1]))
        else:
            continue
        numbers = []
    return tuple(points)


def _curve(start: Point, numbers: Sequence[float]) -> list[Point]:
    x0, y0 = start
    x1, y1, x2, y2, x3, y3 = numbers
    found = []
    for step in range(1, _CURVE + 1):
        t = step / _CURVE
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found


class Pad:
    """Shapes in units of one's own, smooth when they are done.

    ``scale`` is pixels a unit; ``origin`` is the place, in units, of the left upper corner.
    """

    def __init__(
        self,
        size: tuple[int, int],
        scale: float,
        origin: Point = (0, 0),
        ground: Colour | None = None,
        smooth: int = 4,
    ) -> None:
        pixels = size[0] * smooth, size[1] * smooth
        mode, colour = ("RGBA", (0, 0, 0, 0)) if ground is None else ("RGB", ground)
        self._smooth = smooth
        self._scale = scale * smooth
        self._origin = origin
        self.image = Image.new(mode, pixels, colour)
        self._draw = ImageDraw.Draw(self.image)

    def _at(self, point: Point) -> Point:
        x, y = self._origin
        return (point[0] - x) * self._scale, (point[1] - y) * self._scale

    def polygon(
        self, points: Sequence[Point], fill: Colour, edge: Colour | None = None, width: float = 0
    ) -> None:
        """A filled polygon with an edge of a width in units."""
        corners = [self._at(point) for point in points]
        self._draw.polygon(corners, fill)
        if edge is not None:
            self._stroke([*corners, corners[0], corners[1]], edge, width)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """A line with round ends and corners."""
        corners = [self._at(point) for point in points]
        self._stroke(corners, colour, width)
        for corner in (corners[0], corners[-1]):
            self._dot(corner, width * self._scale / 2, colour)

    def _stroke(self, corners: Sequence[Point], colour: Colour, width: float) -> None:
        self._draw.line(corners, colour, max(1, round(width * self._scale)), joint="curve")

    def circle(
        self,
        centre: Point,
        radius: float,
        fill: Colour | None = None,
        edge: Colour | None = None,
        width: float = 0,
    ) -> None:
        """A disc; an edge is drawn half inside, half outside, as in SVG."""
        at = self._at(centre)
        if edge is not None:
            self._dot(at, (radius + width / 2) * self._scale, edge)
            radius -= width / 2
        if fill is not None:
            self._dot(at, radius * self._scale, fill)

    def ring(self, centre: Point, radius: float, colour: Colour, width: float) -> None:
        """A circle with nothing inside."""
        (x, y), far = self._at(centre), (radius + width / 2) * self._scale
        box = (x - far, y - far, x + far, y + far)
        self._draw.ellipse(box, outline=colour, width=max(1, round(width * self._scale)))

    def _dot(self, at: Point, radius: float, colour: Colour) -> None:
        x, y = at
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)

    def oval(self, centre: Point, wide: float, high: float, fill: Colour) -> None:
        """An upright ellipse of half-axes ``wide`` and ``high``."""
        (x, y), a, b = self._at(centre), wide * self._scale, high * self._scale
        self._draw.ellipse((x - a, y - b, x + a, y + b), fill=fill)

    def band(self, left: float, top: float, right: float, bottom: float, fill: Colour) -> None:
        """A rectangle."""
        self._draw.rectangle((*self._at((left, top)), *self._at((right, bottom))), fill)

    def rounded(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: Colour
    ) -> None:
        """A rectangle with round corners."""
        box = (*self._at((left, top)), *self._at((right, bottom)))
        self._draw.rounded_rectangle(box, radius * self._scale, fill)

    def figure(self, path: str, centre: Point, width: float, colour: Colour) -> None:
        """A camel, its box ``width`` wide, in the middle of a place."""
        size = width / 100
        x, y = centre[0] - 50 * size, centre[1] - 42 * size
        self._draw.polygon(
            [self._at((x + px * size, y + py * size)) for px, py in outline(path)], colour
        )

    def done(self) -> Image.Image:
        """The picture in its real size."""
        return self.image.reduce(self._smooth)


# --- goods ------------------------------------------------------------------------------------

GOODS: dict[str, tuple[Colour, Colour, Colour]] = {
    "white": (rgb("#fdf9ef"), rgb("#8a7448"), rgb("#54411f")),
    "black": (rgb("#2b282b"), rgb("#8d8890"), WHITE),
    "purple": (rgb("#7b3d9b"), rgb("#4d2166"), WHITE),
    "red": (rgb("#c2382c"), rgb("#7d1d15"), WHITE),
    "yellow": (rgb("#f2b622"), rgb("#9a6c06"), rgb("#3d2904")),
}
"""The face, edge and sign of each colour of goods."""


def sign(pad: Pad, colour: str, centre: Point, size: float) -> None:
    """The second sign of a colour: what tells goods apart without colours.

    ``size`` is half the height of the sign's box; the shapes are drawn in a box of 12.
    """
    x, y = centre
    unit = size / 12
    ink = GOODS[colour][2]

    def spots(*points: Point) -> list[Point]:
        return [(x + px * unit, y + py * unit) for px, py in points]

    if colour == "white":
        pad.ring(centre, 5 * unit, ink, 2.6 * unit)
    elif colour == "black":
        pad.polygon(spots((0, -6.6), (6.2, 0), (0, 6.6), (-6.2, 0)), ink)
    elif colour == "purple":
        pad.polygon(spots((0, -6.4), (6.6, 5.2), (-6.6, 5.2)), ink)
    elif colour == "red":
        pad.line(spots((-4.6, -4.6), (4.6, 4.6)), ink, 3.2 * unit)
        pad.line(spots((4.6, -4.6), (-4.6, 4.6)), ink, 3.2 * unit)
    else:
        pad.line(spots((0, -6), (0, 6)), ink, 3.2 * unit)
        pad.line(spots((-6, 0), (6, 0)), ink, 3.2 * unit)


def good(pad: Pad, colour: str, centre: Point, size: float) -> None:
    """A bead, ``size`` being half the height of its box."""
    face, edge, _ = GOODS[colour]
    pad.circle(centre, 10.6 * size / 12, face, edge, 1.8 * size / 12)
    sign(pad, colour, centre, size)


# --- letters ----------------------------------------------------------------------------------


@lru_cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font, so that pictures look the same on every machine."""
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    return found


@lru_cache(maxsize=4096)
def _has(character: str) -> bool:
    """Whether the font has a shape for the character."""
    if character == " ":
        return True
    letters = font(20)
    return bytes(letters.getmask(character)) != bytes(letters.getmask("\U0010fffe"))


_LIKE = {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"}
_LIKE |= {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "ð": "d", "–": "-"}


_MARKS: dict[str, tuple[str, float, bool]] = {
    "\u0300": ("`", 1.0, False),
    "\u0301": ("´", 1.0, False),
    "\u0302": ("^", 0.6, False),
    "\u0303": ("~", 0.7, False),
    "\u0304": ("-", 0.9, False),
    "\u0306": ("v", 0.42, False),
    "\u0307": (".", 1.0, False),
    "\u0308": ("..", 0.9, False),
    "\u030a": ("°", 0.7, False),
    "\u030b": ("´´", 0.9, False),
    "\u030c": ("v", 0.42, False),
    "\u0323": (".", 1.0, True),
    "\u0327": (",", 0.9, True),
    "\u0328": (",", 0.9, True),
}
"""What stands for an accent, which the font lacks: a sign, its size, and whether it is below."""


def drawable(text: str, instead: str) -> str:
    """What the font can draw of a text, accents after their letters; ``instead`` when that is
    not most of it. Pillow's font holds little more than ASCII."""
    alike = "".join(_LIKE.get(c, c) for c in text)
    apart = unicodedata.normalize("NFKD", " ".join(alike.split()))
    letters = [c for c in apart if not unicodedata.combining(c)]
    kept = ""
    for c in apart:
        # i and j have a dot where the accent belongs
        if _has(c) or (c in _MARKS and kept[-1:].isalpha() and kept[-1:] not in "ij"):
            kept += c
    kept = kept.strip()
    return kept if kept and 2 * len(bare(kept)) > len(letters) else instead


def bare(text: str) -> str:
    """The text without accents."""
    return "".join(c for c in text if c not in _MARKS)


def length(text: str, size: int) -> float:
    """How many pixels long a line is."""
    return font(size).getlength(bare(text))


def fitted(text: str, size: int, width: float) -> str:
    """The text, cut with an ellipsis where it is wider than ``width`` pixels."""
    if length(text, size) <= width:
        return text
    while text and length(text.rstrip() + "…", size) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def write(
    canvas: Image.Image,
    at: Point,
    text: str,
    size: int,
    colour: Colour = INK,
    anchor: str = "lm",
    bold: bool = False,
) -> float:
    """Writes a line and gives its length in pixels; ``anchor`` as Pillow has it."""
    mask, left, top = _lettering(text, size, anchor, bold)
    canvas.paste(colour, (round(at[0]) + left, round(at[1]) + top), mask)
    return length(text, size)


@lru_cache(maxsize=1024)
def _lettering(text: str, size: int, anchor: str, bold: bool) -> tuple[Image.Image, int, int]:
    """A line as a mask, and where it lies from its anchor; animations repeat most lines."""
    letters = font(size)
    plain = bare(text)
    weight = size / 40 if bold else 0.0
    box = letters.getbbox(plain, anchor=anchor, stroke_width=weight)
    room = size // 3  # for accents
    left, top = floor(box[0]), floor(box[1]) - room
    mask = Image.new("L", (max(1, ceil(box[2]) - left), max(1, ceil(box[3]) + room - top)))
    draw = ImageDraw.Draw(mask)
    draw.text(
        (-left, -top), plain, 255, letters, anchor=anchor, stroke_width=weight, stroke_fill=255
    )
    start = (
        letters.getbbox(plain, anchor=anchor)[0] - letters.getbbox(plain, anchor="l" + anchor[1])[0]
    )
    done = ""
    for c in text:
        if c in _MARKS:
            before, letter = done[:-1], done[-1]
            x = start - left + letters.getlength(before) + letters.getlength(letter) / 2
            _, high, _, low = letters.getbbox(letter, anchor="l" + anchor[1])
            _accent(mask, c, (x, high - top, low - top), size, weight)
        else:
            done += c
    return mask, left, top


def _accent(
    mask: Image.Image, mark: str, at: tuple[float, float, float], size: int, weight: float
) -> None:
    """Sets a sign above or below a letter; ``at``: its middle, its top, its foot."""
    sign_, share, below = _MARKS[mark]
    part = _ink(sign_, max(8, round(size * share)), weight)
    middle, high, low = at
    gap = size / 16
    y = low - gap if below else high - gap - part.height
    mask.paste(255, (round(middle - part.width / 2), round(y)), part)


@lru_cache(maxsize=256)
def _ink(text: str, size: int, weight: float) -> Image.Image:
    """A sign as a mask without anything around it; the font's own box reaches to the line."""
    canvas = Image.new("L", (3 * size, 3 * size))
    ImageDraw.Draw(canvas).text(
        (size, size), text, 255, font(size), stroke_width=weight, stroke_fill=255
    )
    return canvas.crop(canvas.getbbox())
