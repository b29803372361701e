"""Rebuilding: folding the whole log into rows for a new generation of the read models.

The log is partitioned by match, so each match is folded once, however its decisions are interleaved
with those of others. A long log is folded by processes of low priority, so that the service can
continue to serve requests.
"""

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, Protocol
from uuid import UUID

import msgspec
from eventsourcing.persistence import PersistenceError
from msgspec import Struct

from domain.match.history import Decision
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from projections.schema import Quarantined, Row, row_of

log = logging.getLogger("caravanserai")

PART_DECISIONS = 4_000
"""Approximate number of decisions in a part."""
MIN_DECISIONS_FOR_PROCESSES = 20_000
"""Minimum number of decisions for which processes are used; folding fewer takes less time than
starting them.
"""
_NICENESS = 10
_POLL_INTERVAL_S = 1.0
_ID_COUNT = 1 << 128


class LogEntry(Struct, frozen=True):
    """An entry of the log; ``id`` increases over all matches."""

    id: int
    match: UUID
    game: str
    version: int


class StoredMatch(Struct, frozen=True):
    """A match in the log: its newest decision, and a function that decodes all its decisions."""

    newest: LogEntry
    decisions: Callable[[], Sequence[Decision]]


class ScannableLog(Protocol):
    """The event store as a rebuild uses it."""

    def scan(self, first: UUID, last: UUID, upto: int) -> Iterator[StoredMatch]:
        """Yield the matches with ids from ``first`` to ``last``, up to log position ``upto``."""

    def close(self) -> None: ...


def fold_row(newest: LogEntry, timeline: Callable[[], Timeline]) -> Row | Quarantined:
    """Return the row of a match, or `Quarantined` if it cannot be folded.

    ``timeline``: opens the match. Database and I/O errors are raised.
    """
    try:
        return row_of(str(newest.match), timeline())
    except (PersistenceError, OSError):
        raise  # Not caused by the match.
    except Exception as error:
        return Quarantined(str(newest.match), newest.game, newest.version, type(error).__name__)


def fold_timeline(stored: StoredMatch) -> Timeline:
    """Fold a whole match and return its timeline; raises any error in its log."""
    timeline = Timeline(codec_of(stored.newest.game).rules)
    for decision in stored.decisions():
        timeline.append(decision)
    return timeline


Bounds = tuple[UUID, UUID]


def partition_matches(decisions: int) -> list[Bounds]:
    """Return ranges of match ids that partition all matches.

    Each has about `PART_DECISIONS` of the given number of decisions, because ids are random.
    """
    count = max(1, -(-decisions // PART_DECISIONS))
    edges = [_ID_COUNT * number // count for number in range(count + 1)]
    return [(UUID(int=edges[number]), UUID(int=edges[number + 1] - 1)) for number in range(count)]


def fold_part(scanned: ScannableLog, bounds: Bounds, upto: int) -> list[Row | Quarantined]:
    """Return the rows of the matches in one part."""
    return [
        fold_row(stored.newest, lambda stored=stored: fold_timeline(stored))  # type: ignore[misc]
        for stored in scanned.scan(*bounds, upto)
    ]


class RebuildStopped(Exception):
    """Raised when the program is stopping and a generation is left unfinished."""


def fold_all(
    scanned: ScannableLog,
    open_log: Callable[[], ScannableLog] | None,
    upto: int,
    stopping: threading.Event,
) -> Generator[tuple[list[Row | Quarantined], int, int], None, None]:
    """Yield, for each part, the rows of its matches, the number of parts done and their total.

    ``open_log`` opens the store in another process; without it, or for fewer than
    `MIN_DECISIONS_FOR_PROCESSES` decisions, everything is folded in this process. Raises
    `RebuildStopped` between two parts once ``stopping`` is set.
    """
    cut = partition_matches(upto)
    if open_log is None or upto < MIN_DECISIONS_FOR_PROCESSES:
        for done, bounds in enumerate(cut, start=1):
            if stopping.is_set():
                raise RebuildStopped
            yield fold_part(scanned, bounds, upto), done, len(cut)
        return
    processes = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    pool = ProcessPoolExecutor(
        processes,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(open_log, os.getpid()),
    )
    try:
        yield from _fold_in_pool(pool, 2 * processes, cut, upto, stopping)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _fold_in_pool(
    pool: ProcessPoolExecutor,
    max_queued: int,
    cut: list[Bounds],
    upto: int,
    stopping: threading.Event,
) -> Iterator[tuple[list[Row | Quarantined], int, int]]:
    """Yield the same as `fold_all`; ``max_queued``: how many parts the pool has at most.

    It is little more than the number of processes, to limit the results in memory.
    """
    left = iter(cut)
    running: set[Future[bytes]] = set()
    done = 0
    while True:
        while len(running) < max_queued and (bounds := next(left, None)):
            running.add(pool.submit(_fold_in_worker, bounds, upto))
        if not running:
            return
        ready, running = wait(running, _POLL_INTERVAL_S, FIRST_COMPLETED)
        if stopping.is_set():
            raise RebuildStopped
        for future in ready:
            rows, aside = _decode(future.result())
            done += 1
            yield [*rows, *aside], done, len(cut)


# --- in the worker processes --------------------------------------------------------------------

_worker_log: list[ScannableLog] = []
_encode = msgspec.msgpack.Encoder().encode
_decode: Any = msgspec.msgpack.Decoder(tuple[list[Row], list[Quarantined]]).decode


def _start_worker(open_log: Callable[[], ScannableLog], parent: int) -> None:
    """Initialise a worker process, which opens the store and ends when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS)
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    _worker_log.append(open_log())


def _exit_with_parent(parent: int) -> None:
    # The parent may have ended before this process was running, so its id is an argument.
    while os.getppid() == parent:
        time.sleep(_POLL_INTERVAL_S)
    os._exit(1)


def _fold_in_worker(bounds: Bounds, upto: int) -> bytes:
    rows = fold_part(_worker_log[0], bounds, upto)
    return _encode(
        ([r for r in rows if isinstance(r, Row)], [r for r in rows if isinstance(r, Quarantined)])
    )
