"""Matches that the service would never write, put directly into the store."""

import uuid
from collections.abc import Callable
from typing import Any

from eventsourcing.persistence import StoredEvent
from msgspec.structs import replace

from domain.match.commands import Open
from domain.match.events import MatchOpened
from domain.match.seats import Origin
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from service.store import Store
from tests.security.files import running

Events = list[StoredEvent]


def stored(game: str, spoil: Callable[[Timeline], list[Any]] | None = None) -> Events:
    """Return a running match as stored, with its decisions corrupted."""
    timeline = running(game, steps=6)
    decisions = timeline.decisions if spoil is None else spoil(timeline)
    codec, key = codec_of(game), uuid.uuid4()
    return [StoredEvent(key, d.version, codec.topic, codec.encode(d)) for d in decisions]


def clock_of(at: int) -> Callable[[Timeline], list[Any]]:
    """One decision at an extreme time."""
    return lambda timeline: [replace(timeline.decisions[0], at=at)]


def from_version(version: int) -> Callable[[Timeline], list[Any]]:
    """An opening whose origin has an extreme version."""

    def spoil(timeline: Timeline) -> list[Any]:
        first, *rest = timeline.decisions
        origin = Origin("some-match", version)
        command: Open = replace(first.command, forked_from=origin)
        event: MatchOpened = replace(first.events[0], forked_from=origin)
        return [replace(first, command=command, events=(event,)), *rest]

    return spoil


def named(name: str) -> Callable[[Timeline], list[Any]]:
    """An opening with a name that a text column may not be able to store."""

    def spoil(timeline: Timeline) -> list[Any]:
        first, *rest = timeline.decisions
        seats = tuple(replace(seat, name=name) for seat in first.events[0].seats)
        event = replace(first.events[0], seats=seats)
        return [replace(first, command=replace(first.command, seats=seats), events=(event,)), *rest]

    return spoil


def unfolded(timeline: Timeline) -> list[Any]:
    """No opening: the fold has nothing to start with."""
    return timeline.decisions.tail(2)


def last_bytes(data: bytes) -> Callable[[str], Events]:
    """The newest decision does not decode."""

    def make(game: str) -> Events:
        *events, last = stored(game)
        broken = StoredEvent(last.originator_id, last.originator_version, last.topic, data)
        return [*events, broken]

    return make


def topic_of(topic: str) -> Callable[[str], Events]:
    """Decisions of an unknown game or unknown rules."""

    def make(game: str) -> Events:
        return [
            StoredEvent(e.originator_id, e.originator_version, topic.format(game), e.state)
            for e in stored(game)
        ]

    return make


POISON: dict[str, Callable[[str], Events]] = {
    "clock 2**63": lambda game: stored(game, clock_of(2**63)),
    "clock 2**62": lambda game: stored(game, clock_of(2**62)),
    "clock -2**62": lambda game: stored(game, clock_of(-(2**62))),
    "fork of version 2**63": lambda game: stored(game, from_version(2**63)),
    "a name with a zero": lambda game: stored(game, named("a\0b")),
    "no opening": lambda game: stored(game, unfolded),
    "bytes that are none": last_bytes(b"\xc1\xff\x00"),
    "no bytes": last_bytes(b""),
    "an unknown game": topic_of("nix/1"),
    "rules of tomorrow": topic_of("{}/99"),
    "a topic that is none": topic_of("{}"),
}


def put(store: Store, events: Events) -> str:
    """Write the match and return its id."""
    store.recorder.insert_events(events)
    return str(events[0].originator_id)


def all_of_it(store: Store, game: str) -> dict[str, str]:
    """Write one match of each kind; return names of the kinds by match id."""
    return {put(store, make(game)): name for name, make in POISON.items()}
