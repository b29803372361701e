"""What is to be drawn, as a value that can be sent to whoever draws.

It holds what a viewer may see and nothing else of the match: a frame's scene is made by the game
from its view for that viewer. Its words are sentences already, in the language of who asked.
"""

from typing import Literal

from msgspec import Struct

from domain.game import Standing
from domain.scene import Scene, Symbol
from service.media.pictures.palette import Theme

WIDE = (1200, 630)
"""Size of a still, in pixels: what previews of links show in full."""
SQUARE = (640, 640)
"""Size of a film."""


class Frame(Struct, frozen=True):
    """A moment. ``scene`` is the game's own for the viewer; None before the game begins, and for
    a game that draws nothing of itself. ``caption``, ``stock_name``: its words. ``letters`` tell
    the seats apart besides their colours. ``headline`` says where the match stands,
    ``turn_line`` with what the game adds to it, ``card_line`` with the turn where there is no
    scene to say it.
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

    def order(self) -> list[int]:
        """The seats: by rank when the match is over, else as they sit."""
        if self.standings is None:
            return list(range(len(self.names)))
        return [standing.seat for standing in self.standings]

    def scores(self) -> dict[int, int]:
        """The final scores by seat; empty while the match goes on."""
        return {standing.seat: standing.score for standing in self.standings or ()}

    def winners(self) -> list[int]:
        """The seats of rank 1; nobody while the match goes on."""
        return [standing.seat for standing in self.standings or () if standing.rank == 1]


class Order(Struct, frozen=True):
    """A still of one frame (png), or a film of several (gif); ``symbols``: those they may use,
    ``theme``: the colours of a still."""

    kind: Literal["png", "gif"]
    frames: tuple[Frame, ...]
    symbols: tuple[Symbol, ...]
    theme: Theme = "light"
