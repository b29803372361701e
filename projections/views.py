"""The tables of the read models, with the position in the log kept in the same transaction.

``matches``: one row a match; ``members``: in whose list it belongs and whether it waits for
them; ``forks``: which matches began from which; ``results``: how people did in finished matches.
All of it can be folded again from the
log at any time.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, cast

import msgspec
from eventsourcing.persistence import InfrastructureFactory, IntegrityError, Tracking
from eventsourcing.postgres import PostgresTrackingRecorder
from eventsourcing.sqlite import SQLiteTrackingRecorder
from eventsourcing.utils import Environment
from msgspec import Struct

from projections.sql import Sql
from projections.summary import Result, Summary, seats_of

NAME = "read-models-2"
"""The name the position is kept under; a change of the tables gets a new number."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS {0}matches (id TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " status TEXT NOT NULL, visibility TEXT NOT NULL, owner TEXT NOT NULL,"
    " version BIGINT NOT NULL, turn BIGINT NOT NULL, seats TEXT NOT NULL, to_act TEXT NOT NULL,"
    " created BIGINT NOT NULL, updated BIGINT NOT NULL, deadline BIGINT)",
    "CREATE TABLE IF NOT EXISTS {0}forks (parent TEXT NOT NULL, version BIGINT NOT NULL,"
    " match TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS {0}members (player TEXT NOT NULL, match TEXT NOT NULL,"
    " waiting INTEGER NOT NULL, PRIMARY KEY (player, match))",
    "CREATE TABLE IF NOT EXISTS {0}results (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, game TEXT NOT NULL, rank INTEGER NOT NULL, score BIGINT NOT NULL,"
    " PRIMARY KEY (match, seat))",
    "CREATE INDEX IF NOT EXISTS matches_public ON {0}matches (visibility, updated)",
    "CREATE INDEX IF NOT EXISTS matches_deadline ON {0}matches (deadline)",
    "CREATE INDEX IF NOT EXISTS forks_parent ON {0}forks (parent)",
    "CREATE INDEX IF NOT EXISTS members_match ON {0}members (match)",
    "CREATE INDEX IF NOT EXISTS results_player ON {0}results (player)",
)
_ROWS = {
    "matches": "SELECT * FROM {0}matches ORDER BY id",
    "members": "SELECT * FROM {0}members ORDER BY player, match",
    "forks": "SELECT * FROM {0}forks ORDER BY match",
    "results": "SELECT * FROM {0}results ORDER BY match, seat",
}
_LOCK = 0x63617261
"""Key of the advisory lock that lets workers create tables one after the other."""


class Row(Struct, frozen=True):
    """What the read models hold of one match."""

    summary: Summary
    results: list[Result]


class Recorder(Protocol):
    """What both databases' recorders offer."""

    datastore: Any

    def max_tracking_id(self, application_name: str) -> int | None: ...

    def create_table(self) -> None: ...

    def _insert_tracking(self, cursor: Any, tracking: Tracking) -> None: ...


class _SQLiteViews(SQLiteTrackingRecorder):
    def create_table(self) -> None:
        try:
            super().create_table()
        except IntegrityError:
            # Another worker was making the tables at the same moment; now they are there.
            super().create_table()

    def construct_create_table_statements(self) -> list[str]:
        tables = [statement.format("") for statement in _TABLES]
        return [*super().construct_create_table_statements(), *tables]


class _PostgresViews(PostgresTrackingRecorder):
    def create_table(self) -> None:
        with locked(self.datastore):
            super().create_table()

    def _create_table(self, curs: Any) -> None:
        super()._create_table(curs)
        for statement in _TABLES:
            curs.execute(statement.format(f'"{self.datastore.schema}".'))


@contextmanager
def locked(datastore: Any) -> Iterator[None]:
    """Holds PostgreSQL's advisory lock: CREATE ... IF NOT EXISTS fails when two do it at once."""
    with datastore.transaction(commit=True) as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        yield


class Views:
    """The read models' tables. ``library``: settings of the `eventsourcing` library."""

    def __init__(self, library: dict[str, str]) -> None:
        is_postgres = library["PERSISTENCE_MODULE"].endswith("postgres")
        self._factory: Any = InfrastructureFactory.construct(Environment("", library))
        kind = _PostgresViews if is_postgres else _SQLiteViews
        self._recorder = cast(Recorder, self._factory.tracking_recorder(kind))
        self._schema = self._recorder.datastore.schema if is_postgres else None

    def close(self) -> None:
        """Closes the connections."""
        self._factory.close()
        self._recorder.datastore.close()

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Sql]:
        """A transaction on the tables."""
        with self._recorder.datastore.transaction(commit=commit) as cursor:
            yield Sql(cursor, self._schema)

    # -- writing ---------------------------------------------------------------------------

    def position(self) -> int | None:
        """The notification up to which the tables hold everything; None: they are empty."""
        return self._recorder.max_tracking_id(NAME)

    def write(self, rows: Iterable[Row], position: int) -> None:
        """Stores rows and position together.

        Raises the library's IntegrityError when another worker has come as far already.
        """
        with self._recorder.datastore.transaction(commit=True) as cursor:
            # The position first: who loses the race has then written nothing.
            self._recorder._insert_tracking(cursor, Tracking(NAME, position))
            sql = Sql(cursor, self._schema)
            for row in rows:
                _write_row(sql, row)

    def clear(self) -> None:
        """Empties the tables and forgets the position."""
        tracking = "notification_tracking" if self._schema else "tracking"
        with self.transaction(commit=True) as sql:
            for table in _ROWS:
                sql.run(f"DELETE FROM {{0}}{table}")
            sql.run(f"DELETE FROM {{0}}{tracking} WHERE application_name = ?", NAME)

    # -- reading ---------------------------------------------------------------------------

    def dump(self) -> bytes:
        """All rows of all tables in a fixed order, to compare two states byte for byte."""
        with self.transaction(commit=False) as sql:
            content = {
                table: [dict(row) for row in sql.all(query)] for table, query in _ROWS.items()
            }
        return msgspec.json.encode(content, order="sorted")

    def of_player(
        self, player: str, status: str | None, before: tuple[int, str] | None, limit: int
    ) -> list[Summary]:
        """The player's matches, the latest changed first, beginning after ``before``."""
        return self._page(
            "JOIN {0}members b ON b.match = m.id AND b.player = ?", [player], status, before, limit
        )

    def public(
        self, status: str | None, before: tuple[int, str] | None, limit: int
    ) -> list[Summary]:
        """The public matches, the latest changed first, beginning after ``before``."""
        return self._page("WHERE m.visibility = 'public'", [], status, before, limit)

    def _page(
        self,
        which: str,
        values: list[Any],
        status: str | None,
        before: tuple[int, str] | None,
        limit: int,
    ) -> list[Summary]:
        statement = f"SELECT m.* FROM {{0}}matches m {which}"
        joined = "WHERE" if "WHERE" not in which else "AND"
        if status is not None:
            statement += f" {joined} m.status = ?"
            values.append(status)
            joined = "AND"
        if before is not None:
            statement += f" {joined} (m.updated, m.id) < (?, ?)"
            values.extend(before)
        statement += " ORDER BY m.updated DESC, m.id DESC LIMIT ?"
        with self.transaction(commit=False) as sql:
            return [_summary(row) for row in sql.all(statement, *values, limit)]

    def forks(self, parent: str, player: str | None) -> list[tuple[str, int]]:
        """``(match, version)`` of the matches that began from the parent and that the player may
        see: public ones and their own; in the order of their versions."""
        statement = (
            "SELECT f.match, f.version FROM {0}forks f JOIN {0}matches m ON m.id = f.match"
            " WHERE f.parent = ? AND (m.visibility = 'public' OR EXISTS (SELECT 1 FROM"
            " {0}members b WHERE b.match = f.match AND b.player = ?))"
            " ORDER BY f.version, m.created, f.match"
        )
        with self.transaction(commit=False) as sql:
            return [(row["match"], row["version"]) for row in sql.all(statement, parent, player)]

    def due(self, now: int) -> list[str]:
        """The matches in which somebody's time is over."""
        with self.transaction(commit=False) as sql:
            rows = sql.all("SELECT id FROM {0}matches WHERE deadline <= ? ORDER BY id", now)
        return [row["id"] for row in rows]


_COLUMNS = (
    "id",
    "game",
    "status",
    "visibility",
    "owner",
    "version",
    "turn",
    "seats",
    "to_act",
    "created",
    "updated",
    "deadline",
)
_UPSERT = (
    f"INSERT INTO {{0}}matches ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' for _ in _COLUMNS)})"
    f" ON CONFLICT (id) DO UPDATE SET {', '.join(f'{c} = excluded.{c}' for c in _COLUMNS[1:])}"
)


def _write_row(sql: Sql, row: Row) -> None:
    summary = row.summary
    values = [getattr(summary, column) for column in _COLUMNS]
    for index, column in enumerate(_COLUMNS):
        if column in ("seats", "to_act"):
            values[index] = msgspec.json.encode(values[index]).decode()
    sql.run(_UPSERT, *values)
    sql.run("DELETE FROM {0}members WHERE match = ?", summary.id)
    for player in summary.members:
        waiting = any(summary.seats[seat].player == player for seat in summary.to_act)
        sql.run("INSERT INTO {0}members VALUES (?,?,?)", player, summary.id, int(waiting))
    if summary.parent is not None:
        sql.run(
            "INSERT INTO {0}forks VALUES (?,?,?) ON CONFLICT (match) DO NOTHING",
            *(summary.parent, summary.parent_version, summary.id),
        )
    for r in row.results:
        sql.run(
            "INSERT INTO {0}results VALUES (?,?,?,?,?,?) ON CONFLICT (match, seat) DO NOTHING",
            *(summary.id, r.seat, r.player, summary.game, r.rank, r.score),
        )


def _summary(row: Any) -> Summary:
    fields = {column: row[column] for column in _COLUMNS}
    fields["seats"] = seats_of(row["seats"])
    fields["to_act"] = tuple(msgspec.json.decode(row["to_act"]))
    return Summary(**fields)
