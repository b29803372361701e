"""Snapshots of long matches, so that no match is folded from its first decision.

They are stored beside the read models, can be deleted without loss, and are not part of backups or
match files. A match is opened from its latest snapshot; earlier decisions are read from the log on
demand, in pages from one snapshot to the next. Reading any version of a match thus takes a few
hundred decisions at most, however long the match is.

The log is authoritative. A snapshot is used only if it was made by exactly the current source code,
its bytes are unchanged, and the log contains the decision after which it was made. Otherwise it is
ignored.

The library's own snapshots are found by version only and never replaced, but a version of the
program that folds differently has to replace them. Snapshots therefore have a table of their own.
"""

import hashlib
import logging
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, get_type_hints
from uuid import UUID

import msgspec
from eventsourcing.persistence import PersistenceError
from msgspec import Struct
from msgspec.structs import replace

import domain
from domain.contract.registry import TITLES, game_module
from domain.match.clocks import SeatClock
from domain.match.history import Decision, LogReader, Page
from domain.match.moment import Moment, UndoneMoves
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.msgspec_warmup import DECODER_LOCK
from projections.database.sql import Sql

log = logging.getLogger("caravanserai")

SNAPSHOT_INTERVAL = 250
"""Number of decisions from one snapshot to the next."""
SNAPSHOT_LAG = 64
"""Number of further decisions after which a snapshot is made. Recent moves are often undone, which
should not require reading the log.
"""

_PUT = (
    "INSERT INTO {0}snapshots (match, number, version, made_by, print, body) VALUES (?,?,?,?,?,?)"
    " ON CONFLICT (match, number) DO UPDATE SET version = excluded.version,"
    " made_by = excluded.made_by, print = excluded.print, body = excluded.body"
)

ReadLog = Callable[..., Sequence[Decision]]
"""``read(after, upto)`` returns the match's decisions in the log that begin later than version
``after``, up to version ``upto`` if given.
"""


class Snapshot(Struct, frozen=True):
    """The state of a match after one of its decisions.

    ``index``: the index of the decision, from 0; ``moment``: the match after it. ``began``: the
    instant of the match's first decision, in milliseconds since 1970 UTC.
    """

    index: int
    began: int
    decision: Decision
    moment: Moment

    def resume(self, decisions: Sequence[Decision], log_reader: LogReader) -> Timeline | None:
        """Return the match continued from this snapshot; None if the log differs from it.

        ``decisions``: the decisions in the log, beginning with the snapshot's own. ``log_reader``:
        reads earlier ones.
        """
        if not decisions or decisions[0] != self.decision:
            return None
        timeline = Timeline(codec_of(self.moment.opened.game).rules)
        timeline.resume(self.moment, decisions[0], self.index, log_reader)
        for decision in decisions[1:]:
            timeline.append(decision)
        return timeline


def due_indexes(timeline: Timeline, latest_index: int) -> range:
    """Return the decision indexes after which snapshots are due.

    ``latest_index``: the decision index of the latest existing snapshot.
    """
    return range(
        latest_index // SNAPSHOT_INTERVAL * SNAPSHOT_INTERVAL + SNAPSHOT_INTERVAL,
        len(timeline.decisions) - SNAPSHOT_LAG,
        SNAPSHOT_INTERVAL,
    )


class LogPages(LogReader):
    """Reader of the log before a snapshot, in pages from one snapshot to the next."""

    def __init__(
        self, snapshots: "Snapshots", match: UUID, read: ReadLog, newest: Snapshot
    ) -> None:
        self.began_at = newest.began
        self._snapshots, self._match, self._read = snapshots, match, read
        self._rules = codec_of(newest.moment.opened.game).rules
        before = snapshots.list_versions(match, newest.index)
        self._starts = [(0, 0), *before, (newest.index, newest.moment.version)]
        self._pages: dict[int, Page] = {}
        self._lock = RLock()  # reentrant: an undone move may load another page

    def page(self, index: int) -> Page:
        with self._lock:
            return self._page(self._page_number([number for number, _ in self._starts], index))

    def page_at(self, version: int) -> Page:
        with self._lock:
            return self._page(self._page_number([begun for _, begun in self._starts], version))

    def _page_number(self, starts: list[int], wanted: int) -> int:
        """Return the number of the page that contains ``wanted``, or of the last page."""
        return min(bisect_right(starts, wanted), len(starts) - 1) - 1

    def _page(self, place: int) -> Page:
        first, _ = self._starts[place]
        if first not in self._pages:
            timeline = self._fold_page(place)
            if timeline is None:
                # The snapshot is unusable: extend the page before.
                del self._starts[place]
                self._forget(self._starts[place - 1][0])
                return self._page(place - 1)
            decisions, moments = timeline.decisions.entries, timeline.moments.entries
            self._pages[first] = Page(first, decisions[first:], moments[first:])
            self.loaded_count += len(decisions) - first
        return self._pages[first]

    def _forget(self, first: int) -> None:
        page = self._pages.pop(first, None)
        self.loaded_count -= len(page.decisions) if page else 0

    def _fold_page(self, place: int) -> Timeline | None:
        (first, _), (end, upto) = self._starts[place], self._starts[place + 1]
        if place == 0:
            return Timeline(self._rules, self._read(0, upto)[:end])
        snapshot = self._snapshots.find(self._match, first)
        if snapshot is None:
            return None
        found = self._read(snapshot.decision.version - 1, upto)
        return snapshot.resume(found[: end - first], self)


def resume_from_snapshot(snapshots: "Snapshots", match: UUID, read: ReadLog) -> Timeline | None:
    """Open a match from its latest snapshot; return None if that is missing or not valid."""
    newest = snapshots.find(match)
    if newest is None:
        return None
    later = read(newest.decision.version - 1)
    return newest.resume(later, LogPages(snapshots, match, read, newest))


# --- as bytes -----------------------------------------------------------------------------------


class _Written(Struct, frozen=True, array_like=True):
    """The stored form of a snapshot.

    ``redo``: the moment's redo stack as a list, as the linked one may be thousands of levels deep.
    """

    index: int
    began: int
    decision: bytes
    redo: list[tuple[int, int]]
    moment: msgspec.Raw


@cache
def source_fingerprint(slug: str) -> str:
    """Return a hash of all source code that a game's fold may depend on.

    The hash covers this module and all modules of `domain` except those of other games.
    """
    root = Path(domain.__file__).parent
    games = root / "games"
    others = {games / title.slug for title in TITLES.values()} - {games / slug}
    whole = hashlib.sha256(Path(__file__).read_bytes())
    for file in sorted(root.rglob("*.py")):
        if others.isdisjoint(file.parents):
            whole.update(f"{file.relative_to(root)} ".encode() + file.read_bytes())
    return whole.hexdigest()


_decoders: dict[str, msgspec.msgpack.Decoder[Any]] = {}


def decoder_of(slug: str) -> msgspec.msgpack.Decoder[Any]:
    """Return the decoder of a game's moments, which creates the same types as the game's fold."""
    found = _decoders.get(slug)
    if found is not None:
        return found
    state = game_module(slug, "state").State
    with DECODER_LOCK:
        if slug not in _decoders:
            _decoders[slug] = _decoder(state)
        return _decoders[slug]


def _decoder(state: type) -> msgspec.msgpack.Decoder[Any]:
    hints = get_type_hints(Moment, localns={"SeatClock": SeatClock})
    hints["state"] = state | None
    hints["redo"] = None
    fields = [(name, hints[name]) for name in Moment.__struct_fields__]
    kind = msgspec.defstruct("WrittenMoment", fields, frozen=True, array_like=True)
    return msgspec.msgpack.Decoder(kind)


_decode_written = msgspec.msgpack.Decoder(_Written).decode
_encode = msgspec.msgpack.Encoder().encode


def _split_redo(moment: Moment) -> tuple[Moment, list[tuple[int, int]]]:
    """Return a moment without its redo stack, and the stack as ``(index, seat)``, oldest first."""
    found, below = [], moment.redo
    while below is not None:
        found.append((below.index, below.seat))
        below = below.before
    return replace(moment, redo=None), found[::-1]


def encode_snapshot(timeline: Timeline, index: int) -> bytes:
    """Encode a snapshot of the match after the decision with this index."""
    moment, redo = _split_redo(timeline.moments[index])
    fields = [getattr(moment, name) for name in Moment.__struct_fields__]
    decision = codec_of(moment.opened.game).encode(timeline.decisions[index])
    body = msgspec.Raw(_encode(fields))
    return _encode(_Written(index, timeline.began_at, decision, redo, body))


def decode_snapshot(slug: str, body: bytes) -> Snapshot:
    """Decode a snapshot; raises an error if the bytes are not a snapshot of this game."""
    written = _decode_written(body)
    found = decoder_of(slug).decode(written.moment)
    fields = {name: getattr(found, name) for name in Moment.__struct_fields__}
    for index, seat in written.redo:
        fields["redo"] = UndoneMoves(index, seat, fields["redo"])
    decision = codec_of(slug).decode(written.decision)
    return Snapshot(written.index, written.began, decision, Moment(**fields))


# --- in the database ----------------------------------------------------------------------------


class SnapshotDatabase(Protocol):
    """The database that holds the snapshots."""

    def transaction(self, *, commit: bool) -> AbstractContextManager[Sql]:
        """Open a transaction; ``commit``: whether it writes."""


class Snapshots:
    """The stored snapshots of all matches."""

    def __init__(self, database: SnapshotDatabase) -> None:
        self._transaction = database.transaction

    def find(self, match: UUID, number: int | None = None) -> Snapshot | None:
        """Return the snapshot after the decision with index ``number``, by default the latest.

        None if it is missing or not valid, or the database fails.
        """
        wanted, values = (" AND number = ?", (number,)) if number is not None else ("", ())
        row = self._fetch_one(
            f"SELECT made_by, print, body FROM {{0}}snapshots WHERE match = ?{wanted}"
            " ORDER BY number DESC LIMIT 1",
            *(str(match), *values),
        )
        return None if row is None else _validated(row["made_by"], row["print"], row["body"])

    def list_versions(self, match: UUID, before: int) -> list[tuple[int, int]]:
        """Return ``(decision index, match version)`` of each snapshot before a decision index.

        Returns an empty list when the database fails.
        """
        try:
            with self._transaction(commit=False) as sql:
                rows = sql.all(
                    "SELECT number, version FROM {0}snapshots WHERE match = ? AND number < ?"
                    " ORDER BY number",
                    *(str(match), before),
                )
        except PersistenceError:
            return []
        return [(row["number"], row["version"]) for row in rows]

    def _fetch_one(self, statement: str, *values: Any) -> Any:
        try:
            with self._transaction(commit=False) as sql:
                return sql.one(statement, *values)
        except PersistenceError:
            return None  # Opened from the log instead, if it can be read.

    def save(self, match: UUID, timeline: Timeline, numbers: Sequence[int]) -> None:
        """Store snapshots after the decisions with these indexes; runs in another thread.

        Failures are only logged, as the match can be opened from its log.
        """
        try:
            rows = [_row(match, timeline, number) for number in numbers]
            with self._transaction(commit=True) as sql:
                sql.many(_PUT, rows)
        except Exception as error:
            # No data is lost.
            log.warning("no snapshot of %s: %s", match, type(error).__name__)


def _row(match: UUID, timeline: Timeline, number: int) -> tuple[Any, ...]:
    slug, body = timeline.latest.opened.game, encode_snapshot(timeline, number)
    moment = timeline.moments[number]
    if _split_redo(decode_snapshot(slug, body).moment) != _split_redo(moment):
        raise ValueError("it does not come back as it was")
    return (str(match), number, moment.version, *_fingerprints(slug, body), body)


def _fingerprints(slug: str, body: bytes) -> tuple[str, str]:
    """Return the source fingerprint of a game, and the hash of a snapshot's bytes."""
    return f"{slug}/{source_fingerprint(slug)}", hashlib.sha256(body).hexdigest()


def _validated(by: str, mark: str, body: bytes) -> Snapshot | None:
    slug, body = by.partition("/")[0], bytes(body)
    try:
        return decode_snapshot(slug, body) if _fingerprints(slug, body) == (by, mark) else None
    except Exception:
        return None  # The game was removed, or the bytes are invalid despite a correct hash.
