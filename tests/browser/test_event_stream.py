"""The event stream of a match (`shim/native/event_stream.js`) in an empty page."""

from playwright.sync_api import Browser, Route

from tests.browser.chromium import ORIGIN, run_python, workbench

FOLLOW = """
from browser import window
from _native import open_stream

def ignore(_value):
    pass

def follow(path):
    def report_end(reason):
        window.ended = reason["reason"]

    window.close_stream, _ = open_stream(path, 0, ignore, ignore, ignore, report_end)

window.follow = follow
"""

# Records the functions in each set of the page: `attention.js` holds its listeners in a set.
WATCH_SETS = """() => {
  window.listening = new Set()
  const { add, delete: remove } = Set.prototype
  Set.prototype.add = function (value) {
    if (typeof value === "function") add.call(window.listening, value)
    return add.call(this, value)
  }
  Set.prototype.delete = function (value) {
    remove.call(window.listening, value)
    return remove.call(this, value)
  }
}"""


def _end_stream(route: Route) -> None:
    body = 'event: closed\ndata: {"reason": "left"}\n\n'
    route.fulfill(body=body, content_type="text/event-stream")


def test_stream_ended_by_service_stops_listening(browser: Browser) -> None:
    """A stream that the service has ended leaves no listener, like one that the app has closed."""
    page = workbench(browser)
    page.route(f"{ORIGIN}/ended*", _end_stream)
    page.route(f"{ORIGIN}/open*", lambda _route: None)
    page.evaluate(WATCH_SETS)
    run_python(page, FOLLOW, "follow", "/open")
    assert page.evaluate("listening.size") == 1
    page.evaluate("close_stream()")
    assert page.evaluate("listening.size") == 0
    page.evaluate("follow('/ended')")
    page.wait_for_function("window.ended === 'left'")
    assert page.evaluate("listening.size") == 0
    page.close()
