"""A real service for tests of unauthenticated access."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from service.settings import Settings
from tests.service.running import server


@contextmanager
def open_house(folder: Path, **more: object) -> Iterator[str]:
    """Run a service without rate limits; yield its address."""
    settings = {"data": str(folder), "play_limit": 0, "create_limit": 0, "draw_limit": 0, **more}
    with server(Settings(**settings)) as address:  # type: ignore[arg-type]
        yield address


def raw(address: str, *lines: str, body: bytes = b"") -> tuple[int, bytes]:
    """Send a hand-written request; return the status and the rest of the response."""
    place = urlsplit(address)
    head = "\r\n".join([*lines, "Connection: close", f"Content-Length: {len(body)}", "", ""])
    with socket.create_connection((place.hostname or "", place.port or 0), 10) as connection:
        connection.sendall(head.encode("latin-1") + body)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    status, _, rest = answer.partition(b"\r\n")
    return int(status.split()[1]), rest
