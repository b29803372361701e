"""The runbook's commands work on a sandboxed machine with real processes and databases.

`ONLY_READ` gives the reason for blocks that need more (another account, a container engine, a
journal); those are only parsed by a shell.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
import yaml

from tests.deploy.sandbox import RUNBOOK, Box, blocks
from tests.resilience.disposable_servers import Postgres, started
from tests.security.process import ROOT
from tests.service.databases import address_of
from tests.service.servers import redis_url
from tests.service.test_live import Caller

ONLY_READ = {
    "user": "it would add an account to the machine that runs the tests",
    "log": "there is no journal without systemd",
    "compose-start": "no container engine; test_deploy.py looks at the compose file",
    "compose-rolling": "no container engine",
    "compose-dump": "no container engine",
    "one-container": "no container engine",
}
INSTALLED = ("wheel", "install")
ONE = (
    "role",
    "start-one",
    "prelude",
    "backup",
    "rebuild",
    "rotate",
    "restore",
    "restart-one",
    "move",
)
TWO = (
    *("settings", "start-two", "migrate", "rolling", "pg-dump", "pg-restore"),
    *("look", "database", "locks"),
)
BLOCKS = blocks()


def test_every_block_is_run_or_excused() -> None:
    assert sorted([*ONLY_READ, *INSTALLED, *ONE, *TWO]) == sorted(BLOCKS)


@pytest.mark.parametrize("name", ONLY_READ)
def test_blocks_not_run_are_valid_shell(name: str) -> None:
    done = subprocess.run(["bash", "-n", "-c", BLOCKS[name]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    services = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())["services"]
    for _file, words in re.findall(r"docker compose -f (\S+) ([^>\n]+)", BLOCKS[name]):
        named = re.search(r"(?:--no-deps|--rm|-T) (\S+)", words)
        assert named is None or named[1] in services


def test_every_alert_is_documented() -> None:
    rules = yaml.safe_load((ROOT / "deploy/prometheus-alerts.yml").read_text())
    alerts = {rule["alert"] for group in rules["groups"] for rule in group["rules"]}
    assert set(re.findall(r"^### (\w+)$", RUNBOOK.read_text(), re.M)) == alerts


# --- one machine ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with started(Postgres) as made:
        yield made


@pytest.fixture(scope="module")
def box(postgres: Postgres) -> Iterator[Box]:
    """Return a machine on which the wheel is installed by the runbook."""
    made = Box()
    made.settings = {
        "runuser -u postgres -- psql": f'psql "{postgres.url}"',
        # With a name with a suffix, and without superuser rights.
        "postgresql://caravan:PASSWORD@localhost/caravan": (
            f"postgresql://caravan@{postgres.host}:{postgres.port}/caravan"
            f"?application_name=club&host={postgres.host}"
        ),
        "redis://localhost:6379/0": address_of(redis_url),
        "https://play.example.org": "",
    }
    try:
        made.checkout()
        made.run(*INSTALLED)
        # The service's user can read it and not change it.
        subprocess.run(["chmod", "-R", "a-w,a+rX", made.folder / "opt"], check=True)
        yield made
    finally:
        made.close()


def files(folder: Path) -> dict[str, float]:
    return {str(path): path.stat().st_mtime for path in folder.rglob("*")}


def at(box: Box, port: str) -> str:
    return f"http://127.0.0.1:{box.ports[port]}"


def running(box: Box) -> set[str]:
    """Return the process ids of the template units."""
    return {file.read_text() for file in (box.folder / "run").glob("*@*.pid")}


def version(caller: Caller, match: dict) -> int:  # type: ignore[type-arg]
    """Return the version of a match; 0 if it does not exist."""
    return int(caller.http.get(f"/matches/{match['id']}").json().get("version", 0))


def test_installation_contains_no_build_tools(box: Box) -> None:
    """No frontend build, no tests, no Brython tools, nothing from this checkout."""
    packages = next((box.folder / "opt/caravanserai/.venv/lib").iterdir()) / "site-packages"
    names = {path.name.partition("-")[0].lower() for path in packages.iterdir()}
    assert {"service", "domain", "projections", "frontend", "litestar"} <= names
    assert not names & {"brython", "py_mini_racer", "mini_racer", "babel", "pytest", "tests"}
    assert not names & {"opentelemetry", "opentelemetry_sdk"}
    assert (packages / "frontend/build/index.html").exists()


def test_a_machine_with_one_worker(box: Box, postgres: Postgres) -> None:
    """Started, played on, backed up, restored, rebuilt, moved to PostgreSQL."""
    before = files(box.folder / "opt")
    box.run("role")
    # The blocks use the configured port, not the default.
    (box.folder / "etc/caravanserai.env").write_text(f"PORT={box.ports['8443']}\n")
    told = box.run("start-one")
    assert '"status":"ok"' in told.replace(" ", "")
    ann = Caller(at(box, "8443"))
    kept = ann.step(ann.open("me", "me"))
    assert ann.http.get(f"/matches/{kept['id']}/picture.png").status_code == 200
    box.run("prelude", "backup")
    later = ann.open("me", "me")
    assert "read models rebuilt from" in box.run("prelude", "rebuild")
    assert "signing with key" in box.run("prelude", "rotate")
    keys = httpx.get(f"{at(box, '8443')}/.well-known/caravanserai-keys.json").json()["keys"]
    assert len(keys) == 2
    box.run("prelude", "restore")
    assert version(ann, kept) == kept["version"]
    assert version(ann, later) == 0
    box.run("prelude", "restart-one")
    assert version(ann, kept) == kept["version"]
    assert "1 game copied and compared" in box.run("prelude", "move")
    assert files(box.folder / "opt") == before
    with psycopg.connect(postgres.url) as database:
        rows = database.execute("SELECT rolsuper, rolname FROM pg_roles WHERE rolcanlogin")
        assert (False, "caravan") in rows.fetchall()


def test_a_machine_with_two_workers(box: Box) -> None:
    """On the moved store: settings, upgrade, dump and restore."""
    box.run("settings")
    with (box.folder / "etc/caravanserai.env").open("a") as settings:
        settings.write("PORT=1\n")  # left over from running one worker
    box.run("start-two")
    ann = Caller(at(box, "8001"))
    bob = Caller(at(box, "8002"), ann.token)
    kept = ann.step(ann.open("me", "me"))
    assert "nothing to do" in box.run("prelude", "migrate")
    before = running(box)
    box.run("prelude", "rolling")
    assert len(before) == len(running(box)) == 2
    assert not before & running(box), "every process was replaced"
    assert version(bob, kept) == kept["version"]
    box.run("prelude", "pg-dump")
    later = ann.open("me", "me")
    assert version(bob, later) == later["version"]
    box.run("prelude", "pg-restore")
    assert version(ann, kept) == kept["version"]
    assert version(bob, later) == 0
    assert [item["id"] for item in bob.http.get("/matches").json()["items"]] == [kept["id"]]
    assert '"keys"' in box.run("prelude", "rotate"), "one of the two workers is asked"
    told = box.run("prelude", "look", "database", "locks")
    assert "accepting connections" in told
    assert told.count(" active\n") == 2


# --- the machine ---------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["caravanserai.service", "caravanserai@.service"])
def test_the_units_are_valid(unit: str, box: Box) -> None:
    """By systemd's own check, if the binary is installed."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = (ROOT / "deploy" / unit).read_text()
    text = text.replace("/opt/", f"{box.folder}/opt/")
    assert said_of(text, box.folder / "etc" / unit) == []
    wrong = text.replace("StateDirectoryMode=0700", "StateDirectoryMode=rwx")
    assert said_of(wrong, box.folder / "etc" / unit) != [], "errors are found"


def said_of(text: str, placed: Path) -> list[str]:
    """Return systemd's complaints about a unit."""
    placed.write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", placed],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # Ignore other units of this machine.
    return [line for line in done.stderr.splitlines() if "caravanserai" in line]


def test_the_image_is_made_in_the_same_steps(box: Box, tmp_path: Path) -> None:
    """Runs the lines of `Containerfile` that install the service into its folder."""
    recipe = (ROOT / "deploy/Containerfile").read_text().replace("\\\n", " ")
    steps = [line for line in recipe.splitlines() if line.startswith("RUN python -m venv")]
    assert len(steps) == 1
    wheel = next((box.source / "dist").glob("*.whl"))
    script = steps[0].removeprefix("RUN ").replace("--no-cache-dir ", "")
    script = script.replace("/wheel/*.whl", str(wheel)).replace("$LOCK", "empty.lock")
    (tmp_path / "empty.lock").write_text("")
    subprocess.run(["bash", "-euc", script], cwd=tmp_path, check=True, timeout=280)
    assert (tmp_path / ".venv/bin/caravanserai").exists()
    assert not (tmp_path / ".venv/bin/pip").exists(), "no installer in the runtime image"
