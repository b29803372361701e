"""A repeated request gets the first answer, also after a restart, on each database."""

import asyncio
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from msgspec import to_builtins

from domain.matchfile.codec import codec_of
from service.bootstrap import Services
from service.common.clock import now_ms
from service.matches import schema
from service.matches.idempotency import fingerprint_request
from service.matches.match_writer import Caller
from service.settings import Settings
from tests.domain.test_kernel import folds
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Person


def test_the_same_key_and_body_get_the_same_answer(any_client: TestClient[Any]) -> None:
    ann = Person(any_client)
    match = ann.open("me", "bot")
    command = ann.choices(match, 0)[0]["command"]
    first = ann.play(match, 0, command, key="tap-1")
    second = ann.play(match, 0, command, key="tap-1")
    assert first.status_code == 200
    assert second.content == first.content
    assert ann.get(f"/matches/{match['id']}").json()["version"] == first.json()["version"]
    without = ann.play(match, 0, command)
    assert without.json()["code"] == "version_conflict"


def test_the_same_key_with_another_body_is_refused(any_client: TestClient[Any]) -> None:
    ann = Person(any_client)
    match = ann.open("me", "me")
    first, other = (choice["command"] for choice in ann.choices(match, 0)[:2])
    assert ann.play(match, 0, first, key="tap-1").status_code == 200
    refused = ann.play(match, 0, other, key="tap-1")
    assert (refused.status_code, refused.json()["code"]) == (422, "key_reused")


def test_a_key_belongs_to_its_caller_and_match(any_client: TestClient[Any]) -> None:
    ann, bob = Person(any_client, "Ann"), Person(any_client, "Bob")
    for person in (ann, bob, ann):
        match = person.open("me", "me")
        command = person.choices(match, 0)[0]["command"]
        assert person.play(match, 0, command, key="tap-1").status_code == 200


def test_rejected_request_can_be_retried_with_its_key(any_client: TestClient[Any]) -> None:
    ann = Person(any_client)
    match = ann.open("me", "me")
    assert ann.play(match, 0, {"type": "Nonsense"}, key="tap-1").status_code == 422
    command = ann.choices(match, 0)[0]["command"]
    assert ann.play(match, 0, command, key="tap-1").status_code == 200


@pytest.mark.parametrize("kind", DATABASES)
def test_the_first_answer_also_after_a_restart(kind: str, tmp_path: Path) -> None:
    with fresh(kind, tmp_path) as settings:
        with run_service(settings) as client:
            ann = Person(client)
            match = ann.open("me", "me")
            command = ann.choices(match, 0)[0]["command"]
            first = ann.play(match, 0, command, key="tap-1")
            moved = ann.step(first.json()["match"])
            undone = ann.undo(moved, moved["undo"]["seat"])
            assert undone.status_code == 200
        with run_service(settings) as client:
            ann.client = client
            again = ann.play(match, 0, command, key="tap-1")
            assert again.status_code == 200
            assert again.content == first.content
            now = ann.get(f"/matches/{match['id']}").json()
            assert now["version"] == undone.json()["version"]


def test_creating_and_undoing_repeat_safely_too(any_client: TestClient[Any]) -> None:
    ann = Person(any_client)
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "me"}],
        "options": {"begins": "host"},
    }
    first = ann.post("/matches", body, key="new")
    again = ann.post("/matches", body, key="new")
    assert again.status_code == 201
    assert again.json() == first.json()
    assert len(ann.get("/matches").json()["items"]) == 1
    match = ann.step(first.json())
    wish = {"seat": 0, "expected_version": match["version"]}
    path = f"/matches/{match['id']}/undo"
    assert ann.post(path, wish, key="back").json() == ann.post(path, wish, key="back").json()


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_first_answer_is_repeated_by_any_worker(kind: str, tmp_path: Path) -> None:
    """However much has happened since, and whichever worker answers: one that has seen the match
    before the request, one that has seen everything, and one that has not loaded the match."""
    with fresh(kind, tmp_path) as settings, ExitStack() as stack:
        here, there, new = (stack.enter_context(run_service(settings)) for _ in range(3))
        ann = Person(here)
        match = ann.open("me", "me")
        ann.client = there
        ann.get(f"/matches/{match['id']}")
        ann.client = here
        command = ann.choices(match, 0)[0]["command"]
        first = ann.play(match, 0, command, key="tap-1")
        ann.client = there
        assert ann.play(match, 0, command, key="tap-1").content == first.content
        now = first.json()["match"]
        for _ in range(8):
            now = ann.step(now)
        ann.undo(now, now["undo"]["seat"])
        for client in (here, there, new):
            ann.client = client
            assert ann.play(match, 0, command, key="tap-1").content == first.content


def test_a_repeated_request_folds_nothing_of_a_match_in_memory(tmp_path: Path) -> None:
    """The cost does not depend on the length of the match."""
    with folds(codec_of("caravanserai").rules) as folded:
        asyncio.run(_repeated(Settings(data=str(tmp_path)), folded))


async def _repeated(settings: Settings, folded: list[Any]) -> None:
    services = Services(settings)
    async with services.running():
        ann, _ = services.players.create("Ann", "", now_ms())
        seats = (schema.NewSeat(kind="me"), schema.NewSeat(kind="me"))
        opened = await services.openings.create_match(
            ann, schema.NewMatch(game="caravanserai", seats=seats), None
        )
        table = await services.finder.find_match(opened.match_id, ann)
        repeat = fingerprint_request("tap-1", ann, "commands", b"{}")
        first = wish = None
        for _ in range(20):
            now = table.timeline
            (seat,) = now.to_act(now.latest)
            command = to_builtins(now.rules.choices(now.latest.state, seat)[0])
            asked = schema.PlayCommands(
                seat=seat, expected_version=now.version, commands=(command,)
            )
            done = await services.actions.play_commands(
                Caller(ann, table, None if first else repeat), asked
            )
            first, wish = first or done, wish or asked
        assert first is not None
        assert wish is not None
        assert folded
        folded.clear()
        again = await services.actions.play_commands(Caller(ann, table, repeat), wish)
        assert not folded
        assert (again.seat, again.version_before, again.status) == (
            first.seat,
            first.version_before,
            first.status,
        )
        assert list(again.timeline.moments) == list(first.timeline.moments)
