"""Read models are rebuilt beside the ones in use; nothing waits, nothing is lost."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from benchmarks.read_models import write_log
from domain.match.time_control import Pace
from projections import rebuild, runner, schema
from projections.database.postgres import LockTimeout
from projections.read_models import ReadModels
from projections.runner import Projector
from projections.summary import PaceSummary
from service.settings import Settings
from service.store import library_settings
from service.store_setup import open_store
from tests.projections.test_views import World
from tests.resilience.disposable_servers import children
from tests.security.corrupt_rows import all_of_it
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Person

ROOT = Path(__file__).parents[2]
LAYOUTS = {5: "c69c0b", 6: "2f8ee8", 7: "678fb7"}
"""Each layout, and the beginning of the SHA-256 of its tables."""


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with fresh(request.param, tmp_path) as made:
        yield made


@pytest.fixture
def world(settings: Settings) -> Iterator[World]:
    made = World(settings)
    yield made
    made.close()


def test_other_tables_are_another_layout() -> None:
    """If `TABLES` changes, increase `SCHEMA_VERSION` and update the hash here."""
    found = hashlib.sha256("".join(schema.TABLES).encode()).hexdigest()
    assert LAYOUTS[schema.SCHEMA_VERSION] == found[:6]


def another_layout(monkeypatch: pytest.MonkeyPatch, *, readable: bool) -> None:
    """From here on the program has different read models."""
    monkeypatch.setattr(schema, "SCHEMA_VERSION", 8)
    monkeypatch.setattr(schema, "READABLE_VERSIONS", frozenset({7, 8} if readable else {8}))


def listed(world: World, player: str = "ann") -> set[str]:
    return {summary.id for summary in world.views.player_matches(player, None, None, 1000)}


def test_late_batch_is_written_to_unused_tables(world: World) -> None:
    """A worker folds a batch, somebody rebuilds, and only then does the worker write."""
    first = world.open("ann")
    folded, go_on = Event(), Event()
    late = Projector(world.store, ReadModels(library_settings(world.settings, views=True)))
    write_now = late._views.write

    def slowly(*values: Any) -> None:
        folded.set()
        assert go_on.wait(20)
        write_now(*values)

    late._views.write = slowly  # type: ignore[method-assign]
    worker = Thread(target=late.catch_up)
    worker.start()
    assert folded.wait(20)
    second = world.open("ann")
    assert world.projector.rebuild() == world.store.newest_entry_id()
    go_on.set()
    worker.join()
    assert listed(world) == {str(first.key), str(second.key)}
    assert world.views.position() == world.store.newest_entry_id()
    late._views.close()


@pytest.mark.parametrize("seed", range(3))
def test_rebuilding_a_busy_service_loses_nothing(world: World, seed: int) -> None:
    """ "A late batch of a busy server during `rebuild` leaves the lists empty for good"."""
    chance = random.Random(seed)
    for _ in range(5):
        world.open("ann", "bob")
    stop = Event()
    failures: list[BaseException] = []
    others = [World(world.settings) for _ in range(2)]

    def follow(other: World) -> None:
        try:
            while not stop.is_set():
                with suppress(LockTimeout):  # the service tries again, too
                    other.projector.catch_up()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=follow, args=(other,)) for other in others]
    for thread in threads:
        thread.start()
    played = []
    rebuilds = [Thread(target=World(world.settings).projector.rebuild) for _ in range(3)]
    for thread in rebuilds:
        thread.start()
        for _ in range(chance.randrange(3, 9)):
            played.append(world.open("ann").step())
        time.sleep(chance.random() / 20)
    for thread in rebuilds:
        thread.join()
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    world.projector.catch_up()
    assert {str(match.key) for match in played} <= listed(world)
    before = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == before
    for other in others:
        other.close()


def test_processes_fold_as_threads_do(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Including unreadable matches, whether or not the log is grouped by match."""
    all_of_it(world.store, "caravanserai")
    matches = [world.open("ann", "bob") for _ in range(4)]
    for _ in range(3):
        for match in matches:
            match.step()
    world.projector.catch_up()
    followed = world.views.dump()
    monkeypatch.setattr(rebuild, "PART_DECISIONS", 5)
    world.projector.rebuild()
    assert world.views.dump() == followed
    monkeypatch.setattr(rebuild, "MIN_DECISIONS_FOR_PROCESSES", 0)
    Projector(world.store, world.views, open_log=partial(open_store, world.settings)).rebuild()
    assert world.views.dump() == followed


def test_queue_of_a_rebuild_fits_the_processes_it_may_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a container with few of the machine's processors, few results wait in memory."""
    submitted: list[Any] = []

    class Pool:
        def __init__(self, processes: int, **_options: Any) -> None:
            assert processes == 2

        def submit(self, _function: Any, bounds: Any, _upto: int) -> Future[bytes]:
            submitted.append(bounds)
            done: Future[bytes] = Future()
            done.set_result(msgspec.msgpack.encode(([], [])))
            return done

        def shutdown(self, **_options: Any) -> None: ...

    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {4, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(rebuild, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(rebuild, "MIN_DECISIONS_FOR_PROCESSES", 0)
    unused: Any = None
    parts = rebuild.fold_all(unused, lambda: unused, 50 * rebuild.PART_DECISIONS, Event())
    assert next(parts) == ([], 1, 50)
    assert len(submitted) == 4
    assert len(list(parts)) == 49


def test_distant_models_are_rebuilt_and_close_ones_catch_up(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        world.open("ann")
    world.projector.catch_up()
    before = world.views.position_of_live()[0]
    world.open("ann")
    world.projector.catch_up()
    assert world.views.position_of_live()[0] == before
    monkeypatch.setattr(runner, "_REBUILD_LAG_DECISIONS", 1)
    match = world.open("ann").step()
    world.projector.catch_up()
    after = world.views.position_of_live()[0]
    assert after is not None
    assert before is not None
    assert after.number > before.number
    assert str(match.key) in listed(world)


@pytest.mark.parametrize("readable", [True, False])
def test_a_model_of_another_version_never_breaks_a_list(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, readable: bool
) -> None:
    """The lists of the previous version are served while the new ones are being built."""
    world = World(settings)
    keys = {str(world.open("ann", visibility="public").key) for _ in range(3)}
    world.projector.catch_up()
    world.close()
    another_layout(monkeypatch, readable=readable)
    for few in ("_MAX_READ_LAG_DECISIONS", "_REBUILD_LAG_DECISIONS"):
        monkeypatch.setattr(runner, few, 0)
    going = Event()

    def waits(*values: Any) -> Iterator[Any]:
        assert going.wait(30)
        yield from fold_all(*values)

    fold_all = rebuild.fold_all
    monkeypatch.setattr(runner, "fold_all", waits)
    with run_service(settings) as client:

        def public() -> set[str]:
            answer = client.get("/api/matches?scope=public")
            assert answer.status_code == 200
            return {item["id"] for item in answer.json()["items"]}

        deadline = time.monotonic() + 20
        while not client.app.services.read_models.building():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        began = time.monotonic()
        assert public() == (keys if readable else set())
        ready = client.get("/health/ready?verbose")
        assert ready.status_code == 200
        assert ready.json()["parts"]["lists"]["done"] == 0
        assert time.monotonic() - began < 1, "reading does not wait for the rebuild"
        going.set()
        while client.app.services.read_models.building():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert public() == keys
        assert client.get("/health/ready?verbose").json()["parts"]["lists"] == {
            "ok": True,
            "behind": 0,
        }


def test_versions_beside_each_other_keep_their_own(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older program keeps its lists, does not write the newer ones, and may come back."""
    old = World(settings)
    old.open("ann")
    old.projector.catch_up()
    older = old.views.position_of_live()[0]
    with monkeypatch.context() as newer:
        another_layout(newer, readable=True)
        new = World(settings)
        new.projector.catch_up()
        newest = new.views.position_of_live()[0]
        new.close()
    match = old.open("ann")
    old.projector.catch_up()
    assert old.views.position_of_live()[0] == older
    assert str(match.key) in listed(old)
    old.close()
    another_layout(monkeypatch, readable=True)
    again = World(settings)
    again.projector.catch_up()
    assert again.views.position_of_live()[0] == newest
    assert str(match.key) in listed(again)
    again.close()


def test_time_controls_are_missing_until_the_tables_are_rebuilt(settings: Settings) -> None:
    """Tables of layout 6 have no time controls; their lists are served while it is rebuilt."""
    world = World(settings)
    match = world.open("ann", "open", visibility="public", pace=Pace("days", days=2))
    world.projector.catch_up()
    generation = world.views.position_of_live()[0]
    assert generation is not None
    with world.views.transaction(commit=True) as sql:
        sql.run(f"ALTER TABLE {{0}}{generation.table_prefix}matches DROP COLUMN pace")
        sql.run("UPDATE {0}generations SET layout = 6 WHERE number = ?", generation.number)
    world.close()
    upgraded = World(settings)
    (before,) = upgraded.views.public_matches(None, None, 10)
    assert (before.id, before.pace) == (str(match.key), UNSET)
    upgraded.projector.catch_up()
    (after,) = upgraded.views.public_matches(None, None, 10)
    assert (after.id, after.pace) == (str(match.key), PaceSummary("days", 900, 0, 2))
    upgraded.close()


def test_tables_of_a_much_older_release_are_left_alone(settings: Settings) -> None:
    """They lack columns; on PostgreSQL every list answered 500 permanently."""
    views = ReadModels(library_settings(settings, views=True))
    with views.transaction(commit=True) as sql:
        tracking = "notification_tracking" if settings.database_url else "tracking"
        sql.run("DROP TABLE {0}generations")
        sql.run("DELETE FROM {0}migrations WHERE room = ?", "read models")
        sql.run("CREATE TABLE {0}matches (id TEXT PRIMARY KEY, game TEXT NOT NULL)")
        sql.run(f"INSERT INTO {{0}}{tracking} VALUES ('read-models-2', 7)")
        for table in schema.DUMP_QUERIES:
            sql.run(f"DROP TABLE {{0}}g1_{table}")
    views.close()
    with run_service(settings) as client:
        ann = Person(client)
        match = ann.open("me")
        assert [item["id"] for item in ann.get("/matches").json()["items"]] == [match["id"]]


def test_reading_waits_for_nobody(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Current tables are read without a lock, outdated ones as they are, others after a short
    wait."""
    world.open("ann")
    world.projector.catch_up()
    with world.projector._lock:
        began = time.monotonic()
        assert world.projector.refresh(5).is_current
        assert time.monotonic() - began < 0.5
        world.open("ann")
        assert not world.projector.refresh(0.2).is_current
        assert 0.2 <= time.monotonic() - began < 1.5
        monkeypatch.setattr(runner, "_MAX_READ_LAG_DECISIONS", 1)
        world.open("ann").step()
        began = time.monotonic()
        assert not world.projector.refresh(5).is_current
        assert time.monotonic() - began < 0.5
    monkeypatch.undo()
    assert world.projector.refresh(5).is_current
    assert len(listed(world)) == 3


def runs(pid: int) -> bool:
    """Return whether the process is running; an unreaped zombie counts as ended."""
    try:
        about = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return about.rpartition(")")[2].split()[0] not in "ZX"


def test_a_rebuild_that_is_killed_leaves_no_trace(tmp_path: Path) -> None:
    """The previous lists stay in use; its processes end; the next rebuild drops its tables."""
    with fresh("sqlite", tmp_path) as settings:
        world = World(settings)
        world.open("ann", "bob").step()
        world.projector.catch_up()
        before = world.views.dump()
        write_log(world.store, 2500, 20)
        rebuild = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "rebuild"],
            env={**os.environ, "DATA": settings.data},
            cwd=ROOT,
        )
        deadline = time.monotonic() + 60
        while not any(0 < g.done < g.whole for g in world.views.building()):
            assert rebuild.poll() is None, "it should be killed half-way"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        helpers = children(rebuild.pid)
        assert helpers, "so many matches are folded by several processes"
        rebuild.send_signal(signal.SIGKILL)
        rebuild.wait()
        assert world.views.dump() == before
        projector = Projector(world.store, world.views)
        assert projector.rebuild() == world.store.newest_entry_id()
        assert len(world.views.public_matches(None, None, 5000)) == 2500
        ended(helpers)
        world.close()


def test_processes_of_a_killed_rebuild_end_during_startup(tmp_path: Path) -> None:
    """A process whose parent is gone before it starts watching would watch the wrong one."""
    with fresh("sqlite", tmp_path) as settings:
        world = World(settings)
        write_log(world.store, 1100, 20)
        world.close()
        rebuild = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "rebuild"],
            env={**os.environ, "DATA": settings.data},
            cwd=ROOT,
        )
        deadline = time.monotonic() + 60
        # The first is the resource tracker of multiprocessing.
        while len(helpers := children(rebuild.pid)) < 2:
            assert rebuild.poll() is None, "it should be killed before it ends"
            assert time.monotonic() < deadline
            time.sleep(0.001)
        for pid in helpers:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(0.2)  # Their start-up data is being sent to them.
        rebuild.send_signal(signal.SIGKILL)
        rebuild.wait()
        for pid in helpers:
            os.kill(pid, signal.SIGCONT)
        ended(helpers)


def ended(processes: set[int]) -> None:
    """Wait until all of them have ended."""
    deadline = time.monotonic() + 30
    while left := {pid for pid in processes if runs(pid)}:
        assert time.monotonic() < deadline, f"processes are left: {left}"
        time.sleep(0.1)
