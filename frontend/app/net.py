"""Talking to the service."""

from _native import after, dumps, fill, listen, random_key, request

from frontend.app.dom import by_id, el


class Problem:
    """Why a call failed: HTTP status (0: nothing came back), stable code, a sentence."""

    def __init__(self, status, data):
        known = data if isinstance(data, dict) else {}
        self.status = status
        self.code = known.get("code", "offline" if status == 0 else "failed")
        self.detail = known.get("detail") or known.get("title") or _plainly(status)
        self.data = known


def _plainly(status):
    if status == 0:
        return "No connection."
    return f"The service could not do that ({status})."


def call(method, path, body=None, done=None, failed=None, key=None):
    """One request. ``done(data)`` or ``failed(problem)`` follows."""

    def answered(status, data):
        reached(status != 0)
        if 200 <= status < 300:
            if done:
                done(data)
        elif failed:
            failed(Problem(status, data))

    request(method, path, None if body is None else dumps(body), key, answered)


def get(path, done, failed=None):
    """Reads something."""
    call("GET", path, None, done, failed)


def send(path, body, done, failed):
    """Writes something once, however often the network has to be tried: all tries carry the
    same Idempotency-Key."""
    key = random_key()
    tries = [0]

    def attempt():
        call("POST", path, body, done, lost, key)

    def lost(problem):
        if problem.status == 0 or problem.status in (429, 502, 503, 504):
            tries[0] += 1
            after(min(8000, 500 * 2 ** tries[0]), attempt)
        else:
            failed(problem)

    attempt()


# --- offline ----------------------------------------------------------------------------------

_banner = el("div", {"class": "offline", "role": "status", "hidden": True})
fill(_banner, "Offline. What you do waits here and is sent when the connection is back.")
by_id("app").before(_banner)


def reached(there):
    """Notes whether the service answers, and says so when it does not."""
    _banner.hidden = bool(there)


def _offline(_event):
    reached(False)


listen("window", "offline", _offline)
