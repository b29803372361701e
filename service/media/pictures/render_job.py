"""Jobs to draw pictures, as values that can be sent to another process.

A job contains only what a viewer may see of the match: the game makes a frame's scene from its view
for that viewer. Text is already translated into the caller's language.
"""

from typing import Literal

from msgspec import Struct

from domain.contract.game import Standing
from domain.drawing.scene import Scene, Symbol
from service.media.pictures.palette import Theme

STILL_SIZE_PX = (1200, 630)
"""Width and height of a still in pixels, which link previews show uncropped."""
ANIMATION_SIZE_PX = (640, 640)
"""Width and height of an animation in pixels."""


class Frame(Struct, frozen=True):
    """The content of one picture.

    ``scene``: the game's, for the viewer; None before the game begins, and for a game that draws
    none. ``caption``, ``stock_name``: texts of the scene. ``letters``: distinguish the seats in
    addition to their colours. ``headline``: the standing of the match; ``turn_line``: the same with
    what the game adds; ``card_line``: the headline with the turn, where there is no scene to show
    it.
    """

    title: str
    names: tuple[str, ...]
    letters: tuple[str, ...]
    to_act: tuple[int, ...]
    standings: tuple[Standing, ...] | None
    scene: Scene | None
    caption: str = ""
    stock_name: str = ""
    headline: str = ""
    turn_line: str = ""
    card_line: str = ""

    def seat_order(self) -> list[int]:
        """Return the seats, by rank when the match is over, otherwise by number."""
        if self.standings is None:
            return list(range(len(self.names)))
        return [standing.seat for standing in self.standings]

    def scores(self) -> dict[int, int]:
        """Return the final scores by seat; empty until the match is over."""
        return {standing.seat: standing.score for standing in self.standings or ()}

    def winners(self) -> list[int]:
        """Return the seats of rank 1; empty until the match is over."""
        return [standing.seat for standing in self.standings or () if standing.rank == 1]


class RenderJob(Struct, frozen=True):
    """A job: a still of one frame (png), or an animation of several (gif).

    ``symbols``: the symbols that frames may use. ``theme``: the colours of a still.
    """

    kind: Literal["png", "gif"]
    frames: tuple[Frame, ...]
    symbols: tuple[Symbol, ...]
    theme: Theme = "light"
