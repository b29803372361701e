"""A finger on the glass: real touches through the browser's own input, not clicks that a test
sends to a node. Whatever lies under the finger when it is lifted gets the browser's click."""

import time

from playwright.sync_api import Locator, Page

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


class Finger:
    """Touches a page. Strays are noted from the next page load on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        self._tapped = 0.0
        self._devtools = page.context.new_cdp_session(page)
        page.add_init_script(f"({STRAYS})()")
        page.on("request", self._note)

    def _note(self, request: object) -> None:
        method, url = request.method, request.url  # type: ignore[attr-defined]
        if method != "GET":
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
        """Two taps in quick succession, or more: the browser is told when each was, so that a
        machine that is slow to send the next one makes no difference."""
        begin = time.time()
        for number in range(times):
            for after, points in ((0, [{"x": x, "y": y}]), (40, [])):
                kind = "touchStart" if points else "touchEnd"
                at = begin + (100 * number + after) / 1000
                touch = {"type": kind, "touchPoints": points, "timestamp": at}
                self._devtools.send("Input.dispatchTouchEvent", touch)

    def tap_on(self, what: Locator, across: float = 0.5, down: float = 0.5) -> None:
        """A tap somewhere on a node: by default in its middle."""
        spot = place(what, across, down)
        self._rest()
        self.tap(*spot)

    def _rest(self) -> None:
        """A person needs this long to aim anew: what comes sooner may be a double tap, whose second
        one does nothing to what the first has brought."""
        left = AIMING - (time.monotonic() - self._tapped)
        if left > 0:
            self.page.wait_for_timeout(left * 1000)
        self._tapped = time.monotonic()


def place(what: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
    """A point of a node, scrolled into sight and at rest."""
    what.scroll_into_view_if_needed()
    before, box = None, what.bounding_box()
    while box != before:
        what.page.wait_for_timeout(30)
        before, box = box, what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * across, box["y"] + box["height"] * down
