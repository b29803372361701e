"""Talking to the service."""

from typing import Any

from _native import dumps, fill, listen, request

from frontend.app.dom import by_id, el
from frontend.app.outbox import Outbox
from frontend.app.typed import Data, DomEvent, Told
from frontend.app.words import sentences, t


class Problem:
    """Why a call failed: HTTP status (0: nothing came back), stable code, a sentence."""

    def __init__(self, status: int, data: Data) -> None:
        known = data if isinstance(data, dict) else {}
        self.status = status
        self.code = known.get("code", "offline" if status == 0 else "failed")
        self.detail = known.get("detail") or known.get("title") or _plainly(status)
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
    """One request. ``done(data)`` or ``failed(problem)`` follows."""

    def answered(status: int, data: Data) -> None:
        reached(status != 0)
        if 200 <= status < 300:
            if done:
                done(data)
        elif failed:
            failed(Problem(status, data))

    request(method, path, None if body is None else dumps(body), key, answered)


def get(path: str, done: Told, failed: Told | None = None) -> None:
    """Reads something."""
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
    """Writes something once, however often the network has to be tried, and also when the page
    is closed in between; see `frontend.app.outbox.Outbox.send`."""
    return outbox.send(path, body, done, failed, lane, after, lost)


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
    """Notes whether the service answers, and says so when it does not."""
    there = bool(there)
    back = there and not _known["there"]
    _known["there"] = there
    _tell()
    if back:
        outbox.wake()


def last_known(moment: str | None) -> None:
    """Says of when the table in sight is, as long as nobody can be asked; None: of now."""
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
