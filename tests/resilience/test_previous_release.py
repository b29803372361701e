"""The previous release runs on the database of this one, as after a rollback.

Matches with events it does not know are quarantined: it answers requests for them with a code,
plays on with the others, and writes nothing into them. This release then reads all of them again.
"""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from domain.match.time_control import DAY_MS
from service.common.clock import override_clock
from service.matches.scheduler import Scheduler
from service.settings import Settings
from service.store_setup import open_store
from tests.domain.test_old_matches import FOLDER
from tests.resilience.previous import NEW_EVENTS, RULES_VERSIONS
from tests.resilience.workers import Worker
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Person, two_at_a_table
from tests.service.test_pace import House, at_a_table, until
from tests.service.test_recovery import PIN, answer_to, ask, choose, recover

Made = dict[str, tuple[str, dict[str, str]]]
"""Matches by what is in them: id, and the headers of somebody who sits there."""
KEPT = ("caravanserai-2-unchanged-v3", "conquest-3-v2", "courtyard-2-without-end-v2")
"""Files with what only comes about in a whole game."""


@contextmanager
def this_release(settings: Settings, at: int) -> Iterator[House]:
    house = House(settings)
    house.now = at
    with override_clock(lambda: house.now), run_service(settings) as client:
        house.client = client
        yield house


def answered(answer: Any) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def lose_and_return(house: House) -> Iterator[tuple[str, str, Person]]:
    """A seat regained from the bot, and one regained with the others' consent."""
    for name, twice in (("reclaimed", False), ("returned", True)):
        (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end="bot_takes")
        path = f"/matches/{match['id']}"
        house.pass_by(2 * DAY_MS)
        until(lambda p=bob, a=path: p.get(a).json()["to_act"] == [1], house)  # type: ignore[misc]
        answered(ann.post(path + "/reclaim", {}))
        if twice:
            now = bob.get(path).json()
            while now["to_act"] == [1]:
                now = bob.step(now)
            house.pass_by(3 * DAY_MS)
            answered(ann.post(path + "/reclaim", {}))
            answered(bob.post(path + "/reclaim/answer", {"seat": 1, "about": 0, "accept": True}))
        yield name, match["id"], bob


def recover_seats(house: House) -> Iterator[tuple[str, str, Person]]:
    """A recovery request at each stage, and a seat that moved with its PIN."""
    stages: dict[str, Callable[[Any, Any], Any]] = {
        "asked": lambda _people, _match: None,
        "began": lambda people, match: answered(answer_to(people[2], match, 2, 1)),
        "declined": lambda people, match: answered(answer_to(people[2], match, 2, 1, accept=False)),
        "objected": lambda people, match: answered(
            people[1].post(f"/matches/{match['id']}/recovery/object", {"seat": 1})
        ),
    }
    for name, go_on in stages.items():
        people = [Person(house.client, each) for each in ("Ann", "Bob", "Cid")]
        match = people[0].open("me", "open", "open")
        for person in people[1:]:
            answered(person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}))
        answered(ask(people[0], match, 0, 1, Person(house.client, "New")))
        go_on(people, match)
        yield name, match["id"], people[0]
    ann, bob, match = two_at_a_table(house.client)
    table = choose(bob, match, 1)["table"]
    answered(recover(Person(house.client, "New"), table, 1, PIN))
    yield "by PIN", match["id"], ann


def import_kept(house: House) -> Iterator[tuple[str, str, Person]]:
    """Events at the end of a game that would never end."""
    for name in KEPT:
        ann = Person(house.client, "Ann")
        document = msgspec.json.decode((FOLDER / f"{name}.json").read_bytes())
        yield name, answered(ann.post("/matches/import", document))["id"], ann


def timed(house: House) -> Iterator[tuple[str, str, Person]]:
    """A clock with today's rules in each game, given by a field of the opening only."""
    for game in RULES_VERSIONS:
        ann, bob = Person(house.client, "Ann"), Person(house.client, "Bob")
        bots = ["bot"] * (4 if game == "caravanserail" else 0)
        pace = {"kind": "days", "days": 2, "weekends_off": True, "time_zone": "Europe/Paris"}
        match = ann.open("me", "open", *bots, game=game, pace=pace)
        answered(bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]}))
        yield f"timed {game}", match["id"], ann


def stored(settings: Settings, match_id: str) -> list[Any]:
    """Return the stored rows of a match."""
    store = open_store(settings)
    try:
        return list(store.recorder.select_events(uuid.UUID(match_id)))
    finally:
        store.close()


def events_of(settings: Settings, made: Made) -> set[str]:
    """Return the types of all events in the matches."""
    store = open_store(settings)
    try:
        return {
            type(event).__name__
            for match_id, _headers in made.values()
            for recorded in store.decisions(uuid.UUID(match_id))
            for event in recorded.decision.events
        }
    finally:
        store.close()


def move(worker: Worker, path: str, headers: dict[str, str]) -> dict[str, Any]:
    """Play one move of seat 0 through a worker; return the match after it."""
    with httpx.Client(base_url=worker.address + "/api", headers=headers, timeout=30) as client:
        match = answered(client.get(path))
        choices = answered(client.get(path + "/choices", params={"seat": 0}))["choices"]
        commands = [choices[0]["command"]]
        body = {"seat": 0, "expected_version": match["version"], "commands": commands}
        after: dict[str, Any] = answered(client.post(path + "/commands", json=body))["match"]
        return after


@pytest.mark.parametrize(
    ("knows", "kind"), [("release", "sqlite"), ("release", "postgresql"), ("rules", "sqlite")]
)
def test_new_events_are_set_aside_and_nothing_is_lost(
    knows: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scheduler.__init__, "__defaults__", (3600.0,))
    with fresh(kind, tmp_path) as settings:
        log = tmp_path / "previous.log"
        previous = Worker(settings, log, ("tests.resilience.previous", knows))
        try:
            check(settings, previous, knows)
        finally:
            previous.close()
        assert "Traceback" not in log.read_text()


def check(settings: Settings, previous: Worker, knows: str) -> None:
    previous.start()
    with httpx.Client(base_url=previous.address + "/api", timeout=30) as client:
        token = answered(client.post("/players", json={"name": "Ann"}))["token"]
        client.cookies.clear()
        own = {"Authorization": f"Bearer {token}"}
        body = {"game": "caravane", "seats": [{"kind": "me"}, {"kind": "me"}]}
        plain = f"/matches/{answered(client.post('/matches', json=body, headers=own))['id']}"
    previous.tell_to_stop()
    previous.ended()

    made: Made = {}
    makers = [lose_and_return, recover_seats, import_kept]
    if knows == "release":
        makers.append(timed)
    with this_release(settings, time.time_ns() // 1_000_000) as house:
        for make in makers:
            for name, match_id, person in make(house):
                made[name] = (match_id, person.headers)
        house.look()
        later = house.now
    assert events_of(settings, made) >= NEW_EVENTS
    before = {match_id: stored(settings, match_id) for match_id, _headers in made.values()}

    previous.start()
    with httpx.Client(base_url=previous.address, timeout=30) as client:
        for name, (match_id, headers) in made.items():
            path = f"/api/matches/{match_id}"
            nothing = {"seat": 0, "expected_version": 1, "commands": [{"type": "X"}]}
            for answer in (
                client.get(path, headers=headers),
                client.get(path + "/export", headers=headers),
                client.post(path + "/commands", json=nothing, headers=headers),
            ):
                assert answer.status_code == 409, (name, answer.text)
                assert answer.json()["code"] == "match_set_aside", name
            listed = client.get("/api/matches", headers=headers)
            assert listed.status_code == 200, (name, listed.text)
        enough = time.monotonic() + 30
        while client.get("/health/ready").json().get("set_aside") != len(made):
            assert time.monotonic() < enough, client.get("/health/ready").text
            time.sleep(0.1)
    moved = move(previous, plain, own)
    previous.tell_to_stop()
    previous.ended()
    assert {match_id: stored(settings, match_id) for match_id in before} == before

    with this_release(settings, later) as house:
        house.look()
        for name, (match_id, headers) in made.items():
            again = house.client.get(f"/api/matches/{match_id}", headers=headers)
            assert again.status_code == 200, (name, again.text)
            items = answered(house.client.get("/api/matches", headers=headers))["items"]
            assert match_id in [item["id"] for item in items], name
        assert "set_aside" not in house.client.get("/health/ready").json()
        seen = answered(house.client.get("/api" + plain, headers=own))
        assert seen["version"] == moved["version"]
