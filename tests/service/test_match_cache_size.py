"""The match cache is bounded by estimated memory, and the estimates are accurate."""

import asyncio
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from benchmarks.memory import encode_match, measure_memory
from domain.contract.registry import TITLES
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from projections.read_models import ReadModels
from projections.snapshots import Snapshots
from service.matches.match_cache import MatchCache, estimate_bytes
from service.settings import Settings
from service.store import Store, library_settings
from service.store.group_commit import GroupCommitWriter
from service.store_setup import open_store
from tests.service.databases import fresh


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_estimated_size_matches_the_allocator(slug: str) -> None:
    _, taken, told = measure_memory(slug, 6)
    assert 0.7 < told / taken < 1.5


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with fresh("sqlite", tmp_path) as settings:
        opened = open_store(settings)
        yield opened
        opened.close()


@pytest.fixture
def snapshots(tmp_path: Path) -> Iterator[Snapshots]:
    with closing(ReadModels(library_settings(Settings(data=str(tmp_path)), views=True))) as views:
        yield Snapshots(views)


def test_cache_stays_within_its_byte_limit(store: Store, snapshots: Snapshots) -> None:
    """Measured by the allocator while many more matches are loaded; the latest stay cached."""
    most = 2_000_000
    logs = [(codec_of(slug), encode_match(slug, 7)) for slug in TITLES]
    # Data shared by all matches of a game is loaded before the measurement.
    before = [Timeline(codec.rules, map(codec.decode, log)) for codec, log in logs]
    saver = GroupCommitWriter(store, lambda: None)
    tables = MatchCache(store, saver, snapshots, most)
    tracemalloc.start()
    keys = []
    for number in range(60):
        codec, log = logs[number % len(logs)]
        keys.append(uuid4())
        tables.add(keys[-1], Timeline(codec.rules, map(codec.decode, log)))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    saver.close()
    assert most / 2 < taken < most * 1.4
    there = [tables.peek(key) is not None for key in keys]
    assert there == sorted(there)
    assert len(before) < sum(there) < 60


def test_growing_match_evicts_others(store: Store, snapshots: Snapshots) -> None:
    codec = codec_of("courtyard")
    long = Timeline(codec.rules, map(codec.decode, encode_match("courtyard", 1)))
    short = Timeline(codec.rules, long.decisions.tail(0)[:3])
    saver = GroupCommitWriter(store, lambda: None)
    tables = MatchCache(store, saver, snapshots, estimate_bytes(long) + 30_000)
    growing, others = uuid4(), [uuid4() for _ in range(3)]
    for key in (growing, *others):
        tables.add(key, short)
    assert all(tables.peek(key) for key in (growing, *others))
    tables.add(growing, short).timeline = long
    for _ in range(2):
        assert asyncio.run(tables.find(growing, fresh=False)) is not None
    assert tables.peek(growing) is long
    assert not all(tables.peek(key) for key in others)
    saver.close()
