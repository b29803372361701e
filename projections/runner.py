"""Keeps the read models level with the log.

The library's ``ProjectionRunner`` needs a recorder with subscriptions, which SQLite's lacks, so
this one pulls from the notification log: woken a moment after each save, and by whoever is about
to read. Position and rows are written in one transaction, so a crash neither loses nor doubles
anything, and several workers may run one each: who comes second writes nothing.

A match that cannot be folded (bytes that do not decode, a game that is gone, numbers no table
holds) is set aside: counted, logged once, left out of every list; all others go on. It comes back
when it folds: at a rebuild, with its next decision, or when a newer program starts.

Where the tables are far behind, of another layout or ahead of a log that was put back, a new
generation is folded beside them (`projections.renewal`), and they are read meanwhile.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import NamedTuple, Protocol
from uuid import UUID

from cachetools import LRUCache
from eventsourcing.persistence import IntegrityError, OperationalError, PersistenceError

from domain.codec import codec_of
from domain.match import Decision, Timeline
from projections import snapshots
from projections.postgres import Held
from projections.renewal import Notice, Scanned, Stopped, fold_all, folded
from projections.snapshots import Snapshots, resumed
from projections.sql import is_deadlock, is_locked, patient
from projections.views import Aside, Generation, Retired, Row, Views

log = logging.getLogger("caravanserai")

_BATCH = 200
_MOST = 2_000
"""Decisions in a batch at most: more than `_BATCH` where they are of few matches, each of which is
written once."""
_KEPT = 200
_SOON = 2_000
"""Decisions that a reader lets the tables catch up with; of more the background takes care."""
_FAR = 20_000
"""Decisions behind which a new generation is quicker than following one by one."""
_HELD = 30.0
"""Seconds for which somebody else may write the tables before that is called a failure."""


class Log(Scanned, Protocol):
    """The event store as the read models see it."""

    def notices(self, after: int, limit: int) -> Sequence[Notice]:
        """The next decisions of all matches in the order they were saved."""

    def newest_notice(self) -> int:
        """The id of the newest decision; 0 when there is none."""

    def history(self, match: UUID, after: int, upto: int | None = None) -> Sequence[Decision]:
        """The match's decisions that begin later than version ``after`` (up to ``upto``)."""


Borrow = Callable[[UUID], Timeline | None]
"""Gives a match's timeline that is folded already, if there is one at hand."""

Seen = Callable[[Sequence[Notice]], AbstractContextManager[object]]


class Refreshed(NamedTuple):
    """Whether the tables hold all that was saved before, and whether they had to be written."""

    level: bool
    wrote: bool


class Projector:
    """Folds the log into the read models.

    ``opened`` opens the log in another process, for a renewal of many matches; ``seen`` is open
    while a batch is folded.
    """

    def __init__(
        self,
        log: Log,
        views: Views,
        borrow: Borrow | None = None,
        opened: Callable[[], Scanned] | None = None,
        seen: Seen | None = None,
    ) -> None:
        self._log = log
        self._views = views
        self._snapshots = Snapshots(views)
        self._borrow = borrow or (lambda match: None)
        self._opened = opened
        self._seen = seen or nullcontext
        self._kept: LRUCache[UUID, Timeline] = LRUCache(_KEPT)
        self._lock = Lock()
        self._looked_again = False
        self._aside: dict[str, Aside] = {}

    # -- following -------------------------------------------------------------------------

    def catch_up(self, stopping: Event | None = None) -> int:
        """Pulls until nothing is left; gives the number of decisions seen. Thread-safe.

        When it returns, everything saved before the call is in the tables. Only where a new
        generation is needed and another worker is making it, they are as they were.
        """
        stopping = stopping or Event()
        with self._lock:
            if not self._looked_again:
                self._look_again()
                self._looked_again = True
        generation = self._following()
        if generation is None:
            return self._renew(stopping)
        seen = 0
        while not stopping.is_set() and (notices := self._pull(generation)):
            seen += len(notices)
        return seen

    def refresh(self, patience: float) -> Refreshed:
        """Lets the tables catch up for somebody who is about to read.

        Takes no lock when there is nothing to do, and not longer than so many seconds (and one
        batch) when there is. Where they are far behind, they are read as they are.
        """
        until = time.monotonic() + patience
        newest = self._log.newest_notice()
        wrote = False
        while True:
            generation, position = self._views.level()
            behind = newest - (position or 0)
            if generation is None or not 0 < behind <= _SOON:
                return Refreshed(generation is not None and behind <= 0, wrote)
            if not self._lock.acquire(timeout=_left(until)):
                return Refreshed(False, wrote)
            try:
                # Another worker may be writing them; or a hand at a console, for long.
                with patient(_left(until)):
                    wrote |= bool(self._pull_batch(generation))
            finally:
                self._lock.release()

    def behind(self) -> int:
        """How many decisions the tables do not show yet."""
        return max(self._log.newest_notice() - (self._views.level()[1] or 0), 0)

    def _following(self) -> Generation | None:
        """The generation that can follow the log; None when a new one is needed."""
        generation, position = self._views.level()
        behind = self._log.newest_notice() - (position or 0)
        return generation if 0 <= behind <= _FAR else None

    def _pull(self, generation: Generation) -> Sequence[Notice]:
        with self._lock:
            return self._pull_batch(generation)

    def _pull_batch(self, generation: Generation) -> Sequence[Notice]:
        notices = self._next(self._views.position(generation) or 0)
        if notices:
            try:
                with self._seen(notices):
                    self._fold_batch(notices, generation)
            except Retired:
                # Its successor knows what these say, or will.
                return []
            except OperationalError as error:
                # Its tables were being taken away: whoever asks again learns that it is retired.
                if not is_deadlock(error):
                    raise
        return notices

    def _next(self, after: int) -> Sequence[Notice]:
        notices = list(self._log.notices(after, _BATCH))
        more = notices
        while len(more) == _BATCH and len(notices) < _MOST:
            if len({notice.match for notice in notices}) > _BATCH // 2:
                break
            more = list(self._log.notices(notices[-1].id, _BATCH))
            notices += more
        return notices

    def _fold_batch(self, notices: Sequence[Notice], generation: Generation) -> None:
        newest = {notice.match: notice for notice in notices}
        rows = [self._row(notice) for notice in newest.values()]
        # Another worker may have written these; then go on from its position.
        with suppress(IntegrityError):
            self._views.write(rows, notices[-1].id, generation)

    def _look_again(self) -> None:
        """Once in the life of a process: perhaps this program can fold what another could not."""
        for aside in self._views.set_aside():
            row = self._row(Notice(0, UUID(aside.match), aside.game, aside.version))
            if isinstance(row, Row):
                self._views.restore(row)

    def _row(self, notice: Notice) -> Row | Aside:
        row = folded(notice, lambda: self._timeline(notice))
        self._note(row)
        return row

    def _note(self, row: Row | Aside) -> None:
        """Logs once what was set aside. The error's message may quote a secret."""
        if isinstance(row, Aside) and self._aside.get(row.match) != row:
            log.error(
                "match %s set aside at version %s: %s",
                *(row.match, row.version, row.reason),
                extra={"match": row.match},
            )
            self._aside[row.match] = row

    def _timeline(self, notice: Notice) -> Timeline:
        timeline = self._borrow(notice.match)
        if timeline is not None and timeline.version >= notice.version:
            return timeline
        kept = self._kept.pop(notice.match, None) or self._begun(notice)
        if kept.version < notice.version:
            for decision in self._log.history(notice.match, kept.version):
                kept.append(decision)
        self._kept[notice.match] = kept
        return kept

    def _begun(self, notice: Notice) -> Timeline:
        """A long match from its latest snapshot on; another from its beginning."""
        found = None
        if notice.version > snapshots.EVERY:
            read = partial(self._log.history, notice.match)
            found = resumed(self._snapshots, notice.match, read)
        return found or Timeline(codec_of(notice.game).rules)

    # -- a new generation ------------------------------------------------------------------

    def rebuild(self) -> int:
        """Folds the whole log into new tables and shows them; gives the number of decisions."""
        return self._renew(Event(), anyway=True)

    def _renew(self, stopping: Event, *, anyway: bool = False) -> int:
        builder = f"{socket.gethostname()}/{os.getpid()}"
        generation = self._views.begin(builder, anyway=anyway)
        if generation is None:
            return 0
        try:
            return self._fill(generation, stopping)
        except (Retired, Stopped):
            return 0
        finally:
            # If it was not finished, the next who looks need not wait for it.
            with suppress(PersistenceError):
                self._views.leave(generation)

    def _fill(self, generation: Generation, stopping: Event) -> int:
        upto = self._log.newest_notice()
        with closing(fold_all(self._log, self._opened, upto, stopping)) as found:
            for rows, done, whole in found:
                for row in rows:
                    self._note(row)
                self._views.fill(generation, rows, done, whole)
        self._views.filled(generation, upto)
        return upto + self._show(generation, stopping)

    def _show(self, generation: Generation, stopping: Event) -> int:
        """Follows the log until the new generation is as far as the live one; then switches."""
        seen = 0
        while not stopping.is_set():
            notices = self._pull(generation)
            seen += len(notices)
            if not notices and self._views.switch(generation, self._log.newest_notice()):
                break
        return seen


def _left(until: float) -> float:
    return max(until - time.monotonic(), 0)


class Runner:
    """A thread that catches up ``pause`` seconds after it was woken, and every ``patience``.

    ``failed``: why the tables do not follow the log now; then it tries again after each pause.
    Somebody else who is writing them is no reason, as long as he comes to an end.
    """

    def __init__(self, projector: Projector, pause: float = 1.0, patience: float = 5.0) -> None:
        self._projector = projector
        self._pause = pause
        self._patience = patience
        self._woken = Event()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="projections", daemon=True)
        self.failed: Exception | None = None
        self._held_since: float | None = None

    def start(self) -> None:
        """Starts the thread, which catches up at once."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Something was saved."""
        self._woken.set()

    def behind(self) -> int:
        """How many decisions the tables do not show yet."""
        return self._projector.behind()

    def stop(self) -> None:
        """Ends the thread; what it has not seen it will see at the next start."""
        self._stopping.set()
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            # Also without being woken: another worker may have left something undone.
            self._woken.wait(self._patience)
            if self._stopping.wait(self._pause):
                return
            self._woken.clear()
            try:
                self._projector.catch_up(self._stopping)
                self.failed = self._held_since = None
            except Exception as error:
                # The tables stay as they were; the next wake or reader tries again.
                self._woken.set()
                if not self._is_held_shortly(error):
                    self._note(error)

    def _is_held_shortly(self, error: Exception) -> bool:
        """Whether somebody else is writing the tables, and not for long yet."""
        if not (isinstance(error, Held) or is_locked(error)):
            self._held_since = None
            return False
        now = time.monotonic()
        self._held_since = self._held_since or now
        return now - self._held_since < _HELD

    def _note(self, error: Exception) -> None:
        if type(error) is not type(self.failed):
            log.error("read models: %s", type(error).__name__)
        self.failed = error
