"""An unreadable match is quarantined and affects nothing else, on either database."""

import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import OperationalError, StoredEvent

from domain.matchfile.codec import codec_of
from projections.runner import Projector, Runner
from tests.projections.test_views import World
from tests.security.corrupt_rows import POISON, all_of_it, last_bytes, put, stored
from tests.security.files import GAMES
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person, two_at_a_table


@pytest.fixture(params=DATABASES)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    with fresh(request.param, tmp_path) as settings:
        made = World(settings)
        yield made
        made.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_poisoned_match_stops_nobody_else(any_fresh_client: Client, game: str) -> None:
    """Lists, other matches, moves and forks answer as before; health counts it and returns 200."""
    store = any_fresh_client.app.services.store
    poisoned = all_of_it(store, game)
    ann, bob, match = two_at_a_table(any_fresh_client)
    poisoned |= all_of_it(store, game)
    match = ann.step(match) if match["to_act"] == [0] else bob.step(match)
    for person in (ann, bob):
        assert [item["id"] for item in person.get("/matches").json()["items"]] == [match["id"]]
        assert person.get(f"/matches/{match['id']}").json()["forks"] == []
    assert any_fresh_client.get("/api/matches?scope=public").json()["items"] == []
    ready = any_fresh_client.get("/health/ready")
    assert (ready.status_code, ready.json()) == (
        200,
        {"status": "ok", "set_aside": len(poisoned)},
    )
    views = any_fresh_client.app.services.read_models
    assert {aside.match for aside in views.list_quarantined()} == set(poisoned)
    assert all(aside.reason.isidentifier() for aside in views.list_quarantined())


@pytest.mark.parametrize("name", POISON)
def test_who_asks_for_it_gets_a_clear_answer(
    any_client: Client, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """409 ``match_set_aside`` from every request, without a log line for each."""
    key = put(any_client.app.services.store, POISON[name]("caravanserai"))
    ann = Person(any_client)
    ann.get("/matches")
    caplog.clear()
    calls = ["", "/events", "/choices", "/export", "/review", "/picture.png", "/live"]
    for call in calls:
        answer = ann.get(f"/matches/{key}{call}")
        assert (answer.status_code, answer.json()["code"]) == (409, "match_set_aside"), call
    play = {"seat": 0, "expected_version": 1, "commands": [{"type": "X"}]}
    for call, body in (("commands", play), ("join", {}), ("fork", {"at": 1})):
        answer = ann.post(f"/matches/{key}/{call}", body)
        assert (answer.status_code, answer.json()["code"]) == (409, "match_set_aside"), call
    assert any_client.get(f"/m/{key}").status_code in (200, 404), "404 where no page was built"
    assert [r for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_a_table_in_use_is_set_aside_when_its_log_is_spoiled(any_client: Client) -> None:
    """A cached match does not answer 500 either when a foreign decision is appended."""
    ann, _bob, match = two_at_a_table(any_client)
    store = any_client.app.services.store
    import uuid

    topic = codec_of("caravanserai").topic
    bad = StoredEvent(uuid.UUID(match["id"]), match["version"] + 1, topic, b"\xc1")
    store.recorder.insert_events([bad])
    answer = ann.get(f"/matches/{match['id']}")
    assert (answer.status_code, answer.json()["code"]) == (409, "match_set_aside")
    assert any_client.get("/health/ready").status_code == 200
    other = ann.open("me", "me")
    assert [item["id"] for item in ann.get("/matches").json()["items"]] == [other["id"]]


def test_it_is_logged_once_without_its_content(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    key = put(world.store, last_bytes(b"the seed")("caravanserai"))
    for _ in range(5):
        world.projector.catch_up()
    lines = [record.getMessage() for record in caplog.records if "set aside" in record.getMessage()]
    assert len(lines) == 1
    assert key in lines[0]
    assert "the seed" not in lines[0]
    world.open("ann")
    world.projector.catch_up()
    assert len([r for r in caplog.records if "set aside" in r.getMessage()]) == 1


def test_what_was_listed_before_leaves_the_lists(world: World) -> None:
    """A player is not shown forever as to move in a match that cannot be opened."""
    match = world.open("ann", "bob")
    world.projector.catch_up()
    assert len(world.views.player_matches("ann", None, None, 10)) == 1
    version = match.timeline.version + 1
    topic = codec_of("caravanserai").topic
    world.store.recorder.insert_events([StoredEvent(match.key, version, topic, b"\xc1")])
    world.projector.catch_up()
    assert world.views.player_matches("ann", None, None, 10) == []
    (aside,) = world.views.list_quarantined()
    assert (aside.match, aside.game, aside.version) == (str(match.key), "caravanserai", version)
    assert aside.reason


def test_it_comes_back_when_it_folds_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a rebuild or with a newer program; until then the read models stay unchanged."""
    match = world.open("ann", "bob")
    game = codec_of("caravanserai").rules

    def broken(*_: Any) -> int:
        raise ArithmeticError("a fault of this program")

    with monkeypatch.context() as patched:
        patched.setattr(game, "turn", broken)
        world.projector.catch_up()
        assert [aside.reason for aside in world.views.list_quarantined()] == ["ArithmeticError"]
        before = world.views.dump()
        Projector(world.store, world.views).catch_up()
        assert world.views.dump() == before, "it still cannot be read"
        world.projector.rebuild()
        assert world.views.dump() == before
    world.projector.catch_up()
    assert world.views.dump() == before, "a process tries once"
    Projector(world.store, world.views).catch_up()
    assert world.views.list_quarantined() == []
    assert len(world.views.player_matches("bob", None, None, 10)) == 1
    folded = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == folded
    assert match.timeline.version > 0


def test_rebuild_of_a_log_with_poison_counts_and_ends(world: World) -> None:
    all_of_it(world.store, "caravanserai")
    world.open("ann")
    assert world.projector.rebuild() == world.store.newest_entry_id()
    assert world.views.count_quarantined() == len(POISON)
    first = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == first
    assert len(world.views.player_matches("ann", None, None, 10)) == 1


def test_through_restarts_and_the_command_line(tmp_path: Path) -> None:
    """Reproduces the original failure: corruption, a restart, ``rebuild``; everybody else plays
    on."""
    with fresh("sqlite", tmp_path) as settings:
        with run_service(settings) as client:
            ann, _bob, match = two_at_a_table(client)
            put(client.app.services.store, stored("caravanserai"))
            put(client.app.services.store, POISON["clock 2**63"]("caravanserai"))
        done = subprocess.run(
            [sys.executable, "-m", "service.cli", "rebuild"],
            env={"DATA": str(tmp_path), "PATH": ""},
            cwd=Path(__file__).parent.parent.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        with run_service(settings) as client:
            ann.client = client
            assert [i["id"] for i in ann.get("/matches").json()["items"]] == [match["id"]]
            assert ann.get(f"/matches/{match['id']}").status_code == 200
            assert client.get("/health/ready").json()["set_aside"] == 1


def test_a_database_that_is_away_is_no_fault_of_a_match(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.open("ann")

    def away(*_: Any) -> Any:
        raise OperationalError("the database is away")

    with monkeypatch.context() as patched:
        patched.setattr(world.store, "history", away)
        with pytest.raises(OperationalError):
            world.projector.catch_up()
    world.projector.catch_up()
    assert world.views.list_quarantined() == []
    assert len(world.views.player_matches("ann", None, None, 10)) == 1


def test_health_says_when_the_lists_do_not_follow(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 while they are stuck; matches and old lists are still served, and it recovers by
    itself."""
    ann, _bob, match = two_at_a_table(client)
    listed = ann.get("/matches").json()
    state = client.app.services
    runner: Runner = state.runner
    monkeypatch.setattr(runner, "_interval_s", 0.05)

    def away(*_: Any) -> Any:
        raise OperationalError("the database is away")

    with monkeypatch.context() as patched:
        patched.setattr(state.read_models, "write", away)
        ann.step(match) if match["to_act"] == [0] else _bob.step(match)
        until(lambda: client.get("/health/ready").status_code == 503)
        problem = client.get("/health/ready").json()
        assert problem["code"] == "not_ready"
        assert "read models" in problem["detail"]
        assert ann.get("/matches").json() == listed
        assert ann.get(f"/matches/{match['id']}").status_code == 200
        assert client.get("/health/live").status_code == 200
    until(lambda: client.get("/health/ready").status_code == 200)
    assert ann.get("/matches").json() != listed


def until(holds: Any) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
