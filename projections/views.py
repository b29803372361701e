"""The tables of the read models, with the position in the log kept in the same transaction.

``matches``: one row a match; ``members``: in whose list it belongs and whether it waits for
them; ``invited``: for whom it holds a seat open; ``forks``: which matches began from which;
``files``: which came in a file; ``results``: how people did in finished matches; ``set_aside``: the
matches that could not be folded, which have no rows elsewhere. All of it can be folded again from
the log at any time.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import msgspec
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment
from msgspec import Struct

from domain.match import FROM_FILE, PHONE, SIGNED_FILE, Timeline
from projections.library import PostgresTracking, SQLiteTracking, TrackingRecorder
from projections.sql import Sql, begun
from projections.summary import (
    Result,
    Summary,
    check_fit,
    results_of,
    seats_of,
    summary_of,
)

NAME = "read-models-4"
"""The name the position is kept under; a change of the tables gets a new number."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS {0}matches (id TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " status TEXT NOT NULL, visibility TEXT NOT NULL, owner TEXT NOT NULL,"
    " version BIGINT NOT NULL, turn BIGINT NOT NULL, seats TEXT NOT NULL, to_act TEXT NOT NULL,"
    " created BIGINT NOT NULL, updated BIGINT NOT NULL, deadline BIGINT)",
    "CREATE TABLE IF NOT EXISTS {0}forks (parent TEXT NOT NULL, version BIGINT NOT NULL,"
    " match TEXT PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS {0}files (match TEXT PRIMARY KEY, source TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS {0}members (player TEXT NOT NULL, match TEXT NOT NULL,"
    " waiting INTEGER NOT NULL, PRIMARY KEY (player, match))",
    "CREATE TABLE IF NOT EXISTS {0}invited (player TEXT NOT NULL, match TEXT NOT NULL,"
    " PRIMARY KEY (player, match))",
    "CREATE TABLE IF NOT EXISTS {0}results (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, game TEXT NOT NULL, rank INTEGER NOT NULL, score BIGINT NOT NULL,"
    " PRIMARY KEY (match, seat))",
    "CREATE TABLE IF NOT EXISTS {0}set_aside (match TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " version BIGINT NOT NULL, reason TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS matches_public ON {0}matches (visibility, updated)",
    "CREATE INDEX IF NOT EXISTS matches_deadline ON {0}matches (deadline)",
    "CREATE INDEX IF NOT EXISTS forks_parent ON {0}forks (parent)",
    "CREATE INDEX IF NOT EXISTS members_match ON {0}members (match)",
    "CREATE INDEX IF NOT EXISTS invited_match ON {0}invited (match)",
    "CREATE INDEX IF NOT EXISTS results_player ON {0}results (player)",
)
_ROWS = {
    "matches": "SELECT * FROM {0}matches ORDER BY id",
    "members": "SELECT * FROM {0}members ORDER BY player, match",
    "invited": "SELECT * FROM {0}invited ORDER BY player, match",
    "forks": "SELECT * FROM {0}forks ORDER BY match",
    "results": "SELECT * FROM {0}results ORDER BY match, seat",
    "set_aside": "SELECT * FROM {0}set_aside ORDER BY match",
    "files": "SELECT * FROM {0}files ORDER BY match",
}


class Row(Struct, frozen=True):
    """What the read models hold of one match."""

    summary: Summary
    results: list[Result]


def row_of(match_id: str, timeline: Timeline) -> Row:
    """The row of a match; raises whatever is wrong with the match (`Unfit`, for one)."""
    summary, results = summary_of(match_id, timeline), results_of(timeline)
    check_fit(timeline, summary, results)
    return Row(summary, results)


class Aside(Struct, frozen=True):
    """A match that cannot be folded: the version of its newest decision, and the kind of error."""

    match: str
    game: str
    version: int
    reason: str


Position = tuple[int, str] | tuple[int, int, str]
"""Where a match stands in a list: ``(updated, id)``, in lists by turn ``(rank, updated, id)``."""

_RANK = "CASE WHEN b.waiting = 1 THEN 2 WHEN m.status = 'finished' THEN 0 ELSE 1 END"


def turn_position(summary: Summary, player: str) -> Position:
    """Where a match stands in a player's list by turn, as `_RANK` has it."""
    waits = any(summary.seats[seat].player == player for seat in summary.to_act)
    rank = 2 if waits else 0 if summary.status == "finished" else 1
    return rank, summary.updated, summary.id


class _SQLiteViews(SQLiteTracking):
    tables = _TABLES


class _PostgresViews(PostgresTracking):
    tables = _TABLES


class Views:
    """The read models' tables. ``library``: settings of the `eventsourcing` library."""

    def __init__(self, library: dict[str, str]) -> None:
        is_postgres = library["PERSISTENCE_MODULE"].endswith("postgres")
        self._factory: Any = InfrastructureFactory.construct(Environment("", library))
        kind = _PostgresViews if is_postgres else _SQLiteViews
        self._recorder = cast(TrackingRecorder, self._factory.tracking_recorder(kind))
        self._schema = self._recorder.datastore.schema if is_postgres else None

    def close(self) -> None:
        """Closes the connections."""
        self._factory.close()
        self._recorder.datastore.close()

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Sql]:
        """A transaction on the tables."""
        with begun(self._recorder.datastore, commit=commit) as cursor:
            yield Sql(cursor, self._schema)

    # -- writing ---------------------------------------------------------------------------

    def position(self) -> int | None:
        """The notification up to which the tables hold everything; None: they are empty."""
        return self._recorder.max_tracking_id(NAME)

    def write(self, rows: Iterable[Row | Aside], position: int) -> None:
        """Stores rows and position together.

        Raises the library's IntegrityError when another worker has come as far already.
        """
        with begun(self._recorder.datastore, commit=True) as cursor:
            # The position first: who loses the race has then written nothing.
            self._recorder.track(cursor, NAME, position)
            sql = Sql(cursor, self._schema)
            for row in rows:
                _write(sql, row)

    def restore(self, row: Row) -> None:
        """Stores the row of a match that was set aside and folds by now."""
        with self.transaction(commit=True) as sql:
            _write(sql, row)

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
        self,
        player: str,
        status: str | None,
        before: Position | None,
        limit: int,
        *,
        by_turn: bool = False,
    ) -> list[Summary]:
        """The player's matches, the latest changed first, beginning after ``before``; with
        ``by_turn`` those that wait for the player come first and the finished ones last."""
        which = "JOIN {0}members b ON b.match = m.id AND b.player = ?"
        return self._page(which, [player], status, before, limit, _RANK if by_turn else None)

    def inviting(
        self, player: str, status: str | None, before: Position | None, limit: int
    ) -> list[Summary]:
        """The matches that hold a seat open for the player, in the same order."""
        return self._page(
            "JOIN {0}invited b ON b.match = m.id AND b.player = ?", [player], status, before, limit
        )

    def public(self, status: str | None, before: Position | None, limit: int) -> list[Summary]:
        """The public matches, the latest changed first, beginning after ``before``."""
        return self._page("WHERE m.visibility = 'public'", [], status, before, limit)

    def _page(
        self,
        which: str,
        values: list[Any],
        status: str | None,
        before: Position | None,
        limit: int,
        rank: str | None = None,
    ) -> list[Summary]:
        statement = (
            "SELECT m.*, f.source FROM {0}matches m LEFT JOIN {0}files f ON f.match = m.id " + which
        )
        joined = "WHERE" if "WHERE" not in which else "AND"
        if status is not None:
            statement += f" {joined} m.status = ?"
            values.append(status)
            joined = "AND"
        places = [*([rank] if rank else []), "m.updated", "m.id"]
        if before is not None:
            marks = ", ".join("?" for _ in before)
            statement += f" {joined} ({', '.join(places)}) < ({marks})"
            values.extend(before)
        statement += f" ORDER BY {', '.join(f'{place} DESC' for place in places)} LIMIT ?"
        with self.transaction(commit=False) as sql:
            return [_summary(row) for row in sql.all(statement, *values, limit)]

    def forks(self, parent: str, player: str | None) -> list[tuple[str, int]]:
        """``(match, version)`` of the matches that began from the parent and that the player may
        see: public ones, their own, those that hold a seat for them; ordered by version."""
        statement = (
            "SELECT f.match, f.version FROM {0}forks f JOIN {0}matches m ON m.id = f.match"
            " WHERE f.parent = ? AND (m.visibility = 'public' OR EXISTS (SELECT 1 FROM"
            " {0}members b WHERE b.match = f.match AND b.player = ?) OR EXISTS (SELECT 1 FROM"
            " {0}invited i WHERE i.match = f.match AND i.player = ?))"
            " ORDER BY f.version, m.created, f.match"
        )
        with self.transaction(commit=False) as sql:
            rows = sql.all(statement, parent, player, player)
        return [(row["match"], row["version"]) for row in rows]

    def due(self, now: int) -> list[tuple[str, int]]:
        """``(match, version)`` of the matches in which somebody's time is over."""
        statement = "SELECT id, version FROM {0}matches WHERE deadline <= ? ORDER BY id"
        with self.transaction(commit=False) as sql:
            return [(row["id"], row["version"]) for row in sql.all(statement, now)]

    def set_aside(self) -> list[Aside]:
        """The matches that could not be folded."""
        with self.transaction(commit=False) as sql:
            rows = sql.all("SELECT * FROM {0}set_aside ORDER BY match")
        return [Aside(row["match"], row["game"], row["version"], row["reason"]) for row in rows]

    def count_set_aside(self) -> int:
        """How many they are."""
        with self.transaction(commit=False) as sql:
            return int(sql.one("SELECT COUNT(*) AS number FROM {0}set_aside")["number"])


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


def _write(sql: Sql, row: Row | Aside) -> None:
    if isinstance(row, Row):
        sql.run("DELETE FROM {0}set_aside WHERE match = ?", row.summary.id)
        _write_row(sql, row)
        return
    for table, key in (
        ("matches", "id"),
        ("members", "match"),
        ("invited", "match"),
        ("forks", "match"),
        ("results", "match"),
        ("files", "match"),
        ("set_aside", "match"),
    ):
        sql.run(f"DELETE FROM {{0}}{table} WHERE {key} = ?", row.match)
    values = (row.match, row.game, row.version, row.reason)
    sql.run("INSERT INTO {0}set_aside VALUES (?,?,?,?)", *values)


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
    sql.run("DELETE FROM {0}invited WHERE match = ?", summary.id)
    for player in summary.invited:
        sql.run("INSERT INTO {0}invited VALUES (?,?)", player, summary.id)
    if summary.parent is not None:
        sql.run(
            "INSERT INTO {0}forks VALUES (?,?,?) ON CONFLICT (match) DO NOTHING",
            *(summary.parent, summary.parent_version, summary.id),
        )
    if summary.source in (FROM_FILE, SIGNED_FILE, PHONE):
        sql.run(
            "INSERT INTO {0}files VALUES (?,?) ON CONFLICT (match) DO NOTHING",
            *(summary.id, summary.source),
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
    return Summary(**fields, source=row["source"] or "")
