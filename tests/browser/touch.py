"""A finger on the glass: real touches through the browser's own input, not clicks that a test
sends to a node. Whatever lies under the finger when it is lifted gets the browser's click."""

import math
import time

from playwright.sync_api import Error, FloatRect, Locator, Page

# Notes each click that reached something else than what the finger came down on.
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
"""Seconds from one target to the next."""
THERE = 0.7
"""And to one in the same place: browsers take what comes sooner for the second of a double tap."""
SETTLED = 1.1
"""And from one button that plays to another in its place: for a second that does nothing."""
PLACE = 30  # pixels round a finger that are the same place


CHANGES_NOTHING = ("/seen", "/presence", "/preview")
"""What is sent by itself, whatever a finger does: how far somebody has looked, and once a minute
that the page is used; and what is only a question."""


class Finger:
    """Touches a page. Strays are noted from the next page load on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        self._tapped = 0.0
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
        """What was hit by a touch that had begun on something else."""
        found: list[str] = self.page.evaluate("window.strays")
        return found

    def down(self, x: float, y: float) -> None:
        """The finger comes down."""
        self._touch("touchStart", [{"x": x, "y": y}])

    def lift(self) -> None:
        """It is lifted where it was."""
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def tap(self, x: float, y: float, held: int = 0) -> None:
        """A tap; the finger stays on the glass for so many milliseconds."""
        if not held:
            self.double_tap(x, y, times=1)
            return
        self.down(x, y)
        self.page.wait_for_timeout(held)
        self.lift()

    def double_tap(self, x: float, y: float, times: int = 2) -> None:
        """Two taps in quick succession, or more."""
        begin = time.time()
        for number in range(times):
            self.tap_at(x, y, begin + number / 10)

    def tap_at(self, x: float, y: float, at: float) -> None:
        """A tap of which the browser is told when it was, in seconds since 1970: a machine that is
        slow to send it makes no difference."""
        for after, points in ((0, [{"x": x, "y": y}]), (0.04, [])):
            kind = "touchStart" if points else "touchEnd"
            touch = {"type": kind, "touchPoints": points, "timestamp": at + after}
            self._devtools.send("Input.dispatchTouchEvent", touch)

    def tap_on(self, what: Locator, across: float = 0.5, down: float = 0.5) -> None:
        """A tap somewhere on a node: by default in its middle."""
        spot = place(what, across, down)
        primary = bool(what.evaluate("node => node.matches('.primary, [data-does]')"))
        self._rest(spot, settled=primary and self._primary)
        self._primary = primary
        self.tap(*spot)

    def _rest(self, spot: tuple[float, float], *, settled: bool) -> None:
        """A person needs this long to aim anew: what comes sooner may be a double tap, whose second
        one does nothing to what the first has brought."""
        needed = AIMING
        if math.dist(spot, self._spot) < PLACE:
            needed = SETTLED if settled else THERE
        self._spot = spot
        left = needed - (time.monotonic() - self._tapped)
        if left > 0:
            self.page.wait_for_timeout(left * 1000)
        self._tapped = time.monotonic()


def _seen(what: Locator) -> FloatRect | None:
    """The box of a node that is scrolled into sight; None when it was replaced meanwhile."""
    what.wait_for(state="visible")
    try:
        what.scroll_into_view_if_needed()
    except Error as gone:
        if "not attached" not in str(gone):
            raise
        return None
    return what.bounding_box()


def place(what: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """A point of a node, scrolled into sight and at rest; a person waits, too, while what was
    there is drawn anew."""
    before, box = None, _seen(what)
    while box is None or box != before:
        what.page.wait_for_timeout(30)
        before, box = box, _seen(what)
    return box["x"] + box["width"] * across, box["y"] + box["height"] * down
