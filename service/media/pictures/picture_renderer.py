"""Renderer of jobs: stills for link previews, animations for chats."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Protocol

from PIL import Image, ImageChops

from service.media.pictures.card import CardPicture
from service.media.pictures.fonts import FontSet
from service.media.pictures.gif import GifWriter, build_palette
from service.media.pictures.layout import ScenePicture
from service.media.pictures.palette import token_resolver
from service.media.pictures.raster import Rasterizer
from service.media.pictures.render_job import ANIMATION_SIZE_PX, STILL_SIZE_PX, Frame, RenderJob
from service.media.pictures.svg_document import (
    Area,
    PicturePart,
    Size,
    SvgDocument,
    SvgSerializer,
    overlaps,
)

MAX_COLOUR_DIFFERENCE = 32
"""Maximum difference of a colour channel (of 255) that counts as equal: edges drawn in parts differ
slightly from edges drawn as a whole.
"""
LONG_ANIMATION_MS = 30_000
"""Duration of a long animation in milliseconds."""
LAST_FRAME_MS = 4_000
"""Time in milliseconds for which the last frame is shown."""

MAX_CACHED_PARTS = 1_024
"""Number of rendered parts cached: the same ones recur throughout an animation."""

SMALL_PART_PX, MAX_SMALL_PARTS = 40_000, 256
"""Maximum pixels of a small part, and the number of small parts cached over the ground for one
animation.
"""


class FrameLayout(Protocol):
    """Lays out the moments of one match in one size."""

    def draw(self, frame: Frame) -> SvgDocument:
        """Return the picture of a moment."""


class PictureRenderer:
    """Renderer with its fonts and caches; ``fonts``: in addition to the shipped ones."""

    def __init__(self, fonts: Iterable[Path] = ()) -> None:
        self.fonts = FontSet(fonts)
        self.rasterizer = Rasterizer(self.fonts.files)
        self._cached_png = lru_cache(maxsize=MAX_CACHED_PARTS)(self.rasterizer.render_png)

    def render(self, job: RenderJob) -> bytes:
        """Render a job to an image file."""
        return self.render_still(job) if job.kind == "png" else self.render_animation(job)

    def layout_for(self, first: Frame, size: Size) -> FrameLayout:
        """Return the layout for a match; a card where the game has no scene."""
        kind = CardPicture if first.scene is None else ScenePicture
        return kind(first, size, self.fonts)

    def render_still(self, job: RenderJob) -> bytes:
        """Render a still of size `STILL_SIZE_PX`."""
        (shown,) = job.frames
        return self.rasterizer.render_png(self.frame_svg(job, shown, STILL_SIZE_PX))

    def frame_svg(self, job: RenderJob, frame: Frame, size: Size) -> str:
        """Return a frame as an SVG document."""
        sheet = self.layout_for(frame, size).draw(frame)
        nodes = [*sheet.ground, *(part.node for part in sheet.parts)]
        printer = SvgSerializer(job.symbols, token_resolver(job.theme))
        return printer.serialize(nodes, (0, 0, *size))

    def render_animation(self, job: RenderJob) -> bytes:
        """Render an animation of size `ANIMATION_SIZE_PX`; frames that look alike are merged."""
        draws = self.layout_for(job.frames[0], ANIMATION_SIZE_PX)
        sheets = (draws.draw(frame) for frame in job.frames)
        first, last = draws.draw(job.frames[0]), draws.draw(job.frames[-1])
        film = _FilmRenderer(self, SvgSerializer(job.symbols), first)
        writer = GifWriter(build_palette([film.render_whole(first), film.render_whole(last)]))
        for picture, areas in film.render_changes(sheets):
            writer.add(picture, areas)
        return writer.finish(
            min(700, max(60, LONG_ANIMATION_MS // writer.frame_count)), LAST_FRAME_MS
        )

    def rasterize(self, document: str) -> Image.Image:
        """Rasterise a document on a transparent background."""
        return Image.open(BytesIO(self._cached_png(document))).convert("RGBA")


class _FilmRenderer:
    """Renders the frames of an animation: the ground once, then only what changed."""

    def __init__(
        self, renderer: PictureRenderer, serializer: SvgSerializer, first: SvgDocument
    ) -> None:
        self._renderer = renderer
        self._serializer = serializer
        self._full_area = (0, 0, *first.size)
        self._ground = renderer.rasterize(serializer.serialize(first.ground, self._full_area))
        self._cached_small_part = lru_cache(maxsize=MAX_SMALL_PARTS)(self._render_over_ground)

    def render_whole(self, sheet: SvgDocument) -> Image.Image:
        """Render a whole picture."""
        return self._render_parts(sheet.parts, self._full_area)

    def render_changes(
        self, sheets: Iterable[SvgDocument]
    ) -> Iterator[tuple[Image.Image, list[Area]]]:
        """Yield each picture with the areas in which it differs from the one before.

        The yielded image is reused for the next one.
        """
        before: dict[str, PicturePart] = {}
        canvas = self._ground.convert("RGB")
        for number, sheet in enumerate(sheets):
            now = {part.key: part for part in sheet.parts}
            areas = self._changed_areas(before, now) if number else [self._full_area]
            drawn = [(area, self._render_parts(sheet.parts, area)) for area in areas]
            seen = [(area, part) for area, part in drawn if differs(part, canvas.crop(area))]
            for area, part in seen:
                canvas.paste(part, area[:2])
            before = now
            yield canvas, [area for area, _ in seen]

    def _render_parts(self, parts: tuple[PicturePart, ...], area: Area) -> Image.Image:
        inside = [part.node for part in parts if overlaps(part.area, area)]
        document = self._serializer.serialize(inside, area)
        left, top, right, bottom = area
        small = (right - left) * (bottom - top) <= SMALL_PART_PX
        return (
            self._cached_small_part(document, area)
            if small
            else self._render_over_ground(document, area)
        )

    def _render_over_ground(self, document: str, area: Area) -> Image.Image:
        drawn = self._renderer.rasterize(document)
        return Image.alpha_composite(self._ground.crop(area), drawn).convert("RGB")

    def _changed_areas(
        self, before: dict[str, PicturePart], now: dict[str, PicturePart]
    ) -> list[Area]:
        """Return the areas of added, removed and changed parts; overlapping areas are merged."""
        found: list[Area] = []
        for key in {**before, **now}:
            old, new = before.get(key), now.get(key)
            if old == new:
                continue
            for part in (old, new):
                if part is not None:
                    found = _merge_area(found, self._clip(part.area))
        return found

    def _clip(self, area: Area) -> Area:
        """Clip an area to the picture."""
        left, top, right, bottom = area
        return (
            max(0, left),
            max(0, top),
            min(self._full_area[2], right),
            min(self._full_area[3], bottom),
        )


def differs(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two pictures differ visibly, by more than `MAX_COLOUR_DIFFERENCE`."""
    extremes = ImageChops.difference(one, other).getextrema()
    return any(most > MAX_COLOUR_DIFFERENCE for _, most in extremes)  # type: ignore[misc]


def _merge_area(areas: list[Area], more: Area) -> list[Area]:
    """Add an area, merged with those it overlaps; an empty one is ignored."""
    if more[0] >= more[2] or more[1] >= more[3]:
        return areas
    apart = [area for area in areas if not overlaps(area, more)]
    if len(apart) == len(areas):
        return [*areas, more]
    joined = [more, *(area for area in areas if overlaps(area, more))]
    lefts, tops, rights, bottoms = zip(*joined, strict=True)
    return _merge_area(apart, (min(lefts), min(tops), max(rights), max(bottoms)))
