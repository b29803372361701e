"""Watchers of a match: the seats whose players follow it live, and the number of other people.

Nothing is stored. Each worker knows its own listeners and publishes their watchers to the other
workers at regular beats: changes at the next beat, the whole list every `BEATS_PER_FULL_UPDATE`
beats. The list of a worker that has sent nothing for `WORKER_TIMEOUT_S` seconds is discarded, so
that no stale watchers remain if a worker stops or Redis is unavailable.
"""

from collections.abc import Hashable, Iterable, Mapping
from secrets import token_hex
from typing import Protocol

import msgspec

BEATS_PER_FULL_UPDATE = 5
"""Number of beats after which a worker publishes its whole list."""
WORKER_TIMEOUT_S = 25.0
"""Seconds after which the list of another worker is discarded unless it was renewed."""


class Watcher(Protocol):
    """One open stream: the watchers last passed to it, and its listener's seats and identity."""

    last_sent: "Watchers | None"
    seats: frozenset[int]
    watcher_id: Hashable

    def on_watchers(self, watchers: "Watchers") -> None:
        """Set the watchers to send."""


class Watchers(msgspec.Struct, frozen=True):
    """Watchers of a match: ``seats`` in ascending order, ``watching`` people without a seat."""

    seats: tuple[int, ...] = ()
    watching: int = 0


NO_WATCHERS = Watchers()


class WatcherUpdate(msgspec.Struct, frozen=True, array_like=True):
    """A message from a worker: the watchers of its matches.

    ``is_full``: whether it has all matches of the worker, not only changed ones.
    """

    worker: str
    is_full: bool
    matches: dict[str, Watchers]


encode_update = msgspec.json.Encoder().encode
decode_update = msgspec.json.Decoder(WatcherUpdate).decode


def count_watchers(streams: Iterable[Watcher]) -> Watchers:
    """Count the watchers of these streams; a person with several streams counts once."""
    seats: set[int] = set()
    others: set[Hashable] = set()
    for each in streams:
        seats |= each.seats
        if not each.seats:
            others.add(each.watcher_id)
    return Watchers(tuple(sorted(seats)), len(others))


class WatcherRegistry:
    """The watchers of all matches, in this worker and as last published by the other workers."""

    def __init__(self) -> None:
        self.worker_id = token_hex(8)
        self._local: dict[str, Watchers] = {}
        self._remote: dict[str, tuple[float, dict[str, Watchers]]] = {}
        self._beats = 0

    def apply_update(self, update: WatcherUpdate, now_s: float) -> None:
        """Apply a message from another worker; ignore this worker's own.

        ``now_s``: seconds of a monotonic clock.
        """
        if update.worker == self.worker_id:
            return
        _, known = self._remote.get(update.worker, (now_s, {}))
        matches = update.matches if update.is_full else {**known, **update.matches}
        kept = {match: looking for match, looking in matches.items() if looking != NO_WATCHERS}
        self._remote[update.worker] = (now_s, kept)

    def broadcast(self, streams: Mapping[str, Iterable[Watcher]], now_s: float) -> bytes | None:
        """Update each stream whose watchers have changed; return the message for other workers.

        ``streams``: this worker's streams by match; ``now_s``: seconds of a monotonic clock. The
        message is None if nothing has changed and no whole list is due.
        """
        here = {match: count_watchers(some) for match, some in streams.items()}
        self._remote = {
            worker: (heard, known)
            for worker, (heard, known) in self._remote.items()
            if now_s - heard < WORKER_TIMEOUT_S
        }
        for match, some in streams.items():
            looking = self._add_remote(match, here[match])
            for each in some:
                if each.last_sent != looking:
                    each.on_watchers(looking)
        return self._next_update(here)

    def total_watchers(self, match: str) -> Watchers:
        """Return the watchers of a match in all workers, as of the last beat."""
        return self._add_remote(match, self._local.get(match, NO_WATCHERS))

    def _add_remote(self, match: str, local: Watchers) -> Watchers:
        """Return the watchers of a match in this worker and the other workers together."""
        seats, watching = set(local.seats), local.watching
        for _, known in self._remote.values():
            there = known.get(match, NO_WATCHERS)
            seats |= {*there.seats}
            watching += there.watching
        return Watchers(tuple(sorted(seats)), watching)

    def _next_update(self, local: dict[str, Watchers]) -> bytes | None:
        before, self._local = self._local, local
        self._beats += 1
        if self._beats % BEATS_PER_FULL_UPDATE == 0:
            return encode_update(WatcherUpdate(self.worker_id, True, local))
        news = {
            match: local.get(match, NO_WATCHERS)
            for match in {*before, *local}
            if before.get(match, NO_WATCHERS) != local.get(match, NO_WATCHERS)
        }
        return encode_update(WatcherUpdate(self.worker_id, False, news)) if news else None
