"""A zoomable, pannable SVG with a camera; taps are reported in SVG units."""

from typing import Any

from _native import el, frame, media_matches, observe_size, patch, size_of, svg

from frontend.app.components.gestures import Gestures
from frontend.app.core.dom import button
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Box, DomEvent

MIN_LEGIBLE_SCALE = 80  # minimum scale for small text, in hundredths of a pixel per unit
ZOOM_BUTTON_PX = 60  # height of a zoom button with its margins
ZOOM_BUTTONS_PX = 180  # length of the row or column of zoom buttons with its margins
MOVE_DURATION_MS = 280  # duration of a camera move


def _within(start: int, length: int, least: int, span: int, reserved: int) -> int:
    """Return ``start`` clamped so that the range stays inside the content.

    ``reserved`` units behind the content may be in view, so that all of it can be seen beside what
    covers them. A range longer than both together is centred on them.
    """
    most = least + span - length + reserved
    if most <= least:
        return (least + most) // 2
    return max(least, min(most, start))


class ZoomView:
    """A zoomable view of an SVG whose content spans ``bounds``: ``(x, y, width, height)``.

    ``on_tap(x, y)`` is called with a position in SVG units. ``camera`` is the visible box, in the
    same units. ``user_zoom``: what the user has chosen with the buttons, the wheel or two fingers:
    "all" of the content, an "own" scale, or "" for neither.
    """

    def __init__(self, label: str, on_tap: Any) -> None:
        self.svg = svg("svg", {"role": "application", "aria-label": label, "tabindex": "0"})
        self.zoom_buttons = el(
            "div",
            {"class": "lens"},
            button(t("turn.whole_board"), self.show_all, "round", "i-whole"),
            button(t("turn.zoom_out"), lambda _e: self.zoom(13, 10), "round", "i-minus"),
            button(t("turn.zoom_in"), lambda _e: self.zoom(10, 13), "round", "i-plus"),
        )
        self.node = el("div", {"class": "board-area"}, self.svg, self.zoom_buttons)
        self.gestures = Gestures(self.svg, on_tap, self._drag, self.zoom, self._on_calm)
        self.bounds: Box = (0, 0, 100, 100)
        self.camera: Box = (0, 0, 100, 100)
        self.target = self.camera
        self.animation: Any = None
        self.follows_content = True
        self.user_zoom = ""  # "all" or "own" once the user has chosen to see all or to zoom
        self.drag_start = self.camera
        self.delayed_move: Any = None
        self.shown_size: tuple[Any, ...] = (1, 1)
        self.look: Any = None  # whether small text is legible, and whether all is in view
        observe_size(self.node, self._on_resize)

    def size(self) -> tuple[int, int]:
        """Return the width and height of the SVG on the screen in pixels, each at least 1."""
        width, height = size_of(self.svg)
        return max(width, 1), max(height, 1)

    def set_bounds(self, bounds: Box) -> None:
        """Set the box of the content, and show all of it if it has changed."""
        if bounds != self.bounds:
            self.bounds = bounds
            self.move_camera(bounds, glide=False)

    def show_all(self, _event: DomEvent | None = None) -> None:
        """Show the whole content; unless this is a click handler, keep it in view on resize."""
        self.follows_content = _event is None
        if _event is not None:
            self.user_zoom = "all"
        self.delayed_move = None
        self.move_camera(self.bounds)

    def units_per_pixel(self) -> int:
        """Return the hundredths of a unit per pixel when the whole content is in view."""
        width, height = self.size()
        _, _, w, h = self.bounds
        return max(100 * w // width, 100 * h // height)

    def clear_size(self) -> tuple[int, int]:
        """Return the width and height of the SVG beside the zoom buttons, in pixels."""
        width, height = self.size()
        right, bottom = self._button_strip()
        return max(width - right, 1), max(height - bottom, 1)

    def clear_box(self) -> Box:
        """Return the part of the view beside the zoom buttons; during a move, that at its end."""
        left, top, wide, high = self.target
        width, _ = self.size()
        right, bottom = self._button_strip()
        return left, top, wide - right * wide // width, high - bottom * wide // width

    def _button_strip(self) -> tuple[int, int]:
        """Return the width or the height of the strip with the zoom buttons, in pixels.

        They are at the end of the longer side: see `.lens` in `game.css`.
        """
        width, height = self.size()
        return (ZOOM_BUTTON_PX, 0) if width > height else (0, ZOOM_BUTTON_PX)

    def move_camera(self, box: Box, glide: bool = True, exact: bool = False) -> None:
        """Move the camera to a box in units, extended to the aspect ratio of the SVG.

        The box is shown beside the zoom buttons unless it is ``exact``. ``glide``: animate the
        move, unless the user prefers reduced motion.
        """
        target = self.target = self._fit_box(box, exact)
        # Before the page is laid out the size is (1, 1); the resize observer corrects it later.
        self.shown_size = self.size()
        self.animation = None
        still = media_matches("(prefers-reduced-motion: reduce)")
        if not glide or still or self.camera == target:
            self._set(target)
            return
        begin = self.camera
        token = [0]
        self.animation = token

        def step(time: Any) -> None:
            if self.animation is not token:
                return
            if token[0] == 0:
                token[0] = time
            part = min(100, (time - token[0]) * 100 // MOVE_DURATION_MS)
            eased = part * (200 - part) // 100
            now = [a + (b - a) * eased // 100 for a, b in zip(begin, target, strict=True)]
            self._set(tuple(now))
            if part < 100:
                frame(step)
            else:
                self._set(target)

        frame(step)

    def follow(self, box: Box, then: Action = lambda: None) -> None:
        """Move the camera to a box; postpone that while the user is touching the view.

        A target about to be tapped must not move. A postponed move takes place
        `gestures.CALM_DELAY_MS` after the last touch, and only then is ``then()`` called.
        """
        self.follows_content = False
        if self.gestures.is_touched:
            self.delayed_move = (box, then)
        else:
            self.move_camera(box)

    def follow_all(self, then: Action = lambda: None) -> None:
        """Show the whole content, postponed while the user is touching the view (see `follow`)."""
        self.follow(self.bounds, then)
        self.follows_content = True

    def follow_into_view(self, box: Box, then: Action = lambda: None) -> None:
        """Move the camera by the smallest distance that brings a box into view (see `follow`)."""
        x, y, w, h = box
        left, top, wide, high = self.clear_box()
        dx = min(0, x - left) + max(0, x + w - left - wide)
        dy = min(0, y - top) + max(0, y + h - top - high)
        if dx or dy:
            self.follow((left + dx, top + dy, wide, high), then)

    def cancel_move(self) -> None:
        """Cancel a postponed camera move."""
        self.delayed_move = None

    def _on_calm(self) -> None:
        if self.delayed_move is not None:
            box, then = self.delayed_move
            self.delayed_move = None
            self.move_camera(box)
            then()

    def _fit_box(self, box: Box, exact: bool = False) -> tuple[Any, ...]:
        """Return the camera for a box: the box as large as possible beside the zoom buttons.

        The whole content is fitted to the whole view, and moved away from the buttons as far as
        there is room. ``exact``: whether any box is fitted to the whole view.
        """
        x, y, w, h = box
        width, height = self.size()
        strip = self._button_strip()
        right, bottom = (0, 0) if exact or box == self.bounds else strip
        wide = max(w * width // max(width - right, 1), h * width // max(height - bottom, 1))
        high = wide * height // width
        across, down = right * wide // width, bottom * wide // width
        left, top = x - (wide - across - w) // 2, y - (high - down - h) // 2
        across, down = strip[0] * wide // width, strip[1] * wide // width
        bx, by, bw, bh = self.bounds
        return (_within(left, wide, bx, bw, across), _within(top, high, by, bh, down), wide, high)

    def _set(self, camera: Box) -> None:
        self.camera = camera
        if self.animation is None:
            self.target = camera
        patch(self.svg, {"viewBox": " ".join([str(n) for n in camera])})
        near = camera[2] * MIN_LEGIBLE_SCALE <= 100 * self.shown_size[0]
        look = (near, camera == self._fit_box(self.bounds))
        if look != self.look:
            self.look = look
            patch(self.svg, {"class": "near" if near else None})
            patch(self.zoom_buttons, {"class": "lens whole" if look[1] else "lens"})

    def shows(self, place: tuple[int, int], margin: int) -> bool:
        """Return whether a position and ``margin`` units around it will be in view.

        During a camera move, the box at its end counts.
        """
        x, y = place
        left, top, wide, high = self.target
        is_across = left <= x - margin and x + margin <= left + wide
        return is_across and top <= y - margin and y + margin <= top + high

    def can_be_tapped(self, place: tuple[int, int], margin: int) -> bool:
        """Return whether a position and ``margin`` units around it are in view, free of buttons.

        During a camera move, the box at its end counts.
        """
        if not self.shows(place, margin):
            return False
        x, y = place
        left, top, wide, high = self.target
        width, _ = self.size()
        right, bottom = self._button_strip()
        across = (right or ZOOM_BUTTONS_PX) * wide // width
        down = (bottom or ZOOM_BUTTONS_PX) * wide // width
        return x + margin <= left + wide - across or y + margin <= top + high - down

    def zoom(self, up: int, down: int, at: tuple[int, int] | None = None) -> None:
        """Scale the visible box by ``up / down`` around a position, by default its centre.

        Only the user zooms by this, so automatic moves may keep the scale from then on.
        """
        self.follows_content = False
        self.user_zoom = "own"
        self.delayed_move = None
        x, y, w, h = self.camera
        _, _, most, _ = self._fit_box(self.bounds)
        wide = max(180, min(most, w * up // down))
        high = wide * h // w
        cx, cy = at or (x + w // 2, y + h // 2)
        left = cx - (cx - x) * wide // w
        top = cy - (cy - y) * high // h
        self.move_camera((left, top, wide, high), glide=at is None, exact=True)

    def _on_resize(self, *_entries: object) -> None:
        """Keep the whole content in view, or if zoomed, the same centre and scale.

        Nothing is shown smaller than necessary for the whole content.
        """
        before = self.shown_size
        self.shown_size = self.size()
        if self.follows_content or before == (1, 1):
            self.move_camera(self.bounds, glide=False)
        elif before != self.shown_size:
            x, y, w, h = self.target
            wide = w * self.shown_size[0] // before[0]
            _, _, most, _ = self._fit_box(self.bounds)
            if wide >= most:
                self.move_camera(self.bounds, glide=False)
                return
            high = wide * self.shown_size[1] // self.shown_size[0]
            box = (x + (w - wide) // 2, y + (h - high) // 2, wide, high)
            self.move_camera(box, glide=False, exact=True)

    def _drag(self, dx: int, dy: int, is_first: bool) -> None:
        """Show what is ``dx`` and ``dy`` pixels away from the camera at the start of the drag."""
        if is_first:
            self.drag_start = self.camera
        self.follows_content = False
        self.delayed_move = None
        self.animation = None
        left, top, w, h = self.drag_start
        width, _ = self.size()
        self._set((left - int(dx * w / width), top - int(dy * w / width), w, h))
