"""Local HTTP servers that notifications are sent to."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct

from service.common.clock import now_ms
from tests.service.people import Client


class Got(Struct):
    """A received request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """Records requests; ``answers`` holds the next answers (status, headers), 201 by default.

    ``heard(got)`` is called with each request before it is answered; if it raises
    `ConnectionAbortedError`, the request is neither answered nor recorded.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.heard: Callable[[Got], object] = lambda _got: None
        self.url = f"http://{place}"
        self.got: list[Got] = []
        self.answers: list[tuple[int, dict[str, str]]] = []

    def wait(self, count: int = 1, seconds: float = 60) -> list[Got]:
        """Wait for ``count`` requests and return all received ones."""
        eventually(lambda: len(self.got) >= count, seconds)
        return list(self.got)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Yield a receiver that accepts every request while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            got = Got(self.command, self.path, headers, body)
            try:
                taking.heard(got)
            except ConnectionAbortedError:
                self.close_connection = True
                return
            status, more = taking.answers.pop(0) if taking.answers else (201, {})
            taking.got.append(got)
            self.send_response(status)
            for name, value in {"Content-Length": "0", **more}.items():
                self.send_header(name, value)
            self.end_headers()

        do_POST = do_PUT = do_GET = _take

        def log_message(self, *_args: Any) -> None:
            """Suppress logging."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    taking = Receiver(f"127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield taking
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def eventually(check: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until the check holds; fail after the timeout."""
    until = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < until, "it did not come to be"
        time.sleep(0.02)


_SOON_MS = 300
"""Tests retry and check presence after at most a third of this."""


def wait_until_sent(client: Client) -> None:
    """Wait until every notification that is due, or due soon, is sent, dropped or postponed.

    What has not arrived after that is not sent.
    """
    soon = now_ms() + _SOON_MS

    def is_done() -> bool:
        with client.app.services.store.transaction(commit=False) as sql:
            return sql.one("SELECT 1 AS one FROM {0}notices WHERE due <= ?", soon) is None

    eventually(is_done)
