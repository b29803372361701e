"""Connections that are too slow are closed; streams and honest slow clients are not."""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.security.process import ROOT, process

Running = Callable[[Callable[[str], Any]], Any]

COUNT = 40
HEAD = 2
BODY = 3
ANSWER = 4
POST = "POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("slow")
    timeouts = {"head_timeout": HEAD, "body_timeout": BODY, "answer_timeout": ANSWER}
    with process(folder, **timeouts, heartbeat=0.5) as address:
        yield address


@pytest.fixture(scope="module")
def running(base: str) -> Iterator[Running]:
    """Start all slow clients at the same time; return what waits for the result of one."""
    with ThreadPoolExecutor(len(CLIENTS)) as pool:
        started = {client: pool.submit(client, base) for client in CLIENTS}
        yield lambda client: started[client].result()


def connect(base: str, start: str = "") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", urlsplit(base).port), 10)
    connection.sendall(start.encode())
    return connection


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(65536) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


SLOW = {
    "sends nothing": ("", b""),
    "sends line breaks": ("", b"\r\n"),
    "stops in a head": ("GET /api/games HTTP/1.1\r\nHost: x\r\n", b""),
    "drips a head": ("GET /api/games HTTP/1.1\r\nHost: x\r\n", b"X-Slow: 1\r\n"),
    "drips a second head": ("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /heal", b"t"),
    "stops in a body": (POST + 'Content-Length: 5000\r\n\r\n{"name"', b""),
    "drips a body": (POST + 'Content-Length: 5000\r\n\r\n{"name"', b" "),
    "drips chunks": (POST + "Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    # The response (too large) is sent long before the body is complete.
    "drips a rejected body": (POST + "Content-Length: 9000000\r\n\r\n", b" "),
}
"""What a slow client sends first, and then regularly."""


def count_open(base: str) -> dict[str, int]:
    """Return how many slow connections of each kind are still open after their time."""
    kinds = {
        kind: [connect(base, start) for _ in range(COUNT)] for kind, (start, _) in SLOW.items()
    }
    deadline = time.monotonic() + HEAD + BODY + 15
    while any(kinds.values()) and time.monotonic() < deadline:
        time.sleep(0.3)
        for kind, connections in kinds.items():
            for connection in [*connections]:
                if is_closed(connection):
                    connections.remove(connection)
                    connection.close()
                else:
                    with contextlib.suppress(OSError):
                        connection.sendall(SLOW[kind][1])
    return {kind: len(connections) for kind, connections in kinds.items() if connections}


def test_slow_heads_and_bodies_are_cut_off(running: Running) -> None:
    assert running(count_open) == {}


@pytest.mark.parametrize(
    ("start", "more"),
    [
        ("GET /", b"a" * 10_000),
        ("GET /api/games HTTP/1.1\r\nHost: x\r\nX: ", b"a" * 10_000),
        ("GET /api/games HTTP/1.1\r\nHost: x\r\n", (b"X: " + b"a" * 95 + b"\r\n") * 100),
    ],
)
def test_a_head_without_end_is_cut_off_long_before_its_time(
    base: str, start: str, more: bytes
) -> None:
    """200 MB arrived in one head, all of it buffered; its last line was copied with every chunk."""
    connection = connect(base, start)
    sent = 0
    with contextlib.suppress(ConnectionError):
        while sent < 20_000_000:
            connection.sendall(more)
            sent += len(more)
    connection.close()
    assert sent < 20_000_000
    long = "GET /health/live HTTP/1.1\r\nHost: x\r\n" + "X: " + "a" * 30_000 + "\r\n\r\n"
    with connect(base, long) as honest:
        assert b" 200 OK" in honest.recv(65536)


def send_slowly(base: str) -> bytes:
    """Return the first line of the response to a body that takes two timeouts."""
    body = json.dumps({"name": "Ann"}).rjust(60_000).encode()
    connection = connect(base, POST + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n")
    parts = 20
    for number in range(parts):
        connection.sendall(body[number * 3000 : (number + 1) * 3000])
        time.sleep(2 * BODY / parts)
    with connection:
        return connection.recv(65536).split(b"\r\n")[0]


def test_slow_body_that_progresses_is_accepted(running: Running) -> None:
    assert b" 201 Created" in running(send_slowly)


def keep_open(base: str) -> None:
    """Check that a stream and an idle connection are open after all timeouts."""
    made = httpx.post(f"{base}/api/players", json={"name": "Ann"}, timeout=30).json()
    headers = {"Authorization": f"Bearer {made['token']}"}
    seats = [{"kind": "me"}]
    with httpx.Client(base_url=f"{base}/api", headers=headers, timeout=30) as http:
        match = http.post(
            "/matches", json={"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
        ).json()
        lines: list[str] = []
        with http.stream("GET", f"/matches/{match['id']}/live") as stream:
            reader = threading.Thread(target=_read, args=(stream, lines), daemon=True)
            reader.start()
            rested = connect(base, "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(2 * (HEAD + BODY))
            assert reader.is_alive()
            assert len([line for line in lines if line.startswith(": still")]) > 5
        rested.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        got = b""
        while got.count(b"200 OK") < 2:
            part = rested.recv(65536)
            assert part, "closed"
            got += part
        rested.close()


def test_live_stream_and_idle_connection_stay_open(running: Running) -> None:
    running(keep_open)


def _read(stream: httpx.Response, lines: list[str]) -> None:
    with contextlib.suppress(httpx.HTTPError, OSError):
        lines.extend(stream.iter_lines())


ASSET = "GET /schema/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
ANSWERS = 40
"""So many answers that no buffer of the system holds them."""
RESPONSE_BYTES = (ROOT / "openapi/openapi.json").stat().st_size * ANSWERS


def stingy(base: str) -> socket.socket:
    """A connection with a small receive window and many pending responses."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.connect(("127.0.0.1", urlsplit(base).port))
    connection.sendall((ASSET * ANSWERS).encode())
    return connection


def read_nothing(base: str) -> float:
    """Return the part of the responses that arrives if nothing is read for two timeouts."""
    connections = [stingy(base) for _ in range(5)]
    time.sleep(2 * ANSWER + 10)
    got = 0
    for connection in connections:
        connection.settimeout(10)
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(1 << 20):
                got += len(part)
        connection.close()
    return got / len(connections) / RESPONSE_BYTES


def test_responses_that_nobody_reads_are_cut_off(running: Running) -> None:
    assert running(read_nothing) < 1 / 2


def read_slowly(base: str) -> None:
    """Read responses for three timeouts and check that they are complete."""
    connection = stingy(base)
    connection.settimeout(20)
    got = 0
    slow_until = time.monotonic() + 3 * ANSWER
    while got < RESPONSE_BYTES:
        slow = time.monotonic() < slow_until
        part = connection.recv(65536 if slow else 1 << 20)
        assert part, "cut off"
        got += len(part)
        if slow:
            time.sleep(0.1)
    connection.close()


def test_responses_that_are_read_slowly_are_complete(running: Running) -> None:
    running(read_slowly)


CLIENTS = (read_nothing, read_slowly, keep_open, send_slowly, count_open)
