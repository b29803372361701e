"""Keeps the read models level with the log.

The library's ``ProjectionRunner`` needs a recorder with subscriptions, which SQLite's lacks, so
this one pulls from the notification log: woken a moment after each save, and by whoever is about
to read. Position and rows are written in one transaction, so a crash neither loses nor doubles
anything, and several workers may run one each: who comes second writes nothing.

A match that cannot be folded (bytes that do not decode, a game that is gone, numbers no table
holds) is set aside: counted, logged once, left out of every list; all others go on. It comes back
when it folds: at a rebuild, with its next decision, or when a newer program starts.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Protocol
from uuid import UUID

from cachetools import LRUCache
from eventsourcing.persistence import IntegrityError, PersistenceError
from msgspec import Struct

from domain.codec import codec_of
from domain.match import Decision, Timeline
from projections.views import Aside, Row, Views, row_of

log = logging.getLogger("caravanserai")

_BATCH = 500
_KEPT = 200


class Notice(Struct, frozen=True):
    """A decision's place in the log: ``id`` grows over all matches."""

    id: int
    match: UUID
    game: str
    version: int


class Log(Protocol):
    """The event store as the read models see it."""

    def notices(self, after: int, limit: int) -> Sequence[Notice]:
        """The next decisions of all matches in the order they were saved."""

    def newest_notice(self) -> int:
        """The id of the newest decision; 0 when there is none."""

    def history(self, match: UUID, after: int) -> Sequence[Decision]:
        """The match's decisions that begin later than version ``after``."""


Borrow = Callable[[UUID], Timeline | None]
"""Gives a match's timeline that is folded already, if there is one at hand."""


class Projector:
    """Folds the log into the read models."""

    def __init__(self, log: Log, views: Views, borrow: Borrow | None = None) -> None:
        self._log = log
        self._views = views
        self._borrow = borrow or (lambda match: None)
        self._kept: LRUCache[UUID, Timeline] = LRUCache(_KEPT)
        self._lock = Lock()
        self._looked_again = False
        self._aside: dict[UUID, Aside] = {}

    def catch_up(self) -> int:
        """Pulls until nothing is left; gives the number of decisions seen. Thread-safe.

        When it returns, everything saved before the call is in the tables.
        """
        seen = 0
        with self._lock:
            if not self._looked_again:
                self._look_again()
                self._looked_again = True
            while notices := self._pull():
                seen += len(notices)
        return seen

    def _pull(self) -> Sequence[Notice]:
        position = self._views.position()
        if position is None or position > self._log.newest_notice():
            # New tables, or a log that was put back to an older state.
            self._views.clear()
            position = 0
        notices = self._log.notices(position, _BATCH)
        if notices:
            newest = {notice.match: notice for notice in notices}
            rows = [self._row(notice) for notice in newest.values()]
            # Another worker may have written these; then go on from its position.
            with suppress(IntegrityError):
                self._views.write(rows, notices[-1].id)
        return notices

    def _look_again(self) -> None:
        """Once in the life of a process: perhaps this program can fold what another could not."""
        for aside in self._views.set_aside():
            row = self._row(Notice(0, UUID(aside.match), aside.game, aside.version))
            if isinstance(row, Row):
                self._views.restore(row)

    def _row(self, notice: Notice) -> Row | Aside:
        try:
            return row_of(str(notice.match), self._timeline(notice))
        except (PersistenceError, OSError):
            raise  # The database is at fault, not the match.
        except Exception as error:
            aside = Aside(str(notice.match), notice.game, notice.version, type(error).__name__)
            if self._aside.get(notice.match) != aside:
                # Its message may quote a secret.
                log.error("match %s set aside at version %s: %s", *_parts(aside))
            self._aside[notice.match] = aside
            return aside

    def _timeline(self, notice: Notice) -> Timeline:
        timeline = self._borrow(notice.match)
        if timeline is not None and timeline.version >= notice.version:
            return timeline
        kept = self._kept.pop(notice.match, None) or Timeline(codec_of(notice.game).rules)
        if kept.version < notice.version:
            for decision in self._log.history(notice.match, kept.version):
                kept.append(decision)
        self._kept[notice.match] = kept
        return kept

    def rebuild(self) -> int:
        """Empties the tables and folds the whole log again; gives the number of decisions."""
        with self._lock:
            self._views.clear()
        return self.catch_up()


def _parts(aside: Aside) -> tuple[str, int, str]:
    return aside.match, aside.version, aside.reason


class Runner:
    """A thread that catches up a moment after it was woken.

    ``failed``: why the tables do not follow the log now; tried again every ``patience`` seconds.
    """

    def __init__(self, projector: Projector, pause: float = 1.0, patience: float = 5.0) -> None:
        self._projector = projector
        self._pause = pause
        self._patience = patience
        self._woken = Event()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="projections", daemon=True)
        self.failed: Exception | None = None

    def start(self) -> None:
        """Starts the thread, which catches up at once."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Something was saved."""
        self._woken.set()

    def stop(self) -> None:
        """Ends the thread; what it has not seen it will see at the next start."""
        self._stopping.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.wait(None if self.failed is None else self._patience)
            if self._stopping.wait(self._pause):
                return
            self._woken.clear()
            try:
                self._projector.catch_up()
                self.failed = None
            except Exception as error:
                # The tables stay as they were; the next wake or reader tries again.
                if type(error) is not type(self.failed):
                    log.error("read models: %s", type(error).__name__)
                self.failed = error
