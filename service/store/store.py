"""The event store: one stream per match, one stored event per `Decision`.

Built on the `eventsourcing` library with a mapper of our own: ``originator_id`` is the match,
``originator_version`` the version of the decision's first event, ``topic`` the game and its
rules version, ``state`` the decision as MessagePack. Two writers at the same version write the
same key, so the database rejects one of them.

Players, devices and the receipts of requests with an Idempotency-Key are in plain tables of the
same database; a receipt is written in the same transaction as the decisions of its request.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Any, Protocol, TypeVar, cast
from uuid import UUID

from eventsourcing import persistence
from eventsourcing.application import Application
from eventsourcing.utils import Environment, EnvType
from msgspec import Struct
from psycopg.errors import PipelineAborted

from domain.match.history import Decision
from domain.matchfile.codec import codec_of
from projections.database.eventsourcing_adapters import PostgresEvents, SQLiteEvents
from projections.database.migrations import Step, migrate
from projections.database.postgres import CONNINFO_KEY, split_address
from projections.database.sql import Sql, batches, transaction_cursor
from projections.rebuild import LogEntry, StoredMatch
from service.settings import Settings
from service.store.conflicts import is_conflict
from service.store.schema_steps import MIGRATION_SCOPE, STEPS
from service.store.sqlite_files import enable_wal, make_private

_T = TypeVar("_T")
_MAX_SAVE_ATTEMPTS = 8
"""Maximum number of attempts to save if neither psycopg nor the tables show why it failed."""


class VersionConflict(Exception):
    """Error that another writer has already stored the same version or receipt."""


class StoredDecision(Struct, frozen=True):
    """A decision with its match and game, as the `eventsourcing` library handles it."""

    originator_id: UUID
    game: str
    decision: Decision

    @property
    def originator_version(self) -> int:
        """The version of the decision's first event."""
        return self.decision.version


class Receipt(Struct, frozen=True):
    """The stored result of a request with an Idempotency-Key.

    ``key`` and ``body`` are SHA-256 hashes in hex. The response is rebuilt from the decisions up to
    version ``after``; those after version ``before`` result from the request. While the response
    still waits for bots, ``after`` is the negated version at which it began to wait. ``status``:
    the HTTP status. ``created``: milliseconds since 1970 UTC.
    """

    key: str
    body: str
    match: str
    seat: int
    before: int
    after: int
    status: int
    created: int


class _DecisionMapper(persistence.Mapper[UUID]):
    """Mapper between decisions and stored events; the topic selects the codec of the game."""

    def to_stored_event(self, domain_event: Any) -> persistence.StoredEvent:
        recorded: StoredDecision = domain_event
        codec = codec_of(recorded.game)
        return persistence.StoredEvent(
            recorded.originator_id,
            recorded.decision.version,
            codec.topic,
            codec.encode(recorded.decision),
        )

    def to_domain_event(self, stored_event: persistence.StoredEvent) -> Any:
        game, _, rules_version = stored_event.topic.partition("/")
        decision = codec_of(game).decode(stored_event.state, int(rules_version))
        return StoredDecision(cast(UUID, stored_event.originator_id), game, decision)


class _NoTranscoder(persistence.Transcoder):
    """Transcoder that is required but never used, since the mapper encodes whole decisions."""

    def encode(self, obj: Any) -> bytes:
        raise NotImplementedError

    def decode(self, data: bytes) -> Any:
        raise NotImplementedError


_RECEIPT_COLUMNS = ("key", "body", "match", "seat", "first", "last", "status", "created")
_INSERT_RECEIPT = (
    f"INSERT INTO {{0}}receipts ({', '.join(_RECEIPT_COLUMNS)})"
    f" VALUES ({', '.join('?' for _ in _RECEIPT_COLUMNS)})"
)
_MAX_RECEIPTS_PER_PRUNING = 500
"""Maximum number of receipts deleted in one transaction."""
_MAX_MATCHES_PER_QUERY = 500
"""Maximum number of matches in one query."""


def _write_receipts(sql: Sql, receipts: Iterable[Receipt]) -> None:
    for r in receipts:
        sql.run(
            _INSERT_RECEIPT,
            *(r.key, r.body, r.match, r.seat, r.before, r.after, r.status, r.created),
        )


def _to_log_entry(number: int, event: persistence.StoredEvent) -> LogEntry:
    game = event.topic.partition("/")[0]
    return LogEntry(number, cast(UUID, event.originator_id), game, event.originator_version)


def to_uuid(found: Any) -> UUID:
    """Return the id of a match as the database returned it: text with SQLite, otherwise a UUID."""
    return found if isinstance(found, UUID) else UUID(found)


def library_settings(settings: Settings, *, views: bool = False) -> dict[str, str]:
    """Return the database settings for the `eventsourcing` library.

    ``views``: whether the settings are for the read models. With SQLite these have a file of their
    own, so that folding never waits for a move being saved; with PostgreSQL they are in the same
    database.
    """
    if not settings.database_url:
        file = settings.views_file if views else settings.data_file
        make_private(file)
        enable_wal(file)
        return {"PERSISTENCE_MODULE": "projections.database.sqlite", "SQLITE_DBNAME": str(file)}
    conninfo, schema = split_address(settings.database_url)
    return {
        "PERSISTENCE_MODULE": "projections.database.postgres",
        CONNINFO_KEY: conninfo,
        "POSTGRES_SCHEMA": schema,
        # Connections are opened on demand, at most POOL_SIZE + MAX_OVERFLOW in each worker.
        "POSTGRES_POOL_SIZE": "1",
        "POSTGRES_MAX_OVERFLOW": "7" if views else "15",
        # Required by the library but unused: the connection string has all of it.
        "POSTGRES_DBNAME": "-",
        "POSTGRES_HOST": "-",
        "POSTGRES_USER": "-",
        "POSTGRES_PASSWORD": "-",
    }


class RunQuery(Protocol):
    """Function that runs a blocking database call and awaits its result."""

    async def __call__(self, call: Callable[..., _T], *values: Any) -> _T:
        """Return the result of ``call(*values)``."""


class Store(Application[UUID]):
    """The event store: the decisions of all matches, and the plain SQL tables.

    Opening the store migrates the tables. ``extra_schema``: the migration steps after
    `service.store.schema_steps.STEPS`. ``write_alongside``: called in the transaction that saves
    decisions, with the argument ``alongside`` of `save_decisions`. ``position_column``: the column
    with an event's position in the log. ``migration_count``: the number of migration steps applied
    when the store was opened. Raises `NewerDatabase` if a newer release has migrated the tables
    incompatibly.
    """

    name = "caravanserai"

    def __init__(
        self,
        settings: Settings,
        extra_schema: Sequence[Step],
        write_alongside: Callable[[Sql, Any], None],
    ) -> None:
        self.is_postgres = bool(settings.database_url)
        self.position_column = "notification_id" if self.is_postgres else "rowid"
        recorder = PostgresEvents if self.is_postgres else SQLiteEvents
        super().__init__(
            {
                **library_settings(settings),
                "APPLICATION_RECORDER_TOPIC": f"{recorder.__module__}:{recorder.__name__}",
            }
        )
        self._write_further = write_alongside
        cast(Any, self.recorder).write_alongside = self._write_alongside
        self._datastore: Any = cast(Any, self.recorder).datastore
        schema = self._datastore.schema if self.is_postgres else None
        self.migration_count = migrate(
            self._datastore, schema, MIGRATION_SCOPE, (*STEPS, *extra_schema)
        )

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Return the service's own settings; the library would add the process environment."""
        return Environment("", dict(env or {}))

    def construct_transcoder(self) -> persistence.Transcoder:
        return _NoTranscoder()

    def construct_mapper(self) -> persistence.Mapper[UUID]:
        return _DecisionMapper(self.construct_transcoder())

    # -- decisions -------------------------------------------------------------------------

    def save_decisions(
        self,
        decisions: Sequence[StoredDecision],
        receipts: Sequence[Receipt] = (),
        alongside: Sequence[Any] = (),
    ) -> None:
        """Save decisions, receipts and further data in one transaction.

        ``alongside``: the data passed to the ``write_alongside`` of the constructor. Raises
        `VersionConflict` if a version or receipt is already stored.
        """
        for tries_left in reversed(range(_MAX_SAVE_ATTEMPTS)):
            try:
                self.events.put(cast(Any, decisions), receipts=receipts, alongside=alongside)
                return
            except persistence.IntegrityError as error:
                raise VersionConflict from error
            except persistence.OperationalError as error:
                # psycopg reports the first error of a pipeline, or only that there was one.
                if not tries_left or not isinstance(error.__cause__, PipelineAborted):
                    raise
                versions = [(each.originator_id, each.originator_version) for each in decisions]
                with self.transaction(commit=False) as sql:
                    stored = is_conflict(sql, versions, [receipt.key for receipt in receipts])
                if stored:
                    raise VersionConflict from error

    def _write_alongside(
        self, sql: Sql, receipts: Iterable[Receipt], alongside: Sequence[Any]
    ) -> None:
        self._write_further(sql, alongside)
        _write_receipts(sql, receipts)

    def decisions(
        self, match: UUID, after: int = 0, upto: int | None = None
    ) -> list[StoredDecision]:
        """Return a match's stored decisions that begin after version ``after``.

        ``upto``: the last version at which a decision may begin, None for any.
        """
        return cast(list[StoredDecision], list(self.events.get(match, gt=after, lte=upto)))

    # -- the log of all matches (`projections.runner.Log`) ---------------------------------

    def read_entries(self, after: int, limit: int) -> list[LogEntry]:
        """Return the log entries after position ``after``, at most ``limit``, in log order."""
        found = self.recorder.select_notifications(after, limit, inclusive_of_start=False)
        return [_to_log_entry(n.id, n) for n in found]

    def newest_entry_id(self) -> int:
        """Return the position of the newest decision in the log; 0 if there is none."""
        return self.recorder.max_notification_id() or 0

    def changed_matches(self, after: int, upto: int) -> set[str]:
        """Return the ids of the matches with decisions between two positions in the log.

        Position ``after`` is exclusive, ``upto`` inclusive.
        """
        rows = self.fetch_all(
            "SELECT DISTINCT originator_id AS id FROM {0}stored_events"
            f" WHERE {self.position_column} > ? AND {self.position_column} <= ?",
            *(after, upto),
        )
        return {str(to_uuid(row["id"])) for row in rows}

    def scan(self, first: UUID, last: UUID, upto: int) -> Iterator[StoredMatch]:
        """Yield the matches between two ids, with their decisions up to a position in the log.

        All bounds are inclusive.
        """
        bounds = [key if self.is_postgres else key.hex for key in (first, last)]
        rows = self.fetch_all(
            "SELECT originator_id AS id, originator_version AS version, topic, state"
            " FROM {0}stored_events WHERE originator_id >= ? AND originator_id <= ?"
            f" AND {self.position_column} + 0 <= ? ORDER BY originator_id, originator_version",
            *(*bounds, upto),
        )
        for match, found in groupby(rows, lambda row: row["id"]):
            events = [
                persistence.StoredEvent(
                    to_uuid(match), row["version"], row["topic"], bytes(row["state"])
                )
                for row in found
            ]
            yield StoredMatch(_to_log_entry(0, events[-1]), partial(self._decode_decisions, events))

    def _decode_decisions(self, events: Sequence[persistence.StoredEvent]) -> list[Decision]:
        return [
            cast(StoredDecision, self.mapper.to_domain_event(event)).decision for event in events
        ]

    def history(self, match: UUID, after: int, upto: int | None = None) -> list[Decision]:
        """Return a match's decisions; parameters as in `decisions`."""
        return [recorded.decision for recorded in self.decisions(match, after, upto)]

    def newer_versions(self, known: dict[str, int]) -> dict[str, int]:
        """Return the current versions, by match id, of the matches that have a newer version.

        ``known``: the matches to check and their known versions, by match id.
        """
        ids = [UUID(match) for match in known]
        newest: dict[UUID, int] = {}
        with self.transaction(commit=False) as sql:
            for some in batches(ids, _MAX_MATCHES_PER_QUERY):
                keys = [key if self.is_postgres else key.hex for key in some]
                rows = sql.all(
                    "SELECT originator_id AS id, MAX(originator_version) AS version"
                    f" FROM {{0}}stored_events WHERE originator_id IN ({','.join('?' * len(keys))})"
                    " GROUP BY originator_id",
                    *keys,
                )
                newest |= {to_uuid(row["id"]): row["version"] for row in rows}
        # A decision is stored under the version of its first event.
        further = [key for key, version in newest.items() if version > known[str(key)]]
        return {str(key): self._version_after(key, newest[key]) for key in further}

    def _version_after(self, match: UUID, newest: int) -> int:
        """Return the version of a match whose newest decision begins at version ``newest``."""
        try:
            return self.history(match, newest - 1)[-1].last_version
        except (persistence.PersistenceError, OSError):
            raise
        except Exception:
            return newest  # The match cannot be decoded; loading it reports the error.

    # -- plain tables ----------------------------------------------------------------------

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Sql]:
        """Run the block in a transaction on the plain tables.

        ``commit``: whether to commit the transaction; False for reads.
        """
        with transaction_cursor(self._datastore, commit=commit) as cursor:
            yield Sql(cursor, self._datastore.schema if self.is_postgres else None)

    def fetch_one(self, statement: str, *values: Any) -> Any:
        """Return the first row that a read finds in a transaction of its own, or None."""
        with self.transaction(commit=False) as sql:
            return sql.one(statement, *values)

    def fetch_all(self, statement: str, *values: Any) -> list[Any]:
        """Return all rows that a read finds in a transaction of its own."""
        with self.transaction(commit=False) as sql:
            return sql.all(statement, *values)

    def execute(self, statement: str, *values: Any) -> None:
        """Execute a write in a transaction of its own."""
        with self.transaction(commit=True) as sql:
            sql.run(statement, *values)

    def execute_returning(self, statement: str, *values: Any) -> list[Any]:
        """Execute a write in a transaction of its own; return the rows of its RETURNING clause."""
        with self.transaction(commit=True) as sql:
            return sql.all(statement, *values)

    def find_receipt(self, key: str) -> Receipt | None:
        """Return the receipt of an earlier request with the same key (SHA-256 in hex), or None."""
        row = self.fetch_one("SELECT * FROM {0}receipts WHERE key = ?", key)
        if row is None:
            return None
        return Receipt(*(row[column] for column in _RECEIPT_COLUMNS))

    def complete_receipt(self, key: str, after: int) -> int:
        """Store the last version of a response that waited for bots, and return that version.

        If another call has already stored a version, that one is kept and returned.
        """
        with self.transaction(commit=True) as sql:
            sql.run("UPDATE {0}receipts SET last = ? WHERE key = ? AND last < 0", after, key)
            row = sql.one("SELECT last FROM {0}receipts WHERE key = ?", key)
        return after if row is None else abs(int(row["last"]))

    def set_hidden(self, player: str, match: str, hidden: bool) -> None:
        """Hide a match from a player's own list, or show it there again."""
        statement = (
            "INSERT INTO {0}hidden VALUES (?,?) ON CONFLICT DO NOTHING"
            if hidden
            else "DELETE FROM {0}hidden WHERE player = ? AND match = ?"
        )
        self.execute(statement, player, match)

    def hidden_matches(self, player: str) -> set[str]:
        """Return the ids of the matches that a player has hidden."""
        rows = self.fetch_all("SELECT match FROM {0}hidden WHERE player = ?", player)
        return {row["match"] for row in rows}

    def prune_receipts(self, before: int) -> int:
        """Delete receipts created before ``before`` (milliseconds since 1970 UTC).

        Deletes at most `_MAX_RECEIPTS_PER_PRUNING` and returns the number deleted.
        """
        return len(
            self.execute_returning(
                "DELETE FROM {0}receipts WHERE key IN"
                " (SELECT key FROM {0}receipts WHERE created < ? LIMIT ?) RETURNING key",
                *(before, _MAX_RECEIPTS_PER_PRUNING),
            )
        )

    def ping(self) -> None:
        """Query the database; raises the database's error if it is not available."""
        self.fetch_one("SELECT 1 AS one")
