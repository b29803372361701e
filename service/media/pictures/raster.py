"""SVG to pixels, by resvg.

The package ``resvg`` keeps its fonts between pictures and takes a third of the time of
``resvg-py`` (24 and 66 ms for one of 1200 by 630); nothing else here knows which one it is. It
holds the interpreter's lock while it draws: see `service.media.pictures.worker`.
"""

from collections.abc import Sequence
from pathlib import Path

import resvg
from resvg import usvg

_AS_IT_IS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


class Raster:
    """Draws with these fonts and no others, so that a picture is the same on every machine."""

    def __init__(self, fonts: Sequence[Path]) -> None:
        self._options = usvg.Options.default()
        # As data: a font that is a file is opened and mapped anew for every letter.
        for path in fonts:
            self._options.load_font_data(path.read_bytes())
        self._options.font_family = "Noto Sans"

    def png(self, svg: str) -> bytes:
        """The drawing as PNG in its own size; ValueError when it is not SVG."""
        return resvg.render(usvg.Tree.from_str(svg, self._options), _AS_IT_IS)
