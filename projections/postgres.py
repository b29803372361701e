"""PostgreSQL that may be away: found out quickly, and found again as soon as it is back.

The library tries again and again for as long as its pool waits, and a pool that has met a dead
server comes back later and later. Here whoever needs the database is told at once (`Away`). A
thread of each pool looks when a connection breaks or an answer takes long: a server that does not
answer the first packet of a connection, nor anybody else meanwhile, dead or frozen, is away, and
everybody who waits for it is let go. From then on it tries to connect by the address that was
given, names and service files read anew each time, for a server may come back at another place; a
new pool is made then.

What another session has locked is waited for shortly, too (`Held`).
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
"""The library's setting of ours: an address as libpq takes it."""
WAIT = 1.0
"""Seconds to wait for a free connection."""
OPENING = 10.0
"""Seconds to wait for the very first: a busy machine takes some to make one, and nobody waits for
an answer yet."""
LOCKED = 1
"""Seconds to wait for what another session has locked; whole ones, as the library has them."""
PATIENT = "SET LOCAL lock_timeout = 0"
"""For a transaction whose locks are to be waited for, however long: one that nobody waits for."""
_NO_LOCK = "55P03"
"""PostgreSQL's name of a lock that was not to be had."""
_LOOK = 0.25
_LONG = 0.6
"""Seconds after which an answer takes so long that the server is asked whether it is there."""
_ANSWER = 0.5
_ASKS = struct.pack("!II", 8, 80877103)
"""What a client sends first: may it speak TLS? Every server answers with one byte."""
_KEEPALIVE: dict[str, Any] = {
    "connect_timeout": "2",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "tcp_user_timeout": "10000",
}


class Away(PersistenceError):
    """The database does not answer; nothing is known of what was just written."""


class Held(Away):
    """Another session has locked for too long what was to be read or written; nothing was done."""


_SCHEMA = re.compile(r"([?&])schema=([^&]*)&?")
_ENCODED = re.compile(r"(?:[\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*")


def address(url: str) -> tuple[str, str]:
    """What libpq is told, and the schema, which it does not know: ``?schema=NAME``.

    Everything else is handed on as it is. A password may be written plainly or encoded.
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
    """The library's, with one pool after another."""

    def __init__(self, conninfo: str, schema: str, size: int, pool: int) -> None:
        super().__init__("", "", "", "", "", schema=schema, lock_timeout=LOCKED)
        self._conninfo = conninfo
        self._sizes = (size, pool)
        self._lock = Lock()
        self._using: dict[int, tuple[Connection[Any], float]] = {}
        self._met: set[tuple[str, int]] = set()
        self._heard = 0.0
        """When somebody got an answer last."""
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
        """The library's, and nothing waits for a lock for long: not for a table either that is
        only read, while somebody rewrites it."""
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
                # Not the library's own kind, which it would wait for ten times.
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
        """Ends the watching too."""
        closed = getattr(self, "_closed", None)
        if closed is not None:
            closed.set()
        super().close()

    # -- watching --------------------------------------------------------------------------

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
                # It was restarted: what lies in the pool is dead.
                with suppress(Exception):
                    self.pool.check()

    def _takes_long(self) -> bool:
        now = time.monotonic()
        with self._lock:
            return any(now - since > _LONG for _used, since in self._using.values())

    def _answers(self) -> bool:
        """Whether a server that we met speaks; also when we met none, for then nobody waits.

        A busy machine takes long to let somebody in: who is in and got an answer meanwhile knows
        better.
        """
        asked = time.monotonic()
        with self._lock:
            places = list(self._met)
        return not places or any(_speaks(*place) for place in places) or self._heard > asked

    def _leave(self) -> None:
        """Lets everybody go who waits for an answer."""
        log.error("PostgreSQL does not answer")
        self._away = True
        with self._lock:
            waiting = [used for used, _since in self._using.values()]
        for used in waiting:
            with suppress(Exception), socket.socket(fileno=os.dup(used.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
        with suppress(Exception):
            # Who waits for a connection is told too.
            self.pool.close(timeout=0)

    def _look_for_it(self) -> None:
        """Makes a new pool once it lets us in, wherever it is; forgets the places met before."""
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
    """Whether somebody's lock was waited for in vain. Of a pipeline psycopg may only say that it
    was ended: then the time tells."""
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
    """The library's, with our datastore in the place of its own."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        self.datastore.close()
        conninfo = self.env.get(CONNINFO) or ""
        size = int(self.env.get(self.POSTGRES_POOL_SIZE) or 1)
        most = int(self.env.get(self.POSTGRES_MAX_OVERFLOW) or 0) + size
        self.datastore = Datastore(conninfo, self.datastore.schema, size, most)
