"""Watchers of a match: the seats whose players have it open live, and the number of others.

Nothing is stored. Each worker knows its own listeners and publishes them to the other workers:
changes at the next beat, the whole list every `WHOLE_EVERY` beats. The list of a worker that was
not heard of for `FORGOTTEN` seconds is discarded, so that a stopped worker or an unavailable Redis
leaves no stale watchers.
"""

from collections.abc import Hashable, Iterable, Mapping
from secrets import token_hex
from typing import Protocol

import msgspec

WHOLE_EVERY = 5
"""Number of beats after which a worker publishes its whole list."""
FORGOTTEN = 25.0
"""Seconds after which the list of another worker is discarded unless it was renewed."""


class Watcher(Protocol):
    """One open stream: the watchers it was last given, its listener's seats and identity."""

    told: "Looking | None"
    seats: frozenset[int]
    who: Hashable

    def look(self, looking: "Looking") -> None:
        """Set the watchers."""


class Looking(msgspec.Struct, frozen=True):
    """Watchers of a match: ``seats`` in ascending order, ``watching`` people without a seat."""

    seats: tuple[int, ...] = ()
    watching: int = 0


NOBODY = Looking()


class Told(msgspec.Struct, frozen=True, array_like=True):
    """A message of a worker: the watchers of all its matches (``whole``) or of changed ones."""

    worker: str
    whole: bool
    matches: dict[str, Looking]


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Told).decode


def counted(watchers: Iterable[Watcher]) -> Looking:
    """Count the watchers of these streams; a person with several streams counts once."""
    seats: set[int] = set()
    others: set[Hashable] = set()
    for each in watchers:
        seats |= each.seats
        if not each.seats:
            others.add(each.who)
    return Looking(tuple(sorted(seats)), len(others))


class Crowd:
    """The watchers of all matches, of this worker and of the others as far as known."""

    def __init__(self) -> None:
        self.worker = token_hex(8)
        self._here: dict[str, Looking] = {}
        self._there: dict[str, tuple[float, dict[str, Looking]]] = {}
        self._beats = 0

    def hear(self, told: Told, now: float) -> None:
        """Apply a message of another worker; ``now``: seconds of a monotonic clock."""
        if told.worker == self.worker:
            return
        _, known = self._there.get(told.worker, (now, {}))
        matches = told.matches if told.whole else {**known, **told.matches}
        kept = {match: looking for match, looking in matches.items() if looking != NOBODY}
        self._there[told.worker] = (now, kept)

    def beat(self, streams: Mapping[str, Iterable[Watcher]], now: float) -> bytes | None:
        """Update each stream whose watchers have changed; return the message for other workers.

        ``streams``: this worker's, by match; ``now``: seconds of a monotonic clock. The message is
        None where nothing has changed and no whole list is due.
        """
        here = {match: counted(some) for match, some in streams.items()}
        self._there = {
            worker: (heard, known)
            for worker, (heard, known) in self._there.items()
            if now - heard < FORGOTTEN
        }
        for match, some in streams.items():
            looking = self._everywhere(match, here[match])
            for each in some:
                if each.told != looking:
                    each.look(looking)
        return self._news(here)

    def everywhere(self, match: str) -> Looking:
        """Return the watchers of a match in all workers, as of the last beat."""
        return self._everywhere(match, self._here.get(match, NOBODY))

    def _everywhere(self, match: str, here: Looking) -> Looking:
        """Add the other workers' watchers to those of this worker."""
        seats, watching = set(here.seats), here.watching
        for _, known in self._there.values():
            there = known.get(match, NOBODY)
            seats |= {*there.seats}
            watching += there.watching
        return Looking(tuple(sorted(seats)), watching)

    def _news(self, here: dict[str, Looking]) -> bytes | None:
        before, self._here = self._here, here
        self._beats += 1
        if self._beats % WHOLE_EVERY == 0:
            return encode(Told(self.worker, True, here))
        news = {
            match: here.get(match, NOBODY)
            for match in {*before, *here}
            if before.get(match, NOBODY) != here.get(match, NOBODY)
        }
        return encode(Told(self.worker, False, news)) if news else None
