"""Web Push, from a move to the text that a device shows, with a local push service."""

import time
from typing import Any

import pytest

from service.notifications import outbox_sql
from service.notifications.delivery import sender
from service.settings import Settings
from tests.service.notifications.pushes import Device
from tests.service.notifications.receivers import Receiver, eventually, wait_until_sent
from tests.service.notifications.test_sending import put, until_turn_of
from tests.service.people import Client, Person, two_at_a_table


def public_key(person: Person) -> str:
    return str(person.get("/notices").json()["offers"]["push"])


def subscribed(person: Person, taking: Receiver, path: str = "/device") -> tuple[Device, Any]:
    device = Device(taking, path)
    answer = person.post("/notices/push", device.subscription)
    assert answer.status_code == 201, answer.text
    return device, answer.json()


def test_a_turn_arrives_encrypted_and_signed_and_is_withdrawn_once_played(
    client: Client, taking: Receiver
) -> None:
    ann, bob, match = two_at_a_table(client)
    device, way = subscribed(bob, taking)
    assert way["this"]
    assert way["confirmed"]
    match = until_turn_of(ann, match, 1)
    (got,) = taking.wait()
    shown = device.read(got, public_key(bob))
    assert shown["url"] == f"/m/{match['id']}"
    assert shown["tag"] == match["id"]
    assert "Ann" in shown["title"]
    assert shown["body"].startswith("It’s your turn.")
    assert (shown["waiting"], shown["lang"]) == (1, "en")
    until_turn_of(bob, match, 0)
    gone = taking.wait(2)[1]
    assert device.read(gone, public_key(bob)) == {"gone": match["id"], "waiting": 0}
    assert gone.headers["topic"] == got.headers["topic"], "one not delivered yet is replaced"
    wait_until_sent(client)
    assert len(taking.got) == 2


def test_recovery_request_is_withdrawn_by_its_own_tag(client: Client, taking: Receiver) -> None:
    (ann, bob, cid), new = (Person(client, name) for name in ("Ann", "Bob", "Cid")), Person(client)
    match = ann.open("me", "open", "open")
    for person in (bob, cid):
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    device, _ = subscribed(cid, taking)
    code = new.post("/players/me/seat-code").json()["code"]
    path = f"/matches/{match['id']}/recovery"
    assert ann.post(path, {"seat": 0, "about": 1, "code": code}).status_code == 200
    (got,) = taking.wait()
    tag = f"{match['id']}-recovery"
    assert device.read(got, public_key(cid))["tag"] == tag
    body = {"seat": 2, "about": 1, "accept": True}
    assert cid.post(f"{path}/answer", body).status_code == 200
    gone = taking.wait(2)[1]
    assert device.read(gone, public_key(cid))["gone"] == tag
    assert gone.headers["topic"] == got.headers["topic"]


def test_device_that_lost_its_seat_is_told(client: Client, taking: Receiver) -> None:
    _ann, bob, match = two_at_a_table(client)
    device, _ = subscribed(bob, taking)
    chosen = put(bob, f"/matches/{match['id']}/pin", {"seat": 1, "pin": "483920"}).json()
    body = {"table": chosen["table"], "seat": 1, "pin": "483920"}
    assert Person(client, "Found").post("/matches/recover", body).status_code == 200
    (got,) = taking.wait()
    shown = device.read(got, public_key(bob))
    assert (shown["url"], shown["tag"]) == ("/", f"{match['id']}-recovered")
    assert shown["body"].startswith("Your seat has moved to another device")


@pytest.mark.slow
def test_message_about_several_matches_is_withdrawn_with_the_last(
    client: Client, taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 1.5)
    time.sleep(0.2)
    ann, bob, first = two_at_a_table(client)
    second = ann.open("me", "open")
    bob.post(f"/matches/{second['id']}/join", {"invite": second["invite"]})
    second = ann.get(f"/matches/{second['id']}").json()
    device, _ = subscribed(bob, taking)
    first, second = (until_turn_of(ann, match, 1) for match in (first, second))
    (got,) = taking.wait()
    assert device.read(got, public_key(bob))["tag"] == "tables"
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 0.05)
    until_turn_of(bob, first, 0)
    gone = device.read(taking.wait(2)[1], public_key(bob))
    assert gone == {"gone": first["id"], "waiting": 1}, "the message still holds for the other"
    until_turn_of(bob, second, 0)
    last = taking.wait(3)[2]
    assert device.read(last, public_key(bob)) == {"gone": "tables", "waiting": 0}
    assert last.headers["topic"] == got.headers["topic"], "one not delivered yet is replaced"
    wait_until_sent(client)
    assert len(taking.got) == 3


def test_notification_stays_when_the_turn_is_briefly_undone(
    client: Client, taking: Receiver
) -> None:
    ann, bob, match = two_at_a_table(client)
    subscribed(bob, taking)
    start = match["version"]
    match = until_turn_of(ann, match, 1)
    taking.wait()
    back = ann.undo(match, 0, start).json()
    assert back["to_act"] == [0]
    until_turn_of(ann, back, 1)
    wait_until_sent(client)
    assert len(taking.got) == 1, "one notification per turn"


def test_notification_is_withdrawn_when_the_turn_stays_undone(
    client: Client, taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_sql, "WITHDRAW_AFTER_MS", 0)
    ann, bob, match = two_at_a_table(client)
    device, _ = subscribed(bob, taking)
    start = match["version"]
    match = until_turn_of(ann, match, 1)
    taking.wait()
    back = ann.undo(match, 0, start).json()
    assert device.read(taking.wait(2)[1], public_key(bob))["gone"] == match["id"]
    until_turn_of(ann, back, 1)
    again = device.read(taking.wait(3)[2], public_key(bob))
    assert again["body"].startswith("It’s your turn."), "a withdrawn notification is sent again"


def test_push_uses_the_language_of_each_device(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    bob.headers["Accept-Language"] = "fr"
    french, _ = subscribed(bob, taking, "/french")
    until_turn_of(ann, match, 1)
    (got,) = taking.wait()
    shown = french.read(got, public_key(bob))
    assert (shown["body"].startswith("À vous de jouer."), shown["lang"]) == (True, "fr")
    assert " avec " in shown["title"]


def test_signed_out_device_gets_no_push(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    subscribed(bob, taking)
    code = bob.post("/players/link").json()["code"]
    other = client.post("/api/players/link/claim", json={"code": code}).json()
    client.cookies.clear()
    second = Person.__new__(Person)
    second.client, second.name, second.token = client, "Bob", other["token"]
    second.headers = {"Authorization": f"Bearer {other['token']}"}
    assert client.delete("/api/players/devices", headers=second.headers).status_code == 200
    until_turn_of(ann, match, 1)
    wait_until_sent(client)
    assert taking.got == []
    assert second.get("/notices").json()["ways"] == []


@pytest.mark.slow
def test_subscription_belongs_to_one_player_at_a_time(client: Client, taking: Receiver) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    device, _ = subscribed(ann, taking)
    assert bob.post("/notices/push", device.subscription).status_code == 201
    assert ann.get("/notices").json()["ways"] == []
    assert len(bob.get("/notices").json()["ways"]) == 1


def test_a_test_message_arrives_and_a_dead_subscription_says_so(
    client: Client, taking: Receiver
) -> None:
    bob = Person(client, "Bob")
    device, way = subscribed(bob, taking)
    assert bob.post(f"/notices/ways/{way['id']}/test").status_code == 200
    assert device.read(taking.wait()[0], public_key(bob))["tag"] == "test"
    taking.answers = [(410, {})]
    answer = bob.post(f"/notices/ways/{way['id']}/test")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_delivered")
    assert bob.get("/notices").json()["ways"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://127.0.0.1/x"},
        {"endpoint": "https://router.local:8080/"},
        {"keys": {"p256dh": "AAAA", "auth": "AAAA"}},
        {"keys": {"p256dh": "*" * 20, "auth": "x"}},
    ],
)
def test_invalid_subscription_is_rejected(client: Client, taking: Receiver, change: Any) -> None:
    bob = Person(client, "Bob")
    body = {**Device(taking, "/x").subscription, **change}
    answer = bob.post("/notices/push", body)
    if change.get("endpoint", "").startswith("https://router"):
        # Host names are resolved at each call, since they may point elsewhere by then.
        way = answer.json()["id"]
        assert bob.post(f"/notices/ways/{way}/test").status_code == 409
    else:
        assert answer.status_code == 422, answer.text


def test_the_key_stays_the_same_and_may_be_set(settings: Settings, client: Client) -> None:
    from tests.service.apps import run_service

    first = public_key(Person(client))
    with run_service(settings) as again:
        assert public_key(Person(again)) == first
    from msgspec.structs import replace

    chosen = replace(settings, vapid_key="AQ" * 21 + "A")
    with run_service(chosen) as other:
        assert public_key(Person(other)) != first


def test_player_with_the_match_open_gets_no_push(client: Client, taking: Receiver) -> None:
    """The page is open and shows the turn, so no push message is needed."""
    ann, bob, match = two_at_a_table(client)
    device, _ = subscribed(bob, taking)
    services = client.app.services
    client.blocking_portal.call(services.presence.note_input, bob.id, match["id"])
    with services.presence.track_stream(bob.id, match["id"]):
        until_turn_of(ann, match, 1)
        wait_until_sent(client)
        assert taking.got == []
    # They have left the page, and it is still their turn.
    assert device.read(taking.wait()[0], public_key(bob))["tag"] == match["id"]


def test_a_live_stream_is_known_while_it_is_open(client: Client, taking: Receiver) -> None:
    import threading

    from tests.service.running import server

    _, bob, match = two_at_a_table(client)
    settings = client.app.services.settings
    made: list[Any] = []
    with server(settings, made.append) as url:
        import httpx

        def listen() -> None:
            path = f"{url}/api/matches/{match['id']}/live"
            with httpx.stream("GET", path, headers=bob.headers, timeout=20) as stream:
                for _ in stream.iter_lines():
                    if over.is_set():
                        return

        over = threading.Event()
        thread = threading.Thread(target=listen)
        thread.start()
        open_ = made[0].services.presence._open
        eventually(lambda: (bob.id, match["id"]) in open_)
        over.set()
        thread.join()
        eventually(lambda: not open_)


@pytest.mark.slow
def test_quiet_and_kinds_have_bounds(client: Client) -> None:
    bob = Person(client, "Bob")
    quiet = {"start": 0, "end": 60, "zone": "Europe/Nowhere"}
    answer = put(bob, "/notices", {"kinds": [], "quiet": quiet})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_zone")
    for wrong in ({"kinds": ["everything"]}, {"kinds": [], "quiet": {**quiet, "start": 1440}}):
        assert put(bob, "/notices", wrong).status_code == 422
