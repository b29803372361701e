"""Pictures of matches: a still for link previews, an animation for the chat group.

A drawer gets a `Scene`, which holds the game's view for one viewer and nothing else of the
state, so a picture cannot show what that viewer may not see.
"""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Protocol

from msgspec.structs import replace
from PIL import Image

from domain.match import Timeline
from domain.review import counted
from service.pictures.caravanserai import HexPicture
from service.pictures.card import CardPicture
from service.pictures.movie import movie
from service.pictures.scene import Scene, scene

WIDE = (1200, 630)
"""Size of a still, in pixels: what previews of links show in full."""
SQUARE = (640, 640)
"""Size of an animation."""
MOST_FRAMES = 400
PLAYING = 30_000
"""How many milliseconds a long animation plays."""
HOLD = 4_000
"""How many milliseconds the last picture stays."""


class Drawer(Protocol):
    """Draws the moments of one match in one size."""

    def draw(self, scene: Scene) -> Image.Image:
        """An RGB picture of a moment."""


DRAWERS: dict[str, Callable[[Scene, tuple[int, int]], Drawer]] = {"caravanserai": HexPicture}
"""Games with a picture of their own; the others get a card."""


def _drawer(first: Scene, size: tuple[int, int]) -> Drawer:
    if first.view is None:
        return CardPicture(first, size)
    return DRAWERS.get(first.game, CardPicture)(first, size)


def png(timeline: Timeline, version: int, viewer: int | None = None) -> bytes:
    """A still of `WIDE` size; `Refused` when there is no such version."""
    shown = scene(timeline, timeline.at(version), viewer)
    made = BytesIO()
    _drawer(shown, WIDE).draw(shown).save(made, "PNG", compress_level=4)
    return made.getvalue()


def gif(
    timeline: Timeline, first: int = 1, last: int | None = None, viewer: int | None = None
) -> bytes:
    """An animation of `SQUARE` size: the match at version ``first``, then each event up to
    ``last`` that still counts then and changes the picture. `Refused` when there is no such
    version."""
    end = timeline.version if last is None else last
    scenes = list(_scenes(timeline, first, end, viewer))
    drawer = _drawer(scenes[0], SQUARE)
    samples = [drawer.draw(scenes[0]), drawer.draw(scenes[-1])]
    return movie((drawer.draw(each) for each in scenes), samples, PLAYING, HOLD)


def _scenes(timeline: Timeline, first: int, last: int, viewer: int | None) -> Iterator[Scene]:
    """The scenes of an animation, thinned out where there are too many."""
    start, end = timeline.at(first), timeline.at(last)
    between = [(state, version) for version, _, state in counted(timeline, first + 1, last)]
    moments = [replace(end, version=version, state=state) for state, version in between[:-1]]
    many = -(-len(moments) // (MOST_FRAMES - 2)) or 1
    begun = [start] if start.state is not None else []
    for moment in (*begun, *moments[::many]):
        yield scene(timeline, replace(moment, status="playing"), viewer)
    yield scene(timeline, end, viewer)
