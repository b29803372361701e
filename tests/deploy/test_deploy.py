"""The files in ``deploy/`` match the service, as far as this can be checked without a container
engine."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml

from service.observability.metrics import REGISTRY
from service.observability.routes import GAUGES
from service.server import SHUTDOWN_TIMEOUT_S
from service.settings import Settings
from tests.game_contract.ports import free_port
from tests.security.process import wait_for

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
IGNORED = [
    line
    for line in (ROOT / ".dockerignore").read_text().splitlines()
    if line and not line.startswith("#")
]
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
CONTAINERFILE = (DEPLOY / "Containerfile").read_text()
OF_PROMETHEUS = {"up"}
WORKERS = ("app-a", "app-b")


# --- the image --------------------------------------------------------------------------------


def is_ignored(path: str) -> bool:
    """Return whether the image build ignores a file, by its path or one of its folders."""
    above = [path, *map(str, PurePosixPath(path).parents)][:-1]
    for pattern in IGNORED:
        if pattern.startswith("**/"):
            if any(fnmatchcase(PurePosixPath(part).name, pattern[3:]) for part in above):
                return True
        elif pattern in above:
            return True
    return False


def _ignored(folder: str, names: list[str]) -> list[str]:
    place = Path(folder).relative_to(ROOT)
    return [name for name in names if is_ignored(str(place / name))]


def test_ignore_patterns_have_supported_forms() -> None:
    for pattern in IGNORED:
        assert re.fullmatch(r"(\*\*/[^/!]+|[^*?!\[]+)", pattern), pattern


@pytest.mark.parametrize(
    "path",
    [
        ".venv/bin/python",
        ".git/config",
        "data/caravanserai.sqlite",
        "copy.sqlite-wal",
        "deploy/.env",
        ".env",
        "tests/conftest.py",
        "frontend/build/index.html",
        "domain/contract/__pycache__/game.pyc",
        ".mypy_cache/x",
    ],
)
def test_host_files_stay_out_of_the_image(path: str) -> None:
    """The host's .venv and data must not go into the image."""
    assert is_ignored(path)


def test_image_is_minimal_and_unprivileged() -> None:
    """Only the build stage has build tools; one folder is copied from it."""
    _first, built, last = re.split(r"^FROM .+$", CONTAINERFILE, flags=re.MULTILINE)
    assert re.findall(r"^COPY (.+)$", built, re.MULTILINE) == [". ."]
    assert re.findall(r"^COPY (.+)$", last, re.MULTILINE) == ["--from=build /app/.venv /app/.venv"]
    assert not re.search(r"pip|make|gcc|build-essential", last.replace("--from=build", ""))
    assert re.findall(r"^USER (.+)$", last, re.MULTILINE) == ["caravan"]
    assert "--require-hashes -r $LOCK" in built
    locks = re.findall(r"[a-z-]+\.lock", CONTAINERFILE)
    assert set(locks) == {"requirements.lock", "requirements-tracing.lock"}
    for lock in locks:
        assert (ROOT / lock).exists()
        assert not is_ignored(lock)


def test_image_files_suffice_to_run_and_build(tmp_path: Path) -> None:
    """The files in the image are all that service and build import and read first."""
    shutil.copytree(ROOT, tmp_path, dirs_exist_ok=True, ignore=_ignored)
    for needed in ("Makefile", "pyproject.toml", "README.md", "requirements-build.lock"):
        assert (tmp_path / needed).exists()
    code = (
        "import service.app, service.cli, frontend.build as b, frontend.bundles as s;"
        "assert str(s.ROOT) == __import__('os').getcwd(); print(len(s.modules()) > 50)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "True\n", done.stderr


# --- services ------------------------------------------------------------------------------------


def test_compose_file_is_consistent() -> None:
    """Referenced files exist, and every dependency has a health check."""
    services = COMPOSE["services"]
    assert set(COMPOSE) <= {"services", "networks", "volumes", "x-worker"}
    for name, service in services.items():
        assert "image" in service or "build" in service, name
        for other, wish in service.get("depends_on", {}).items():
            assert other in services
            assert wish["condition"] == "service_healthy"
            assert services[other]["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            in_folder = source.startswith(".") and (DEPLOY / source).exists()
            assert in_folder or source in COMPOSE["volumes"]
    known = {field.upper() for field in Settings.__struct_fields__}
    for worker in WORKERS:
        build = services[worker]["build"]
        made_by = (DEPLOY / build["context"] / build["dockerfile"]).resolve()
        assert made_by == DEPLOY / "Containerfile"
        assert set(services[worker]["environment"]) <= known
        assert "ports" not in services[worker], "only the proxy is reached from outside"


def by_schema(file: Path) -> subprocess.CompletedProcess[str]:
    """Validate a file with the Compose specification's schema, included in `check-jsonschema`."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    return subprocess.run([*command, file], capture_output=True, text=True, check=False)


def test_the_compose_file_is_valid(tmp_path: Path) -> None:
    done = by_schema(DEPLOY / "compose.yaml")
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "compose.yaml"
    wrong.write_text((DEPLOY / "compose.yaml").read_text().replace("read_only:", "readonly:"))
    done = by_schema(wrong)
    assert (done.returncode, "readonly" in done.stdout) == (1, True), "errors are found"


def test_workers_are_confined_and_restarted_in_turn() -> None:
    """Two workers, unprivileged and with read-only disks; the proxy knows both."""
    settings = Settings()
    for name in WORKERS:
        worker = COMPOSE["services"][name]
        assert worker["read_only"] is True
        assert worker["cap_drop"] == ["ALL"]
        assert worker["security_opt"] == ["no-new-privileges:true"]
        assert {each.partition(":")[0] for each in worker["tmpfs"]} == {"/tmp", "/data"}
        drain = float(worker["environment"]["DRAIN"])
        grace = int(worker["stop_grace_period"].removesuffix("s"))
        # The proxy checks every second and waits three seconds for a response.
        assert 2 < drain < grace - SHUTDOWN_TIMEOUT_S
        assert COMPOSE["services"]["tls"]["depends_on"][name]["condition"] == "service_healthy"
    proxied = re.findall(r"\{\$WORKERS:(.+?)\}", (DEPLOY / "Caddyfile").read_text())
    assert proxied == [" ".join(f"{name}:{settings.port}" for name in WORKERS)]


def test_file_descriptor_limit_covers_streams() -> None:
    for name in ("caravanserai.service", "caravanserai@.service"):
        unit = (DEPLOY / name).read_text()
        allowed = int(re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)[0])
        assert allowed >= 2 * Settings().max_streams
        for worker in WORKERS:
            assert COMPOSE["services"][worker]["ulimits"]["nofile"] == allowed


# --- confinement ------------------------------------------------------------------------------

UNITS = ("caravanserai.service", "caravanserai@.service")
MAX_EXPOSURE = 2.5


@pytest.mark.parametrize("name", UNITS)
def test_units_are_confined(name: str) -> None:
    """By systemd's own audit of the unit file, without a running systemd."""
    if shutil.which("systemd-analyze") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("systemd-analyze is missing")
        pytest.skip("systemd-analyze is missing")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", DEPLOY / name],
        capture_output=True,
        text=True,
        check=False,
    )
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(exposure) < MAX_EXPOSURE


@pytest.mark.parametrize("name", UNITS)
def test_units_bound_memory_and_files(name: str) -> None:
    unit = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / name).read_text(), re.MULTILINE))
    # Includes the match cache.
    bound = int(unit["MemoryMax"].removesuffix("G")) * 1_000
    assert bound >= 4 * Settings().cache_mb
    assert int(unit["TasksMax"]) > 0
    assert unit["UMask"] == "0077"
    assert unit["ProtectProc"] == "invisible"
    assert set(unit["IPAddressDeny"].split()) == {"link-local", "multicast"}


def test_containers_are_bounded_and_images_named_by_digest() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["mem_limit"], name
        assert service["pids_limit"] > 0, name
        if "build" not in service:
            assert re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", service["image"]), name
    bases = re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE)
    assert len(set(bases)) == 1
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", base) for base in bases)


def test_redis_asks_for_its_password(tmp_path: Path) -> None:
    """Runs the container's command here; the password must not be on its command line."""
    redis = COMPOSE["services"]["redis"]
    server, client = shutil.which("redis-server"), shutil.which("redis-cli")
    if server is None or client is None:
        if os.environ.get("CI") == "true":
            pytest.fail("redis-server is missing")
        pytest.skip("redis-server is missing")
    port = free_port()
    script = (
        redis["command"][2]
        .replace("$$", "$")
        .replace("redis-server -", f"{server} - --port {port}")
    )
    assert redis["command"][:2] == ["sh", "-c"]
    environment = {"PATH": "/usr/bin:/bin", "REDIS_PASSWORD": "s3cret"}
    running = subprocess.Popen(["sh", "-c", script], env=environment, cwd=tmp_path, stdout=-3)
    try:
        wait_for(port)
        assert b"s3cret" not in Path(f"/proc/{running.pid}/cmdline").read_bytes()

        def ping(**given: str) -> str:
            command = [client, "-p", str(port), "ping"]
            done = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
            return done.stdout.strip()

        assert ping().startswith("NOAUTH")
        assert ping(REDISCLI_AUTH="s3cret") == "PONG"
    finally:
        running.terminate()
        running.wait(10)
    url = COMPOSE["services"]["app-a"]["environment"]["REDIS_URL"]
    assert ":${REDIS_PASSWORD:?set REDIS_PASSWORD}@redis" in url


def test_the_proxy_adds_hsts_and_does_not_compress() -> None:
    """The service compresses, and deliberately leaves out responses that mix secrets with chosen
    text."""
    caddyfile = (DEPLOY / "Caddyfile").read_text()
    assert not re.search(r"^\s*encode\b", caddyfile, re.MULTILINE)
    assert re.search(r"^\s*header \?Strict-Transport-Security", caddyfile, re.MULTILINE)


# --- monitoring ----------------------------------------------------------------------------------


def exported() -> set[str]:
    """Return the metric names exported by /metrics."""
    endings = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}
    names = {
        family.name + ending
        for family in REGISTRY.collect()
        for ending in endings.get(family.type, ("",))
    }
    return names | set(GAUGES) | OF_PROMETHEUS


def expressions() -> Iterator[str]:
    rules: Any = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            assert rule["annotations"]["summary"]
            yield rule["expr"]
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield target["expr"]


EXPRESSIONS = list(expressions())
_WORDS = {"sum", "max", "min", "by", "rate", "increase", "or", "and", "histogram_quantile"}
_LABELS = {"le", "game", "outcome", "status", "way", "job"}


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=range(len(EXPRESSIONS)))
def test_every_used_metric_exists(expression: str) -> None:
    bare = re.sub(r'"[^"]*"|\[[^\]]*\]', "", expression)
    named = set(re.findall(r"[a-z_][a-z0-9_]*", bare)) - _WORDS - _LABELS
    assert named
    assert named <= exported()


def test_every_own_metric_is_used() -> None:
    """A metric that no panel and no rule uses would be pointless."""
    shown = " ".join(EXPRESSIONS)
    ours = {
        name.removesuffix("_bucket").removesuffix("_count").removesuffix("_sum")
        for name in exported()
        if name.startswith("caravanserai_")
    }
    assert [name for name in sorted(ours) if name not in shown] == []
