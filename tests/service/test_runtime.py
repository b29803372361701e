"""The service runs without the packages that only the frontend build needs."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD_ONLY = ("mini-racer", "brython", "babel")

SERVES = """
import sys
for name in ("py_mini_racer", "brython", "babel"):
    sys.modules[name] = None  # importing one fails
from litestar.testing import TestClient
from service.app import create_app
from service.server import run_server
from service.settings import Settings
with TestClient(create_app(Settings(data=sys.argv[1]))) as client:
    print(client.get("/health/ready").json()["status"])
"""


@pytest.mark.slow
def test_service_runs_without_v8(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVES, str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout == "ok\n", done.stderr


def test_only_the_build_imports_them() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = (ROOT / "requirements.lock").read_text()
    for name in BUILD_ONLY:
        assert not any(each.startswith(name) for each in project["dependencies"])
        assert any(e.startswith(name) for e in project["optional-dependencies"]["build"])
        assert f"\n{name}==" not in runtime
        for lock in ("requirements-build.lock", "requirements-dev.lock"):
            assert f"\n{name}==" in (ROOT / lock).read_text()
