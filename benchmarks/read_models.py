"""Time to fold all read models from the log: ``python -m benchmarks.read_models``.

Arguments: the number of matches (default 50000) and of decisions in each (default 20).
``DATABASE_URL`` selects PostgreSQL, whose tables must be empty. The matches are written directly to
the store, ten at a time, so that their decisions are interleaved.
"""

import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from eventsourcing.persistence import StoredEvent
from msgspec.structs import replace

from benchmarks.machine import describe_machine
from domain.contract.registry import TITLES
from domain.match.commands import Open
from domain.match.history import Decision
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from projections.read_models import ReadModels
from projections.runner import Projector
from service.settings import Settings, read_settings
from service.store import Store, library_settings
from service.store_setup import open_store

SEED = bytes(range(32))
_DISTINCT_MATCHES = 50
_INTERLEAVED = 10
_BATCH = 5_000


StoredShape = list[tuple[int, str, bytes]]
"""A match as stored: version, topic and state of each decision."""


def play_shape(number: int, decisions: int) -> tuple[StoredShape, Decision]:
    """Return a match as stored, and its last decision."""
    slug = min(TITLES)
    codec, players = codec_of(slug), (f"player-{number}", f"player-{number + 1}")
    seats = tuple(Seat("human", player.title(), player) for player in players)
    opening = Open(slug, 1, {}, seats, "public", players[0], compute_commitment(SEED), SEED.hex())
    timeline = Timeline(codec.rules)
    for decision in timeline.act(None, [opening], 1_000, draws_from_seed):
        timeline.append(decision)
    while len(timeline.decisions) < decisions and timeline.latest.status == "playing":
        seat = timeline.to_act(timeline.latest)[0]
        choices = codec.rules.choices(timeline.latest.state, seat)
        choice = choices[number % len(choices)]
        for decision in timeline.act(seat, [choice], 1_000 + timeline.version, draws_from_seed):
            timeline.append(decision)
    made = list(timeline.decisions)[:decisions]
    return [(d.version, codec.topic, codec.encode(d)) for d in made], made[-1]


def with_last_instant(of: tuple[StoredShape, Decision], at: int) -> StoredShape:
    """Return the match with its last decision at another instant, as in real matches."""
    made, last = of
    version, topic, _ = made[-1]
    game = topic.partition("/")[0]
    return [*made[:-1], (version, topic, codec_of(game).encode(replace(last, at=at)))]


def generate_log(matches: int, decisions: int) -> Iterator[StoredEvent]:
    """Yield the decisions of all matches in the order they would be saved."""
    shapes = [play_shape(number, decisions) for number in range(min(_DISTINCT_MATCHES, matches))]
    for first in range(0, matches, _INTERLEAVED):
        numbers = range(first, first + _INTERLEAVED)
        keys = [
            (uuid.uuid4(), with_last_instant(shapes[n % len(shapes)], 10_000 + n)) for n in numbers
        ]
        for turn in range(decisions):
            for key, of in keys:
                if turn < len(of):
                    yield StoredEvent(key, *of[turn])


def write_log(store: Store, matches: int, decisions: int) -> int:
    """Write the log into the store; return its number of decisions."""
    batch: list[StoredEvent] = []
    written = 0
    for event in generate_log(matches, decisions):
        batch.append(event)
        if len(batch) == _BATCH:
            store.recorder.insert_events(batch)
            written, batch = written + len(batch), []
    store.recorder.insert_events(batch)
    return written + len(batch)


def measure(settings: Settings, matches: int, decisions: int) -> tuple[float, float]:
    """Return the seconds that it takes to fold the whole log, and to follow one more decision."""
    with (
        closing(open_store(settings)) as store,
        closing(ReadModels(library_settings(settings, views=True))) as views,
    ):
        written = write_log(store, matches, decisions)
        projector = Projector(store, views, open_log=partial(open_store, settings))
        began = time.perf_counter()
        assert projector.rebuild() == written
        whole = time.perf_counter() - began
        (one,) = list(generate_log(1, 1))[:1]
        store.recorder.insert_events([one])
        began = time.perf_counter()
        assert projector.refresh(5.0)
        return whole, time.perf_counter() - began


def main() -> None:
    """Measure with the arguments of the command line, and print the figures."""
    matches, decisions = (int(n) for n in [*sys.argv[1:], "50000", "20"][:2])
    settings = read_settings()
    with tempfile.TemporaryDirectory() as folder:
        if not settings.database_url:
            settings = replace(settings, data=str(Path(folder)))
        whole, one = measure(settings, matches, decisions)
    where = "PostgreSQL" if settings.database_url else "SQLite"
    print(describe_machine())
    print(f"{where}: {matches} matches of {decisions} decisions: {whole:.1f} s to fold them all")
    print(f"one decision more: {one * 1000:.1f} ms until lists have it")


if __name__ == "__main__":
    main()
