"""The renderer of stills and animations."""

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
"""Maximum difference of a colour channel (0 to 255) that counts as equal. Edges that are rendered
in separate parts differ slightly from edges that are rendered as a whole.
"""
LONG_ANIMATION_MS = 30_000
"""Target duration in milliseconds of a long animation, to which the delay per frame is adapted."""
LAST_FRAME_MS = 4_000
"""Milliseconds for which the last frame of an animation is shown."""

MAX_CACHED_PARTS = 1_024
"""Maximum number of cached documents, because the same ones recur throughout an animation."""

SMALL_PART_PX, MAX_SMALL_PARTS = 40_000, 256
"""Maximum number of pixels of a small area, and the maximum number of small areas that are cached
with the background for one animation.
"""


class FrameLayout(Protocol):
    """The layout of the frames of one match at one size."""

    def draw(self, frame: Frame) -> SvgDocument:
        """Return the picture of one frame."""


class PictureRenderer:
    """A renderer with its fonts and caches.

    ``fonts``: font files in addition to the shipped ones.
    """

    def __init__(self, fonts: Iterable[Path] = ()) -> None:
        self.fonts = FontSet(fonts)
        self.rasterizer = Rasterizer(self.fonts.files)
        self._cached_png = lru_cache(maxsize=MAX_CACHED_PARTS)(self.rasterizer.render_png)

    def render(self, job: RenderJob) -> bytes:
        """Render a job and return the image file (PNG or GIF)."""
        return self.render_still(job) if job.kind == "png" else self.render_animation(job)

    def layout_for(self, first: Frame, size: Size) -> FrameLayout:
        """Return the layout for frames like ``first``: a card if it has no scene."""
        kind = CardPicture if first.scene is None else ScenePicture
        return kind(first, size, self.fonts)

    def render_still(self, job: RenderJob) -> bytes:
        """Render the only frame of a job as a PNG of size `STILL_SIZE_PX`."""
        (shown,) = job.frames
        return self.rasterizer.render_png(self.frame_svg(job, shown, STILL_SIZE_PX))

    def frame_svg(self, job: RenderJob, frame: Frame, size: Size) -> str:
        """Return a frame as an SVG document in the job's theme."""
        sheet = self.layout_for(frame, size).draw(frame)
        nodes = [*sheet.ground, *(part.node for part in sheet.parts)]
        printer = SvgSerializer(job.symbols, token_resolver(job.theme))
        return printer.serialize(nodes, (0, 0, *size))

    def render_animation(self, job: RenderJob) -> bytes:
        """Render an animation as a GIF of size `ANIMATION_SIZE_PX`.

        Consecutive frames that look the same are merged.
        """
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
        """Rasterise an SVG document on a transparent background."""
        return Image.open(BytesIO(self._cached_png(document))).convert("RGBA")


class _FilmRenderer:
    """Renderer of an animation's frames, which renders the background only once.

    For each further frame, it renders only the areas that have changed.
    """

    def __init__(
        self, renderer: PictureRenderer, serializer: SvgSerializer, first: SvgDocument
    ) -> None:
        self._renderer = renderer
        self._serializer = serializer
        self._full_area = (0, 0, *first.size)
        self._ground = renderer.rasterize(serializer.serialize(first.ground, self._full_area))
        self._cached_small_part = lru_cache(maxsize=MAX_SMALL_PARTS)(self._render_over_ground)

    def render_whole(self, sheet: SvgDocument) -> Image.Image:
        """Render a whole frame."""
        return self._render_parts(sheet.parts, self._full_area)

    def render_changes(
        self, sheets: Iterable[SvgDocument]
    ) -> Iterator[tuple[Image.Image, list[Area]]]:
        """Yield each frame as an image, with the areas in which it differs from the previous frame.

        The same image object is yielded each time, so it must be used before the next iteration.
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
        """Return the areas of added, removed and changed parts, with overlapping areas merged."""
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
    """Return whether any pixel of two images differs by more than `MAX_COLOUR_DIFFERENCE`."""
    extremes = ImageChops.difference(one, other).getextrema()
    return any(most > MAX_COLOUR_DIFFERENCE for _, most in extremes)  # type: ignore[misc]


def _merge_area(areas: list[Area], more: Area) -> list[Area]:
    """Return the areas with another one added and merged with those it overlaps.

    An empty area is ignored.
    """
    if more[0] >= more[2] or more[1] >= more[3]:
        return areas
    apart = [area for area in areas if not overlaps(area, more)]
    if len(apart) == len(areas):
        return [*areas, more]
    joined = [more, *(area for area in areas if overlaps(area, more))]
    lefts, tops, rights, bottoms = zip(*joined, strict=True)
    return _merge_area(apart, (min(lefts), min(tops), max(rights), max(bottoms)))
