"""Who looks at a match now: the seats whose people follow it live, and how many others do.

Nothing of it is stored. Each worker knows who listens to itself and tells the other workers over a
channel: what has changed at once, all of it now and then. What was not told anew for a while is
forgotten, so that a worker that has gone, or a Redis that is away, leaves nobody looking for ever.
"""

from collections.abc import Hashable, Iterable, Mapping
from secrets import token_hex
from typing import Protocol

import msgspec

WHOLE_EVERY = 5
"""Every so many beats all is told to the other workers."""
FORGOTTEN = 25.0
"""Seconds after which what another worker told counts no more."""


class Watcher(Protocol):
    """One open stream: what it was told last, the seats of whoever listens, and who that is."""

    told: "Looking | None"
    seats: frozenset[int]
    who: Hashable

    def look(self, looking: "Looking") -> None:
        """Tells who looks now."""


class Looking(msgspec.Struct, frozen=True):
    """Who looks at a match: these seats, and so many who have no seat."""

    seats: tuple[int, ...] = ()
    watching: int = 0


NOBODY = Looking()


class Told(msgspec.Struct, frozen=True, array_like=True):
    """What a worker tells the others: of all its matches (``whole``) or of those that changed."""

    worker: str
    whole: bool
    matches: dict[str, Looking]


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Told).decode


def counted(watchers: Iterable[Watcher]) -> Looking:
    """Who looks through these streams; whoever has several of them counts once."""
    seats: set[int] = set()
    others: set[Hashable] = set()
    for each in watchers:
        seats |= each.seats
        if not each.seats:
            others.add(each.who)
    return Looking(tuple(sorted(seats)), len(others))


class Crowd:
    """What one worker knows of who looks where: here, and at the other workers."""

    def __init__(self) -> None:
        self.worker = token_hex(8)
        self._here: dict[str, Looking] = {}
        self._there: dict[str, tuple[float, dict[str, Looking]]] = {}
        self._beats = 0

    def hear(self, told: Told, now: float) -> None:
        """Notes what a worker says at a moment (seconds of any steady clock)."""
        if told.worker == self.worker:
            return
        _, known = self._there.get(told.worker, (now, {}))
        matches = told.matches if told.whole else {**known, **told.matches}
        kept = {match: looking for match, looking in matches.items() if looking != NOBODY}
        self._there[told.worker] = (now, kept)

    def beat(self, streams: Mapping[str, Iterable[Watcher]], now: float) -> bytes | None:
        """Tells each stream who looks if that has changed; what the other workers should hear,
        None when there is nothing new for them."""
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
        """Who looks at a match, as of the last beat."""
        return self._everywhere(match, self._here.get(match, NOBODY))

    def _everywhere(self, match: str, here: Looking) -> Looking:
        """Here and there."""
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
