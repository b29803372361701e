"""Time limits: when a phase lasts too long, the service plays the game's default commands."""

import time
from pathlib import Path
from typing import Any

import pytest

from domain.games.caravanserai import rules
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.people import Person


def limit(state: Any) -> tuple[int, list[tuple[int, Any]]] | None:
    """Give each turn of the first seat one second; then the first choice is played."""
    if 0 not in rules.to_act(state):
        return None
    return 1, [(0, rules.choices(state, 0)[0])]


def moved_on(person: Person, match: Any) -> Any:
    deadline = time.monotonic() + 10
    while True:
        now = person.get(f"/matches/{match['id']}").json()
        if now["version"] > match["version"]:
            return now
        assert time.monotonic() < deadline, "the clock did nothing"
        time.sleep(0.05)


@pytest.mark.slow
def test_clock_moves_for_an_idle_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "time_limit", limit)
    with run_service(Settings(data=str(tmp_path), play_limit=0)) as client:
        ann = Person(client)
        match = ann.open("me", "me")
        began = time.monotonic()
        match = moved_on(ann, match)
        assert time.monotonic() - began > 0.9
        assert match["to_act"] == [1], "nobody hurries the second seat"
        time.sleep(1.5)
        assert ann.get(f"/matches/{match['id']}").json()["version"] == match["version"]


@pytest.mark.slow
def test_deadlines_survive_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "time_limit", limit)
    settings = Settings(data=str(tmp_path), play_limit=0)
    with run_service(settings) as client:
        ann = Person(client)
        match = ann.open("me", "me")
        assert ann.get("/matches").json()["items"][0]["version"] == match["version"]
    time.sleep(1.1)
    with run_service(settings) as client:
        ann.client = client
        assert moved_on(ann, match)["to_act"] == [1]
