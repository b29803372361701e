"""Gestures on an SVG: taps, drags, pinches and the wheel."""

from collections.abc import Callable
from typing import Any

from _native import add_listener, units_at

from frontend.app.core.dom import after, cancel
from frontend.app.core.types import Action, DomEvent, Node

TAP_TOLERANCE_PX = 9  # distance that a finger may move during a tap
DOUBLE_TAP_MS = 350  # maximum time between the two taps of a double tap
DOUBLE_TAP_PX = 24  # maximum distance between the two taps of a double tap, per axis
CALM_DELAY_MS = 600  # time without a touch after which no further tap is expected

Tap = tuple[int, int, int]
"""The time of a tap in milliseconds and its position in pixels."""


class Gestures:
    """The gestures on an SVG (``node``).

    ``on_tap(x, y)`` is called with a position in SVG units; the second tap of a double tap does not
    count. ``on_drag(dx, dy, is_first)``: one finger was dragged by so many pixels in all.
    ``on_zoom(up, down, at)``: scale the view by ``up / down`` around a position in units.
    ``on_calm()``: the last touch was `CALM_DELAY_MS` ago.
    """

    def __init__(
        self,
        node: Node,
        on_tap: Any,
        on_drag: Callable[[int, int, bool], object],
        on_zoom: Callable[[int, int, tuple[int, int]], object],
        on_calm: Action,
    ) -> None:
        self.node = node
        self.on_tap = on_tap
        self.on_drag = on_drag
        self.on_zoom = on_zoom
        self.on_calm = on_calm
        self.fingers: dict[Any, Any] = {}
        self.start: Any = None  # where the only finger went down
        self.is_dragged = False
        self.pinch_gap = 0
        self.last_tap: Tap | None = None
        self.calm_timer: Any = None
        for name, handler in (
            ("pointerdown", self._on_pointer_down),
            ("pointermove", self._on_pointer_move),
            ("pointerup", self._on_pointer_up),
            ("pointercancel", self._on_pointer_cancel),
            ("wheel", self._on_wheel),
        ):
            add_listener(node, name, handler)

    @property
    def is_touched(self) -> bool:
        """Whether a finger is down or was within the last `CALM_DELAY_MS`."""
        return bool(self.fingers) or self.calm_timer is not None

    def _restart_calm_timer(self) -> None:
        cancel(self.calm_timer)
        self.calm_timer = after(CALM_DELAY_MS, self._on_calm)

    def _on_calm(self) -> None:
        self.calm_timer = None
        if not self.fingers:
            self.on_calm()

    def _on_pointer_down(self, event: DomEvent) -> None:
        if event.button > 0:
            return
        self.fingers[event.pointerId] = (event.clientX, event.clientY)
        self._restart_calm_timer()
        self.node.setPointerCapture(event.pointerId)
        if len(self.fingers) == 1:
            self.start = (event.clientX, event.clientY)
            self.is_dragged = False
        else:
            self.start = None
            self.pinch_gap, _ = self._spread()

    def _spread(self) -> tuple[int, tuple[Any, Any]]:
        """Return the distance between two fingers and the point between them, in pixels."""
        (ax, ay), (bx, by) = list(self.fingers.values())[:2]
        return max(1, int(abs(ax - bx) + abs(ay - by))), ((ax + bx) / 2, (ay + by) / 2)

    def _on_pointer_move(self, event: DomEvent) -> None:
        if event.pointerId not in self.fingers:
            return
        self.fingers[event.pointerId] = (event.clientX, event.clientY)
        if len(self.fingers) >= 2:
            before = self.pinch_gap
            self.pinch_gap, middle = self._spread()
            if self.pinch_gap != before:
                self.on_zoom(before, self.pinch_gap, units_at(self.node, *middle))
        elif self.start is not None:
            dx, dy = event.clientX - self.start[0], event.clientY - self.start[1]
            was_dragged = self.is_dragged
            if was_dragged or abs(dx) + abs(dy) >= TAP_TOLERANCE_PX:
                self.is_dragged = True
                self.on_drag(dx, dy, not was_dragged)

    def _on_pointer_up(self, event: DomEvent) -> None:
        if event.pointerId not in self.fingers:
            return
        is_tap = self.start is not None and not self.is_dragged
        self._on_pointer_cancel(event)
        if is_tap:
            before = self.last_tap
            self.last_tap = (event.timeStamp, event.clientX, event.clientY)
            if before is None or not _is_double_tap(before, self.last_tap):
                self.on_tap(*units_at(self.node, event.clientX, event.clientY))

    def _on_pointer_cancel(self, event: DomEvent) -> None:
        self.fingers.pop(event.pointerId, None)
        self._restart_calm_timer()
        self.start = None

    def _on_wheel(self, event: DomEvent) -> None:
        event.preventDefault()
        up, down = (10, 12) if event.deltaY < 0 else (12, 10)
        self.on_zoom(up, down, units_at(self.node, event.clientX, event.clientY))


def _is_double_tap(first: Tap, second: Tap) -> bool:
    time, x, y = first
    late, at_x, at_y = second
    is_near = max(abs(at_x - x), abs(at_y - y)) < DOUBLE_TAP_PX
    return is_near and late - time < DOUBLE_TAP_MS
