"""The files of an SQLite store: their permissions and write-ahead logging."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

_LOCK_TIMEOUT_S = 5.0
"""Seconds to wait for another worker that is creating the same SQLite file."""


def make_private(file: Path) -> None:
    """Create the file and its folder if needed, and make the file accessible to this user only.

    The file contains the seeds of running matches. SQLite gives new -wal and -shm files the same
    permissions; existing ones are restricted here. An existing folder keeps its permissions.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    for ending in ("", "-wal", "-shm"):
        path = file.with_name(file.name + ending)
        with suppress(FileNotFoundError, PermissionError):
            path.chmod(0o600)


def enable_wal(file: Path) -> None:
    """Switch a file to write-ahead logging (WAL), retrying for up to `_LOCK_TIMEOUT_S` seconds.

    The `eventsourcing` library does so too, but without retrying: if two workers switch at the same
    moment, SQLite rejects one at once, regardless of its busy timeout. The next attempt finds WAL
    enabled.
    """
    until = time.monotonic() + _LOCK_TIMEOUT_S
    while True:
        try:
            with closing(sqlite3.connect(file, timeout=_LOCK_TIMEOUT_S)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
