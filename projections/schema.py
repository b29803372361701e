"""Tables of the read models, and functions that write matches into them.

``matches``: one row per match. ``members``: players in whose lists a match appears, and whether it
waits for them. ``invited``: players for whom it reserves a seat. ``forks``: forks and their
origins. ``files``: matches that came from a file or a phone. ``results``: results of people in
finished matches. ``departed``: players who left a match of their own accord after it had begun.
``set_aside``: matches that could not be folded, which have no rows elsewhere.

Several generations of the tables can exist side by side (`projections.generations`): ``{1}`` in a
statement is replaced by the prefix of a generation's table names.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import astuple

from domain.match.seats import FROM_FILE, PHONE, SIGNED_FILE
from domain.match.timeline import Timeline
from projections.database.sql import Sql
from projections.summary import (
    Result,
    Summary,
    check_ranges,
    decode_pace,
    decode_seats,
    results_of,
    summary_of,
)

SCHEMA_VERSION = 7
"""Version of the tables' structure and meaning. After a change, the service builds new tables from
the log at startup, beside those of the previous version. 5: seats have the time at which their
clock runs out. 6: lost seats and departures are stored. 7: time controls are stored.
"""
FIRST_VERSION_WITH_DEPARTED = 6
"""The first layout with the table ``departed``."""
READABLE_VERSIONS = frozenset({4, 5, 6, 7})
"""Layouts that this program's queries can read while its own tables are being built."""

SNAPSHOTS_TABLE = (
    "CREATE TABLE IF NOT EXISTS {0}snapshots (match TEXT NOT NULL, number INTEGER NOT NULL,"
    " version BIGINT NOT NULL, made_by TEXT NOT NULL, print TEXT NOT NULL, body BYTEA NOT NULL,"
    " PRIMARY KEY (match, number))"
)
"""Table of snapshots. ``number``: index of the decision after which the snapshot was made;
``version``: the version of the match at that time.
"""
TABLES = (
    "CREATE TABLE {0}{1}matches (id TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " status TEXT NOT NULL, visibility TEXT NOT NULL, owner TEXT NOT NULL,"
    " version BIGINT NOT NULL, turn BIGINT NOT NULL, seats TEXT NOT NULL, to_act TEXT NOT NULL,"
    " created BIGINT NOT NULL, updated BIGINT NOT NULL, deadline BIGINT, pace TEXT NOT NULL)",
    "CREATE TABLE {0}{1}forks (parent TEXT NOT NULL, version BIGINT NOT NULL,"
    " match TEXT PRIMARY KEY)",
    "CREATE TABLE {0}{1}files (match TEXT PRIMARY KEY, source TEXT NOT NULL)",
    "CREATE TABLE {0}{1}members (player TEXT NOT NULL, match TEXT NOT NULL,"
    " waiting INTEGER NOT NULL, PRIMARY KEY (player, match))",
    "CREATE TABLE {0}{1}invited (player TEXT NOT NULL, match TEXT NOT NULL,"
    " PRIMARY KEY (player, match))",
    "CREATE TABLE {0}{1}results (match TEXT NOT NULL, seat INTEGER NOT NULL,"
    " player TEXT NOT NULL, game TEXT NOT NULL, rank INTEGER NOT NULL, score BIGINT NOT NULL,"
    " PRIMARY KEY (match, seat))",
    "CREATE TABLE {0}{1}departed (player TEXT NOT NULL, match TEXT NOT NULL,"
    " PRIMARY KEY (player, match))",
    "CREATE TABLE {0}{1}set_aside (match TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " version BIGINT NOT NULL, reason TEXT NOT NULL)",
)
LOBBY_INDEX = (
    "CREATE INDEX IF NOT EXISTS {1}matches_lobby ON {0}{1}matches (visibility, status, updated)"
)
"""Index for the lobby, which finds the few open matches among all public ones."""
INDEXES = (
    LOBBY_INDEX,
    "CREATE INDEX {1}matches_public ON {0}{1}matches (visibility, updated)",
    "CREATE INDEX {1}matches_deadline ON {0}{1}matches (deadline)",
    "CREATE INDEX {1}forks_parent ON {0}{1}forks (parent)",
    "CREATE INDEX {1}members_match ON {0}{1}members (match)",
    "CREATE INDEX {1}invited_match ON {0}{1}invited (match)",
    "CREATE INDEX {1}departed_match ON {0}{1}departed (match)",
    "CREATE INDEX {1}results_player ON {0}{1}results (player)",
)
"""Indexes, created after the tables are filled, as that takes half the time."""
DUMP_QUERIES = {
    "matches": "SELECT * FROM {0}{1}matches ORDER BY id",
    "members": "SELECT * FROM {0}{1}members ORDER BY player, match",
    "invited": "SELECT * FROM {0}{1}invited ORDER BY player, match",
    "forks": "SELECT * FROM {0}{1}forks ORDER BY match",
    "results": "SELECT * FROM {0}{1}results ORDER BY match, seat",
    "departed": "SELECT * FROM {0}{1}departed ORDER BY player, match",
    "set_aside": "SELECT * FROM {0}{1}set_aside ORDER BY match",
    "files": "SELECT * FROM {0}{1}files ORDER BY match",
}


class Row(Struct, frozen=True, array_like=True):
    """The content of the read models for one match."""

    summary: Summary
    results: list[Result]


class Quarantined(Struct, frozen=True, array_like=True):
    """A match that cannot be folded, with the version of its newest decision.

    ``reason``: the name of the exception's type.
    """

    match: str
    game: str
    version: int
    reason: str


def row_of(match_id: str, timeline: Timeline) -> Row:
    """Return the row of a match; raises an error, such as `ValueOutOfRange`, if it is invalid."""
    summary, results = summary_of(match_id, timeline), results_of(timeline)
    check_ranges(timeline, summary, results)
    return Row(summary, results)


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
    "pace",
)
_UPSERT = (
    f"INSERT INTO {{0}}{{1}}matches ({', '.join(_COLUMNS)})"
    f" VALUES ({', '.join('?' for _ in _COLUMNS)}) ON CONFLICT (id) DO UPDATE SET"
    f" {', '.join(f'{column} = excluded.{column}' for column in _COLUMNS[1:])}"
)
_INSERT = {
    "members": "INSERT INTO {0}{1}members VALUES (?,?,?)",
    "invited": "INSERT INTO {0}{1}invited VALUES (?,?)",
    "departed": "INSERT INTO {0}{1}departed VALUES (?,?)",
    "forks": "INSERT INTO {0}{1}forks VALUES (?,?,?) ON CONFLICT (match) DO NOTHING",
    "files": "INSERT INTO {0}{1}files VALUES (?,?) ON CONFLICT (match) DO NOTHING",
    "results": (
        "INSERT INTO {0}{1}results VALUES (?,?,?,?,?,?) ON CONFLICT (match, seat) DO NOTHING"
    ),
}


def write_rows(sql: Sql, rows: Iterable[Row | Quarantined]) -> None:
    """Insert or replace the rows of matches; ``rows`` must contain each match at most once.

    Statements are batched by kind, which PostgreSQL executes in one round trip instead of one per
    row, because readers of a list wait for this.
    """
    folded, aside = _split_rows(rows)
    if folded:
        ids = [(row.summary.id,) for row in folded]
        sql.many("DELETE FROM {0}{1}set_aside WHERE match = ?", ids)
        sql.many(_UPSERT, [_match_values(row.summary) for row in folded])
        sql.many("DELETE FROM {0}{1}members WHERE match = ?", ids)
        sql.many("DELETE FROM {0}{1}invited WHERE match = ?", ids)
        sql.many("DELETE FROM {0}{1}departed WHERE match = ?", ids)
        for name, found in _related_rows(folded).items():
            sql.many(_INSERT[name], found)
    if aside:
        for table in DUMP_QUERIES:
            key = "id" if table == "matches" else "match"
            sql.many(f"DELETE FROM {{0}}{{1}}{table} WHERE {key} = ?", [(a.match,) for a in aside])
        sql.many("INSERT INTO {0}{1}set_aside VALUES (?,?,?,?)", [astuple(a) for a in aside])


def insert_rows(sql: Sql, rows: Iterable[Row | Quarantined]) -> None:
    """Insert the rows of matches that have no rows yet."""
    folded, aside = _split_rows(rows)
    sql.insert_rows("matches", [_match_values(row.summary) for row in folded])
    for name, values in _related_rows(folded).items():
        sql.insert_rows(name, values)
    sql.insert_rows("set_aside", [astuple(a) for a in aside])


def _split_rows(rows: Iterable[Row | Quarantined]) -> tuple[list[Row], list[Quarantined]]:
    """Return the rows of matches that were folded, and those of matches that could not be."""
    found = list(rows)
    aside = [row for row in found if isinstance(row, Quarantined)]
    return [row for row in found if isinstance(row, Row)], aside


def _match_values(summary: Summary) -> tuple[Any, ...]:
    values = {column: getattr(summary, column) for column in _COLUMNS}
    for column in ("seats", "to_act", "pace"):
        values[column] = msgspec.json.encode(values[column]).decode()
    return tuple(values.values())


def _related_rows(rows: list[Row]) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows for all tables but ``matches`` and ``set_aside``, by table."""
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _INSERT}
    for row in rows:
        of = row.summary
        found["members"] += [(player, of.id, int(_is_waiting(of, player))) for player in of.members]
        found["invited"] += [(player, of.id) for player in of.invited]
        found["departed"] += [(player, of.id) for player in of.departed_players]
        if of.parent is not None:
            found["forks"].append((of.parent, of.parent_version, of.id))
        if of.source in (FROM_FILE, SIGNED_FILE, PHONE):
            found["files"].append((of.id, of.source))
        found["results"] += [
            (of.id, r.seat, r.player, of.game, r.rank, r.score) for r in row.results
        ]
    return found


def _is_waiting(summary: Summary, player: str) -> bool:
    return any(summary.seats[seat].player == player for seat in summary.to_act)


def summary_from(row: Any) -> Summary:
    """Return the summary made from a row of ``matches`` joined with ``source`` of ``files``.

    Rows of layouts before 7 have no time control.
    """
    known = row.keys()
    fields = {column: row[column] for column in _COLUMNS if column in known}
    fields["seats"] = decode_seats(row["seats"])
    fields["to_act"] = tuple(msgspec.json.decode(row["to_act"]))
    fields["pace"] = decode_pace(row["pace"]) if "pace" in known else UNSET
    return Summary(**fields, source=row["source"] or "")
