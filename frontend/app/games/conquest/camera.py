"""The camera of the map, which shows the user's caravan and its reach on the user's turn."""

from collections.abc import Collection
from typing import Any

from domain.games.conquest.picture import SIDE, middle
from frontend.app.components.zoom_view import ZoomView
from frontend.app.contract.game_screen import ViewModel
from frontend.app.games.conquest.board import Place, box_of

COMFORTABLE_TILE_PX = 52  # preferred side of a tile, if the reach still fits
MIN_TILE_PX = 28  # small, because a tap only selects a tile and a button confirms
SIGHT_MARGIN = 30  # units around the tiles that are brought into view


class Camera:
    """The automatic zoom and pan of the map."""

    def __init__(self, stage: ZoomView) -> None:
        self.stage = stage
        self.framed: Any = None

    def frame(self, now: ViewModel, reach: Collection[Place]) -> None:
        """Frame the caravan and its reach once per turn of the user; otherwise show the whole map.

        During the turn the camera only keeps the caravan in view. Once the user has chosen a zoom,
        it is kept: the camera only scrolls to the caravan and its reach.
        """
        if now.seat is None or not now.live:
            if self.framed is not None:
                self.framed = None
                if self.stage.user_zoom != "own":
                    self.stage.follow_all()
            return
        at = tuple(now.view["players"][now.seat]["at"])
        turn = (now.seat, now.state.turn)
        if self.framed is not None and self.framed[0] == turn:
            if self.framed[1] != at:
                self.framed = (turn, at)
                self.keep_in_sight([at])
            return
        self.framed = (turn, at)
        if self.stage.user_zoom:
            self._scroll_to(at, reach)
            return
        if COMFORTABLE_TILE_PX * self.stage.units_per_pixel() <= 100 * SIDE:
            self.stage.show_all()
            return
        width, height = self.stage.clear_size()
        x, y, w, h = box_of([at, *reach], 20)
        wide = max(width * SIDE // COMFORTABLE_TILE_PX, min(w, width * SIDE // MIN_TILE_PX))
        high = max(height * SIDE // COMFORTABLE_TILE_PX, min(h, height * SIDE // MIN_TILE_PX))
        middle_x, middle_y = middle(at)
        half_x, half_y = max(0, wide // 2 - 70), max(0, high // 2 - 70)
        cx = max(middle_x - half_x, min(middle_x + half_x, x + w // 2))
        cy = max(middle_y - half_y, min(middle_y + half_y, y + h // 2))
        self.stage.follow((int(cx) - wide // 2, int(cy) - high // 2, wide, high))

    def _scroll_to(self, at: Place, reach: Collection[Place]) -> None:
        """Bring the caravan and its reach into view; only the caravan if both do not fit."""
        _, _, w, h = box_of([at, *reach], SIGHT_MARGIN)
        _, _, wide, high = self.stage.clear_box()
        self.keep_in_sight([at, *reach] if w <= wide and h <= high else [at])

    def keep_in_sight(self, places: Collection[Place]) -> None:
        """Move the camera by the smallest distance that brings the tiles into view."""
        self.stage.follow_into_view(box_of(places, SIGHT_MARGIN))
