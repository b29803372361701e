"""Connections that are too slow are closed; streams and honest slow clients are not."""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.security.process import process

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


def closed_in(connections: list[socket.socket], seconds: float, drip: bytes) -> int:
    """Count the connections that close within this time while each is sent a few bytes
    regularly."""
    deadline = time.monotonic() + seconds
    open_still = connections
    while open_still and time.monotonic() < deadline:
        time.sleep(0.3)
        open_still = [each for each in open_still if not is_closed(each)]
        for connection in open_still:
            with contextlib.suppress(OSError):
                connection.sendall(drip)
    for connection in connections:
        connection.close()
    return len(connections) - len(open_still)


@pytest.mark.parametrize(
    ("start", "drip"),
    [
        ("", b""),
        ("", b"\r\n"),
        ("GET /api/games HTTP/1.1\r\nHost: x\r\n", b""),
        ("GET /api/games HTTP/1.1\r\nHost: x\r\n", b"X-Slow: 1\r\n"),
        (POST + 'Content-Length: 5000\r\n\r\n{"name"', b""),
        (POST + 'Content-Length: 5000\r\n\r\n{"name"', b" "),
        (POST + "Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
)
def test_slow_heads_and_bodies_are_cut_off(base: str, start: str, drip: bytes) -> None:
    connections = [connect(base, start) for _ in range(COUNT)]
    assert closed_in(connections, HEAD + BODY + 15, drip) == COUNT
    assert httpx.get(f"{base}/api/games").status_code == 200


def test_a_slow_second_request_is_cut_off_too(base: str) -> None:
    first = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    connections = [connect(base, first + "GET /heal") for _ in range(COUNT)]
    time.sleep(0.5)
    assert closed_in(connections, HEAD + 15, b"t") == COUNT


def test_a_body_that_nobody_waits_for_is_cut_off(base: str) -> None:
    """The response (too large) is sent long before the body is complete."""
    start = POST + "Content-Length: 9000000\r\n\r\n"
    connections = [connect(base, start) for _ in range(COUNT)]
    assert closed_in(connections, BODY + 15, b" ") == COUNT


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


def test_who_makes_progress_may_take_longer_than_a_timeout(base: str) -> None:
    body = json.dumps({"name": "Ann"}).rjust(60_000).encode()
    connection = connect(base, POST + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n")
    parts = 20
    for number in range(parts):
        connection.sendall(body[number * 3000 : (number + 1) * 3000])
        time.sleep(2 * BODY / parts)
    assert b" 201 Created" in connection.recv(65536).split(b"\r\n")[0]
    connection.close()


def test_a_live_stream_and_a_resting_connection_stay(base: str) -> None:
    made = httpx.post(f"{base}/api/players", json={"name": "Ann"}).json()
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
        time.sleep(0.5)
        assert rested.recv(65536).count(b"200 OK") == 2
        rested.close()


def _read(stream: httpx.Response, lines: list[str]) -> None:
    with contextlib.suppress(httpx.HTTPError, OSError):
        lines.extend(stream.iter_lines())


ASSET = "GET /schema/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
ANSWERS = 100
"""So many answers that no buffer of the system holds them."""


def stingy(base: str) -> socket.socket:
    """A connection with a small receive window and many pending responses."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.connect(("127.0.0.1", urlsplit(base).port))
    connection.sendall((ASSET * ANSWERS).encode())
    return connection


def test_who_never_takes_an_answer_is_cut_off(base: str) -> None:
    connections = [stingy(base) for _ in range(5)]
    time.sleep(2 * ANSWER + 10)
    got = 0
    for connection in connections:
        connection.settimeout(10)
        with contextlib.suppress(ConnectionError):
            while part := connection.recv(1 << 20):
                got += len(part)
        connection.close()
    whole = len(httpx.get(f"{base}/schema/openapi.json").content) * ANSWERS
    assert got < 5 * whole / 2


def test_who_takes_an_answer_slowly_gets_it(base: str) -> None:
    """All of it, though it could not be sent within one timeout."""
    whole = len(httpx.get(f"{base}/schema/openapi.json").content) * ANSWERS
    connection = stingy(base)
    connection.settimeout(20)
    got = 0
    slow_until = time.monotonic() + 3 * ANSWER
    while got < whole:
        slow = time.monotonic() < slow_until
        part = connection.recv(65536 if slow else 1 << 20)
        assert part, "cut off"
        got += len(part)
        if slow:
            time.sleep(0.1)
    connection.close()
