"""The files of an SQLite store: readable by their owner only, and logged ahead."""

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

_PATIENCE = 5.0
"""Seconds to wait for another worker that is making the same SQLite file."""


def keep_private(file: Path) -> None:
    """Makes the file so that only this user reads it: it holds the seeds of running matches.

    SQLite gives the files it puts beside it the same permissions. What is there already is
    tightened; a folder that is there keeps what its owner gave it.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    for ending in ("", "-wal", "-shm"):
        path = file.with_name(file.name + ending)
        with suppress(FileNotFoundError, PermissionError):
            path.chmod(0o600)


def log_ahead(file: Path) -> None:
    """Switches a new file to write-ahead logging, which the library does too, but not patiently.

    Where two workers switch at the same moment SQLite refuses one at once, without the wait it
    grants everywhere else; the second try finds the switch made.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            with closing(sqlite3.connect(file, timeout=_PATIENCE)) as connection:
                connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
