"""Full disk: moves get 503 and the cause is logged, reading goes on, and the service recovers."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.game_contract.ports import free_port
from tests.security.process import ROOT, wait_for

NONE = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Yield the process of a service, and its address."""
    port = free_port()
    given = {"HOST": "127.0.0.1", "PORT": str(port), "DATA": str(tmp_path), "LOG_LEVEL": "error"}
    running = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        env={**os.environ, **given},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    wait_for(port)
    yield running, f"http://127.0.0.1:{port}"
    running.kill()
    running.wait(20)


def test_writing_says_503_and_reading_goes_on(
    service: tuple["subprocess.Popen[str]", str], tmp_path: Path
) -> None:
    running, base = service
    ann = httpx.Client(base_url=base, timeout=20)
    token = ann.post("/api/players", json={"name": "Ann"}).json()["token"]
    ann.cookies.clear()
    ann.headers["Authorization"] = f"Bearer {token}"
    table = {"game": "caravanserai", "seats": [{"kind": "me"}]}
    match = ann.post("/api/matches", json=table).json()
    path = f"/api/matches/{match['id']}"
    # No file may grow any more, as on a full disk.
    full = max(file.stat().st_size for file in tmp_path.iterdir())
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
    statuses = []
    for _ in range(50):
        refused = ann.post("/api/matches", json=table)
        statuses.append(refused.status_code)
        if refused.status_code == 503:
            break
    assert set(statuses) <= {201, 503}
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    assert int(refused.headers["Retry-After"]) > 0
    assert ann.get(path).json()["version"] == match["version"]
    told = ann.get("/health/ready?verbose")
    assert (told.status_code, told.json()["parts"]["saving"]) == (200, {"ok": False})
    assert ann.get("/api/matches").status_code == 200
    assert ann.get("/health/live").status_code == 200
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, NONE)
    again = ann.post("/api/matches", json=table)
    assert again.status_code == 201, again.text
    assert ann.get("/health/ready?verbose").json()["parts"]["saving"] == {"ok": True}
    mine = ann.get("/api/matches").json()["items"]
    assert again.json()["id"] in {item["id"] for item in mine}
    running.terminate()
    _, said = running.communicate(timeout=20)
    assert "database: OperationalError: " in said
    assert "Traceback" not in said
    assert token not in said
