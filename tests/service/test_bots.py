"""Bots think outside the request and the match lock; nobody waits for a bot, and no bot move is
lost."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient

from domain.contract.bots import suggest_command
from domain.match.timeline import Timeline
from service.matches import bot_runner
from service.matches.scheduler import Scheduler
from service.settings import Settings
from service.store.group_commit import GroupCommitWriter
from tests.game_contract.ports import free_port
from tests.security.process import ROOT, wait_for
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Person
from tests.service.running import server
from tests.service.test_live import Caller, Listener

PATIENCE = 0.2
SOON = 10.0
"""Seconds in which what happens at once has happened, on a busy machine too."""


class Thoughtful:
    """A bot that does not finish thinking until it is released."""

    def __init__(self) -> None:
        self.thoughts: list[tuple[int, int]] = []
        self.begun = threading.Event()
        self.let = threading.Event()

    def __call__(self, timeline: Timeline, seat: int) -> object:
        self.thoughts.append((timeline.version, seat))
        self.begun.set()
        assert self.let.wait(60)
        return COMMAND_OF(timeline, seat)


COMMAND_OF = bot_runner.choose_command


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thoughtful]:
    bot = Thoughtful()
    monkeypatch.setattr(bot_runner, "choose_command", bot)
    yield bot
    bot.let.set()


@contextmanager
def serving(folder: Path, kind: str = "sqlite") -> Iterator[TestClient[Any]]:
    with (
        fresh(kind, folder, bot_patience=PATIENCE) as settings,
        run_service(settings) as client,
    ):
        yield client


def until(met: Callable[[], Any], what: str) -> Any:
    """Wait until the condition returns a true value, and return it."""
    deadline = time.monotonic() + 20
    while not (found := met()):
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
    return found


def to_the_bots(ann: Person, match: Any) -> Any:
    """Play Ann's first seat until it is a bot's turn; return the match from the last response."""
    while match["to_act"] == [0]:
        match = ann.step(match)
    return match


def test_move_is_answered_before_the_bot_moves(tmp_path: Path, slow: Thoughtful) -> None:
    """The move is stored by then; listeners are told of it, and of the bot's move when it is
    made."""
    settings = Settings(
        data=str(tmp_path), play_limit=0, create_limit=0, heartbeat=0.2, bot_patience=PATIENCE
    )
    with server(settings) as address:
        ann = Caller(address)
        match = ann.open("me", "bot")
        listener = Listener(ann, match)
        while match["to_act"] == [0]:
            match = ann.step(match)
        assert match["to_act"] == [1]
        assert slow.begun.wait(SOON)
        listener.wait_for(match["version"])
        path = f"/matches/{match['id']}"
        assert ann.http.get(path).json()["version"] == match["version"]
        slow.let.set()
        until(lambda: listener.versions()[-1] > match["version"], "nobody heard of the bot's move")
        moved = until(
            lambda: ann.http.get(path, params={"at": match["version"] + 1}).json(), "no move"
        )
        assert moved["latest_version"] > match["version"]
        events = ann.http.get(f"{path}/events", params={"after": match["version"]}).json()
        assert events["events"][0]["seat"] == 1
        listener.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_others_move_at_once_while_a_bot_thinks(
    tmp_path: Path, slow: Thoughtful, kind: str
) -> None:
    """No lock is held meanwhile; the bot's choice stays valid if others have only made their own
    simultaneous choices."""
    with serving(tmp_path, kind) as client:
        ann = Person(client)
        match = ann.open("me", "me", "bot", game="caravane")
        assert slow.begun.wait(SOON)
        assert match["to_act"] == [0, 1, 2]
        began = time.monotonic()
        for seat in (0, 1):
            answer = ann.play(match, seat, {"type": "Bid", "gourds": 1})
            assert answer.status_code == 200, answer.text
            match = answer.json()["match"]
            said = ann.post(f"/matches/{match['id']}/say", {"seat": seat, "text": "Well?"})
            assert said.status_code == 200
        assert time.monotonic() - began < SOON
        assert match["to_act"] == [2]
        slow.let.set()
        path = f"/matches/{match['id']}"
        until(lambda: 0 in ann.get(path).json()["to_act"], "the bot did not bid")
        first, *rest = slow.thoughts
        assert first[1] == 2
        assert all(version > match["version"] for version, _ in rest), "computed the move twice"


@pytest.mark.slow
def test_bot_continues_when_woken_while_its_move_is_saved(
    tmp_path: Path, slow: Thoughtful, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's move waits for the lock meanwhile and makes it the bot's turn again.

    The bot must be woken although it has only just gone idle; no read request wakes it.
    """
    monkeypatch.setattr(bot_runner, "BOT_STALL_MS", 10**9)
    monkeypatch.setattr(Scheduler, "_process_due", _in_an_hour)
    saving = threading.Event()
    save = GroupCommitWriter.save

    async def slowly(self: GroupCommitWriter, recorded: Any, *rest: Any) -> None:
        if slow.let.is_set() and not saving.is_set():
            saving.set()
            await asyncio.sleep(0.5)
        await save(self, recorded, *rest)

    monkeypatch.setattr(GroupCommitWriter, "save", slowly)
    with serving(tmp_path) as client:
        ann = Person(client)
        match = ann.open("me", "bot", game="caravane")
        assert slow.begun.wait(SOON)
        slow.let.set()
        assert saving.wait(SOON)
        answer = ann.play(match, 0, {"type": "Bid", "gourds": 1})
        assert answer.status_code == 200, answer.text
        until(lambda: len(slow.thoughts) > 1, "the bot sleeps")


async def _in_an_hour(_clock: Scheduler, _match_id: str, now: int) -> int:
    return now + 3_600_000


def test_bot_result_for_an_undone_move_is_dropped(tmp_path: Path, slow: Thoughtful) -> None:
    with serving(tmp_path) as client:
        ann = Person(client)
        match = to_the_bots(ann, ann.open("me", "bot"))
        assert slow.begun.wait(SOON)
        match = ann.get(f"/matches/{match['id']}").json()
        undone = ann.undo(match, 0)
        assert undone.status_code == 200, undone.text
        assert undone.json()["to_act"] == [0]
        slow.let.set()
        playing = client.app.services.bots._tasks
        until(lambda: not playing, "the bot thinks on")
        now = ann.get(f"/matches/{match['id']}").json()
        assert (now["version"], now["to_act"]) == (undone.json()["version"], [0])


def test_quick_bots_are_in_the_answer_already(tmp_path: Path) -> None:
    """The response waits a moment for bots."""
    with (
        fresh("sqlite", tmp_path, bot_patience=30.0) as settings,
        run_service(settings) as client,
    ):
        ann = Person(client)
        match = ann.open("me", "bot", "bot")
        for _ in range(12):
            assert match["to_act"] == [0]
            match = ann.step(match)
        events = ann.get(f"/matches/{match['id']}/events").json()["events"]
        assert {event["seat"] for event in events} >= {0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("quick", [True, False])
def test_repeated_request_gets_the_same_answer(
    tmp_path: Path, slow: Thoughtful, quick: bool
) -> None:
    """Including the bots' moves that were in it, without those made later."""
    if quick:
        slow.let.set()
    with serving(tmp_path) as client:
        ann = Person(client)
        body = {
            "game": "caravanserai",
            "seats": [{"kind": "bot"}, {"kind": "me"}],
            "options": {"begins": "host"},
        }
        first = ann.post("/matches", body, key="new")
        path = f"/matches/{first.json()['id']}"
        assert quick or first.json()["to_act"] == [0]
        slow.let.set()
        until(lambda: ann.get(path).json()["to_act"] == [1], "the bot did not move")
        again = ann.post("/matches", body, key="new")
        assert again.status_code == 201
        assert again.json() == first.json()


@pytest.mark.slow
def test_failing_bot_does_not_affect_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others play on, the bot is not retried repeatedly, and the scheduler gives it another try."""
    tries: list[int] = []

    def fails(timeline: Timeline, seat: int) -> object:
        tries.append(seat)
        raise RuntimeError

    with monkeypatch.context() as patched, serving(tmp_path) as client:
        patched.setattr(bot_runner, "choose_command", fails)
        patched.setattr(bot_runner, "BOT_STALL_MS", 0)
        patched.setattr(Scheduler, "tick", _nothing)
        ann = Person(client)
        match = ann.open("me", "bot", game="caravane")
        for _ in range(4):
            match = ann.get(f"/matches/{match['id']}").json()
        assert tries == [1]
        assert ann.play(match, 0, {"type": "Bid", "gourds": 1}).status_code == 200
    with run_service(Settings(data=str(tmp_path), play_limit=0)) as client:
        ann.client = client
        until(lambda: 0 in ann.get(f"/matches/{match['id']}").json()["to_act"], "stuck")


async def _nothing(_clock: Scheduler) -> None:
    """Replace the scheduler: nothing happens."""


# --- the process dies while a bot thinks ---------------------------------------------------------

NEVER_ENDS = """
import sys, time
from service import cli
from service.matches import bot_runner
bot_runner.choose_command = lambda timeline, seat: time.sleep(3600)
sys.exit(cli.main(["serve"]))
"""


@pytest.fixture(scope="module")
def left_thinking(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Return folder, match and token of a match whose process was killed while its bot was
    thinking."""
    folder, port = tmp_path_factory.mktemp("killed"), free_port()
    given = {"HOST": "127.0.0.1", "PORT": str(port), "DATA": str(folder), "BOT_PATIENCE": "0.1"}
    running = subprocess.Popen(
        [sys.executable, "-c", NEVER_ENDS],
        env={**os.environ, "PYTHONPATH": str(ROOT), "LOG_LEVEL": "error", **given},
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        ann = Caller(f"http://127.0.0.1:{port}")
        match = ann.open("me", "bot")
        while match["to_act"] == [0]:
            match = ann.step(match)
    finally:
        running.kill()
        running.wait(20)
    assert match["to_act"] == [1]
    with pytest.raises(httpx.TransportError):
        ann.http.get("/matches")
    return folder, match["id"], ann.token


@pytest.mark.slow
@pytest.mark.parametrize("by", ["reader", "clock"])
def test_a_bots_move_survives_the_death_of_the_process(
    tmp_path: Path,
    left_thinking: tuple[Path, str, str],
    by: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next read request starts the bot again, and without one the scheduler does."""
    folder, match_id, token = left_thinking
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    if by == "reader":
        monkeypatch.setattr(Scheduler, "tick", _nothing)
    with run_service(Settings(data=str(tmp_path), play_limit=0)) as client:
        if by == "clock":
            store = client.app.services.store
            count = store.newest_entry_id()
            until(lambda: store.newest_entry_id() > count, "the clock did nothing")
        headers = {"Authorization": f"Bearer {token}"}
        path = f"/api/matches/{match_id}"
        until(lambda: client.get(path, headers=headers).json()["to_act"] == [0], "nobody moved")


def test_a_bot_plays_at_the_level_it_was_seated_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The highest level by default; only bots have one."""
    levels: list[str] = []

    def noting(slug: str, state: Any, seat: int, thinking: Any) -> Any:
        levels.append(thinking.level)
        return suggest_command(slug, state, seat, thinking)

    monkeypatch.setattr(bot_runner, "suggest_command", noting)
    with serving(tmp_path) as client:
        ann = Person(client)
        for asked, level in (({}, "good"), ({"level": "easy"}, "easy")):
            levels.clear()
            seats = [{"kind": "bot", **asked}, {"kind": "me"}]
            body = {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
            match = ann.post("/matches", body).json()
            assert match["seats"][0].get("level") == asked.get("level")
            path = f"/matches/{match['id']}"
            until(lambda path=path: ann.get(path).json()["to_act"] == [1], "no move")  # type: ignore[misc]
            assert {*levels} == {level}
        person = {"game": "caravanserai", "seats": [{"kind": "me", "level": "easy"}]}
        assert ann.post("/matches", person).status_code == 422
        robot = {"game": "caravanserai", "seats": [{"kind": "bot", "level": "genius"}]}
        assert ann.post("/matches", robot).status_code == 422
