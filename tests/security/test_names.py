"""Changing one's own name: what it changes, invalid names, unknown and signed-out devices."""

import time
from typing import Any

import pytest

from service.players.identity import TRUST_LIFETIME_S
from tests.security.test_identity import client, two_workers
from tests.service.people import Client, Person
from tests.service.test_bad_input import problem

__all__ = ["client", "two_workers"]

PATH = "/api/players/me/name"


def rename(person: Person, name: object) -> Any:
    return person.client.put(PATH, json={"name": name}, headers=person.headers)


def name_of(client: Client, headers: dict[str, str]) -> Any:
    return client.get("/api/players/me", headers=headers).json()["name"]


def second_device(person: Person) -> dict[str, str]:
    """Return the headers of another device of the person."""
    code = person.post("/players/link").json()["code"]
    token = person.client.post("/api/players/link/claim", json={"code": code}).json()["token"]
    person.client.cookies.clear()
    return {"Authorization": f"Bearer {token}"}


def seat_names(person: Person, match: Any) -> list[str]:
    seats = person.get(f"/matches/{match['id']}").json()["seats"]
    return [seat["name"] for seat in seats]


def test_new_name_is_known_on_all_devices_and_workers(two_workers: tuple[Client, Client]) -> None:
    """At once in the worker that changed it; elsewhere when its trust in the secret expires."""
    one, other = two_workers
    ann = Person(one)
    second = second_device(ann)
    assert name_of(one, second) == name_of(other, second) == "Ann"
    answer = rename(ann, "Zoë")
    assert (answer.status_code, answer.json()) == (200, {"player_id": ann.id, "name": "Zoë"})
    assert name_of(one, ann.headers) == name_of(one, second) == "Zoë"
    deadline = time.monotonic() + TRUST_LIFETIME_S + 1
    while name_of(other, second) != "Zoë":
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_the_same_name_again_changes_nothing(client: Client) -> None:
    ann, bob = Person(client), Person(client, "Bob")
    answers = [rename(ann, "Zoë") for _ in range(3)]
    assert [(a.status_code, a.json()) for a in answers] == [
        (200, {"player_id": ann.id, "name": "Zoë"})
    ] * 3
    assert name_of(client, bob.headers) == "Bob"


def test_seats_keep_their_name_and_new_ones_have_the_new_one(client: Client) -> None:
    ann, bob = Person(client), Person(client, "Bob")
    match = ann.open("me", "open")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    waiting = ann.open("me", "open")
    before = ann.get(f"/matches/{match['id']}/export").content
    assert rename(ann, "Zoë").status_code == 200
    assert seat_names(bob, match) == ["Ann", "Bob"]
    assert seat_names(ann, waiting)[0] == "Ann"
    assert ann.get(f"/matches/{match['id']}/export").content == before
    assert seat_names(ann, ann.open("me", "me")) == ["Zoë", "Zoë 2"]
    invited = bob.open("me", "open")
    ann.post(f"/matches/{invited['id']}/join", {"invite": invited["invite"]})
    assert seat_names(bob, invited) == ["Bob", "Zoë"]


def test_name_like_another_at_a_table_gets_a_number(client: Client) -> None:
    ann, bob = Person(client), Person(client, "Bob")
    assert rename(bob, "А\u200bnn").json()["name"] == "Аnn"  # the first letter is Cyrillic
    match = ann.open("me", "open")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert seat_names(ann, match) == ["Ann", "Аnn 2"]


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("  Zoe\u0308 \n", "Zoë"),
        ("\u202eevil\u202c\x00", "evil"),
        ("<b>Ann</b>", "<b>Ann</b>"),
        ("'; DROP TABLE players; --", "'; DROP TABLE players; --"),
        ("Z" + "\u0301" * 30, "Ź" + "\u0301" * 4),
        ("👩‍🚀", "👩‍🚀"),
    ],
)
def test_names_are_sanitised(client: Client, given: str, stored: str) -> None:
    ann = Person(client)
    assert rename(ann, given).json()["name"] == stored
    assert name_of(client, ann.headers) == stored


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("", "invalid_request"),
        (" \t", "invalid_request"),
        ("Z" * 41, "invalid_request"),
        (7, "invalid_request"),
        (None, "invalid_request"),
        (["Ann"], "invalid_request"),
        ("\u200b\u3164", "bad_name"),
        ("\u0958" * 40, "bad_name"),  # 80 characters after normalisation
    ],
)
def test_invalid_names_are_rejected(client: Client, given: object, code: str) -> None:
    ann = Person(client)
    assert problem(rename(ann, given)) == (422, code)
    assert name_of(client, ann.headers) == "Ann"


def test_problem_is_in_the_language_of_the_request(client: Client) -> None:
    ann = Person(client)
    headers = {**ann.headers, "Accept-Language": "fr"}
    answer = client.put(PATH, json={"name": "\u200b\u3164"}, headers=headers)
    assert answer.json()["detail"] == "Le nom doit compter de 1 à 40 caractères visibles."
    assert answer.json()["field"] == "name"


def test_unknown_devices_change_nothing(client: Client) -> None:
    wrong = {"Authorization": "Bearer wrong"}
    body = {"name": "Eve"}
    assert problem(client.put(PATH, json=body, headers=wrong)) == (401, "unknown_token")
    assert problem(client.put(PATH, json=body)) == (401, "no_player")
    client.cookies.set("player", "left-from-a-database-that-is-gone")
    assert problem(client.put(PATH, json=body)) == (401, "no_player")


def test_signed_out_device_changes_nothing_on_another_worker(
    two_workers: tuple[Client, Client],
) -> None:
    """A worker trusts a secret for two seconds; a change of the name asks the store."""
    one, other = two_workers
    ann = Person(one)
    lost = second_device(ann)
    assert name_of(other, lost) == "Ann"
    assert one.delete("/api/players/devices", headers=ann.headers).status_code == 200
    assert other.put(PATH, json={"name": "Eve"}, headers=lost).status_code == 401
    assert name_of(one, ann.headers) == "Ann"


def test_page_of_another_site_cannot_change_the_name(client: Client) -> None:
    client.post("/api/players", json={"name": "Ann"})
    headers = {"Origin": "https://evil.example"}
    answer = client.put(PATH, json={"name": "Eve"}, headers=headers)
    assert problem(answer) == (403, "foreign_origin")
    assert client.get("/api/players/me").json()["name"] == "Ann"
