"""Any version of a long match, forks, invalid files, and read models after undo."""

import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchmarks.timeline import long_match
from domain.match.commands import AnswerUndo, Undo
from domain.match.fork import create_fork
from domain.match.timeline import Timeline
from domain.matchfile.writer import export_match
from projections.runner import Projector
from service.store import StoredDecision
from tests.domain.test_matchfile import mutate, sealed
from tests.game_contract.play import opened, random_steps
from tests.projections.test_views import Played, World
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person, two_at_a_table

HARMLESS = {"at", "id", "name", "player", "owner", "visibility"}


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.fixture(params=DATABASES)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    with fresh(request.param, tmp_path) as settings:
        made = World(settings)
        yield made
        made.close()


# --- any version --------------------------------------------------------------------------------


@pytest.mark.slow
def test_any_version_of_a_match_of_a_thousand_decisions_is_as_it_was(client: Client) -> None:
    timeline = long_match(1000)
    ann = Person(client)
    match = ann.post("/matches/import", plain(export_match("long", timeline, None))).json()
    path = f"/matches/{match['id']}"
    rng = random.Random(2)
    for version in (
        1,
        2,
        3,
        10,
        500,
        1000,
        *(rng.randrange(4, timeline.version) for _ in "x" * 30),
    ):
        answer = ann.get(path, at=version).json()
        moment = timeline.at(version)
        view = None if moment.state is None else plain(timeline.rules.view(moment.state, None))
        assert answer["view"] == view, version
        assert (answer["version"], answer["latest_version"]) == (version, timeline.version)
    assert ann.get(path, at=timeline.version + 1).json()["code"] == "no_such_version"


def test_each_event_names_its_turn(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    for _ in range(25):
        match = (ann, bob)[match["to_act"][0]].step(match)
    events = ann.get(f"/matches/{match['id']}/events").json()["events"]
    for event in events:
        if event["type"] == "TurnBegan":
            assert event["turn"] == event["data"]["turn"]
        at = ann.get(f"/matches/{match['id']}", at=event["version"]).json()
        assert event["turn"] == at["turn"], event
    assert events[-1]["turn"] > 1


# --- forks --------------------------------------------------------------------------------------


def test_a_match_names_its_forks_to_those_who_may_see_them(any_client: Client) -> None:
    ann, bob = Person(any_client, "Ann"), Person(any_client, "Bob")
    match = ann.open("me", "open", visibility="public")
    bob.post(f"/matches/{match['id']}/join", {})
    path = f"/matches/{match['id']}"
    match = ann.get(path).json()
    assert match["forks"] == []
    match = ann.step(match)
    at = match["version"]
    alone = ann.post(f"{path}/fork", {"at": at}).json()
    both = ann.post(f"{path}/fork", {"at": at - 1, "seats": [{"kind": "same"}] * 2}).json()
    first, second = both["forked_from"]["version"], alone["forked_from"]["version"]
    assert ann.get(path).json()["forks"] == [
        {"match": both["id"], "version": first},
        {"match": alone["id"], "version": second},
    ]
    assert bob.get(path).json()["forks"] == [{"match": both["id"], "version": first}]
    assert Person(any_client, "Cid").get(path).json()["forks"] == []
    assert any_client.get(f"/api{path}").json()["forks"] == []


def test_a_rebuild_gives_byte_equal_forks(world: World) -> None:
    parent = world.open("ann", "bob")
    for _ in range(12):
        parent.step()
    timeline = parent.timeline
    opening = timeline.decisions[0].command
    branch = Timeline(
        timeline.rules, create_fork(timeline, timeline.version - 3, str(parent.key), opening)
    )
    key = uuid.uuid4()
    world.store.save_decisions([StoredDecision(key, "caravanserai", d) for d in branch.decisions])
    world.projector.catch_up()
    (found,) = world.views.forks(str(parent.key), "ann")
    assert found == (str(key), branch.latest.opened.forked_from.version)
    assert world.views.forks(str(parent.key), "cid") == []
    before = world.views.dump()
    Projector(world.store, world.views).rebuild()
    assert world.views.dump() == before
    assert str(key).encode() in before.partition(b'"forks"')[2].partition(b'"matches"')[0]


# --- files --------------------------------------------------------------------------------------


def test_mutated_files_are_refused_and_nothing_is_stored(fresh_client: Client) -> None:
    timeline = opened(("caravanserai", 2, {"expert": False}), 4, people=1)
    for _ in random_steps(timeline, random.Random(4), 10_000):
        pass
    document = plain(export_match("match", timeline, None))
    ann = Person(fresh_client)
    rng = random.Random(11)
    refused = 0
    while refused < 100:
        mutant, path = mutate(plain(document), rng)
        if set(path) & HARMLESS:
            continue  # the rules do not check chat messages and clocks
        answer = ann.post("/matches/import", sealed(mutant) if refused % 2 else mutant)
        assert answer.status_code == 422, path
        problem = answer.json()
        assert problem["code"] in ("bad_file", "invalid_request"), path
        assert problem["detail"]
        refused += 1
    assert ann.get("/matches").json()["items"] == []
    assert fresh_client.app.services.store.newest_entry_id() == 0  # type: ignore[attr-defined]


def test_unfinished_import_is_read_only(client: Client) -> None:
    timeline = opened(("caravanserai", 2, {"expert": False}), 4, people=1)
    for _ in random_steps(timeline, random.Random(4), 20):
        pass
    ann = Person(client)
    match = ann.post("/matches/import", plain(export_match("match", timeline, None))).json()
    assert match["imported"] is True
    assert match["undo"]["kind"] is None
    assert ann.undo(match, 0).json()["code"] == "imported"
    finished = ann.open("me")
    assert "imported" not in finished


# --- read models after undo ---------------------------------------------------------------------


def rows(world: World, match: Played) -> Any:
    """Return all rows, without columns that count or date writes to the log."""
    world.projector.catch_up()
    content = msgspec.json.decode(world.views.dump().replace(str(match.key).encode(), b"match"))
    for row in content["matches"]:
        assert row.pop("version") > 0
        row.pop("updated")
    return content


def same_moves(match: Played, rng: random.Random, steps: int) -> None:
    for _ in range(steps):
        timeline = match.timeline
        if not timeline.to_act(timeline.latest):
            return
        seat = timeline.to_act(timeline.latest)[0]
        choices = timeline.rules.choices(timeline.latest.state, seat)
        match.act(seat, rng.choice(choices))


def test_read_models_after_undo_are_those_of_a_match_that_never_made_the_moves(
    tmp_path: Path,
) -> None:
    """My matches, lobby and statistics, while the match is running and when it is over."""
    found = []
    for detour in (False, True):
        folder = tmp_path / str(detour)
        folder.mkdir()
        with fresh("sqlite", folder) as settings:
            world = World(settings)
            match = world.open("ann", "bob", visibility="public")
            same_moves(match, random.Random(1), 15)
            if detour:
                there = match.timeline.version
                same_moves(match, random.Random(99), 9)
                seat = match.timeline.decisions[-1].seat
                undo = match.timeline.undo_kind(seat, there)
                match.act(seat, Undo(there))
                if undo.kind == "consent":
                    match.act(1 - (seat or 0), AnswerUndo(True))
            running = rows(world, match)
            same_moves(match, random.Random(2), 10_000)
            assert match.timeline.latest.status == "finished"
            over = rows(world, match)
            assert len(over["results"]) == 2
            found.append((running, over))
            world.close()
    assert found[0] == found[1]


def test_lists_after_undo_are_as_before_the_move(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    before = [p.get("/matches").json()["items"][0] for p in (ann, bob)]
    moved = (ann, bob)[match["to_act"][0]].step(match)
    seat = match["to_act"][0]
    assert (ann, bob)[seat].undo(moved, seat).status_code == 200
    after = [p.get("/matches").json()["items"][0] for p in (ann, bob)]
    for old, new in zip(before, after, strict=True):
        changing = {"version", "updated"}
        assert {k: v for k, v in new.items() if k not in changing} == {
            k: v for k, v in old.items() if k not in changing
        }
        assert new["version"] > old["version"]
