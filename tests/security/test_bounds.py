"""Limits per player: undo, moving a seat between devices, joining and leaving, forks, pages."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from domain.match.timeline import MAX_DECISIONS
from service.matches import decision_quota
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.people import Client, Person, two_at_a_table

PAGE = "/m/5f0c2f0e-6a53-4c7e-9a35-0d2f1f6c7a11"


def limited(tmp_path: Path, **limits: Any) -> AbstractContextManager[Client]:
    return run_service(Settings(data=str(tmp_path), **limits))


def moved_and_taken_back(person: Person, match: Any) -> Any:
    """A step and its undo, in a match where the person is to act."""
    answer = person.undo(person.step(match), 0)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_undo_is_limited_per_player(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_quota, "MAX_UNDO_DECISIONS", 12)
    ann, bob, match = two_at_a_table(client)
    for _ in range(6):  # each adds an undone move and its undo
        match = moved_and_taken_back(ann, match)
    match = ann.step(match)
    refused = ann.undo(match, 0)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_undos")
    # She plays on, and he has not undone anything yet.
    while match["to_act"] == [0]:
        match = ann.step(match)
    match = moved_and_taken_back_by(bob, 1)


def moved_and_taken_back_by(person: Person, seat: int) -> Any:
    listed = person.get("/matches").json()["items"][0]
    match = person.step(person.get(f"/matches/{listed['id']}").json())
    answer = person.undo(match, seat)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_replayed_moves_count_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_quota, "MAX_UNDO_DECISIONS", 12)
    ann, _bob, match = two_at_a_table(client)
    match = ann.step(match)
    codes = []
    for _ in range(12):
        for way in ("undo", "redo"):
            body = {"seat": 0, "expected_version": match["version"]}
            answer = ann.post(f"/matches/{match['id']}/{way}", body)
            codes.append(answer.json().get("code"))
            match = ann.get(f"/matches/{match['id']}").json()
    assert codes[:10] == [None] * 10
    assert set(codes[12:]) == {"too_many_undos"}


def test_device_changes_of_a_seat_are_limited(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its PIN the seat can be moved freely, and each move is a decision of the match."""
    monkeypatch.setattr(decision_quota, "MAX_SEAT_MOVES", 4)
    ann, bob, match = two_at_a_table(client)
    path, pin = f"/api/matches/{match['id']}/pin", {"seat": 1, "pin": "482915"}
    table = client.put(path, json=pin, headers=bob.headers).json()["table"]
    phones = [bob, Person(client, "Phone")]
    answers = [phones[n % 2].post("/matches/recover", {**pin, "table": table}) for n in range(1, 8)]
    assert [answer.status_code for answer in answers[:4]] == [200] * 4
    assert {(answer.status_code, answer.json().get("code")) for answer in answers[4::2]} == {
        (409, "too_many_moves")
    }
    assert bob.get(f"/matches/{match['id']}").json()["seats"][1]["you"], "where it was last"
    assert ann.step(ann.get(f"/matches/{match['id']}").json())


def test_rejoining_is_limited_per_player(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_quota, "MAX_JOINS_PER_PLAYER", 3)
    ann, bob, match = two_at_a_table(client)
    for _ in range(2):
        left_and_came(bob, bob, match, ann)
    assert left_and_came(bob, bob, match, ann) == (409, "too_many_joins")
    cid = Person(client, "Cid")
    invite = ann.get(f"/matches/{match['id']}").json()["invite"]
    assert cid.post(f"/matches/{match['id']}/join", {"invite": invite}).status_code == 200


def test_rejoining_is_limited_for_new_players(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder of an invitation could be a new player each time."""
    monkeypatch.setattr(decision_quota, "MAX_JOINS_PER_PLAYER", 3)
    monkeypatch.setattr(decision_quota, "MAX_JOINS", 5)
    ann, present, match = two_at_a_table(client)
    for number in range(4):
        new = Person(client, f"New {number}")
        assert left_and_came(present, new, match, ann) == (200, "")
        present = new
    late = Person(client, "Late")
    assert left_and_came(present, late, match, ann) == (409, "too_many_joins")
    body = {"seat": 0, "about": 1, "bot": True}
    assert ann.post(f"/matches/{match['id']}/vote", body).status_code == 200, "the game goes on"


def left_and_came(leaver: Person, comer: Person, match: Any, host: Person) -> tuple[int, str]:
    """Leave seat 1 and let another player join: status and code of the joining."""
    path = f"/matches/{match['id']}"
    left = leaver.post(f"{path}/leave", {"seat": 1, "stand_in": "nobody"})
    assert left.status_code == 200, left.text
    invite = host.get(path).json()["invite"]
    came = comer.post(f"{path}/join", {"invite": invite})
    return came.status_code, came.json().get("code", "")


def test_single_player_undo_is_unlimited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_quota, "MAX_UNDO_DECISIONS", 4)
    ann = Person(client)
    match = ann.open("me", "me")
    for _ in range(6):
        match = moved_and_taken_back(ann, match)


def test_full_match_at_all_limits_can_still_play() -> None:
    seats, longest = 6, 5_000
    assert seats * decision_quota.MAX_UNDO_DECISIONS + longest <= MAX_DECISIONS


def test_forks_are_rate_limited(tmp_path: Path) -> None:
    with limited(tmp_path, fork_limit=3) as client:
        ann = Person(client)
        match = ann.open("me")
        fork, body = f"/matches/{match['id']}/fork", {"at": match["version"]}
        answers = [ann.post(fork, body) for _ in range(5)]
        assert [a.status_code for a in answers] == [201] * 3 + [429] * 2
        assert int(answers[-1].headers["retry-after"]) > 60


def test_held_seats_per_player_are_limited(tmp_path: Path) -> None:
    with limited(tmp_path, hold_limit=3) as client:
        ann, bob, match = two_at_a_table(client)
        body = {"at": match["version"], "seats": [{"kind": "me"}, {"kind": "same"}]}
        fork = f"/matches/{match['id']}/fork"
        statuses = [ann.post(fork, body).status_code for _ in range(5)]
        assert statuses == [201] * 3 + [429] * 2
        assert len(bob.get("/matches", scope="invited").json()["items"]) == 3
        # Those that hold nothing for anybody go on.
        body["seats"][1] = {"kind": "open"}
        assert ann.post(fork, body).status_code == 201


def test_match_pages_are_rate_limited(tmp_path: Path) -> None:
    with limited(tmp_path, play_limit=20, address_players=1) as client:
        statuses = [client.get(PAGE).status_code for _ in range(12)]
        assert 429 in statuses
        assert 429 not in statuses[:4]
