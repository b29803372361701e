"""A store is copied and a plan is made in one of the copies: until it is played, other players are
sent the same bytes by both."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from projections.database.sql import Sql
from service.common.clock import override_clock
from service.matches.plans import PLAY_DELAY_MS
from service.matches.scheduler import Scheduler
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.notifications.conftest import taking
from tests.service.notifications.receivers import Receiver, eventually
from tests.service.notifications.test_sending import told_by as told_by_webhook
from tests.service.people import Person
from tests.service.test_pace import House
from tests.service.test_plans import of, plan
from tests.service.test_plans_attacked import VARY, first

__all__ = ["taking"]

PATHS = (
    "/api/matches/{id}",
    "/api/matches/{id}?at=3",
    "/api/matches/{id}?view=changing",
    "/api/matches/{id}/events",
    "/api/matches/{id}/choices?seat=0",
    "/api/matches/{id}/choices?seat=2&grouped=1",
    "/api/matches/{id}/plan?seat=0",
    "/api/matches/{id}/plan?seat=1",
    "/api/matches/{id}/export",
    "/api/matches/{id}/review",
    "/api/matches/{id}/own",
    "/api/matches/{id}/feed.atom",
    "/api/matches",
    "/api/matches?scope=public",
    "/api/players/me",
    "/api/notices",
    "/m/{id}",
    "/api/matches/{id}/picture.png",
)


@contextmanager
def world(folder: Path, taking: Receiver) -> Iterator[Any]:
    """Yield a service on a store, with notifications held in the outbox for an hour."""
    wanted = {"heartbeat": 3600.0, "notice_delay": 3600.0, "notice_hosts": taking.place}
    with fresh("sqlite", folder, public_url="http://table.example", **wanted) as settings:
        house = House(settings)
        with override_clock(lambda: house.now), run_service(settings) as client:
            house.client = client
            yield house


def again(house: Any, person: Person) -> Person:
    """Return the same player at another service."""
    same = object.__new__(Person)
    same.__dict__ = {**person.__dict__, "client": house.client}
    return same


def sent(house: Any, person: Person | None, match: Any, calendar: str) -> list[Any]:
    """Return everything that a player can request, with lengths and tags."""
    found = []
    for path in (*PATHS, calendar):
        headers = person.headers if person else {}
        got = house.client.get(path.format(id=match["id"]), headers=headers)
        kept = {name: value for name, value in got.headers.items() if name not in VARY}
        found.append((path, got.status_code, got.content, kept))
    return found


@contextmanager
def listening(house: Any, match: Any) -> Iterator[list[bytes]]:
    """Collect the frames of a live stream while the block runs."""
    hub = house.client.app.services.hub
    frames: list[bytes] = []

    async def listen() -> None:
        listener = hub.add_listener(match["id"])
        listener.on_version(match["version"])
        async for frame in hub.frames(match["id"], listener, match["version"]):
            # Watcher updates come at irregular times, with or without a plan.
            if b"event: looking" not in frame:
                frames.append(frame)

    with house.client.portal() as portal:
        following = portal.start_task_soon(listen)
        eventually(lambda: len(frames) > 0)
        yield frames
        following.cancel()


def _says(version: int) -> bytes:
    return b'id: %d\r\ndata: {"version":%d}\r\n\r\n' % (version, version)


def kept(house: Any, player: Person) -> list[Any]:
    """Return what the store holds for all but one player: the log, and pending notifications."""
    with house.client.app.services.store.transaction(commit=False) as sql:
        log = sql.all("SELECT * FROM {0}stored_events ORDER BY rowid")
        told = sql.all("SELECT * FROM {0}notices WHERE player <> ? ORDER BY 1, 2, 3, 4", player.id)
    assert told
    return [tuple(row) for row in (*log, *told)]


@pytest.mark.slow
def test_plan_changes_no_byte_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taking: Receiver
) -> None:
    """Ann holds two of three seats, Bob plans, Eve watches; a calendar and a feed are read."""

    async def never(_clock: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Scheduler, "_run", never)  # runs only when the test asks for it
    before = tmp_path / "plain"
    with world(before, taking) as house:
        ann, bob, eve = (Person(house.client, name) for name in ("Ann", "Bob", "Eve"))
        match = ann.open(
            *("me", "open", "me"), visibility="public", pace={"kind": "days", "days": 2}
        )
        for person in (ann, bob):
            told_by_webhook(person, taking)
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        bob.post(f"/matches/{match['id']}/say", {"seat": 1, "text": "Salaam"})  # notifies Ann
        calendar = ann.post("/players/me/calendar").json()["url"].partition(".example")[2]
        match = ann.get(f"/matches/{match['id']}").json()
        way = first(bob, match, 1)
        house.look()
    planned = tmp_path / "planned"
    shutil.copytree(before, planned)
    asked: list[str] = []
    plain_run = Sql.run

    def noted(sql: Sql, statement: str, *values: Any) -> None:
        asked.append(statement)
        plain_run(sql, statement, *values)

    worlds = []
    for folder in (before, planned):
        with world(folder, taking) as house, listening(house, match) as frames:
            people = [again(house, each) for each in (ann, bob, eve)]
            if folder is planned:
                assert plan(people[1], match, 1, way).status_code == 200
                people[1].get(f"/matches/{match['id']}/plan/choices", seat=1)
            found, current = [], match
            with monkeypatch.context() as meanwhile:
                meanwhile.setattr(Sql, "run", noted)
                while 1 not in current["to_act"]:
                    current = people[0].step(current)
                    found.append(current)
                    eventually(lambda version=current["version"]: _says(version) in frames)  # type: ignore[misc]
            for passed in (0, PLAY_DELAY_MS - 1):
                house.pass_by(passed)
                found += [sent(house, who, match, calendar) for who in (people[0], people[2], None)]
                found.append(kept(house, people[1]))
            worlds.append([*found, [*frames]])
            house.pass_by(1)
            fate = of(people[1], match, 1)
            assert bool(fate["played"] or fate["dropped"]) == (folder is planned)
    assert [each for each in asked if "}plans" in each] == [], "a move asks nothing about plans"
    for one, other in zip(*worlds, strict=True):
        assert one == other
