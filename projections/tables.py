"""The tables of the read models, and how a match is written into them.

``matches``: one row a match; ``members``: in whose list it belongs and whether it waits for
them; ``invited``: for whom it holds a seat open; ``forks``: which matches began from which;
``files``: which came in a file; ``results``: how people did in finished matches; ``departed``: who
left a match by themselves once it had begun; ``set_aside``: the matches that could not be folded,
which have no rows elsewhere.

There may be several generations of them side by side (`projections.generations`): ``{1}`` stands
for the beginning of a generation's names.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from domain.match import FROM_FILE, PHONE, SIGNED_FILE, Timeline
from projections.sql import Sql
from projections.summary import Result, Summary, check_fit, results_of, seats_of, summary_of

LAYOUT = 6
"""What the tables are and mean. Another number makes every service fold new tables from the log
when it starts with this program, beside those of the program before. 5: seats know when their
time is over. 6: who lost a seat or left is known."""
WITH_DEPARTED = 6
"""The first layout that has the table ``departed``."""
READABLE = frozenset({4, 5, 6})
"""Layouts that the queries of this program can read while its own tables are being made."""

TABLES = (
    "CREATE TABLE {0}{1}matches (id TEXT PRIMARY KEY, game TEXT NOT NULL,"
    " status TEXT NOT NULL, visibility TEXT NOT NULL, owner TEXT NOT NULL,"
    " version BIGINT NOT NULL, turn BIGINT NOT NULL, seats TEXT NOT NULL, to_act TEXT NOT NULL,"
    " created BIGINT NOT NULL, updated BIGINT NOT NULL, deadline BIGINT)",
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
LOBBY = "CREATE INDEX IF NOT EXISTS {1}matches_lobby ON {0}{1}matches (visibility, status, updated)"
"""For the public tables that are open: a few, among all that ever were."""
INDEXES = (
    LOBBY,
    "CREATE INDEX {1}matches_public ON {0}{1}matches (visibility, updated)",
    "CREATE INDEX {1}matches_deadline ON {0}{1}matches (deadline)",
    "CREATE INDEX {1}forks_parent ON {0}{1}forks (parent)",
    "CREATE INDEX {1}members_match ON {0}{1}members (match)",
    "CREATE INDEX {1}invited_match ON {0}{1}invited (match)",
    "CREATE INDEX {1}departed_match ON {0}{1}departed (match)",
    "CREATE INDEX {1}results_player ON {0}{1}results (player)",
)
"""Made once the tables are filled, which takes half the time."""
ROWS = {
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
    """What the read models hold of one match."""

    summary: Summary
    results: list[Result]


class Aside(Struct, frozen=True, array_like=True):
    """A match that cannot be folded: the version of its newest decision, and the kind of error."""

    match: str
    game: str
    version: int
    reason: str


def row_of(match_id: str, timeline: Timeline) -> Row:
    """The row of a match; raises whatever is wrong with the match (`Unfit`, for one)."""
    summary, results = summary_of(match_id, timeline), results_of(timeline)
    check_fit(timeline, summary, results)
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


def write(sql: Sql, rows: Iterable[Row | Aside]) -> None:
    """Puts matches in the place of what was known of them; each at most once.

    All of one kind go together, which PostgreSQL takes in one go: row by row each statement would
    be a way to the database and back, and those who read a list wait for them.
    """
    folded: list[Row] = []
    aside: list[Aside] = []
    for row in rows:
        if isinstance(row, Row):
            folded.append(row)
        else:
            aside.append(row)
    if folded:
        ids = [(row.summary.id,) for row in folded]
        sql.many("DELETE FROM {0}{1}set_aside WHERE match = ?", ids)
        sql.many(_UPSERT, [_match(row.summary) for row in folded])
        sql.many("DELETE FROM {0}{1}members WHERE match = ?", ids)
        sql.many("DELETE FROM {0}{1}invited WHERE match = ?", ids)
        sql.many("DELETE FROM {0}{1}departed WHERE match = ?", ids)
        for name, found in _beside(folded).items():
            sql.many(_INSERT[name], found)
    if aside:
        for table in ROWS:
            key = "id" if table == "matches" else "match"
            sql.many(f"DELETE FROM {{0}}{{1}}{table} WHERE {key} = ?", [(a.match,) for a in aside])
        values = [(a.match, a.game, a.version, a.reason) for a in aside]
        sql.many("INSERT INTO {0}{1}set_aside VALUES (?,?,?,?)", values)


def fill(sql: Sql, rows: Iterable[Row | Aside]) -> None:
    """Writes matches of which nothing is known yet."""
    folded: list[Row] = []
    aside = []
    for row in rows:
        if isinstance(row, Row):
            folded.append(row)
        else:
            aside.append((row.match, row.game, row.version, row.reason))
    sql.fill("matches", [_match(row.summary) for row in folded])
    for name, values in _beside(folded).items():
        sql.fill(name, values)
    sql.fill("set_aside", aside)


def _match(summary: Summary) -> tuple[Any, ...]:
    values = {column: getattr(summary, column) for column in _COLUMNS}
    for column in ("seats", "to_act"):
        values[column] = msgspec.json.encode(values[column]).decode()
    return tuple(values.values())


def _beside(rows: list[Row]) -> dict[str, list[tuple[Any, ...]]]:
    """What the other tables hold of these matches."""
    found: dict[str, list[tuple[Any, ...]]] = {name: [] for name in _INSERT}
    for row in rows:
        of = row.summary
        found["members"] += [(player, of.id, int(_waits(of, player))) for player in of.members]
        found["invited"] += [(player, of.id) for player in of.invited]
        found["departed"] += [(player, of.id) for player in of.gone]
        if of.parent is not None:
            found["forks"].append((of.parent, of.parent_version, of.id))
        if of.source in (FROM_FILE, SIGNED_FILE, PHONE):
            found["files"].append((of.id, of.source))
        found["results"] += [
            (of.id, r.seat, r.player, of.game, r.rank, r.score) for r in row.results
        ]
    return found


def _waits(summary: Summary, player: str) -> bool:
    return any(summary.seats[seat].player == player for seat in summary.to_act)


def summary_from(row: Any) -> Summary:
    """The summary of a row of ``matches``, with ``source`` of ``files`` beside it."""
    fields = {column: row[column] for column in _COLUMNS}
    fields["seats"] = seats_of(row["seats"])
    fields["to_act"] = tuple(msgspec.json.decode(row["to_act"]))
    return Summary(**fields, source=row["source"] or "")
