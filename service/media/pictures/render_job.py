"""Rendering jobs, as values that can be sent to another process.

A job contains only what its viewer may see of the match, because the game builds each scene from
the view for that viewer. All text is already translated into the language of the request.
"""

from typing import Literal

from msgspec import Struct

from domain.contract.game import Standing
from domain.drawing.scene import Scene, Symbol
from service.media.pictures.palette import Theme

STILL_SIZE_PX = (1200, 630)
"""Width and height of a still in pixels; link previews show this size without cropping."""
ANIMATION_SIZE_PX = (640, 640)
"""Width and height of an animation in pixels."""


class Frame(Struct, frozen=True):
    """The content of one picture of a match.

    - ``title``: the title of the game;
    - ``names``, ``letters``: for each seat, the player's name and a letter that distinguishes the
      seat in addition to its colour;
    - ``to_act``: the seats that are to act;
    - ``standings``: the final standings, None until the match is over;
    - ``scene``: the game's scene as the viewer sees it, None before the game begins and for a game
      that draws none;
    - ``caption``, ``stock_name``: translated texts of the scene;
    - ``headline``: who is to move, or the result; ``turn_line``: the headline with the game's note;
      ``card_line``: the headline with the turn number, for pictures without a scene.
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
        """Return the seats in the order of the standings if the match is over, else by number."""
        if self.standings is None:
            return list(range(len(self.names)))
        return [standing.seat for standing in self.standings]

    def scores(self) -> dict[int, int]:
        """Return the final scores by seat; empty until the match is over."""
        return {standing.seat: standing.score for standing in self.standings or ()}

    def winners(self) -> list[int]:
        """Return the seats with rank 1; empty until the match is over."""
        return [standing.seat for standing in self.standings or () if standing.rank == 1]


class RenderJob(Struct, frozen=True):
    """A rendering job: a still of one frame ("png") or an animation ("gif").

    ``symbols``: the symbols that the frames may use; ``theme``: the theme of a still; animations
    always use the light theme.
    """

    kind: Literal["png", "gif"]
    frames: tuple[Frame, ...]
    symbols: tuple[Symbol, ...]
    theme: Theme = "light"
