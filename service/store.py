"""The event store: one stream a match, one stored event a `Decision`.

Built on the `eventsourcing` library with a mapper of our own: ``originator_id`` is the match,
``originator_version`` the version of the decision's first event, ``topic`` the game and its
rules version, ``state`` the decision as MessagePack. Two writers at the same version write the
same key, so the database lets only one of them win.

Players, devices and the receipts of repeated requests live in plain tables of the same
database; a receipt is written in the same transaction as the decisions it stands for.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    IntegrityError,
    Mapper,
    StoredEvent,
    Transcoder,
)
from eventsourcing.postgres import PostgresApplicationRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder
from eventsourcing.utils import Environment, EnvType
from msgspec import Struct

from domain.codec import codec_of
from domain.match import Decision
from projections.runner import Notice
from projections.sql import Sql
from projections.views import locked
from service.settings import Settings


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
    ``after``, of which those later than ``before`` are the request's own.
    """

    key: str
    body: str
    match: str
    seat: int
    before: int
    after: int
    status: int


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
    "CREATE TABLE IF NOT EXISTS {0}links (code TEXT PRIMARY KEY, player TEXT NOT NULL,"
    " expires BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS {0}receipts (key TEXT PRIMARY KEY, body TEXT NOT NULL,"
    " match TEXT NOT NULL, seat INTEGER NOT NULL, first INTEGER NOT NULL,"
    " last INTEGER NOT NULL, status INTEGER NOT NULL)",
)
_INSERT_RECEIPT = "INSERT INTO {0}receipts VALUES (?,?,?,?,?,?,?)"


def _receipt_rows(receipts: Iterable[Receipt]) -> Iterator[tuple[Any, ...]]:
    for r in receipts:
        yield (r.key, r.body, r.match, r.seat, r.before, r.after, r.status)


class _SQLiteRecorder(SQLiteApplicationRecorder):
    """Writes receipts with the events and keeps our plain tables."""

    def construct_create_table_statements(self) -> list[str]:
        return [
            *super().construct_create_table_statements(),
            *(statement.format("") for statement in _TABLES),
        ]

    def _insert_events(
        self, c: Any, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        for row in _receipt_rows(kwargs.get("receipts", ())):
            c.execute(_INSERT_RECEIPT.format(""), row)
        return super()._insert_events(c, stored_events, **kwargs)


class _PostgresRecorder(PostgresApplicationRecorder):
    """The same on PostgreSQL."""

    def create_table(self) -> None:
        with locked(self.datastore):
            super().create_table()

    def _create_table(self, curs: Any) -> None:
        super()._create_table(curs)
        for statement in _TABLES:
            curs.execute(statement.format(f'"{self.datastore.schema}".'))

    def _insert_events(
        self, curs: Any, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> None:
        statement = _INSERT_RECEIPT.format(f'"{self.datastore.schema}".').replace("?", "%s")
        for row in _receipt_rows(kwargs.get("receipts", ())):
            curs.execute(statement, row)
        super()._insert_events(curs, stored_events, **kwargs)


def library_settings(settings: Settings, *, views: bool = False) -> dict[str, str]:
    """What the `eventsourcing` library wants to know about the database.

    ``views``: the database of the read models: with SQLite a file of its own, so that folding
    never waits for a move being saved; with PostgreSQL the same database.
    """
    if not settings.database_url:
        file = settings.views_file if views else settings.data_file
        file.parent.mkdir(parents=True, exist_ok=True)
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
        try:
            self.events.put(cast(Any, recorded), receipts=receipts)
        except IntegrityError as error:
            raise Taken from error

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
        with self._datastore.transaction(commit=commit) as cursor:
            yield Sql(cursor, self._datastore.schema if self.is_postgres else None)

    def receipt(self, key: str) -> Receipt | None:
        """The receipt of an earlier request with the same key."""
        with self.transaction(commit=False) as sql:
            row = sql.one("SELECT * FROM {0}receipts WHERE key = ?", key)
        if row is None:
            return None
        fields = ("key", "body", "match", "seat", "first", "last", "status")
        return Receipt(*(row[field] for field in fields))

    def ping(self) -> None:
        """Raises when the database does not answer."""
        with self.transaction(commit=False) as sql:
            sql.one("SELECT 1 AS one")
