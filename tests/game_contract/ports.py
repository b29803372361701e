"""Ports for servers that tests start, stop and restart.

They lie below the system's ephemeral range: otherwise an outgoing connection of another test could
take the port of a stopped server, and the server could not restart.
"""

import fcntl
import itertools
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST, _EACH, _SHARES = 20_000, 500, 24
"""Each process of the tests has a share of its own, also of another run at the same time: who took
the port of a server that was just away kept it from coming back."""


def _taken() -> int:
    """Return the number of a port share that no other process holds while this one lives."""
    for number in range(_SHARES):
        file = os.open(Path(tempfile.gettempdir()) / f"test-ports-{number}", os.O_CREAT | os.O_RDWR)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
        else:
            return number
    return os.getpid() % _SHARES


def _share() -> Iterator[int]:
    lowest = _LOWEST + _taken() * _EACH
    yield from itertools.cycle(range(lowest, lowest + _EACH))


_mine = _share()


def _below_the_systems(port: int) -> bool:
    if not _RANGE.exists():
        return True
    low, high = map(int, _RANGE.read_text().split())
    return not low <= port <= high


def free_port() -> int:
    """Return a port that nobody listens on and that no other test will take."""
    for port in itertools.islice(_mine, _EACH):
        if not _below_the_systems(port):
            continue
        with socket.socket() as probe:
            # As servers do: a port counts as free while its old connections are in TIME_WAIT.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
