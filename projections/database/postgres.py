"""PostgreSQL connections that fail fast while the server is down and recover when it is back.

The library retries for as long as its pool waits, and a pool whose server is down reconnects at
ever longer intervals. Here callers fail at once (`DatabaseUnavailable`). A thread of each datastore
probes the server when a connection breaks or a query is slow. A server that answers neither the
first packet of a new connection nor, in the meantime, any other query is considered down, and all
waiting callers are released. From then on the thread tries to connect to the configured address,
resolving names and service files each time, because the server may come back at another address.
Once it succeeds, it creates a new pool. The pool's own checks and a limit for statements do not
suffice (docs/decisions/0023-probe-postgresql-in-a-thread.md).

Waiting for locks held by other sessions is limited too (`LockTimeout`).
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

CONNINFO_KEY = "POSTGRES_CONNINFO"
"""Key of our libpq connection string in the library's settings."""
POOL_TIMEOUT_S = 1.0
"""Seconds to wait for a free connection."""
FIRST_CONNECTION_TIMEOUT_S = 10.0
"""Seconds to wait for the first connection, which takes long on a busy machine; no caller is
waiting for a response at that time.
"""
LOCK_TIMEOUT_S = 1
"""Seconds to wait for a lock held by another session; an integer, as the library requires."""
NO_LOCK_TIMEOUT = "SET LOCAL lock_timeout = 0"
"""Statement that lets a transaction wait for locks indefinitely; only for transactions for which
no caller is waiting.
"""
_LOCK_NOT_AVAILABLE = "55P03"
"""SQLSTATE ``lock_not_available``."""
_PROBE_INTERVAL_S = 0.25
_SLOW_QUERY_S = 0.6
"""Seconds after which a query counts as slow, so that the server is probed."""
_PROBE_TIMEOUT_S = 0.5
_SSL_REQUEST = struct.pack("!II", 8, 80877103)
"""SSLRequest, the first packet of a connection; every server answers it with one byte."""
_KEEPALIVE: dict[str, Any] = {
    "connect_timeout": "2",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "tcp_user_timeout": "10000",
}


class DatabaseUnavailable(PersistenceError):
    """Error raised when the database does not respond.

    The last write may or may not have succeeded.
    """


class LockTimeout(DatabaseUnavailable):
    """Error if another session held a lock for too long; nothing was read or written."""


_SCHEMA = re.compile(r"([?&])schema=([^&]*)&?")
_ENCODED = re.compile(r"(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*")


def split_address(url: str) -> tuple[str, str]:
    """Split a database address into an address for libpq and the schema (``?schema=NAME``).

    libpq does not know ``schema``, whose default is "public". A password that is not
    percent-encoded is encoded; everything else is returned unchanged.
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
        super().__init__("", "", "", "", "", schema=schema, lock_timeout=LOCK_TIMEOUT_S)
        self._conninfo = conninfo
        self._sizes = (size, pool)
        self._lock = Lock()
        self._in_use: dict[int, tuple[Connection[Any], float]] = {}
        self._known_servers: set[tuple[str, int]] = set()
        self._last_answer_at = 0.0
        """Time of the server's last answer to any query, by the monotonic clock."""
        self._is_unavailable = False
        self._suspicious = Event()
        self._closed = Event()
        self.pool = self._make_pool()
        self.pool.timeout = FIRST_CONNECTION_TIMEOUT_S
        self._probe_thread = Thread(target=self._probe_repeatedly, name="postgresql", daemon=True)
        self._probe_thread.start()

    def _make_pool(self) -> Any:
        least, most = self._sizes
        return postgres.ConnectionPool(
            self._conninfo,
            connection_class=Connection,
            kwargs={"row_factory": dict_row, **_KEEPALIVE},
            min_size=least,
            max_size=most,
            open=False,
            configure=self._connection_setup(),
            timeout=POOL_TIMEOUT_S,
            max_lifetime=3600.0,
        )

    def _connection_setup(self) -> Callable[[Connection[Any]], None]:
        """Return a function that does the library's connection setup and sets a short lock timeout.

        The timeout also applies to reads of a table that another session is rewriting.
        """
        first = self.after_connect_func()

        def after_connect(connection: Connection[Any]) -> None:
            first(connection)
            connection.execute(f"SET lock_timeout = '{LOCK_TIMEOUT_S}s'")

        return after_connect

    @contextmanager
    def get_connection(self) -> Iterator[Connection[Any]]:
        if self._is_unavailable:
            raise DatabaseUnavailable("PostgreSQL does not answer")
        used: Connection[Any] | None = None
        began = time.monotonic()
        try:
            with super().get_connection() as used, self._track_use(used):
                self.pool.timeout = POOL_TIMEOUT_S
                began = time.monotonic()
                yield used
        except (OperationalError, InterfaceError) as error:
            if used is None or used.closed or used.broken:
                self._suspicious.set()
                raise DatabaseUnavailable(str(error)) from error
            if _is_lock_timeout(error, time.monotonic() - began):
                # Not the library's own exception type, which it would retry ten times.
                raise LockTimeout(str(error)) from error
            raise

    @contextmanager
    def _track_use(self, used: Connection[Any]) -> Iterator[None]:
        key = id(used)
        info = used.info
        with self._lock:
            self._in_use[key] = (used, time.monotonic())
            self._known_servers.add((info.hostaddr or info.host, info.port))
        try:
            yield
        finally:
            with self._lock:
                self._in_use.pop(key, None)
            if not (used.closed or used.broken):
                self._last_answer_at = time.monotonic()

    def close(self) -> None:
        """Close the pool and end the probing thread."""
        closed = getattr(self, "_closed", None)
        if closed is not None:
            closed.set()
        super().close()

    # -- probing ------------------------------------------------------------------------------

    def _probe_repeatedly(self) -> None:
        while not self._closed.wait(_PROBE_INTERVAL_S):
            if self._is_unavailable:
                self._try_reconnect()
                continue
            suspicious = self._suspicious.is_set()
            self._suspicious.clear()
            if not (suspicious or self._has_slow_query()):
                continue
            if not self._is_answering():
                self._mark_unavailable()
            elif suspicious:
                # The server was restarted: the connections in the pool are dead.
                with suppress(Exception):
                    self.pool.check()

    def _has_slow_query(self) -> bool:
        now = time.monotonic()
        with self._lock:
            return any(now - since > _SLOW_QUERY_S for _used, since in self._in_use.values())

    def _is_answering(self) -> bool:
        """Return whether a known server answers; True if none is known, as no caller waits then.

        A busy machine takes long to accept a connection, so an answer to another query in the
        meantime also proves that the server works.
        """
        asked = time.monotonic()
        with self._lock:
            places = list(self._known_servers)
        return (
            not places
            or any(_accepts_connections(*place) for place in places)
            or self._last_answer_at > asked
        )

    def _mark_unavailable(self) -> None:
        """Mark the server as down and release all callers that are waiting for it."""
        log.error("PostgreSQL does not answer")
        self._is_unavailable = True
        with self._lock:
            waiting = [used for used, _since in self._in_use.values()]
        for used in waiting:
            with suppress(Exception), socket.socket(fileno=os.dup(used.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
        with suppress(Exception):
            # This also releases callers that wait for a connection.
            self.pool.close(timeout=0)

    def _try_reconnect(self) -> None:
        """Create a new pool, and forget the old addresses, if the server accepts a connection."""
        try:
            Connection.connect(self._conninfo, **_KEEPALIVE).close()
        except (psycopg.Error, OSError):
            return
        with self._lock:
            self._known_servers.clear()
        self.pool = self._make_pool()
        self._is_unavailable = False
        log.warning("PostgreSQL answers again")


def _is_lock_timeout(error: Exception, took: float) -> bool:
    """Return whether an error is a lock timeout.

    For a pipeline, psycopg may report only that it was aborted; then the elapsed time decides.
    """
    cause = error.__cause__
    if isinstance(cause, PipelineAborted):
        return took >= LOCK_TIMEOUT_S
    return getattr(cause, "sqlstate", None) == _LOCK_NOT_AVAILABLE


def _accepts_connections(host: str, port: int) -> bool:
    try:
        if host.startswith("/"):
            line = socket.socket(socket.AF_UNIX)
            line.settimeout(_PROBE_TIMEOUT_S)
            line.connect(f"{host}/.s.PGSQL.{port}")
        else:
            line = socket.create_connection((host, port), _PROBE_TIMEOUT_S)
        with line:
            line.settimeout(_PROBE_TIMEOUT_S)
            line.sendall(_SSL_REQUEST)
            return line.recv(1) != b""
    except OSError:
        return False


class Factory(postgres.PostgresFactory):
    """The library's factory with our datastore."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self.datastore.close()
        conninfo = self.env.get(CONNINFO_KEY) or ""
        size = int(self.env.get(self.POSTGRES_POOL_SIZE) or 1)
        most = int(self.env.get(self.POSTGRES_MAX_OVERFLOW) or 0) + size
        self.datastore = Datastore(conninfo, self.datastore.schema, size, most)
