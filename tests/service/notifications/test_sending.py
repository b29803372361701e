"""From a move to a notification: none is lost, none sent twice, quiet hours and presence
respected."""

import base64
import hashlib
import hmac
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from service.notifications.delivery import sender
from service.notifications.outbox import LEASE_MS, Outbox
from service.notifications.triggers import Notification
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.notifications.receivers import Receiver, eventually, wait_until_sent
from tests.service.people import Client, Person, two_at_a_table

QUIET_PAUSE = 0.6
"""Seconds in which the sender looks for due notifications several times."""


def told_by(person: Person, taking: Receiver) -> Any:
    """Give the player a webhook and forget what it received before."""
    answer = person.post("/notices/webhook", {"address": f"{taking.url}/{person.name}"})
    assert answer.status_code == 201, answer.text
    return answer.json()


def put(person: Person, path: str, body: Any) -> Any:
    return person.client.put(f"/api{path}", json=body, headers=person.headers)


def until_turn_of(person: Person, match: Any, seat: int) -> Any:
    """Play until it is a seat's turn."""
    while match["to_act"] != [seat]:
        match = person.step(match)
    return match


def test_turn_is_notified_once_by_a_signed_post(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    way = told_by(bob, taking)
    until_turn_of(ann, match, 1)
    (got,) = taking.wait()
    assert got.json["type"] == "turn"
    assert got.json["match"] == match["id"]
    assert got.json["url"].endswith(f"/m/{match['id']}")
    assert "Ann" in got.json["title"]
    key = base64.b64decode(way["secret"].removeprefix("whsec_"))
    text = f"{got.headers['webhook-id']}.{got.headers['webhook-timestamp']}.".encode() + got.body
    right = base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode()
    assert got.headers["webhook-signature"] == f"v1,{right}"
    assert abs(int(got.headers["webhook-timestamp"]) - time.time()) < 60
    wait_until_sent(client)
    assert len(taking.got) == 1


def test_player_without_channels_leaves_no_outbox_rows(client: Client) -> None:
    ann, _bob, match = two_at_a_table(client)
    until_turn_of(ann, match, 1)
    with client.app.services.store.transaction(commit=False) as sql:
        assert sql.all("SELECT * FROM {0}notices") == []


@pytest.mark.slow
def test_turns_without_notifications_leave_no_rows(settings: Settings, taking: Receiver) -> None:
    """Settling reads a player's outbox rows of a match; with one row per past turn, moves would get
    slower as the match grows."""
    with run_service(replace(settings, notice_delay=3_600)) as client:
        ann, bob, match = two_at_a_table(client)
        for person in (ann, bob):
            told_by(person, taking)
        for seat in (1, 0) * 4:
            match = until_turn_of(bob if seat == 0 else ann, match, seat)
            with client.app.services.store.transaction(commit=False) as sql:
                rows = sql.all("SELECT player, state FROM {0}notices")
            waits = (ann, bob)[seat].id
            assert [(row["player"], row["state"]) for row in rows] == [(waits, "waiting")]
    assert taking.got == []


def test_private_message_is_never_sent(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    said = ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "swordfish", "to": 1})
    assert said.status_code == 200, said.text
    (got,) = taking.wait()
    assert got.json["text"] == "Ann sent you a message."
    assert b"swordfish" not in got.body


def test_public_message_is_sent(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "good luck"})
    assert taking.wait()[0].json["text"] == "Ann: good luck"


def test_undo_proposal_is_notified(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    start = match["version"]
    match = bob.step(until_turn_of(ann, match, 1))
    told_by(bob, taking)
    assert ann.undo(match, 0, start).status_code == 202
    assert taking.wait()[0].json["text"] == "Ann asked to undo."


def test_turn_played_meanwhile_is_not_notified(
    client: Client, taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 1.5)
    time.sleep(0.2)
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    until_turn_of(bob, until_turn_of(ann, match, 1), 0)
    wait_until_sent(client)
    assert taking.got == []


@pytest.mark.slow
def test_player_who_just_moved_is_notified_later(
    client: Client, taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "ACTIVE_AFTER_MOVE_MS", 2_000)
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    joined = time.monotonic()
    until_turn_of(ann, match, 1)
    wait_until_sent(client)
    assert taking.got == []
    taking.wait()
    assert time.monotonic() - joined > 1.2


def test_muted_match_and_disabled_kind_are_not_notified(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    path = f"/matches/{match['id']}/mute"
    assert bob.post(path, {"muted": True}).json() == {"muted": True}
    assert bob.get("/notices").json()["muted"] == [match["id"]]
    ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "psst"})
    wait_until_sent(client)
    bob.post(path, {"muted": False})
    answer = put(bob, "/notices", {"kinds": ["over", "word"]})
    assert answer.json()["wishes"] == {"kinds": ["over", "word"], "quiet": None}
    until_turn_of(ann, match, 1)
    wait_until_sent(client)
    assert taking.got == []


def test_quiet_hours_hold_it_until_they_end(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    now = datetime.now(UTC)
    minute = now.hour * 60 + now.minute
    quiet = {"start": (minute - 5) % 1440, "end": (minute + 30) % 1440, "zone": "UTC"}
    wishes = {"kinds": ["turn"], "quiet": quiet}
    assert put(bob, "/notices", wishes).status_code == 200
    until_turn_of(ann, match, 1)
    wait_until_sent(client)
    assert taking.got == []
    with client.app.services.store.transaction(commit=False) as sql:
        (row,) = sql.all("SELECT due FROM {0}notices WHERE kind = 'turn'")
    ends = now.replace(second=0, microsecond=0) + timedelta(minutes=30)
    assert row["due"] == int(ends.timestamp() * 1000)


@pytest.mark.slow
def test_several_waiting_matches_are_one_message(
    client: Client, taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 1.5)
    time.sleep(0.2)
    ann, bob, first = two_at_a_table(client)
    second = ann.open("me", "open")
    bob.post(f"/matches/{second['id']}/join", {"invite": second["invite"]})
    second = ann.get(f"/matches/{second['id']}").json()
    told_by(bob, taking)
    for match in (first, second):
        until_turn_of(ann, match, 1)
    (got,) = taking.wait()
    assert got.json["title"] == "It’s your turn in 2 games"
    assert got.json["waiting"] == 2
    wait_until_sent(client)
    assert len(taking.got) == 1


@pytest.mark.slow
def test_failure_is_retried_after_the_delay(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    taking.answers = [(503, {"Retry-After": "2"}), (500, {}), (200, {})]
    until_turn_of(ann, match, 1)
    taking.wait(1)
    began = time.monotonic()
    taking.wait(2)
    assert time.monotonic() - began > 1.5, "Retry-After was ignored"
    got = taking.wait(3)
    assert len({each.headers["webhook-id"] for each in got}) == 1, "a retry keeps its id"
    wait_until_sent(client)
    assert len(taking.got) == 3


def test_gone_endpoint_is_removed(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    taking.answers = [(410, {})]
    until_turn_of(ann, match, 1)
    eventually(lambda: bob.get("/notices").json()["ways"] == [])


def test_after_a_day_it_is_given_up(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    taking.answers = [(503, {})] * 50
    until_turn_of(ann, match, 1)

    def row() -> Any:
        with client.app.services.store.transaction(commit=False) as sql:
            return sql.one("SELECT due, tries FROM {0}notices WHERE kind = 'turn'")

    eventually(lambda: row()["tries"] > 0)
    with client.app.services.store.transaction(commit=True) as sql:
        sql.run("UPDATE {0}notices SET tried = tried - ?, due = 0", sender.MAX_RETRY_AGE_MS)
    eventually(lambda: row()["due"] is None)
    assert bob.get("/notices").json()["ways"][0]["problem"] == "503"


@pytest.mark.slow
def test_a_redirect_is_not_followed(client: Client, taking: Receiver) -> None:
    _ann, bob, _match = two_at_a_table(client)
    way = told_by(bob, taking)
    taking.answers = [(302, {"Location": f"{taking.url}/elsewhere"})]
    answer = bob.post(f"/notices/ways/{way['id']}/test")
    assert answer.status_code == 409
    assert answer.json()["code"] == "not_delivered"
    assert [got.path for got in taking.got] == ["/Bob"]


def test_resuming_an_unknown_channel_reschedules_nothing(
    settings: Settings, taking: Receiver
) -> None:
    with run_service(replace(settings, notice_delay=3_600)) as client:
        ann, bob, match = two_at_a_table(client)
        told_by(bob, taking)
        until_turn_of(ann, match, 1)

        def due() -> list[int]:
            with client.app.services.store.transaction(commit=False) as sql:
                return [row["due"] for row in sql.all("SELECT due FROM {0}notices")]

        before = due()
        assert len(before) == 1
        assert bob.post(f"/notices/ways/{'0' * 16}/resume").status_code == 404
        assert due() == before


@pytest.mark.slow
def test_crash_between_save_and_send_loses_nothing(
    settings: Settings, taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 60)
    with run_service(settings) as client:
        time.sleep(0.2)
        ann, bob, match = two_at_a_table(client)
        told_by(bob, taking)
        until_turn_of(ann, match, 1)
        # A worker that claimed it and died before sending.
        claimed = Outbox(client.app.services.store).claim(int(time.time() * 1000))
        assert [row.kind for row in claimed] == ["turn"]
    assert taking.got == []
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 0.05)
    with run_service(settings) as client:
        time.sleep(QUIET_PAUSE)
        assert taking.got == [], "a claim holds until it runs out"
        with client.app.services.store.transaction(commit=True) as sql:
            sql.run("UPDATE {0}notices SET claimed = claimed - ?", LEASE_MS)
        taking.wait()
        wait_until_sent(client)
    assert len(taking.got) == 1


@pytest.mark.slow
def test_two_workers_send_one_message(settings: Settings, taking: Receiver) -> None:
    with run_service(settings) as one, run_service(settings) as two:
        people = [two_at_a_table(one) for _ in range(6)]
        for _ann, bob, _match in people:
            told_by(bob, taking)
        for ann, _bob, match in people:
            until_turn_of(ann, match, 1)
        taking.wait(6)
        wait_until_sent(one)
        assert two.get("/health/ready").status_code == 200
    assert len({got.json["match"] for got in taking.got}) == 6
    assert len(taking.got) == 6


def test_two_workers_send_one_reminder(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    match = until_turn_of(ann, match, 1)
    told_by(bob, taking)
    notice = Notification(bob.id, match["id"], "reminder", 7, match["version"])
    portal = client.blocking_portal
    for _ in range(2):
        portal.call(client.app.services.subscriptions.queue, notice)
    assert taking.wait()[0].json["type"] == "reminder"
    wait_until_sent(client)
    assert len(taking.got) == 1


def test_rematch_offer_is_notified(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    seats = [{"kind": "me"}, {"kind": "same"}]
    body = {"at": match["version"], "seats": seats}
    fork = ann.post(f"/matches/{match['id']}/fork", body)
    assert fork.status_code == 201, fork.text
    got = [each for each in taking.wait() if each.json["type"] == "rematch"]
    assert [each.json["match"] for each in got] == [fork.json()["id"]]
    assert got[0].json["text"] == "You’re invited to another game."


def kept_for_bob(client: Client, taking: Receiver) -> tuple[Person, Person, Any]:
    """Return Ann, Bob and a new match in which Ann holds a seat for Bob.

    Both have a webhook; Bob has been notified.
    """
    ann, bob, _ = two_at_a_table(client)
    told_by(ann, taking)
    told_by(bob, taking)
    (known,) = ann.get("/players/me/people").json()["items"]
    seats = [{"kind": "me"}, {"kind": "open", "person": known["id"]}]
    match = ann.post("/matches", {"game": "caravanserai", "seats": seats}).json()
    assert [got.path for got in taking.wait()] == ["/Bob"]
    return ann, bob, match


def test_host_is_notified_of_a_declined_seat(client: Client, taking: Receiver) -> None:
    _ann, bob, match = kept_for_bob(client, taking)
    assert bob.post(f"/matches/{match['id']}/leave", {}).status_code == 200
    got = taking.wait(2)[1]
    assert (got.path, got.json["type"], got.json["match"]) == ("/Ann", "rematch", match["id"])
    assert got.json["text"] == "Bob declined the seat you reserved for them."
    wait_until_sent(client)
    assert len(taking.got) == 2


def test_host_who_opens_a_held_seat_is_not_notified(client: Client, taking: Receiver) -> None:
    ann, _bob, match = kept_for_bob(client, taking)
    assert ann.post(f"/matches/{match['id']}/leave", {"seat": 1}).status_code == 200
    wait_until_sent(client)
    assert len(taking.got) == 1


def test_host_is_notified_once_of_a_declined_seat_in_a_running_match(
    client: Client, taking: Receiver
) -> None:
    """The host is asked whether a bot should take it."""
    ann, bob, match = two_at_a_table(client)
    told_by(ann, taking)
    body = {"at": match["version"], "seats": [{"kind": "me"}, {"kind": "same"}]}
    fork = ann.post(f"/matches/{match['id']}/fork", body).json()
    assert bob.post(f"/matches/{fork['id']}/leave", {}).status_code == 200
    assert taking.wait()[0].json["match"] == fork["id"]
    wait_until_sent(client)
    assert len(taking.got) == 1
