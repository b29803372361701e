"""Real touches through the browser's input pipeline, instead of clicks dispatched to a node.

As on a device, the browser dispatches the click to whatever is under the finger on release.
"""

import math
import time

from playwright.sync_api import Error, FloatRect, Locator, Page

# Records each click that hit another control than the one under the finger at pointerdown.
STRAYS = """() => {
  const controls = "a[href], button, input, select, textarea, summary, label, dialog, .tap"
  const control = node => node.closest && (node.closest("label") || node.closest(controls))
  let pressed = []
  window.strays = []
  addEventListener("pointerdown", event => { pressed = event.composedPath() }, true)
  addEventListener("click", event => {
    const hit = control(event.target)
    if (event.detail > 0 && hit && !pressed.includes(hit)) {
      window.strays.push(hit.outerHTML.slice(0, 120))
    }
  })
}"""


AIMING = 0.4
"""Seconds between taps on different targets."""
THERE = 0.7
"""Seconds between taps in one place: browsers treat a sooner one as part of a double tap."""
SETTLED = 1.1
"""Seconds between taps on two primary buttons in one place: the second one ignores taps for a
second."""
PLACE = 30  # pixels around a tap that count as the same place


CHANGES_NOTHING = ("/seen", "/presence", "/preview")
"""Requests that do not count as sent: read position, presence and previews."""


class Finger:
    """Touches a page. Stray clicks are recorded from the next page load on.

    Its clock runs ahead of the machine's: instead of waiting as long as a person needs to aim
    again, it dates the next touch later. The app and Chromium tell gestures apart by the timestamps
    of events only.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        self._ahead = 0.0
        self._tapped_at = 0.0
        self._spot = (0.0, 0.0)
        self._primary = False
        self._devtools = page.context.new_cdp_session(page)
        page.add_init_script(f"({STRAYS})()")
        page.on("request", self._note)

    def _note(self, request: object) -> None:
        method, url = request.method, request.url  # type: ignore[attr-defined]
        if method != "GET" and not url.endswith(CHANGES_NOTHING):
            self.sent.append(f"{method} {url}")

    def strays(self) -> list[str]:
        """Return the controls clicked by a touch that started on something else."""
        found: list[str] = self.page.evaluate("window.strays")
        return found

    def now(self) -> float:
        """Return the time on this finger's clock, in seconds since 1970."""
        return time.time() + self._ahead

    def rest(self, seconds: float) -> None:
        """Date the next touch at least this long after the last tap."""
        self._ahead += max(0.0, self._tapped_at + seconds - self.now())

    def down(self, x: float, y: float) -> None:
        """Put the finger down."""
        self._touch("touchStart", [{"x": x, "y": y}])

    def lift(self) -> None:
        """Lift the finger where it is."""
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]], at: float | None = None) -> None:
        touch = {"type": kind, "touchPoints": points, "timestamp": self.now() if at is None else at}
        self._devtools.send("Input.dispatchTouchEvent", touch)

    def tap(self, x: float, y: float, held: int = 0) -> None:
        """Tap a point; hold for ``held`` milliseconds."""
        if not held:
            self.double_tap(x, y, times=1)
            return
        self.down(x, y)
        self.page.wait_for_timeout(held)
        self.lift()

    def double_tap(self, x: float, y: float, times: int = 2) -> None:
        """Tap a point ``times`` times in quick succession."""
        begin = self.now()
        for number in range(times):
            self.tap_at(x, y, begin + number / 10)

    def tap_at(self, x: float, y: float, at: float) -> None:
        """Tap at this time on the finger's clock, independent of dispatch delays."""
        self._touch("touchStart", [{"x": x, "y": y}], at)
        self._touch("touchEnd", [], at + 0.04)
        self._tapped_at = at

    def tap_on(self, what: Locator, across: float = 0.5, down: float = 0.5) -> None:
        """Tap a node, by default at its centre."""
        spot = place(what, across, down)
        primary = bool(what.evaluate("node => node.matches('.primary, [data-does]')"))
        self._aim(spot, settled=primary and self._primary)
        self._primary = primary
        self.tap(*spot)

    def _aim(self, spot: tuple[float, float], *, settled: bool) -> None:
        """Rest as long as a person needs to aim again: a sooner tap may count as a double tap, and
        its second half is ignored by what the first one opened."""
        needed = AIMING
        if math.dist(spot, self._spot) < PLACE:
            needed = SETTLED if settled else THERE
        self._spot = spot
        self.rest(needed)


def _seen(what: Locator) -> FloatRect | None:
    """Scroll a node into view and return its box; None if it was replaced meanwhile."""
    what.wait_for(state="visible")
    try:
        what.scroll_into_view_if_needed()
    except Error as gone:
        if "not attached" not in str(gone):
            raise
        return None
    return what.bounding_box()


def place(what: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """Return a point of a node once it is in view and at rest, also after it was redrawn."""
    before, box = None, _seen(what)
    while box is None or box != before:
        what.page.wait_for_timeout(30)
        before, box = box, _seen(what)
    return box["x"] + box["width"] * across, box["y"] + box["height"] * down
