"""PostgreSQL connections that fail fast while the server is down and recover when it is back.

The library retries for as long as its pool waits, and a pool that has met a dead server reconnects
at longer and longer intervals. Here callers fail at once (`Away`). A thread of each pool probes the
server when a connection breaks or an answer takes long: a server that does not answer the first
packet of a new connection, nor any other query meanwhile, is down, dead or frozen, and all waiting
callers are released. From then on the thread tries to connect by the configured address, resolving
names and service files anew each time, because a server may come back elsewhere; then it makes a
new pool.

Locks of other sessions are waited for briefly, too (`Held`).
"""

import logging
import os
import re
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import quote

import psycopg
from eventsourcing import postgres
from eventsourcing.persistence import InterfaceError, OperationalError, PersistenceError
from eventsourcing.utils import Environment, EnvType
from psycopg import Connection
from psycopg.errors import PipelineAborted
from psycopg.rows import dict_row

log = logging.getLogger("caravanserai")

CONNINFO = "POSTGRES_CONNINFO"
"""Environment key of the library's settings for our connection string, as libpq takes it."""
WAIT = 1.0
"""Seconds to wait for a free connection."""
OPENING = 10.0
"""Seconds to wait for the very first connection: a busy machine takes some to make one, and nobody
waits for an answer yet.
"""
LOCKED = 1
"""Seconds to wait for a lock of another session; an integer, because the library takes one."""
PATIENT = "SET LOCAL lock_timeout = 0"
"""Statement that lets a transaction wait for locks indefinitely; for those that no caller waits
for.
"""
_NO_LOCK = "55P03"
"""SQLSTATE ``lock_not_available``."""
_LOOK = 0.25
_LONG = 0.6
"""Seconds after which a query counts as slow, so that the server is probed."""
_ANSWER = 0.5
_ASKS = struct.pack("!II", 8, 80877103)
"""SSLRequest, the first packet of a connection; every server answers it with one byte."""
_KEEPALIVE: dict[str, Any] = {
    "connect_timeout": "2",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "tcp_user_timeout": "10000",
}


class Away(PersistenceError):
    """The database does not answer; whether the last write succeeded is unknown."""


class Held(Away):
    """Another session held a lock for too long; nothing was read or written."""


_SCHEMA = re.compile(r"([?&])schema=([^&]*)&?")
_ENCODED = re.compile(r"(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*")


def address(url: str) -> tuple[str, str]:
    """Split a database address into libpq's address and the schema (``?schema=NAME``).

    libpq does not know ``schema``; its default is "public". Everything else is passed on unchanged.
    The password may be written plainly or percent-encoded.
    """
    schema = "public"
    if found := _SCHEMA.search(url):
        schema = found[2] or schema
        url = (url[: found.start()] + found[1] + url[found.end() :]).rstrip("?&")
    head, at, tail = url.rpartition("@")
    scheme, mark, user = head.partition("://")
    name, colon, password = user.partition(":")
    if at and mark and not _ENCODED.fullmatch(password):
        url = f"{scheme}{mark}{name}{colon}{quote(password, safe='')}{at}{tail}"
    return url, schema


class Datastore(postgres.PostgresDatastore):
    """The library's datastore with a pool that is replaced after an outage."""

    def __init__(self, conninfo: str, schema: str, size: int, pool: int) -> None:
        super().__init__("", "", "", "", "", schema=schema, lock_timeout=LOCKED)
        self._conninfo = conninfo
        self._sizes = (size, pool)
        self._lock = Lock()
        self._using: dict[int, tuple[Connection[Any], float]] = {}
        self._met: set[tuple[str, int]] = set()
        self._heard = 0.0
        """Time of the last answer to anybody, by the monotonic clock."""
        self._away = False
        self._suspicious = Event()
        self._closed = Event()
        self.pool = self._made()
        self.pool.timeout = OPENING
        self._watching = Thread(target=self._watch, name="postgresql", daemon=True)
        self._watching.start()

    def _made(self) -> Any:
        least, most = self._sizes
        return postgres.ConnectionPool(
            self._conninfo,
            connection_class=Connection,
            kwargs={"row_factory": dict_row, **_KEEPALIVE},
            min_size=least,
            max_size=most,
            open=False,
            configure=self._configured(),
            timeout=WAIT,
            max_lifetime=3600.0,
        )

    def _configured(self) -> Callable[[Connection[Any]], None]:
        """Return the library's setup of a connection, plus a short lock timeout.

        The timeout also applies to reads of a table that somebody is rewriting.
        """
        first = self.after_connect_func()

        def after_connect(connection: Connection[Any]) -> None:
            first(connection)
            connection.execute(f"SET lock_timeout = '{LOCKED}s'")

        return after_connect

    @contextmanager
    def get_connection(self) -> Iterator[Connection[Any]]:
        if self._away:
            raise Away("PostgreSQL does not answer")
        used: Connection[Any] | None = None
        began = time.monotonic()
        try:
            with super().get_connection() as used, self._noted(used):
                self.pool.timeout = WAIT
                began = time.monotonic()
                yield used
        except (OperationalError, InterfaceError) as error:
            if used is None or used.closed or used.broken:
                self._suspicious.set()
                raise Away(str(error)) from error
            if _is_held(error, time.monotonic() - began):
                # Not the library's own exception type, which it would retry ten times.
                raise Held(str(error)) from error
            raise

    @contextmanager
    def _noted(self, used: Connection[Any]) -> Iterator[None]:
        key = id(used)
        info = used.info
        with self._lock:
            self._using[key] = (used, time.monotonic())
            self._met.add((info.hostaddr or info.host, info.port))
        try:
            yield
        finally:
            with self._lock:
                self._using.pop(key, None)
            if not (used.closed or used.broken):
                self._heard = time.monotonic()

    def close(self) -> None:
        """Close the pool and end the probing thread."""
        closed = getattr(self, "_closed", None)
        if closed is not None:
            closed.set()
        super().close()

    # -- probing ------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._closed.wait(_LOOK):
            if self._away:
                self._look_for_it()
                continue
            suspicious = self._suspicious.is_set()
            self._suspicious.clear()
            if not (suspicious or self._takes_long()):
                continue
            if not self._answers():
                self._leave()
            elif suspicious:
                # The server was restarted: the connections in the pool are dead.
                with suppress(Exception):
                    self.pool.check()

    def _takes_long(self) -> bool:
        now = time.monotonic()
        with self._lock:
            return any(now - since > _LONG for _used, since in self._using.values())

    def _answers(self) -> bool:
        """Return whether a known server answers; True when none is known.

        Nobody waits for an unknown server. A busy machine takes long to accept a connection: an
        answer to another query in the meantime proves that the server works.
        """
        asked = time.monotonic()
        with self._lock:
            places = list(self._met)
        return not places or any(_speaks(*place) for place in places) or self._heard > asked

    def _leave(self) -> None:
        """Mark the server as down and release everybody who waits for an answer."""
        log.error("PostgreSQL does not answer")
        self._away = True
        with self._lock:
            waiting = [used for used, _since in self._using.values()]
        for used in waiting:
            with suppress(Exception), socket.socket(fileno=os.dup(used.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
        with suppress(Exception):
            # Releases those who wait for a connection too.
            self.pool.close(timeout=0)

    def _look_for_it(self) -> None:
        """Make a new pool once the server accepts a connection, and forget the old addresses."""
        try:
            Connection.connect(self._conninfo, **_KEEPALIVE).close()
        except (psycopg.Error, OSError):
            return
        with self._lock:
            self._met.clear()
        self.pool = self._made()
        self._away = False
        log.warning("PostgreSQL answers again")


def _is_held(error: Exception, took: float) -> bool:
    """Return whether an error is a lock timeout.

    Of a pipeline psycopg may only report that it was aborted: then the elapsed time decides.
    """
    cause = error.__cause__
    if isinstance(cause, PipelineAborted):
        return took >= LOCKED
    return getattr(cause, "sqlstate", None) == _NO_LOCK


def _speaks(host: str, port: int) -> bool:
    try:
        if host.startswith("/"):
            line = socket.socket(socket.AF_UNIX)
            line.settimeout(_ANSWER)
            line.connect(f"{host}/.s.PGSQL.{port}")
        else:
            line = socket.create_connection((host, port), _ANSWER)
        with line:
            line.settimeout(_ANSWER)
            line.sendall(_ASKS)
            return line.recv(1) != b""
    except OSError:
        return False


class Factory(postgres.PostgresFactory):
    """The library's factory with our datastore."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self.datastore.close()
        conninfo = self.env.get(CONNINFO) or ""
        size = int(self.env.get(self.POSTGRES_POOL_SIZE) or 1)
        most = int(self.env.get(self.POSTGRES_MAX_OVERFLOW) or 0) + size
        self.datastore = Datastore(conninfo, self.datastore.schema, size, most)
