"""Ports for servers that tests start, stop and start again.

They lie below those that the system gives to outgoing connections: while a server was away, its
port could else go to any connection of any other test, and the server could not come back.
"""

import itertools
import os
import socket
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST, _EACH = 20_000, 1_000
"""Each process of the tests has its own: between them and us nobody chooses a port at the same
time."""

_process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 10
_mine = itertools.cycle(range(_LOWEST + _process * _EACH, _LOWEST + (_process + 1) * _EACH))


def _below_the_systems(port: int) -> bool:
    if not _RANGE.exists():
        return True
    low, high = map(int, _RANGE.read_text().split())
    return not low <= port <= high


def free_port() -> int:
    """A port nobody listens on, nor will before the test does."""
    for port in itertools.islice(_mine, _EACH):
        if not _below_the_systems(port):
            continue
        with socket.socket() as probe:
            # As servers do: a port counts as free while its old connections fade.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
