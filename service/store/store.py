"""The event store: one stream a match, one stored event a `Decision`.

Built on the `eventsourcing` library with a mapper of our own: ``originator_id`` is the match,
``originator_version`` the version of the decision's first event, ``topic`` the game and its
rules version, ``state`` the decision as MessagePack. Two writers at the same version write the
same key, so the database lets only one of them win.

Players, devices and the receipts of repeated requests live in plain tables of the same
database; a receipt is written in the same transaction as the decisions it stands for.
"""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    IntegrityError,
    Mapper,
    OperationalError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType
from msgspec import Struct
from psycopg.errors import PipelineAborted

from domain.codec import codec_of
from domain.match import Decision
from projections.library import PostgresEvents, SQLiteEvents, locked
from projections.runner import Notice
from projections.sql import Sql, begun
from service.settings import Settings

_TRIES = 8
"""How often a save is tried again of which psycopg does not tell why it failed: each further try
says with more likelihood that somebody was first."""


class Taken(Exception):
    """Somebody else has written this version (or this receipt) first."""


class Recorded(Struct, frozen=True):
    """A decision of a match, as the library passes it around."""

    originator_id: UUID
    game: str
    decision: Decision

    @property
    def originator_version(self) -> int:
        """The version of the decision's first event."""
        return self.decision.version


class Receipt(Struct, frozen=True):
    """What a request with an Idempotency-Key led to.

    ``key`` and ``body`` are SHA-256 in hex; the answer is made again from the decisions up to
    ``after``, of which those later than ``before`` are the request's own. While the answer is
    still to wait for bots, ``after`` is negative: the version at which it began to wait.
    ``created``: milliseconds since 1970 UTC.
    """

    key: str
    body: str
    match: str
    seat: int
    before: int
    after: int
    status: int
    created: int


class _DecisionMapper(Mapper[UUID]):
    """Decisions to stored events and back; the topic tells which game's codec reads them."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        recorded: Recorded = domain_event
        codec = codec_of(recorded.game)
        return StoredEvent(
            recorded.originator_id,
            recorded.decision.version,
            codec.topic,
            codec.encode(recorded.decision),
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        game, _, rules_version = stored_event.topic.partition("/")
        decision = codec_of(game).decode(stored_event.state, int(rules_version))
        return Recorded(cast(UUID, stored_event.originator_id), game, decision)


class _NoTranscoder(Transcoder):
    """The mapper encodes whole decisions, so nothing is left to transcode."""

    def encode(self, obj: Any) -> bytes:
        raise NotImplementedError

    def decode(self, data: bytes) -> Any:
        raise NotImplementedError


_TABLES = (
    "CREATE TABLE IF NOT EXISTS {0}players (id TEXT PRIMARY KEY, name TEXT NOT NULL,"
    " created BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS {0}devices (token TEXT PRIMARY KEY, player TEXT NOT NULL,"
    " created BIGINT NOT NULL)",
    # `active` is 1 for the key that signs and null for all others, whose private half is gone.
    "CREATE TABLE IF NOT EXISTS {0}keys (id TEXT PRIMARY KEY, private TEXT NOT NULL,"
    " public TEXT NOT NULL, created BIGINT NOT NULL, retired BIGINT, active INTEGER UNIQUE)",
    # Beside the devices, so that a database from before keeps its table as it is.
    "CREATE TABLE IF NOT EXISTS {0}device_notes (token TEXT PRIMARY KEY, name TEXT NOT NULL,"
    " seen BIGINT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS devices_player ON {0}devices (player)",
    "CREATE TABLE IF NOT EXISTS {0}recoveries (player TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE,"
    " created BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS {0}links (code TEXT PRIMARY KEY, player TEXT NOT NULL,"
    " expires BIGINT NOT NULL)",
    # What the service keeps to itself, by name: see `service.matches.codes`.
    "CREATE TABLE IF NOT EXISTS {0}secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL,"
    " created BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS {0}hidden (player TEXT NOT NULL, match TEXT NOT NULL,"
    " PRIMARY KEY (player, match))",
    "CREATE TABLE IF NOT EXISTS {0}receipts (key TEXT PRIMARY KEY, body TEXT NOT NULL,"
    " match TEXT NOT NULL, seat INTEGER NOT NULL, first INTEGER NOT NULL,"
    " last INTEGER NOT NULL, status INTEGER NOT NULL, created BIGINT NOT NULL)",
)
_RECEIPT_COLUMNS = ("key", "body", "match", "seat", "first", "last", "status", "created")
_INSERT_RECEIPT = (
    f"INSERT INTO {{0}}receipts ({', '.join(_RECEIPT_COLUMNS)})"
    f" VALUES ({', '.join('?' for _ in _RECEIPT_COLUMNS)})"
)
_ADD_CREATED = "ALTER TABLE {{0}}receipts ADD COLUMN created BIGINT NOT NULL DEFAULT {}"
"""For databases from before receipts were pruned; those they hold count as made now."""
_INDEX_CREATED = "CREATE INDEX IF NOT EXISTS receipts_created ON {0}receipts (created)"
_PRUNED_AT_ONCE = 500
_PATIENCE = 5.0
"""Seconds to wait for another worker that is making the same SQLite file."""


class _SQLiteRecorder(SQLiteEvents):
    """Writes receipts with the events and keeps our plain tables."""

    tables = _TABLES

    def beside(self, sql: Sql, **more: Any) -> None:
        _write_receipts(sql, **more)


class _PostgresRecorder(PostgresEvents):
    """The same on PostgreSQL."""

    tables = _TABLES

    def beside(self, sql: Sql, **more: Any) -> None:
        _write_receipts(sql, **more)


def _write_receipts(sql: Sql, receipts: Iterable[Receipt] = ()) -> None:
    for r in receipts:
        sql.run(
            _INSERT_RECEIPT,
            *(r.key, r.body, r.match, r.seat, r.before, r.after, r.status, r.created),
        )


def library_settings(settings: Settings, *, views: bool = False) -> dict[str, str]:
    """What the `eventsourcing` library wants to know about the database.

    ``views``: the database of the read models: with SQLite a file of its own, so that folding
    never waits for a move being saved; with PostgreSQL the same database.
    """
    if not settings.database_url:
        file = settings.views_file if views else settings.data_file
        _keep_private(file)
        _log_ahead(file)
        return {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)}
    url = urlsplit(settings.database_url)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": url.path.lstrip("/"),
        "POSTGRES_HOST": url.hostname or "localhost",
        "POSTGRES_PORT": str(url.port or 5432),
        "POSTGRES_USER": unquote(url.username or ""),
        "POSTGRES_PASSWORD": unquote(url.password or ""),
        "POSTGRES_SCHEMA": parse_qs(url.query).get("schema", ["public"])[0],
        "POSTGRES_POOL_SIZE": "2",
    }


def _keep_private(file: Path) -> None:
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


def _log_ahead(file: Path) -> None:
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


class Store(Application[UUID]):
    """The decisions of all matches, and the plain tables beside them."""

    name = "caravanserai"

    def __init__(self, settings: Settings) -> None:
        self.is_postgres = bool(settings.database_url)
        recorder = _PostgresRecorder if self.is_postgres else _SQLiteRecorder
        super().__init__(
            {
                **library_settings(settings),
                "APPLICATION_RECORDER_TOPIC": f"{__name__}:{recorder.__name__}",
            }
        )
        self._datastore: Any = cast(Any, self.recorder).datastore
        self._date_receipts()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Only our own settings: the library would mix in the whole process environment."""
        return Environment("", dict(env or {}))

    def construct_transcoder(self) -> Transcoder:
        return _NoTranscoder()

    def construct_mapper(self) -> Mapper[UUID]:
        return _DecisionMapper(self.construct_transcoder())

    # -- decisions -------------------------------------------------------------------------

    def put(self, recorded: Sequence[Recorded], receipts: Sequence[Receipt] = ()) -> None:
        """Saves all or nothing; raises `Taken` when a version or receipt is there already."""
        for tries_left in range(_TRIES, -1, -1):
            try:
                self.events.put(cast(Any, recorded), receipts=receipts)
                return
            except IntegrityError as error:
                raise Taken from error
            except OperationalError as error:
                # psycopg names the first fault of a pipeline, or only that there was one.
                if not tries_left or not isinstance(error.__cause__, PipelineAborted):
                    raise

    def decisions(self, match: UUID, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """The match's decisions that begin later than version ``after`` (up to ``upto``)."""
        return cast(list[Recorded], list(self.events.get(match, gt=after, lte=upto)))

    # -- the log of all matches (`projections.runner.Log`) ---------------------------------

    def notices(self, after: int, limit: int) -> list[Notice]:
        """The next decisions of all matches in the order they were saved."""
        found = self.recorder.select_notifications(after, limit, inclusive_of_start=False)
        return [
            Notice(
                n.id,
                cast(UUID, n.originator_id),
                n.topic.partition("/")[0],
                n.originator_version,
            )
            for n in found
        ]

    def newest_notice(self) -> int:
        """The id of the newest decision; 0 when there is none."""
        return self.recorder.max_notification_id() or 0

    def history(self, match: UUID, after: int) -> list[Decision]:
        """The match's decisions that begin later than version ``after``."""
        return [recorded.decision for recorded in self.decisions(match, after)]

    # -- plain tables ----------------------------------------------------------------------

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Sql]:
        """A transaction on the plain tables."""
        with begun(self._datastore, commit=commit) as cursor:
            yield Sql(cursor, self._datastore.schema if self.is_postgres else None)

    def receipt(self, key: str) -> Receipt | None:
        """The receipt of an earlier request with the same key."""
        with self.transaction(commit=False) as sql:
            row = sql.one("SELECT * FROM {0}receipts WHERE key = ?", key)
        if row is None:
            return None
        return Receipt(*(row[column] for column in _RECEIPT_COLUMNS))

    def settle(self, key: str, after: int) -> int:
        """Notes up to which version an answer that waited for bots goes; who notes it first is
        right. Gives that version."""
        with self.transaction(commit=True) as sql:
            sql.run("UPDATE {0}receipts SET last = ? WHERE key = ? AND last < 0", after, key)
            row = sql.one("SELECT last FROM {0}receipts WHERE key = ?", key)
        return after if row is None else abs(int(row["last"]))

    def hide(self, player: str, match: str, hidden: bool) -> None:
        """Keeps a match out of a player's own list, or shows it there again."""
        statement = (
            "INSERT INTO {0}hidden VALUES (?,?) ON CONFLICT DO NOTHING"
            if hidden
            else "DELETE FROM {0}hidden WHERE player = ? AND match = ?"
        )
        with self.transaction(commit=True) as sql:
            sql.run(statement, player, match)

    def hidden_by(self, player: str) -> set[str]:
        """The matches that a player has hidden."""
        with self.transaction(commit=False) as sql:
            rows = sql.all("SELECT match FROM {0}hidden WHERE player = ?", player)
        return {row["match"] for row in rows}

    def prune_receipts(self, before: int) -> int:
        """Forgets some of the receipts made earlier than ``before``; gives how many."""
        with self.transaction(commit=True) as sql:
            return len(
                sql.all(
                    "DELETE FROM {0}receipts WHERE key IN"
                    " (SELECT key FROM {0}receipts WHERE created < ? LIMIT ?) RETURNING key",
                    *(before, _PRUNED_AT_ONCE),
                )
            )

    def _date_receipts(self) -> None:
        """Brings the table of a database from before receipts were pruned up to date."""
        alone = locked(self._datastore) if self.is_postgres else nullcontext()
        with alone, self.transaction(commit=True) as sql:
            if "created" not in sql.columns("receipts"):
                sql.run(_ADD_CREATED.format(time.time_ns() // 1_000_000))
            sql.run(_INDEX_CREATED)

    def ping(self) -> None:
        """Raises when the database does not answer."""
        with self.transaction(commit=False) as sql:
            sql.one("SELECT 1 AS one")
