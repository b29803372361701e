"""A backup taken during play can be restored, and a store can be copied to the other database."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest
from eventsourcing.persistence import StoredEvent

from service.settings import Settings
from service.store.store_copy import is_empty
from service.store_setup import open_store
from tests.projections.test_views import World
from tests.resilience.old_releases import restore
from tests.security.corrupt_rows import all_of_it
from tests.service.databases import DATABASES, fresh
from tests.service.running import server
from tests.service.test_live import Caller

ROOT = Path(__file__).parents[2]


def run(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    where = {"DATA": settings.data, "DATABASE_URL": settings.database_url, "LC_ALL": "C"}
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        env={**os.environ, **where},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def log_of(settings: Settings) -> list[tuple[object, int, str, bytes]]:
    """Return everything in the log, in order."""
    store = open_store(settings)
    found = store.recorder.select_notifications(0, 100_000)
    store.close()
    return [(n.originator_id, n.originator_version, n.topic, bytes(n.state)) for n in found]


@pytest.mark.parametrize("kind", DATABASES)
def test_a_backup_under_load_holds_all_that_was_acknowledged(kind: str, tmp_path: Path) -> None:
    """ "`sqlite3 .backup` never ended under 4 moves/s"."""
    with fresh(kind, tmp_path / "one") as settings, server(settings) as address:
        ann = Caller(address)
        match = ann.open("me", "me")
        stop, versions = Event(), [match["version"]]

        def play() -> None:
            seen = match
            while not stop.is_set() and seen["status"] == "playing":
                seen = ann.step(seen)
                versions.append(seen["version"])
                time.sleep(0.02)

        playing = Thread(target=play)
        playing.start()
        time.sleep(0.3)
        acknowledged = versions[-1]
        began = time.monotonic()
        file = tmp_path / "backup.sqlite"
        done = run(settings, "backup", str(file))
        took = time.monotonic() - began
        stop.set()
        playing.join()
        assert done.returncode == 0, done.stderr
        assert took < 20
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        again = run(settings, "backup", str(file))
        assert (again.returncode, "already" in again.stderr) == (1, True)
        other = Settings(data=str(tmp_path / "two"), play_limit=0)
        brought = run(other, "restore", str(file))
        assert brought.returncode == 0, brought.stderr
        assert "1 game" in brought.stdout
        with server(other) as second:
            back = Caller(second, ann.token)
            found = back.http.get(f"/matches/{match['id']}").json()
            assert acknowledged <= found["version"] <= versions[-1]
            assert back.http.get("/matches").json()["items"][0]["id"] == match["id"]
        refused = run(other, "restore", str(file))
        assert (refused.returncode, "not empty" in refused.stderr) == (1, True)


def test_a_store_moves_to_the_other_database_and_back(tmp_path: Path) -> None:
    """Byte for byte, including a database of an earlier release and unreadable matches."""
    with fresh("sqlite", tmp_path / "one") as one, fresh("postgresql", tmp_path / "two") as two:
        known = restore(one)
        store = open_store(one)
        poisoned = all_of_it(store, "caravanserai")
        store.close()
        before = log_of(one)
        there = run(one, "move-store", two.database_url)
        assert there.returncode == 0, there.stderr
        assert f"{len(poisoned)} games could not be read" in there.stdout
        assert log_of(two) == before
        third = Settings(data=str(tmp_path / "three"))
        back = run(two, "move-store", third.data)
        assert back.returncode == 0, back.stderr
        assert log_of(third) == before
        again = run(one, "move-store", two.database_url)
        assert (again.returncode, "not empty" in again.stderr) == (1, True)
        for settings in (two, third):
            with server(settings) as address:
                bob = Caller(address, known["bob"])
                mine = {item["id"] for item in bob.http.get("/matches").json()["items"]}
                assert mine == {known["match"], known["finished"]}


def test_differing_copy_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One changed byte of one decision."""
    from service.store import store_copy

    with fresh("sqlite", tmp_path / "one") as one, fresh("postgresql", tmp_path / "two") as two:
        world = World(one)
        world.open("ann").step()
        target = open_store(two)
        insert = target.recorder.insert_events

        def spoilt(events: list[StoredEvent]) -> None:
            *others, last = events
            insert([*others, StoredEvent(last.originator_id, 99, last.topic, b"\xc1" + last.state)])

        monkeypatch.setattr(target.recorder, "insert_events", spoilt)
        assert is_empty(target)
        with pytest.raises(store_copy.CopyDiffers):
            store_copy.copy_store(world.store, target)
        target.close()
        world.close()
