"""Tables are migrated step by step, on both databases and beside the previous release."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest
from eventsourcing.persistence import PersistenceError

from projections.database.migrations import NewerDatabase, step
from projections.read_models import ReadModels
from service import store_setup
from service.settings import Settings
from service.store import Store, library_settings, schema_steps
from service.store_setup import EXTRA_SCHEMA, open_store
from tests.projections.test_views import World
from tests.resilience.old_releases import restore
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person

ROOT = Path(__file__).parents[2]
STEPS = (*schema_steps.STEPS, *EXTRA_SCHEMA)
EXTRA = "CREATE TABLE {0}extra (id TEXT PRIMARY KEY)"


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with fresh(request.param, tmp_path) as made:
        yield made


def knowing(monkeypatch: pytest.MonkeyPatch, *more: Any) -> None:
    """From here on the program knows these additional migrations."""
    monkeypatch.setattr(store_setup, "EXTRA_SCHEMA", (*EXTRA_SCHEMA, *more))


def columns(opened: Store, table: str) -> set[str]:
    with opened.transaction(commit=False) as sql:
        return sql.columns(table)


class Returned(Person):
    """A player with a token of an earlier release."""

    def __init__(self, client: Client, token: str) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {token}"}


def test_a_database_of_the_last_release_opens_and_is_played_on(settings: Settings) -> None:
    """Nothing is lost: players, lists, the match, and receipts of earlier requests."""
    known = restore(settings)
    with run_service(settings) as client:
        ann, bob = Returned(client, known["ann"]), Returned(client, known["bob"])
        assert ann.get("/players/me").json()["name"] == "Ann"
        mine = ann.get("/matches").json()["items"]
        assert len(mine) == 2
        assert known["match"] in {item["id"] for item in mine}
        public = client.get("/api/matches?scope=public").json()["items"]
        assert [item["id"] for item in public] == [known["finished"]]
        match = ann.get(f"/matches/{known['match']}").json()
        assert len(match["forks"]) == 1
        # Another move has already used this key.
        tried = [each.play(match, 0, {"type": "X"}, key="the-key").json() for each in (ann, bob)]
        assert "key_reused" in {problem["code"] for problem in tried}
        acting = ann if match["to_act"] == [0] else bob
        after = acting.step(match)
        assert after["version"] > match["version"]
        deadline = time.monotonic() + 10
        while listed_version(ann, match) != after["version"]:
            assert time.monotonic() < deadline, "the lists follow as soon as they are ours"
            time.sleep(0.1)
        assert client.get("/health/ready").json() == {"status": "ok"}


def listed_version(person: Person, match: Any) -> int:
    (listed,) = [i for i in person.get("/matches").json()["items"] if i["id"] == match["id"]]
    return int(listed["version"])


def test_read_models_of_the_last_release_equal_a_rebuild(settings: Settings) -> None:
    restore(settings)
    world = World(settings)
    world.projector.catch_up()
    before = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == before
    world.close()


def test_steps_are_taken_once_by_whoever_comes_first(settings: Settings) -> None:
    """Six workers start at once on a database of the last release."""
    restore(settings)
    together = Barrier(6)
    taken: list[int] = []
    failures: list[BaseException] = []

    def start() -> None:
        together.wait()
        try:
            opened = open_store(settings)
            taken.append(opened.migration_count)
            opened.close()
            ReadModels(library_settings(settings, views=True)).close()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(taken) == [0, 0, 0, 0, 0, len(STEPS)]


def test_a_table_more_is_one_statement(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(settings).close()
    knowing(monkeypatch, step(EXTRA))
    opened = open_store(settings)
    assert opened.migration_count == 1
    assert columns(opened, "extra") == {"id"}
    opened.close()


def test_expanding_is_safe_beside_the_older_program(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older one plays on while the newer one migrates, and may even be restarted."""
    world = World(settings)
    match = world.open("ann", "bob")
    with monkeypatch.context() as newer:
        column = "ALTER TABLE {0}hidden ADD COLUMN since BIGINT NOT NULL DEFAULT 0"
        knowing(newer, step(EXTRA), step(column))
        other = open_store(settings)
        assert other.migration_count == 2
        match.step()
        other.close()
    world.close()
    again = World(settings)
    assert again.store.migration_count == 0
    assert len(again.store.decisions(match.key)) == len(match.timeline.decisions)
    again.close()


def test_what_contracts_is_refused_by_the_older_program(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        knowing(newer, step("DROP TABLE {0}hidden", contracts=True))
        open_store(settings).close()
    with pytest.raises(NewerDatabase) as refused:
        open_store(settings)
    assert (refused.value.newest_known_step, refused.value.applied_step) == (
        len(STEPS),
        len(STEPS) + 1,
    )


def test_a_step_that_fails_half_way_has_not_been_taken(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        knowing(broken, step(EXTRA, "NO SUCH THING"))
        with pytest.raises(PersistenceError):
            open_store(settings)
    opened = open_store(settings)
    assert columns(opened, "extra") == set()
    opened.close()
    knowing(monkeypatch, step(EXTRA))
    opened = open_store(settings)
    assert opened.migration_count >= 1
    assert columns(opened, "extra") == {"id"}
    opened.close()


def run(settings: Settings, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        env={
            **os.environ,
            "DATA": settings.data,
            "DATABASE_URL": settings.database_url,
            "LC_ALL": "C",
        },
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_migrate_says_what_it_did_and_may_be_repeated(settings: Settings) -> None:
    restore(settings)
    first, second = run(settings, "migrate"), run(settings, "migrate")
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert first.stdout.split()[1:] == ["migrations", "applied"]
    assert second.stdout == "nothing to do\n"


def test_a_newer_database_is_reported_in_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ "A newer database than the program: a clear sentence and exit, not a 500"."""
    with monkeypatch.context() as newer:
        knowing(newer, step(EXTRA, contracts=True))
        open_store(settings).close()
    # What a command prints does not depend on the database.
    others = ("migrate", "rebuild", "rotate-key") if not settings.database_url else ()
    for command in ("serve", *others):
        done = run(settings, command)
        assert done.returncode == 1, command
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert "newer version" in line
        assert f"migration {len(STEPS) + 1}" in line
