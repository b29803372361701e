"""The camera of the hex board, which follows the lead camel on the user's turn."""

from collections.abc import Collection, Sequence
from typing import Any

from frontend.app.components.zoom_view import ZoomView
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.types import Action, Event
from frontend.app.games.caravanserai.board import HexBoard

MIN_CELL_PX = 46  # minimum width of a cell that can be tapped reliably
MIN_SHARED_CELL_PX = 44  # the same if another seat's move is to be in view as well
PLACING_EVENTS = ("CaravanStarted", "BlockLaid", "CamelLaidDown", "CamelPlaced", "GoodSetOnBoard")
TAP_MARGIN = 20  # units around the centre of a cell that must be free for a tap


def _touched_cells(events: Sequence[Event]) -> list[int]:
    """Return the cells on which the events of a move have put pieces."""
    cells: list[int] = []
    for event in events:
        data = event["data"]
        if event["type"] in PLACING_EVENTS:
            cells.extend(data["path"] if "path" in data else (data["cell"],))
    return cells


class Camera:
    """The automatic zoom and pan of the hex board.

    ``followed()`` is called after a camera move that was postponed because the user was touching
    the board.
    """

    def __init__(self, stage: ZoomView, board: HexBoard, followed: Action) -> None:
        self.stage = stage
        self.board = board
        self.followed = followed
        self.framed: Any = None
        self.turn: Any = None

    def frame(self, now: ViewModel, near: Collection[int], found: Sequence[Any]) -> None:
        """Zoom to the tap targets on the user's turn; otherwise show the whole board.

        Targets get at least `MIN_CELL_PX` pixels where they fit. ``near``: the cells that can be
        tapped next; ``found``: the candidate moves.
        """
        if now.seat is None or not now.live:
            if self.framed is not None:
                self.framed = None
                self.stage.follow_all(self.followed)
            return
        step = now.view["step"]
        turn = (now.view["turn"], now.seat, step, len(now.view["players"][now.seat]["caravan"]))
        if self.framed == turn:
            return
        self.framed = turn
        if MIN_CELL_PX * self.stage.units_per_pixel() <= 5200 or not near:
            self.stage.show_all()
        elif step != "place":
            self._frame_all(near)
        else:
            self._frame_lead(now, near, found)

    def _frame_all(self, near: Collection[int]) -> None:
        """Zoom in on all ``near`` cells, at most until they have the minimum size for tapping."""
        width, height = self.stage.clear_size()
        x, y, w, h = self.board.box(near, 40)
        wide, high = max(w, width * 52 // MIN_CELL_PX), max(h, height * 52 // MIN_CELL_PX)
        box = (x - (wide - w) // 2, y - (high - h) // 2, wide, high)
        self.stage.follow(box, self.followed)

    def _frame_lead(self, now: ViewModel, near: Collection[int], found: Sequence[Any]) -> None:
        """Frame the lead camel with the targets, and with the others' last move if it fits."""
        q, r, _ = now.view["players"][now.seat]["caravan"][-1]
        lead = self.board.index[q, r]
        turn = (now.view["turn"], now.seat)
        if not self.stage.follows_content and turn == self.turn:
            self.keep_in_sight([lead, *near])
            return
        self.turn = turn
        width, height = self.stage.clear_size()
        wide, high = width * 52 // MIN_CELL_PX, height * 52 // MIN_CELL_PX
        x, y, w, h = self.board.box([lead, *near], 30)
        shared = self.board.box([lead, *near, *_touched_cells(now.marks)], 30)
        for cell_px in (MIN_CELL_PX, MIN_SHARED_CELL_PX):
            if shared[2] <= width * 52 // cell_px and shared[3] <= height * 52 // cell_px:
                wide, high = width * 52 // cell_px, height * 52 // cell_px
                x, y, w, h = shared
                break
        reach = [lead, *near, *[cell for each in found for cell in each[1]]]
        bx, by, bw, bh = self.board.box(reach, 30)
        cx = max(x + w - wide // 2, min(x + wide // 2, bx + bw // 2))
        cy = max(y + h - high // 2, min(y + high // 2, by + bh // 2))
        self.stage.follow((cx - wide // 2, cy - high // 2, wide, high), self.followed)

    def keep_in_sight(self, cells: Collection[int]) -> None:
        """Move the camera by the smallest distance that brings the cells into view.

        It stays where it is if all of them can be tapped there: a target must not move without need
        while a block is being built.
        """
        self.stage.cancel_move()
        at, stage = self.board.at, self.stage
        if not all(stage.can_be_tapped(at[cell], TAP_MARGIN) for cell in cells):
            stage.follow_into_view(self.board.box(cells, 30), self.followed)

    def show(self, cells: Collection[int]) -> None:
        """Centre the cells if any of them is out of view."""
        left, top, wide, high = self.stage.clear_box()
        x, y, w, h = self.board.box(cells, 30)
        if x < left or y < top or x + w > left + wide or y + h > top + high:
            self.stage.move_camera((x + w // 2 - wide // 2, y + h // 2 - high // 2, wide, high))
