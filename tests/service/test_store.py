"""The event store on each database: atomic writes, one writer per version, catching up."""

import asyncio
import uuid
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Barrier, Thread

import pytest
from eventsourcing.persistence import OperationalError
from psycopg.errors import PipelineAborted

from domain.match.commands import Open
from domain.match.history import Decision
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from projections.read_models import ReadModels
from projections.snapshots import Snapshots
from service.matches.match_cache import MatchCache, fold_decisions
from service.observability.metrics import REGISTRY
from service.settings import Settings
from service.store import Receipt, Store, StoredDecision, VersionConflict, library_settings
from service.store.group_commit import GroupCommitWriter
from service.store_setup import open_store
from tests.service.databases import DATABASES, fresh

SEED = bytes(32)


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with fresh(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    opened = open_store(settings)
    yield opened
    opened.close()


def opened_match() -> Timeline:
    """Return a hex game for two that has started."""
    seats = (Seat("human", "Ann", "ann"), Seat("human", "Bob", "bob"))
    options = {"expert": False}
    opening = Open(
        "caravanserai", 1, options, seats, "private", "ann", compute_commitment(SEED), SEED.hex()
    )
    return grown(Timeline(codec_of("caravanserai").rules), None, opening)


def grown(timeline: Timeline, seat: int | None, command: object) -> Timeline:
    twin = timeline.branch()
    for decision in twin.act(seat, [command], 1000, draws_from_seed):
        twin.append(decision)
    return twin


def moved(timeline: Timeline, which: int = 0) -> Timeline:
    seat = timeline.to_act(timeline.latest)[0]
    choice = timeline.rules.choices(timeline.latest.state, seat)[which]
    return grown(timeline, seat, choice)


def recorded(key: uuid.UUID, decisions: list[Decision]) -> list[StoredDecision]:
    return [StoredDecision(key, "caravanserai", decision) for decision in decisions]


def receipt(key: str, after: int) -> Receipt:
    return Receipt(key, "body", "match", 0, 1, after, 200, 1)


def test_decisions_come_back_as_they_were_saved(store: Store) -> None:
    key, match = uuid.uuid4(), moved(moved(opened_match()))
    store.save_decisions(recorded(key, match.decisions))
    found = store.decisions(key)
    assert [r.decision for r in found] == [*match.decisions]
    assert fold_decisions(found).latest == match.latest
    half = match.decisions[1].last_version
    assert [r.decision for r in store.decisions(key, half)] == match.decisions.tail(2)
    assert store.decisions(uuid.uuid4()) == []


def test_of_two_writers_at_a_version_one_wins(store: Store) -> None:
    key, match = uuid.uuid4(), opened_match()
    store.save_decisions(recorded(key, match.decisions))
    one, other = moved(match, 0), moved(match, 1)
    store.save_decisions(recorded(key, one.decisions.tail(2)), [receipt("one", 5)])
    with pytest.raises(VersionConflict):
        store.save_decisions(recorded(key, other.decisions.tail(2)), [receipt("other", 5)])
    assert [r.decision for r in store.decisions(key)] == [*one.decisions]
    assert store.find_receipt("one") == receipt("one", 5)
    assert store.find_receipt("other") is None


def test_a_batch_is_saved_as_a_whole_or_not_at_all(store: Store) -> None:
    key, match = uuid.uuid4(), opened_match()
    store.save_decisions(recorded(key, match.decisions))
    store.save_decisions(recorded(key, moved(match).decisions.tail(2)))
    fresh_key = uuid.uuid4()
    batch = [
        *recorded(fresh_key, match.decisions),
        *recorded(key, moved(match, 1).decisions.tail(2)),
    ]
    with pytest.raises(VersionConflict):
        store.save_decisions(batch)
    assert store.decisions(fresh_key) == []


def test_existing_receipt_prevents_the_write(store: Store) -> None:
    key, match = uuid.uuid4(), opened_match()
    store.save_decisions(recorded(key, match.decisions), [receipt("same", 3)])
    with pytest.raises(VersionConflict):
        store.save_decisions(recorded(key, moved(match).decisions.tail(2)), [receipt("same", 4)])
    assert len(store.decisions(key)) == len(match.decisions)


def test_save_that_fails_without_a_reason_is_tried_eight_times(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[object] = []

    def fail(*_values: object, **_more: object) -> None:
        attempts.append(None)
        raise OperationalError from PipelineAborted()

    monkeypatch.setattr(store.events, "put", fail)
    monkeypatch.setattr("service.store.store.is_conflict", lambda *_values: False)
    with pytest.raises(OperationalError):
        store.save_decisions(recorded(uuid.uuid4(), opened_match().decisions.tail(0)))
    assert len(attempts) == 8


def test_writers_in_parallel_lose_nothing(store: Store) -> None:
    """Eight threads write the same ten versions: each version is written exactly once."""
    key, match = uuid.uuid4(), opened_match()
    store.save_decisions(recorded(key, match.decisions))
    states = [match]
    for _ in range(10):
        states.append(moved(states[-1]))
    wins: list[int] = []

    def write() -> None:
        for before, after in pairwise(states):
            try:
                store.save_decisions(recorded(key, after.decisions.tail(len(before.decisions))))
                wins.append(after.version)
            except VersionConflict:
                continue

    threads = [Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(wins) == [state.version for state in states[1:]]
    assert fold_decisions(store.decisions(key)).latest == states[-1].latest


def test_the_log_of_all_matches_is_in_the_order_of_saving(store: Store) -> None:
    keys = [uuid.uuid4(), uuid.uuid4()]
    match = opened_match()
    assert store.newest_entry_id() == 0
    for key in keys:
        store.save_decisions(recorded(key, match.decisions))
    store.save_decisions(recorded(keys[0], moved(match).decisions.tail(2)))
    notices = store.read_entries(0, 100)
    assert [n.match for n in notices] == [keys[0]] * 2 + [keys[1]] * 2 + [keys[0]]
    assert [n.id for n in notices] == sorted(n.id for n in notices)
    assert store.newest_entry_id() == notices[-1].id
    assert store.read_entries(notices[2].id, 1) == notices[3:4]


def test_cached_match_catches_up_with_another_worker(settings: Settings, store: Store) -> None:
    async def scenario() -> None:
        other = open_store(settings)
        saver = GroupCommitWriter(store, lambda: None)
        views = ReadModels(library_settings(settings, views=True))
        tables = MatchCache(store, saver, Snapshots(views), 10_000_000)
        key, match = uuid.uuid4(), opened_match()
        await saver.save(recorded(key, match.decisions))
        table = await tables.find(key, fresh=True)
        assert table is not None
        seen_before = table.timeline
        later = moved(moved(match))
        other.save_decisions(recorded(key, later.decisions.tail(2)))
        other.close()
        assert (await tables.find(key, fresh=False)) is table
        assert table.timeline.version == match.version
        await tables.find(key, fresh=True)
        assert table.timeline.latest == later.latest
        assert seen_before.version == match.version, "a reader keeps its match"
        views.close()

    asyncio.run(scenario())


def test_grouped_saves_are_independent(store: Store) -> None:
    """One save of a group that fails does not affect the others."""

    async def scenario() -> None:
        saver = GroupCommitWriter(store, lambda: None)
        match = opened_match()
        keys = [uuid.uuid4() for _ in range(5)]
        await saver.save(recorded(keys[0], match.decisions))
        results = await asyncio.gather(
            *(saver.save(recorded(key, match.decisions)) for key in keys), return_exceptions=True
        )
        assert [type(result) for result in results] == [VersionConflict, *[type(None)] * 4]
        assert all(store.decisions(key) for key in keys)

    asyncio.run(scenario())


@pytest.mark.parametrize("together", [1, 3])
def test_version_conflict_is_counted(store: Store, together: int) -> None:
    """Also for single saves, which are the most common."""

    async def scenario() -> None:
        saver = GroupCommitWriter(store, lambda: None)
        match, key = opened_match(), uuid.uuid4()
        await saver.save(recorded(key, match.decisions))
        before = conflicts()
        results = await asyncio.gather(
            *(saver.save(recorded(key, match.decisions)) for _ in range(together)),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [VersionConflict] * together
        assert conflicts() - before == together

    def conflicts() -> float:
        return REGISTRY.get_sample_value("caravanserai_version_conflicts_total") or 0

    asyncio.run(scenario())


def test_the_process_environment_does_not_reach_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.popo")
    monkeypatch.setenv("SQLITE_DBNAME", str(tmp_path / "wrong.sqlite"))
    store = open_store(Settings(data=str(tmp_path / "right")))
    store.save_decisions(recorded(uuid.uuid4(), opened_match().decisions))
    store.close()
    assert (tmp_path / "right" / "caravanserai.sqlite").exists()
    assert not (tmp_path / "wrong.sqlite").exists()


def test_workers_may_start_at_the_same_moment(settings: Settings) -> None:
    """Concurrent creation of missing tables succeeds."""
    failures: list[BaseException] = []
    together = Barrier(6)

    def start() -> None:
        together.wait()
        try:
            open_store(settings).close()
            ReadModels(library_settings(settings, views=True)).close()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
