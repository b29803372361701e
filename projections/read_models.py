"""The read models, from which lists of matches are read, and their connection to the database.

Their tables are defined in `projections.schema` and exist in generations
(`projections.generations`). The position in the log is written in the same transaction as the rows.
All of it can be rebuilt from the log at any time.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import msgspec
from eventsourcing.persistence import InfrastructureFactory
from eventsourcing.utils import Environment
from msgspec import Struct

from projections import generations, schema
from projections.database.eventsourcing_adapters import (
    PostgresTracking,
    SQLiteTracking,
    TrackingRecorder,
)
from projections.database.migrations import migrate
from projections.database.sql import Sql, transaction_cursor
from projections.generations import Generation, Retired
from projections.schema import Quarantined, Row, row_of, summary_from
from projections.summary import Summary

__all__ = ["Generation", "Position", "Quarantined", "ReadModels", "Retired", "Row", "Tally"]
__all__ += ["row_of", "turn_position"]

Position = tuple[int, str] | tuple[int, int, str]
"""Sort key of a match in a list: ``(updated, id)``; in lists by turn ``(rank, age, id)``."""

_LIVE_CACHE_S = 0.1
"""Seconds for which the live generation found last is used without checking again."""
_YEAR_2100_MS = 4_102_444_800_000
"""The beginning of the year 2100 in milliseconds since 1970 UTC; subtracting a time from it sorts
the match that has waited longest first.
"""
_PEOPLE = "(LENGTH(m.seats) - LENGTH(REPLACE(m.seats, '[\"human\",', ''))) / 9"
"""SQL for the number of seats held by people; works as quotes in names are escaped in the JSON."""
_RANK = (
    "CASE WHEN m.status = 'finished' THEN 0 ELSE 1 + b.waiting"
    f" + CASE WHEN {_PEOPLE} > 1 THEN 2 ELSE 0 END END"
)
_AGE = f"CASE WHEN b.waiting = 1 THEN {_YEAR_2100_MS} - m.updated ELSE m.updated END"


def turn_position(summary: Summary, player: str) -> Position:
    """Return a match's sort key in a player's list by turn; must agree with `_RANK` and `_AGE`."""
    waits = any(summary.seats[seat].player == player for seat in summary.to_act)
    age = _YEAR_2100_MS - summary.updated if waits else summary.updated
    if summary.status == "finished":
        return 0, age, summary.id
    among_people = sum(seat.kind == "human" for seat in summary.seats) > 1
    return 1 + waits + 2 * among_people, age, summary.id


class Tally(Struct, frozen=True):
    """A player's results in the finished matches of one game.

    ``matches`` and ``won``: numbers of matches; ``best``: the player's highest score.
    """

    game: str
    matches: int
    won: int
    best: int


class LeftMatch(Struct, frozen=True):
    """A match that a player left of their own accord.

    ``match``: its id, None if the player may no longer see it. ``created``: when it was opened, in
    milliseconds since 1970 UTC.
    """

    match: str | None
    game: str
    created: int


class ReadModels:
    """The read models' tables.

    ``library``: settings of the `eventsourcing` library. ``migration_count``: the number of
    migration steps that were applied at startup.
    """

    def __init__(self, library: dict[str, str]) -> None:
        is_postgres = library["PERSISTENCE_MODULE"].endswith("postgres")
        self._factory: Any = InfrastructureFactory.construct(Environment("", library))
        kind = PostgresTracking if is_postgres else SQLiteTracking
        self._recorder = cast(TrackingRecorder, self._factory.tracking_recorder(kind))
        self._schema = self._recorder.datastore.schema if is_postgres else None
        store = self._recorder.datastore
        self._cached_live: tuple[float, Generation | None] = (0.0, None)
        self.migration_count = migrate(
            store, self._schema, generations.TABLE_GROUP, generations.STEPS
        )
        with self.transaction(commit=False) as sql:
            nothing = generations.find_readable(sql) is None
        if nothing:
            self._begin_first()

    def _begin_first(self) -> None:
        with self.transaction(commit=True) as sql:
            made = generations.begin_first(sql)
            if made is not None:
                generations.create_indexes(sql, made)
                generations.make_live(sql, made)

    def close(self) -> None:
        """Close the connections."""
        self._factory.close()
        self._recorder.datastore.close()

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Sql]:
        """Open a transaction on the tables; ``commit``: whether it writes."""
        with transaction_cursor(self._recorder.datastore, commit=commit) as cursor:
            yield Sql(cursor, self._schema)

    @contextmanager
    def _read_transaction(self) -> Iterator[Sql]:
        """Open a transaction on the generation to read; raises LookupError if there is none."""
        with self.transaction(commit=False) as sql:
            # Usually the reader has just refreshed the tables, which found the live generation.
            since, generation = self._cached_live
            if generation is None or time.monotonic() - since > _LIVE_CACHE_S:
                generation = generations.find_readable(sql)
            if generation is None:
                raise LookupError("there are no read models yet")
            yield sql.with_prefix(generation.table_prefix)

    # -- following the log -----------------------------------------------------------------

    def position_of_live(self) -> tuple[Generation | None, int | None]:
        """Return the live generation of this layout and its log position.

        Both are None if there is no such generation; the position is None if it has none yet.
        """
        with self.transaction(commit=False) as sql:
            generation = generations.find_live(sql)
            self._cached_live = time.monotonic(), generation
            return generation, self._position(sql, generation) if generation else None

    def position(self, of: Generation | None = None) -> int | None:
        """Return the log position up to which a generation (default: the live one) is complete.

        None if nothing has been folded into it or there is no live one.
        """
        if of is None:
            return self.position_of_live()[1]
        with self.transaction(commit=False) as sql:
            return self._position(sql, of)

    @staticmethod
    def _position(sql: Sql, generation: Generation) -> int | None:
        table = generations.tracking_table(sql)
        row = sql.one(
            f"SELECT notification_id AS id FROM {{0}}{table} WHERE application_name = ?",
            generation.position_name,
        )
        return None if row is None else int(row["id"])

    def write(
        self, rows: Iterable[Row | Quarantined], position: int, into: Generation | None = None
    ) -> None:
        """Store rows and position in one transaction; ``into``: the live generation by default.

        Raises the library's IntegrityError if another worker has already reached the position, and
        `Retired` if the generation has been replaced or none is live.
        """
        with transaction_cursor(self._recorder.datastore, commit=True) as cursor:
            sql = Sql(cursor, self._schema)
            generation = into or generations.find_live(sql)
            if generation is None:
                raise Retired
            generations.check_writable(sql, generation)
            # Write the position first, so that the loser of a race has written nothing.
            self._recorder.track(cursor, generation.position_name, position)
            schema.write_rows(sql.with_prefix(generation.table_prefix), rows)

    def unquarantine(self, row: Row) -> None:
        """Store the row of a match that was set aside and can now be folded."""
        with self.transaction(commit=True) as sql:
            generation = generations.find_live(sql)
            if generation is not None:
                schema.write_rows(sql.with_prefix(generation.table_prefix), [row])

    # -- a new generation ------------------------------------------------------------------

    def begin(self, builder: str, *, force: bool = False) -> Generation | None:
        """Begin an empty generation and return it; None while another worker is building one.

        ``force``: begin it even then.
        """
        with self.transaction(commit=True) as sql:
            return generations.begin_generation(sql, builder, force=force)

    def fill(
        self, generation: Generation, rows: Iterable[Row | Quarantined], done: int, whole: int
    ) -> None:
        """Store rows of matches that the generation does not contain yet, and its progress.

        ``done`` of ``whole`` parts are folded. Raises `Retired` if another generation has replaced
        it.
        """
        with self.transaction(commit=True) as sql:
            if sql.is_postgres:
                # It is not read before the switch, whose commit flushes all of it to disk.
                sql.run("SET LOCAL synchronous_commit = off")
            generations.record_heartbeat(sql, generation, done, whole)
            schema.insert_rows(sql.with_prefix(generation.table_prefix), rows)

    def finish_filling(self, generation: Generation, position: int) -> None:
        """Create the indexes of a filled generation and store its position.

        It can then follow the log. Raises `Retired` if another generation has replaced it.
        """
        with transaction_cursor(self._recorder.datastore, commit=True) as cursor:
            sql = Sql(cursor, self._schema)
            generations.check_writable(sql, generation)
            generations.create_indexes(sql, generation)
            self._recorder.track(cursor, generation.position_name, position)

    def abandon(self, generation: Generation) -> None:
        """Abandon a generation that is being built; do nothing if it is live or retired."""
        with self.transaction(commit=True) as sql:
            generations.abandon_generation(sql, generation)

    def switch(self, generation: Generation, newest: int) -> bool:
        """Make a generation the live one; return False if the live one is ahead of it.

        ``newest``: id of the newest log entry; a live position beyond it belongs to another log and
        is ignored. Raises `Retired` if another generation has replaced this one.
        """
        with self.transaction(commit=True) as sql:
            generations.check_writable(sql, generation)
            before = generations.find_live(sql)
            if before is not None:
                reached = self._position(sql, generation) or 0
                if reached < (self._position(sql, before) or 0) <= newest:
                    return False
            generations.make_live(sql, generation)
        self._cached_live = 0.0, None
        return True

    def building(self) -> list[Generation]:
        """Return the generations that are being built."""
        with self.transaction(commit=False) as sql:
            return [g for g in generations.load_active(sql) if g.state == "building"]

    # -- reading ---------------------------------------------------------------------------

    def dump(self) -> bytes:
        """Return all rows of all tables in a fixed order, to compare two states byte for byte."""
        with self._read_transaction() as sql:
            content = {
                table: [dict(row) for row in sql.all(query)]
                for table, query in schema.DUMP_QUERIES.items()
            }
        return msgspec.json.encode(content, order="sorted")

    def player_matches(
        self,
        player: str,
        status: str | None,
        before: Position | None,
        limit: int,
        *,
        by_turn: bool = False,
    ) -> list[Summary]:
        """Return a page of the player's matches, beginning after the position ``before``.

        The most recently changed come first. With ``by_turn``, unfinished matches with other people
        precede those without; in both groups matches that wait for the player come first, beginning
        with the one that has waited longest. Finished matches come last. ``status``: only matches
        with this status.
        """
        which = "JOIN {0}{1}members b ON b.match = m.id AND b.player = ?"
        return self._page(which, [player], status, before, limit, _RANK if by_turn else None)

    def count_waiting(self, player: str) -> int:
        """Return the number of matches in which the player is to act."""
        statement = "SELECT COUNT(*) AS number FROM {0}{1}members WHERE player = ? AND waiting = 1"
        with self._read_transaction() as sql:
            return int(sql.one(statement, player)["number"])

    def tallies(self, player: str) -> list[Tally]:
        """Return the player's results in finished matches, by game, the most played first.

        Several seats of one player in a match count as one match. Imported matches do not count:
        the person who imports one replaces its first player and can do so repeatedly, and a phone's
        file proves that the rules were followed, not who played.
        """
        statement = (
            "SELECT r.game, COUNT(*) AS matches, SUM(r.won) AS won, MAX(r.score) AS best FROM"
            " (SELECT game, match, MAX(CASE WHEN rank = 1 THEN 1 ELSE 0 END) AS won,"
            " MAX(score) AS score FROM {0}{1}results WHERE player = ? AND match NOT IN"
            " (SELECT match FROM {0}{1}files) GROUP BY game, match) r"
            " GROUP BY r.game ORDER BY matches DESC, r.game"
        )
        with self._read_transaction() as sql:
            rows = sql.all(statement, player)
        return [Tally(r["game"], int(r["matches"]), int(r["won"]), int(r["best"])) for r in rows]

    def left_matches(self, player: str, limit: int) -> list[LeftMatch]:
        """Return the matches that the player left of their own accord, the newest first."""
        statement = (
            "SELECT m.id, m.game, m.created, m.visibility, m.owner FROM {0}{1}departed d"
            " JOIN {0}{1}matches m ON m.id = d.match WHERE d.player = ?"
            " ORDER BY m.created DESC, m.id LIMIT ?"
        )
        with self.transaction(commit=False) as sql:
            generation = generations.find_readable(sql)
            if generation is None or generation.layout < schema.FIRST_VERSION_WITH_DEPARTED:
                return []
            rows = sql.with_prefix(generation.table_prefix).all(statement, player, limit)
        return [
            LeftMatch(
                row["id"] if row["visibility"] == "public" or row["owner"] == player else None,
                row["game"],
                row["created"],
            )
            for row in rows
        ]

    def inviting_matches(
        self, player: str, status: str | None, before: Position | None, limit: int
    ) -> list[Summary]:
        """Return a page of the matches that reserve a seat for the player, latest changed first."""
        return self._page(
            "JOIN {0}{1}invited b ON b.match = m.id AND b.player = ?",
            [player],
            status,
            before,
            limit,
        )

    def public_matches(
        self, status: str | None, before: Position | None, limit: int
    ) -> list[Summary]:
        """Return a page of the public matches, latest changed first, after position ``before``."""
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
            "SELECT m.*, f.source FROM {0}{1}matches m LEFT JOIN {0}{1}files f ON f.match = m.id "
            + which
        )
        joined = "WHERE" if "WHERE" not in which else "AND"
        if status is not None:
            statement += f" {joined} m.status = ?"
            values.append(status)
            joined = "AND"
        places = [rank, _AGE, "m.id"] if rank else ["m.updated", "m.id"]
        if before is not None:
            marks = ", ".join("?" for _ in before)
            statement += f" {joined} ({', '.join(places)}) < ({marks})"
            values.extend(before)
        statement += f" ORDER BY {', '.join(f'{place} DESC' for place in places)} LIMIT ?"
        with self._read_transaction() as sql:
            return [summary_from(row) for row in sql.all(statement, *values, limit)]

    def forks(self, parent: str, player: str | None) -> list[tuple[str, int]]:
        """Return ``(match, version)`` of the forks of a match that the player may see.

        These are public forks, forks in the player's list, and forks that reserve a seat for the
        player; they are ordered by version.
        """
        statement = (
            "SELECT f.match, f.version FROM {0}{1}forks f JOIN {0}{1}matches m ON m.id = f.match"
            " WHERE f.parent = ? AND (m.visibility = 'public' OR EXISTS (SELECT 1 FROM"
            " {0}{1}members b WHERE b.match = f.match AND b.player = ?) OR EXISTS (SELECT 1 FROM"
            " {0}{1}invited i WHERE i.match = f.match AND i.player = ?))"
            " ORDER BY f.version, m.created, f.match"
        )
        with self._read_transaction() as sql:
            rows = sql.all(statement, parent, player, player)
        return [(row["match"], row["version"]) for row in rows]

    def due_matches(self, now: int) -> list[tuple[str, int]]:
        """Return ``(match, version)`` of the matches whose deadline is not after ``now``."""
        statement = "SELECT id, version FROM {0}{1}matches WHERE deadline <= ? ORDER BY id"
        with self._read_transaction() as sql:
            return [(row["id"], row["version"]) for row in sql.all(statement, now)]

    def unfinished_matches(self, matches: Sequence[str]) -> dict[str, tuple[int, list[int], int]]:
        """Return ``(version, seats to act, time of last change)`` of unfinished matches, by id.

        ``matches``: at most 500 ids; finished and unknown matches are left out.
        """
        marks = ", ".join("?" for _ in matches)
        wanted = f" WHERE status <> 'finished' AND id IN ({marks})"
        statement = "SELECT id, version, to_act, updated FROM {0}{1}matches" + wanted
        with self._read_transaction() as sql:
            rows = sql.all(statement, *matches)
        return {
            row["id"]: (row["version"], msgspec.json.decode(row["to_act"]), row["updated"])
            for row in rows
        }

    def list_quarantined(self) -> list[Quarantined]:
        """Return the matches that could not be folded."""
        with self._read_transaction() as sql:
            rows = sql.all("SELECT * FROM {0}{1}set_aside ORDER BY match")
        return [
            Quarantined(row["match"], row["game"], row["version"], row["reason"]) for row in rows
        ]

    def count_quarantined(self) -> int:
        """Return the number of matches that could not be folded."""
        with self._read_transaction() as sql:
            return int(sql.one("SELECT COUNT(*) AS number FROM {0}{1}set_aside")["number"])
