"""Folds the whole log into a new generation of the read models.

The log is cut by match into parts, so each match is folded once however its decisions lie between
those of others. Where there is much of it, processes of low priority fold the parts, and whoever
asked for it goes on serving.
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

from domain.codec import codec_of
from domain.match import Decision, Timeline
from projections.tables import Aside, Row, row_of

log = logging.getLogger("caravanserai")

PART = 4_000
"""Decisions in a part, about."""
WORTH_PROCESSES = 20_000
"""Decisions: fewer are folded by the time that processes have started."""
_NICE = 10
_LOOK = 1.0
_ALL = 1 << 128


class Notice(Struct, frozen=True):
    """A decision's place in the log: ``id`` grows over all matches."""

    id: int
    match: UUID
    game: str
    version: int


class Stored(Struct, frozen=True):
    """A match as it lies in the log: its newest decision, and what decodes all of them."""

    newest: Notice
    decisions: Callable[[], Sequence[Decision]]


class Scanned(Protocol):
    """The event store as a renewal sees it."""

    def scan(self, first: UUID, last: UUID, upto: int) -> Iterator[Stored]:
        """The matches from one id to another, with their decisions up to a notification."""

    def close(self) -> None: ...


def folded(newest: Notice, timeline: Callable[[], Timeline]) -> Row | Aside:
    """The row of a match; `Aside` when it cannot be made. Errors of the database are raised."""
    try:
        return row_of(str(newest.match), timeline())
    except (PersistenceError, OSError):
        raise  # The database is at fault, not the match.
    except Exception as error:
        return Aside(str(newest.match), newest.game, newest.version, type(error).__name__)


def timeline_of(stored: Stored) -> Timeline:
    """The whole match; raises whatever is wrong with it."""
    timeline = Timeline(codec_of(stored.newest.game).rules)
    for decision in stored.decisions():
        timeline.append(decision)
    return timeline


Bounds = tuple[UUID, UUID]


def parts(decisions: int) -> list[Bounds]:
    """Cuts all matches into parts of about `PART` decisions; ids of matches are random."""
    count = max(1, -(-decisions // PART))
    edges = [_ALL * number // count for number in range(count + 1)]
    return [(UUID(int=edges[number]), UUID(int=edges[number + 1] - 1)) for number in range(count)]


def fold_part(scanned: Scanned, bounds: Bounds, upto: int) -> list[Row | Aside]:
    """The rows of a part's matches."""
    return [
        folded(stored.newest, lambda stored=stored: timeline_of(stored))  # type: ignore[misc]
        for stored in scanned.scan(*bounds, upto)
    ]


class Stopped(Exception):
    """The program is to end; the generation is left as it is."""


def fold_all(
    scanned: Scanned,
    opened: Callable[[], Scanned] | None,
    upto: int,
    stopping: threading.Event,
) -> Generator[tuple[list[Row | Aside], int, int], None, None]:
    """The rows of all matches, part by part, with how many of how many parts are done.

    ``opened`` opens the store in another process; without it, or when there is little, all is
    folded here. Raises `Stopped` between two parts.
    """
    cut = parts(upto)
    if opened is None or upto < WORTH_PROCESSES:
        for done, bounds in enumerate(cut, start=1):
            if stopping.is_set():
                raise Stopped
            yield fold_part(scanned, bounds, upto), done, len(cut)
        return
    pool = ProcessPoolExecutor(
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(opened, os.getpid()),
    )
    try:
        yield from _from_pool(pool, cut, upto, stopping)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _from_pool(
    pool: ProcessPoolExecutor, cut: list[Bounds], upto: int, stopping: threading.Event
) -> Iterator[tuple[list[Row | Aside], int, int]]:
    left = iter(cut)
    running: set[Future[bytes]] = set()
    done = 0
    while True:
        # A few wait, so that nobody is idle and little lies about.
        while len(running) < 2 * (os.cpu_count() or 1) and (bounds := next(left, None)):
            running.add(pool.submit(_fold_there, bounds, upto))
        if not running:
            return
        ready, running = wait(running, _LOOK, FIRST_COMPLETED)
        if stopping.is_set():
            raise Stopped
        for future in ready:
            rows, aside = _decode(future.result())
            done += 1
            yield [*rows, *aside], done, len(cut)


# --- in the other processes ---------------------------------------------------------------------

_there: list[Scanned] = []
_encode = msgspec.msgpack.Encoder().encode
_decode: Any = msgspec.msgpack.Decoder(tuple[list[Row], list[Aside]]).decode


def _start(opened: Callable[[], Scanned], parent: int) -> None:
    """Opens the store; ends with the process that began this one, whatever that ends of."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    _there.append(opened())


def _watch(parent: int) -> None:
    # Who began it may have ended before this one was up, so its number was told.
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


def _fold_there(bounds: Bounds, upto: int) -> bytes:
    rows = fold_part(_there[0], bounds, upto)
    return _encode(
        ([r for r in rows if isinstance(r, Row)], [r for r in rows if isinstance(r, Aside)])
    )
