"""A picture one can zoom and move: pinch, wheel, drag and buttons; taps become places."""

from _native import el, frame, listen, matches, observe, patch, size_of, svg, units_at

from frontend.app.dom import button

STILL = 9  # pixels a finger may move in a tap


def _within(start, length, least, span):
    """Where to begin so that no more emptiness shows than there must be."""
    if length >= span:
        return least + (span - length) // 2
    return max(least, min(least + span - length, start))


class Stage:
    """Holds an svg whose content spans ``bounds`` ``(x, y, width, height)``.

    ``tapped(x, y)`` is called with a place in the svg's units. The camera is the box of units
    that is in sight.
    """

    def __init__(self, label, tapped):
        self.svg = svg("svg", {"role": "application", "aria-label": label, "tabindex": "0"})
        self.whole_button = button("Show the whole board", self.whole, "round", "i-whole")
        self.lens = el(
            "div",
            {"class": "lens"},
            button("Zoom out", lambda _e: self.zoom(13, 10), "round", "i-minus"),
            button("Zoom in", lambda _e: self.zoom(10, 13), "round", "i-plus"),
            self.whole_button,
        )
        self.node = el("div", {"class": "board-area"}, self.svg, self.lens)
        self.tapped = tapped
        self.bounds = (0, 0, 100, 100)
        self.camera = (0, 0, 100, 100)
        self.target = self.camera
        self.moving = None
        self.followed = True
        self.fingers = {}
        self.start = None
        for name, does in (
            ("pointerdown", self._down),
            ("pointermove", self._move),
            ("pointerup", self._up),
            ("pointercancel", self._gone),
        ):
            listen(self.svg, name, does)
        listen(self.svg, "wheel", self._wheel)
        self.seen = (1, 1)
        observe(self.node, self._resized)

    # -- camera --------------------------------------------------------------------------------

    def span(self, bounds):
        """Says how far the content reaches."""
        self.bounds = bounds

    def shape(self):
        """Width and height of the picture on the screen, in pixels; never 0."""
        width, height = size_of(self.svg)
        return max(width, 1), max(height, 1)

    def whole(self, _event=None):
        """Shows everything."""
        self.followed = _event is None
        self.look(self.bounds)

    def units_per_pixel(self):
        """How many units a pixel shows, in hundredths, when everything is in sight."""
        width, height = self.shape()
        _, _, w, h = self.bounds
        return max(100 * w // width, 100 * h // height)

    def look(self, box, glide=True):
        """Moves the camera to a box of units, widened to the shape of the picture."""
        target = self.target = self._shaped(box)
        # Nothing was seen yet when the page was not laid out; the observer then puts it right.
        self.seen = self.shape()
        if self.moving is not None:
            self.moving = None
        still = matches("(prefers-reduced-motion: reduce)")
        if not glide or still or self.camera == target:
            self._set(target)
            return
        begin = self.camera
        token = [0]
        self.moving = token

        def step(time):
            if self.moving is not token:
                return
            if token[0] == 0:
                token[0] = time
            part = min(100, (time - token[0]) * 100 // 280)
            eased = part * (200 - part) // 100
            now = [a + (b - a) * eased // 100 for a, b in zip(begin, target, strict=True)]
            self._set(tuple(now))
            if part < 100:
                frame(step)
            else:
                self._set(target)

        frame(step)

    def _shaped(self, box):
        x, y, w, h = box
        width, height = self.shape()
        wide = max(w, h * width // height)
        high = wide * height // width
        left, top = x - (wide - w) // 2, y - (high - h) // 2
        bx, by, bw, bh = self.bounds
        return (_within(left, wide, bx, bw), _within(top, high, by, bh), wide, high)

    def _set(self, camera):
        self.camera = camera
        if self.moving is None:
            self.target = camera
        patch(self.svg, {"viewBox": " ".join([str(n) for n in camera])})

    def zoom(self, up, down, at=None):
        """Changes the size by ``up / down`` round a place, the middle by default."""
        self.followed = False
        x, y, w, h = self.camera
        _, _, most, _ = self._shaped(self.bounds)
        wide = max(180, min(most, w * up // down))
        high = wide * h // w
        cx, cy = at or (x + w // 2, y + h // 2)
        left = cx - (cx - x) * wide // w
        top = cy - (cy - y) * high // h
        self.look((left, top, wide, high), glide=at is None)

    def _resized(self, *_entries):
        """Everything stays in sight, or the same middle at the same size."""
        before = self.seen
        self.seen = self.shape()
        if self.followed or before == (1, 1):
            self.look(self.bounds, glide=False)
        elif before != self.seen:
            x, y, w, h = self.target
            wide = w * self.seen[0] // before[0]
            high = wide * self.seen[1] // self.seen[0]
            self.look((x + (w - wide) // 2, y + (h - high) // 2, wide, high), glide=False)

    # -- fingers -------------------------------------------------------------------------------

    def _down(self, event):
        if event.button > 0:
            return
        self.fingers[event.pointerId] = (event.clientX, event.clientY)
        self.svg.setPointerCapture(event.pointerId)
        if len(self.fingers) == 1:
            self.start = (event.clientX, event.clientY, self.camera, False)
        else:
            self.start = None
            self.pinch = self._spread()

    def _spread(self):
        (ax, ay), (bx, by) = list(self.fingers.values())[:2]
        gap = max(1, int(abs(ax - bx) + abs(ay - by)))
        return gap, ((ax + bx) / 2, (ay + by) / 2)

    def _move(self, event):
        if event.pointerId not in self.fingers:
            return
        self.fingers[event.pointerId] = (event.clientX, event.clientY)
        if len(self.fingers) >= 2:
            gap, (mx, my) = self._spread()
            before, _ = self.pinch
            if gap != before:
                self.zoom(before, gap, units_at(self.svg, mx, my))
                self.pinch = (gap, (mx, my))
            return
        if self.start is None:
            return
        x, y, camera, moved = self.start
        dx, dy = event.clientX - x, event.clientY - y
        if not moved and abs(dx) + abs(dy) < STILL:
            return
        self.start = (x, y, camera, True)
        self.followed = False
        width, _ = self.shape()
        left, top, w, h = camera
        self.moving = None
        self._set((left - int(dx * w / width), top - int(dy * w / width), w, h))

    def _up(self, event):
        if event.pointerId not in self.fingers:
            return
        del self.fingers[event.pointerId]
        if self.start is not None and not self.start[3]:
            x, y = units_at(self.svg, event.clientX, event.clientY)
            self.tapped(x, y)
        self.start = None

    def _gone(self, event):
        self.fingers.pop(event.pointerId, None)
        self.start = None

    def _wheel(self, event):
        event.preventDefault()
        at = units_at(self.svg, event.clientX, event.clientY)
        if event.deltaY < 0:
            self.zoom(10, 12, at)
        else:
            self.zoom(12, 10, at)
