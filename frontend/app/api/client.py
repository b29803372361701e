"""HTTP requests and live streams: the app's access to the service."""

from typing import Any

from _native import dumps, request
from _native import open_stream as follow_live

from frontend.app.api import connection, local_gateway
from frontend.app.api.outbox import Outbox
from frontend.app.core import match_ids
from frontend.app.core.dom import toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Callback, Data


def call(
    method: Any,
    path: str,
    body: Data | None = None,
    done: Callback | None = None,
    failed: Callback | None = None,
    key: str | None = None,
) -> None:
    """Send a request without retries, then call ``done(data)`` or ``failed(problem)``.

    ``key``: its Idempotency-Key. Calls to a local match are answered on this device, without a
    request.
    """
    if match_ids.is_local_path(path):
        answer, lost = done or _ignore, failed or _ignore
        local_gateway.load_server(lambda server: server.call(method, path, body, answer, lost))
        return

    def on_answer(status: int, data: Data) -> None:
        connection.set_reachable(status != 0)
        if 200 <= status < 300:
            if done:
                done(data)
        elif failed:
            failed(Problem(status, data))

    request(method, path, None if body is None else dumps(body), key, on_answer)


def get(path: str, done: Callback, failed: Callback | None = None) -> None:
    """Send a GET request; see `call`."""
    call("GET", path, None, done, failed)


def send(
    path: str,
    body: Data,
    done: Callback,
    failed: Callback,
    queue_key: Any = None,
    after: Any = None,
    attempted: Any = None,
) -> str:
    """Send a POST request through the outbox and return the key of its entry.

    The outbox retries it until the service responds, and the service executes it only once. The
    entry is stored on the device, so it is sent even if the page is closed meanwhile. For the
    parameters see `frontend.app.api.outbox.Outbox.send`. Calls to a local match are answered on
    this device, without the outbox.
    """
    if match_ids.is_local_path(path):
        return local_gateway.send(path, body, done, failed, after)
    return outbox.send(path, body, done, failed, queue_key, after, attempted)


def _ignore(_what: Any) -> None:
    """Ignore a result."""


STREAM_END_TEXTS = {"no_access": t("error.no_access"), "signed_out": t("error.signed_out")}
"""The messages to show when the service closes a stream permanently, by its reason."""
STREAM_END_TOAST_S = 30  # seconds for which these messages are shown


def follow_match(
    path: str, version: int, on_version: Callback, on_watchers: Callback, on_seat_moved: Action
) -> tuple[Any, Any]:
    """Follow the live stream of a match.

    ``path``: the address of the stream; ``version``: the version that is already known.
    ``on_version(version)`` is called when the match has changed; ``on_watchers(data)`` when the
    viewers change (None: unknown); ``on_seat_moved()`` when the seat of this device was moved to
    another device and this one may no longer read the match. Returns two functions: the first
    closes the stream, the second reconnects it immediately.
    """
    if match_ids.is_local_path(path):
        return local_gateway.follow_match(path, on_version)

    def on_change(there: bool) -> None:
        connection.set_reachable(there)
        if not there:
            on_watchers(None)

    def on_close(data: Data) -> None:
        on_watchers(None)
        text = STREAM_END_TEXTS[data["reason"]]
        if data["reason"] == "signed_out":
            toast(text, STREAM_END_TOAST_S)
            return

        def tell(answer: Any) -> None:
            if isinstance(answer, Problem) and answer.data.get("seat_moved"):
                on_seat_moved()
            else:
                toast(text, STREAM_END_TOAST_S)

        get(path.partition("/live")[0], tell, tell)  # its problem says whether the seat was moved

    return follow_live(path, version, on_version, on_change, on_watchers, on_close)


outbox = Outbox(call, connection.update_banner)
connection.watch(outbox)
