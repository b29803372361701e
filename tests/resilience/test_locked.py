"""Another process holds the lock of the SQLite file: reading goes on, writing waits and succeeds.

Requirement: reading goes on, writing says 503 with the reason in the log; neither a lock held
elsewhere nor a slow disk blocks the event loop more than once.
"""

import asyncio
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.settings import Settings
from service.store import Receipt, group_commit
from service.store.group_commit import GroupCommitWriter
from service.store_setup import open_store
from tests.resilience.test_disk_full import service

__all__ = ["service"]

Process = subprocess.Popen[str]
AT_ONCE = 0.2
"""Seconds within which those who only read are answered: the median of some calls, and none takes
as long as the lock is held, for others use this machine."""
_HOLD = """
import sqlite3, sys, time
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
held.execute("ROLLBACK")
"""


@contextmanager
def locked(folder: Path, seconds: float) -> Iterator[None]:
    """Hold the lock in another process from the start of the block for some seconds."""
    file = str(Settings(data=str(folder)).data_file)
    command = [sys.executable, "-c", _HOLD, file, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holding:
        assert holding.stdout is not None
        assert holding.stdout.readline() == "held\n"
        yield
        assert holding.wait(20) == 0


def at_a_table(base: str) -> tuple[httpx.Client, Any]:
    ann = httpx.Client(base_url=base, timeout=20)
    token = ann.post("/api/players", json={"name": "Ann"}).json()["token"]
    ann.cookies.clear()
    ann.headers["Authorization"] = f"Bearer {token}"
    table = {"game": "caravanserai", "seats": [{"kind": "me"}]}
    return ann, ann.post("/api/matches", json=table).json()


def decisions(folder: Path) -> int:
    """Return the number of stored decisions."""
    with sqlite3.connect(Settings(data=str(folder)).data_file) as stored:
        found: int = stored.execute("SELECT COUNT(*) FROM stored_events").fetchone()[0]
        return found


def step(ann: httpx.Client, match: Any) -> httpx.Response:
    path = f"/api/matches/{match['id']}"
    seat = match["to_act"][0]
    choice = ann.get(f"{path}/choices", params={"seat": seat}).json()["choices"][0]
    body = {"seat": seat, "expected_version": match["version"], "commands": [choice["command"]]}
    return ann.post(f"{path}/commands", json=body)


def took(client: httpx.Client, path: str, times: int) -> float:
    """Return the median duration of requests in seconds."""
    all_took = []
    for _ in range(times):
        began = time.monotonic()
        assert client.get(path).status_code == 200
        all_took.append(time.monotonic() - began)
    assert max(all_took) < 1.5
    return sorted(all_took)[times // 2]


def test_a_command_waits_for_the_lock_and_nobody_else_does(
    service: tuple[Process, str], tmp_path: Path
) -> None:
    _running, base = service
    ann, match = at_a_table(base)
    bob = httpx.Client(base_url=base, timeout=20)
    eve = httpx.Client(base_url=base, timeout=20, headers=ann.headers)
    with ThreadPoolExecutor(2) as threads:
        with locked(tmp_path, 3):
            moved = threads.submit(step, ann, match)
            named = threads.submit(bob.post, "/api/players", json={"name": "Bob"})
            assert took(eve, "/health/live", 9) < AT_ONCE
            assert took(eve, f"/api/matches/{match['id']}", 5) < AT_ONCE
            assert took(eve, "/health/live", 5) < AT_ONCE
            assert not named.done(), "all this while the lock was held"
            assert not moved.done()
        assert moved.result(20).status_code == 200, moved.result().text
        assert named.result(20).status_code == 201
    assert moved.result().json()["version"] > match["version"]


def test_lock_held_too_long_is_reported(service: tuple[Process, str], tmp_path: Path) -> None:
    running, base = service
    ann, match = at_a_table(base)
    before = decisions(tmp_path)
    with locked(tmp_path, 8):
        refused = step(ann, match)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert int(refused.headers["Retry-After"]) > 0
        same = ann.get(f"/api/matches/{match['id']}").json()
        assert same["version"] == match["version"]
    again = step(ann, match)
    assert again.status_code == 200, again.text
    assert decisions(tmp_path) == before + 1, "nothing twice"
    running.terminate()
    _, said = running.communicate(timeout=20)
    assert "database: OperationalError: database is locked" in said
    assert "Traceback" not in said


def test_a_slow_disk_stops_the_event_loop_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each commit waited for the disk and blocked all other requests every time. Slow commits in
    threads keep those that follow in threads, for longer than one period."""
    monkeypatch.setattr(group_commit, "_THREAD_PERIOD_S", 1.0)
    with closing(open_store(Settings(data=str(tmp_path)))) as store:
        quick = store.save_decisions

        def slow(*values: Any) -> None:
            quick(*values)
            time.sleep(0.8)

        monkeypatch.setattr(store, "save_decisions", slow)
        saver = GroupCommitWriter(store, lambda: None)
        first, *others = asyncio.run(kept_waiting(saver, "abcd"))
        saver.close()
        assert [store.find_receipt(key) for key in "abcd"] == [receipt(key) for key in "abcd"]
    assert first > 0.6
    assert max(others) < 0.6


def receipt(key: str) -> Receipt:
    return Receipt(key, "body", "match", 0, 1, 2, 200, 3)


async def kept_waiting(saver: GroupCommitWriter, keys: str) -> list[float]:
    """Save repeatedly; return how long each save blocked the event loop."""
    longest = []
    for key in keys:
        saving = asyncio.create_task(saver.save([], receipt(key)))
        longest.append(0.0)
        while not saving.done():
            began = time.monotonic()
            await asyncio.sleep(0.01)
            longest[-1] = max(longest[-1], time.monotonic() - began)
        await saving
    return longest
