"""Muted and blocked people cause no notifications.

Requirement: muting and blocking: a blocked person causes no notification of a held seat or a chat
message, a muted person none of a chat message.
"""

from typing import Any

from service.social.personal_store import opaque_id
from tests.service.notifications.receivers import Receiver, wait_until_sent
from tests.service.notifications.test_sending import put, told_by, until_turn_of
from tests.service.people import Client, Person, two_at_a_table


def shuns(person: Person, other: Person, *, muted: bool = False, blocked: bool = False) -> None:
    path = f"/players/me/people/{opaque_id(person.id, other.id)}"
    answer = put(person, path, {"muted": muted, "blocked": blocked})
    assert answer.status_code == 200, answer.text


def says(person: Person, match: Any, seat: int, text: str) -> None:
    said = person.post(f"/matches/{match['id']}/say", {"seat": seat, "text": text})
    assert said.status_code == 200, said.text


def three_at_a_table(client: Client) -> tuple[Person, Person, Person, Any]:
    ann, bob, cid = (Person(client, name) for name in ("Ann", "Bob", "Cid"))
    match = ann.open("me", "open", "open")
    for person in (bob, cid):
        joined = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        assert joined.status_code == 200, joined.text
    return ann, bob, cid, ann.get(f"/matches/{match['id']}").json()


def test_message_of_a_muted_person_is_not_notified(client: Client, taking: Receiver) -> None:
    ann, bob, cid, match = three_at_a_table(client)
    told_by(bob, taking)
    shuns(bob, ann, muted=True)
    says(ann, match, 0, "hello hello hello")
    wait_until_sent(client)
    assert taking.got == []
    says(cid, match, 2, "good evening")
    (got,) = taking.wait()
    assert got.json["text"] == "Cid: good evening", (
        "only the unmuted player's message, in the same turn"
    )


def test_pending_messages_of_a_person_muted_since_are_left_out(
    client: Client, taking: Receiver
) -> None:
    """The player's choice at the time of sending counts."""
    ann, bob, cid, match = three_at_a_table(client)
    told_by(bob, taking)
    presence = client.app.services.presence
    client.blocking_portal.call(presence.note_input, bob.id, match["id"])
    with presence.track_stream(bob.id, match["id"]):
        match = until_turn_of(ann, match, 1)
        wait_until_sent(client)
        assert taking.got == []
        shuns(bob, ann, blocked=True)
    (got,) = taking.wait()
    assert got.json["type"] == "turn", "the match waits for him, whoever moved before"
    says(ann, match, 0, "are you hiding?")
    says(cid, match, 2, "hello")
    assert taking.wait(2)[1].json["text"] == "Cid: hello"
    wait_until_sent(client)
    assert len(taking.got) == 2


def test_blocked_person_cannot_send_an_invitation(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    shuns(bob, ann, blocked=True)
    body = {"at": match["version"], "seats": [{"kind": "me"}, {"kind": "same"}]}
    for blocked in (True, False):
        shuns(bob, ann, muted=True, blocked=blocked)
        fork = ann.post(f"/matches/{match['id']}/fork", body)
        assert fork.status_code == 201, fork.text
        wait_until_sent(client)
        assert [got.json["match"] for got in taking.got] == ([] if blocked else [fork.json()["id"]])
