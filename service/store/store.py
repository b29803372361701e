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
from functools import partial
from itertools import groupby
from typing import Any, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    IntegrityError,
    Mapper,
    OperationalError,
    PersistenceError,
    StoredEvent,
    Transcoder,
)
from eventsourcing.utils import Environment, EnvType
from msgspec import Struct
from psycopg.errors import PipelineAborted

from domain.codec import codec_of
from domain.match import Decision
from projections.library import PostgresEvents, SQLiteEvents
from projections.migrations import migrate
from projections.postgres import CONNINFO, address
from projections.renewal import Notice, Stored
from projections.sql import Sql, begun
from service.notices import tables as outbox
from service.settings import Settings
from service.store.files import keep_private, log_ahead
from service.store.first import is_taken
from service.store.steps import ROOM, STEPS

_TRIES = 8
"""How often a save is tried again of which neither psycopg tells why it failed nor the tables."""


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


_RECEIPT_COLUMNS = ("key", "body", "match", "seat", "first", "last", "status", "created")
_INSERT_RECEIPT = (
    f"INSERT INTO {{0}}receipts ({', '.join(_RECEIPT_COLUMNS)})"
    f" VALUES ({', '.join('?' for _ in _RECEIPT_COLUMNS)})"
)
_PRUNED_AT_ONCE = 500
_AT_ONCE = 500
"""Matches that are asked for in one query."""


class _SQLiteRecorder(SQLiteEvents):
    """Writes receipts with the events."""

    def beside(self, sql: Sql, **more: Any) -> None:
        _write_beside(sql, **more)


class _PostgresRecorder(PostgresEvents):
    """The same on PostgreSQL."""

    def beside(self, sql: Sql, **more: Any) -> None:
        _write_beside(sql, **more)


def _write_beside(
    sql: Sql, receipts: Iterable[Receipt] = (), told: Iterable[outbox.Entry] = ()
) -> None:
    outbox.write(sql, told)
    for r in receipts:
        sql.run(
            _INSERT_RECEIPT,
            *(r.key, r.body, r.match, r.seat, r.before, r.after, r.status, r.created),
        )


def _notice(number: int, event: StoredEvent) -> Notice:
    game = event.topic.partition("/")[0]
    return Notice(number, cast(UUID, event.originator_id), game, event.originator_version)


def _uuid(found: Any) -> UUID:
    return found if isinstance(found, UUID) else UUID(found)


def library_settings(settings: Settings, *, views: bool = False) -> dict[str, str]:
    """What the `eventsourcing` library wants to know about the database.

    ``views``: the database of the read models: with SQLite a file of its own, so that folding
    never waits for a move being saved; with PostgreSQL the same database.
    """
    if not settings.database_url:
        file = settings.views_file if views else settings.data_file
        keep_private(file)
        log_ahead(file)
        return {"PERSISTENCE_MODULE": "projections.sqlite", "SQLITE_DBNAME": str(file)}
    conninfo, schema = address(settings.database_url)
    return {
        "PERSISTENCE_MODULE": "projections.postgres",
        CONNINFO: conninfo,
        "POSTGRES_SCHEMA": schema,
        # Connections are made when they are needed: each worker has up to so many and one more.
        "POSTGRES_POOL_SIZE": "1",
        "POSTGRES_MAX_OVERFLOW": "7" if views else "15",
        # The library insists on them; the address says it all.
        "POSTGRES_DBNAME": "-",
        "POSTGRES_HOST": "-",
        "POSTGRES_USER": "-",
        "POSTGRES_PASSWORD": "-",
    }


class Store(Application[UUID]):
    """The decisions of all matches, and the plain tables beside them.

    Brings the tables up to date when it opens: ``migrated`` steps were missing. Raises
    `NewerDatabase` when they are those of a program that this one cannot work beside.
    """

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
        schema = self._datastore.schema if self.is_postgres else None
        self.migrated = migrate(self._datastore, schema, ROOM, STEPS)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Only our own settings: the library would mix in the whole process environment."""
        return Environment("", dict(env or {}))

    def construct_transcoder(self) -> Transcoder:
        return _NoTranscoder()

    def construct_mapper(self) -> Mapper[UUID]:
        return _DecisionMapper(self.construct_transcoder())

    # -- decisions -------------------------------------------------------------------------

    def put(
        self,
        recorded: Sequence[Recorded],
        receipts: Sequence[Receipt] = (),
        told: Sequence[outbox.Entry] = (),
    ) -> None:
        """Saves all or nothing; raises `Taken` when a version or receipt is there already.

        ``told``: what people are to hear of it.
        """
        for tries_left in range(_TRIES, -1, -1):
            try:
                self.events.put(cast(Any, recorded), receipts=receipts, told=told)
                return
            except IntegrityError as error:
                raise Taken from error
            except OperationalError as error:
                # psycopg names the first fault of a pipeline, or only that there was one.
                if not tries_left or not isinstance(error.__cause__, PipelineAborted):
                    raise
                if is_taken(self, recorded, receipts):
                    raise Taken from error

    def decisions(self, match: UUID, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """The match's decisions that begin later than version ``after`` (up to ``upto``)."""
        return cast(list[Recorded], list(self.events.get(match, gt=after, lte=upto)))

    # -- the log of all matches (`projections.runner.Log`) ---------------------------------

    def notices(self, after: int, limit: int) -> list[Notice]:
        """The next decisions of all matches in the order they were saved."""
        found = self.recorder.select_notifications(after, limit, inclusive_of_start=False)
        return [_notice(n.id, n) for n in found]

    def newest_notice(self) -> int:
        """The id of the newest decision; 0 when there is none."""
        return self.recorder.max_notification_id() or 0

    def changed(self, after: int, upto: int) -> set[str]:
        """The matches with decisions that were saved after a notification, up to another."""
        place = "notification_id" if self.is_postgres else "rowid"
        with self.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT DISTINCT originator_id AS id FROM {0}stored_events"
                f" WHERE {place} > ? AND {place} <= ?",
                *(after, upto),
            )
        return {str(_uuid(row["id"])) for row in rows}

    def scan(self, first: UUID, last: UUID, upto: int) -> Iterator[Stored]:
        """The matches from one id to another, with their decisions up to a notification."""
        place = "notification_id" if self.is_postgres else "rowid"
        bounds = [key if self.is_postgres else key.hex for key in (first, last)]
        with self.transaction(commit=False) as sql:
            # The sum keeps PostgreSQL from going through the index of all notifications each time.
            rows = sql.all(
                "SELECT originator_id AS id, originator_version AS version, topic, state"
                " FROM {0}stored_events WHERE originator_id >= ? AND originator_id <= ?"
                f" AND {place} + 0 <= ? ORDER BY originator_id, originator_version",
                *(*bounds, upto),
            )
        for match, found in groupby(rows, lambda row: row["id"]):
            events = [
                StoredEvent(_uuid(match), row["version"], row["topic"], bytes(row["state"]))
                for row in found
            ]
            yield Stored(_notice(0, events[-1]), partial(self._decoded, events))

    def _decoded(self, events: Sequence[StoredEvent]) -> list[Decision]:
        return [cast(Recorded, self.mapper.to_domain_event(event)).decision for event in events]

    def history(self, match: UUID, after: int, upto: int | None = None) -> list[Decision]:
        """The match's decisions that begin later than version ``after`` (up to ``upto``)."""
        return [recorded.decision for recorded in self.decisions(match, after, upto)]

    def reached(self, known: dict[str, int]) -> dict[str, int]:
        """Of matches and versions of them those that have come further, with their versions."""
        asked = [UUID(match) for match in known]
        newest: dict[UUID, int] = {}
        with self.transaction(commit=False) as sql:
            for some in (asked[i : i + _AT_ONCE] for i in range(0, len(asked), _AT_ONCE)):
                keys = [key if self.is_postgres else key.hex for key in some]
                rows = sql.all(
                    "SELECT originator_id AS id, MAX(originator_version) AS version"
                    f" FROM {{0}}stored_events WHERE originator_id IN ({','.join('?' * len(keys))})"
                    " GROUP BY originator_id",
                    *keys,
                )
                newest |= {_uuid(row["id"]): row["version"] for row in rows}
        # A decision is stored under the version of its first event.
        further = [key for key, version in newest.items() if version > known[str(key)]]
        return {str(key): self._end_of(key, newest[key]) for key in further}

    def _end_of(self, match: UUID, newest: int) -> int:
        """The version of a match whose newest decision begins at a version."""
        try:
            return self.history(match, newest - 1)[-1].last_version
        except (PersistenceError, OSError):
            raise
        except Exception:
            return newest  # It cannot be read; who asks for it is told so.

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

    def ping(self) -> None:
        """Raises when the database does not answer."""
        with self.transaction(commit=False) as sql:
            sql.one("SELECT 1 AS one")
