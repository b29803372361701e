"""Renderer of orders: stills for link previews, animations for chats."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Protocol

from PIL import Image, ImageChops

from service.media.pictures.card import CardPicture
from service.media.pictures.fonts import Lettering
from service.media.pictures.gif import Movie, palette_of
from service.media.pictures.layout import ScenePicture
from service.media.pictures.palette import resolver
from service.media.pictures.raster import Raster
from service.media.pictures.render_job import SQUARE, WIDE, Frame, Order
from service.media.pictures.svg_document import Area, Part, Printer, Sheet, Size, meet

SHADE = 32
"""Maximum difference of a colour channel (of 255) that counts as equal: edges drawn in parts differ
slightly from the same drawn as a whole.
"""
PLAYING = 30_000
"""Duration of a long animation in milliseconds."""
HOLD = 4_000
"""Time in milliseconds for which the last frame is shown."""

PARTS = 1_024
"""Number of rendered parts cached: the same ones recur throughout an animation."""

SMALL, SMALL_PARTS = 40_000, 256
"""Maximum pixels of a small part, and the number of small parts cached over the ground for one
animation.
"""


class Drawer(Protocol):
    """Lays out the moments of one match in one size."""

    def draw(self, frame: Frame) -> Sheet:
        """Return the picture of a moment."""


class Studio:
    """Renderer with its fonts and caches; ``fonts``: in addition to the shipped ones."""

    def __init__(self, fonts: Iterable[Path] = ()) -> None:
        self.words = Lettering(fonts)
        self.raster = Raster(self.words.files)
        self._png = lru_cache(maxsize=PARTS)(self.raster.png)

    def draw(self, order: Order) -> bytes:
        """Render an order to an image file."""
        return self.png(order) if order.kind == "png" else self.gif(order)

    def drawer(self, first: Frame, size: Size) -> Drawer:
        """Return the layout for a match; a card where the game has no scene."""
        kind = CardPicture if first.scene is None else ScenePicture
        return kind(first, size, self.words)

    def png(self, order: Order) -> bytes:
        """Render a still of size `WIDE`."""
        (shown,) = order.frames
        return self.raster.png(self.document(order, shown, WIDE))

    def document(self, order: Order, shown: Frame, size: Size) -> str:
        """Return a frame as an SVG document."""
        sheet = self.drawer(shown, size).draw(shown)
        nodes = [*sheet.ground, *(part.node for part in sheet.parts)]
        printer = Printer(order.symbols, resolver(order.theme))
        return printer.document(nodes, (0, 0, *size))

    def gif(self, order: Order) -> bytes:
        """Render an animation of size `SQUARE`; frames that look alike are merged."""
        draws = self.drawer(order.frames[0], SQUARE)
        sheets = (draws.draw(frame) for frame in order.frames)
        first, last = draws.draw(order.frames[0]), draws.draw(order.frames[-1])
        reel = _Reel(self, Printer(order.symbols), first)
        movie = Movie(palette_of([reel.whole(first), reel.whole(last)]))
        for picture, areas in reel.run(sheets):
            movie.add(picture, areas)
        return movie.finish(min(700, max(60, PLAYING // movie.length)), HOLD)

    def image(self, document: str) -> Image.Image:
        """Rasterise a document on a transparent background."""
        return Image.open(BytesIO(self._png(document))).convert("RGBA")


class _Reel:
    """Renders the frames of an animation: the ground once, then only what changed."""

    def __init__(self, studio: Studio, printer: Printer, first: Sheet) -> None:
        self._studio = studio
        self._printer = printer
        self._whole = (0, 0, *first.size)
        self._ground = studio.image(printer.document(first.ground, self._whole))
        self._small = lru_cache(maxsize=SMALL_PARTS)(self._over_ground)

    def whole(self, sheet: Sheet) -> Image.Image:
        """Render a whole picture."""
        return self._drawn(sheet.parts, self._whole)

    def run(self, sheets: Iterable[Sheet]) -> Iterator[tuple[Image.Image, list[Area]]]:
        """Yield each picture with the areas in which it differs from the one before.

        The yielded image is reused for the next one.
        """
        before: dict[str, Part] = {}
        canvas = self._ground.convert("RGB")
        for number, sheet in enumerate(sheets):
            now = {part.key: part for part in sheet.parts}
            areas = self._changed(before, now) if number else [self._whole]
            drawn = [(area, self._drawn(sheet.parts, area)) for area in areas]
            seen = [(area, part) for area, part in drawn if differs(part, canvas.crop(area))]
            for area, part in seen:
                canvas.paste(part, area[:2])
            before = now
            yield canvas, [area for area, _ in seen]

    def _drawn(self, parts: tuple[Part, ...], area: Area) -> Image.Image:
        inside = [part.node for part in parts if meet(part.area, area)]
        document = self._printer.document(inside, area)
        left, top, right, bottom = area
        small = (right - left) * (bottom - top) <= SMALL
        return self._small(document, area) if small else self._over_ground(document, area)

    def _over_ground(self, document: str, area: Area) -> Image.Image:
        drawn = self._studio.image(document)
        return Image.alpha_composite(self._ground.crop(area), drawn).convert("RGB")

    def _changed(self, before: dict[str, Part], now: dict[str, Part]) -> list[Area]:
        """Return the areas of added, removed and changed parts; overlapping areas are merged."""
        found: list[Area] = []
        for key in {**before, **now}:
            old, new = before.get(key), now.get(key)
            if old == new:
                continue
            for part in (old, new):
                if part is not None:
                    found = _with(found, self._within(part.area))
        return found

    def _within(self, area: Area) -> Area:
        """Clip an area to the picture."""
        left, top, right, bottom = area
        return max(0, left), max(0, top), min(self._whole[2], right), min(self._whole[3], bottom)


def differs(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures differ visibly, by more than `SHADE`."""
    extremes = ImageChops.difference(one, other).getextrema()
    return any(most > SHADE for _, most in extremes)  # type: ignore[misc]


def _with(areas: list[Area], more: Area) -> list[Area]:
    """Add an area, merged with those it overlaps; an empty one is ignored."""
    if more[0] >= more[2] or more[1] >= more[3]:
        return areas
    apart = [area for area in areas if not meet(area, more)]
    if len(apart) == len(areas):
        return [*areas, more]
    joined = [more, *(area for area in areas if meet(area, more))]
    lefts, tops, rights, bottoms = zip(*joined, strict=True)
    return _with(apart, (min(lefts), min(tops), max(rights), max(bottoms)))
