"""Walking through a match: first, back, play, on, last, and the slider."""

from _native import go

from frontend.app.dom import after, button, cancel, el, fill, icon, patch

# Milliseconds between two moments, and between two pieces of a block.
SPEEDS = (("Slow", 1400, 450), ("Even", 650, 230), ("Fast", 200, 60))
REST = 150  # and before the address changes


class History:
    """``at``: the version looked at, None for the present. The address follows it."""

    def __init__(self, table):
        self.table = table
        self.at = None
        self.hide = 0
        self.timer = None
        self.moving = None
        self.speed = 1
        self.slider = el(
            "input",
            {
                "type": "range",
                "aria-label": "Moment of the game",
                "min": 1,
                "step": 1,
                "oninput": lambda event: self.look(int(event.target.value)),
            },
        )
        self.output = el("output", {})
        self.play_button = button("Play", lambda _e: self.toggle(), "round quiet", "i-play")
        self.speeds = el("div", {"class": "speeds", "role": "group", "aria-label": "Speed"})
        self.speed_buttons = [self._speed(n, each[0]) for n, each in enumerate(SPEEDS)]
        fill(self.speeds, self.speed_buttons)
        self._show_speed()
        self.node = el(
            "div",
            {"class": "history", "role": "group", "aria-label": "History"},
            button("First moment", lambda _e: self.look(self.first()), "round quiet", "i-first"),
            button("One back", lambda _e: self.step(-1), "round quiet", "i-previous"),
            self.play_button,
            button("One on", lambda _e: self.step(1), "round quiet", "i-next"),
            self.slider,
            self.output,
            button("Now", lambda _e: self.to_now(), "round quiet", "i-last"),
        )

    def _speed(self, number, name):
        def chosen(_event):
            self.speed = number
            self._show_speed()
            if self.timer is None:
                self.toggle()

        return el("button", {"type": "button", "onclick": chosen}, name)

    def _show_speed(self):
        for number, node in enumerate(self.speed_buttons):
            patch(node, {"aria-pressed": "true" if number == self.speed else "false"})

    def first(self):
        """The earliest moment to look at."""
        return self.table.match.first_version()

    def last(self):
        """The newest."""
        return self.table.match.version

    def update(self):
        """Fits the slider to the match."""
        patch(self.slider, {"min": self.first(), "max": self.last()})
        self._mark()

    def _mark(self):
        at = self.last() if self.at is None else self.at
        self.slider.value = str(at)
        words = (
            "now"
            if self.at is None
            else f"{at - self.first() + 1}/{self.last() - self.first() + 1}"
        )
        fill(self.output, words)
        patch(self.slider, {"aria-valuetext": words})

    def look(self, version, hide=0):
        """Shows a version."""
        version = max(self.first(), min(self.last(), version))
        self.at = version
        self.hide = hide
        if self.timer is None:
            self.table.moments_near(version)
        self._address()
        self._mark()
        self.table.draw()

    def _address(self):
        """Lets the address follow once the slider rests: browsers allow few changes a second."""
        if self.moving is not None:
            cancel(self.moving)
        self.moving = after(REST, self._go)

    def _go(self):
        self.moving = None
        if not self.table.closed:
            go(self.table.page(self.at), True)

    def to_now(self):
        """Back to the present."""
        self.stop()
        self.at = None
        self.hide = 0
        self._address()
        self._mark()
        self.table.show()

    def step(self, by):
        """One moment on or back; after the last comes the present."""
        self.stop()
        at = self.last() if self.at is None else self.at
        if by > 0 and at >= self.last():
            self.to_now()
        else:
            self.look(at + by)

    def round(self, by):
        """One round on or back."""
        self.stop()
        marks = self.table.match.rounds
        at = self.last() if self.at is None else self.at
        ahead = [mark for mark in marks if (mark > at if by > 0 else mark < at)]
        if ahead:
            self.look(ahead[0] if by > 0 else ahead[-1])
        elif by > 0:
            self.to_now()
        else:
            self.look(self.first())

    # -- playing -------------------------------------------------------------------------------

    def toggle(self):
        """Plays on from here, or stops."""
        if self.timer is not None:
            self.stop()
            self.table.draw_actions()
            return
        if self.at is None or self.at >= self.last():
            self.look(self.first())
        fill(self.play_button, icon("i-pause"))
        self.timer = after(SPEEDS[self.speed][1], self._tick)
        self.table.draw_actions()

    def stop(self):
        """Stops playing."""
        if self.timer is not None:
            cancel(self.timer)
            self.timer = None
            fill(self.play_button, icon("i-play"))

    def _tick(self):
        if self.hide > 0:
            self.look(self.at, self.hide - 1)
            self.timer = after(SPEEDS[self.speed][2], self._tick)
        elif self.at is None or self.at >= self.last():
            self.to_now()
        else:
            following = self.at + 1
            event = self.table.match.events[following - 1]
            pieces = len(event["data"].get("path", ())) if event["type"] == "BlockLaid" else 1
            self.table.moments_near(following)
            self.look(following, pieces - 1)
            self.timer = after(SPEEDS[self.speed][1 if pieces == 1 else 2], self._tick)

    def key(self, event):
        """Arrows, Home, End, Page Up and Down, unless a field or the board uses them."""
        if (
            event.ctrlKey
            or event.metaKey
            or event.altKey
            or event.target.tagName == "SELECT"
            or (event.target.tagName == "INPUT" and event.target.type != "range")
            or self.table.sheet_open()
        ):
            return
        does = {
            "Home": lambda: self.look(self.first()),
            "End": self.to_now,
            "ArrowLeft": lambda: self.step(-1),
            "ArrowRight": lambda: self.step(1),
            "PageUp": lambda: self.round(-1),
            "PageDown": lambda: self.round(1),
        }.get(event.key)
        if does is not None:
            event.preventDefault()
            does()
