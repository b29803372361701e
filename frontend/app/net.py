"""HTTP calls, live streams and the offline banner: the page's access to the service."""

from typing import Any

from _native import dumps, fill, follow_again, listen, request, stop_following
from _native import follow as follow_live

from frontend.app.dom import by_id, el, toast
from frontend.app.outbox import Outbox
from frontend.app.phone import door
from frontend.app.typed import Data, Does, DomEvent, Told
from frontend.app.words import sentences, t


class Problem:
    """A failed call: HTTP status (0: no response), stable problem code, sentence for the user."""

    def __init__(self, status: int, data: Data) -> None:
        known = data if isinstance(data, dict) else {}
        self.status = status
        self.code = known.get("code", "offline" if status == 0 else "failed")
        self.detail = known.get("detail") or known.get("title") or _plainly(status)
        # this problem's ``detail`` is written for API clients
        if self.code in ("no_player", "unknown_token"):
            self.detail = t("You're not signed in on this device. Open or join a table first.")
        self.data = known


def _plainly(status: int) -> str:
    if status == 0:
        return t("No connection.")
    return t("The service could not do that ({status}).", status=status)


def call(
    method: Any,
    path: str,
    body: Data | None = None,
    done: Told | None = None,
    failed: Told | None = None,
    key: str | None = None,
) -> None:
    """Make one request; ``done(data)`` or ``failed(problem)`` is called later.

    Paths of a match that is played on this phone are answered by the phone itself, without a
    request.
    """
    if door.is_here(path):
        answer, lost = done or _nothing, failed or _nothing
        door.ask(lambda house: house.call(method, path, body, answer, lost))
        return

    def answered(status: int, data: Data) -> None:
        reached(status != 0)
        if 200 <= status < 300:
            if done:
                done(data)
        elif failed:
            failed(Problem(status, data))

    request(method, path, None if body is None else dumps(body), key, answered)


def get(path: str, done: Told, failed: Told | None = None) -> None:
    """Make a GET request."""
    call("GET", path, None, done, failed)


def send(
    path: str,
    body: Data,
    done: Told,
    failed: Told,
    lane: Any = None,
    after: Any = None,
    lost: Any = None,
) -> str:
    """Write something exactly once, retrying as often as the network requires.

    The entry is kept on the device, so it is sent even if the page is closed in between; see
    `frontend.app.outbox.Outbox.send`. Returns the entry's key.
    """
    if door.is_here(path):
        return door.send(path, body, done, failed, after)
    return outbox.send(path, body, done, failed, lane, after, lost)


def _nothing(_what: Any) -> None:
    """Ignore a result."""


CLOSED = {
    "no_access": t("You no longer have access to this game."),
    "signed_out": t("This device was signed out."),
}
"""What the page says when the server ends a stream for good, by its reason."""
CLOSED_SECONDS = 30


def follow(path: str, version: int, heard: Told, looking: Told, moved: Does) -> tuple[Any, Any]:
    """Follow the live stream of a match.

    ``heard(version)`` is called when the match has new events; ``looking(data)`` when the watchers
    change (None: unknown); ``moved()`` when the seat of this device was moved to another device and
    this one may no longer read the match. Returns two functions: the first stops following, the
    second reconnects at once.
    """
    if door.is_here(path):
        return door.follow(path, heard)

    def changed(there: bool) -> None:
        reached(there)
        if not there:
            looking(None)

    def closed(data: Data) -> None:
        looking(None)
        words = CLOSED[data["reason"]]
        if data["reason"] == "signed_out":
            toast(words, CLOSED_SECONDS)
            return

        def tell(answer: Any) -> None:
            if isinstance(answer, Problem) and answer.data.get("seat_moved"):
                moved()
            else:
                toast(words, CLOSED_SECONDS)

        get(path.partition("/live")[0], tell, tell)  # the problem of this request says why

    number = follow_live(path, version, heard, changed, looking, closed)
    return (lambda: stop_following(number)), (lambda: follow_again(number))


# --- offline ----------------------------------------------------------------------------------

_banner = el("div", {"class": "offline", "role": "status", "hidden": True})
by_id("app").before(_banner)
_known: dict[str, Any] = {"there": True, "words": None, "seen": None}
WAITS = {
    None: "",
    "kept": t("What you did is kept on this device and sent later."),
    "lost": t("What you did is sent when it is back, but it is lost if you close this page."),
}


def reached(there: bool) -> None:
    """Record whether the service is reachable, and update the banner.

    The outbox is woken when the service becomes reachable again.
    """
    there = bool(there)
    back = there and not _known["there"]
    _known["there"] = there
    _tell()
    if back:
        outbox.wake()


def there() -> bool:
    """Whether the service answered the last request."""
    return bool(_known["there"])


def last_known(moment: str | None) -> None:
    """Set the time of the match in view, shown while the service is unreachable; None: now."""
    _known["seen"] = moment
    _tell()


def _tell() -> None:
    words = None
    if not _known["there"]:
        seen = _known["seen"]
        kept = t("Last known: {seen}.", seen=seen) if seen else ""
        words = sentences([t("No connection."), kept, WAITS[outbox.stuck()]])
    elif outbox.tries and outbox.stuck():
        words = sentences([t("The service is busy."), WAITS[outbox.stuck()]])
    if words != _known["words"]:
        _known["words"] = words
        fill(_banner, words)
        _banner.hidden = words is None


def _offline(_event: DomEvent) -> None:
    reached(False)


outbox = Outbox(call, _tell)
listen("window", "offline", _offline)
