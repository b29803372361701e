"""Rows of earlier releases are described in every language.

What the database stores of a message is its id or a code: the reason of an undo request, why a plan
was dropped, and the name of a device. None of them changed when messages got ids.
"""

import json
import uuid
from typing import Any

import pytest
from eventsourcing.persistence import StoredEvent
from msgspec.structs import replace

from domain.match.events import UndoProposed
from domain.matchfile.codec import codec_of
from domain.text.english import english_messages
from domain.text.i18n import ENGLISH
from tests.service.people import Client, Person, two_at_a_table

STORED_REASONS: dict[str, dict[str, Any]] = {
    "why-branch": {},
    "why-drawn": {},
    "why-moved": {"who": 1},
    "why-others": {},
    "why-revealed": {},
}
"""The reasons of undo requests that earlier releases stored, with their arguments."""


def in_french(client: Client, person: Person, path: str) -> Any:
    """GET an API path in French."""
    answer = client.get(f"/api{path}", headers={**person.headers, "Accept-Language": "fr"})
    assert answer.headers["content-language"] == "fr"
    return answer.json()


def with_reason(client: Client, match_id: str, reason: str) -> str:
    """Store a copy of a match whose last event is an undo request for a reason; return its id."""
    store, codec = client.app.services.store, codec_of("caravanserai")  # type: ignore[attr-defined]
    *decisions, last = [each.decision for each in store.decisions(uuid.UUID(match_id))]
    (asked,) = last.events
    assert isinstance(asked, UndoProposed)
    old = replace(asked, reason=reason, args=STORED_REASONS[reason])
    key = uuid.uuid4()
    rows = [
        StoredEvent(key, each.version, codec.topic, codec.encode(each))
        for each in (*decisions, replace(last, events=(old,)))
    ]
    assert f"{reason}".encode() in rows[-1].state
    store.recorder.insert_events(rows)
    return str(key)


@pytest.mark.parametrize("reason", STORED_REASONS)
def test_stored_undo_reason_is_described(client: Client, reason: str) -> None:
    ann, bob, match = two_at_a_table(client)
    version = match["version"]
    while 0 in match["to_act"]:
        match = ann.step(match)
    while 1 in match["to_act"]:
        match = bob.step(match)
    assert ann.undo(match, 0, version).status_code == 202
    path = f"/matches/{with_reason(client, match['id'], reason)}"

    proposal = ann.get(path).json()["undo"]["proposal"]
    assert (proposal["key"], proposal["args"]) == (reason, STORED_REASONS[reason])
    english = english_messages("kernel")[reason].replace("{who:seat}", "Bob")
    assert proposal["reason"] == english
    french = in_french(client, ann, path)["undo"]["proposal"]["reason"]
    assert french not in (reason, english)
    assert ("Bob" in french) == ("Bob" in english)


@pytest.mark.parametrize("code", ["misfit", "illegal"])
def test_stored_reason_of_a_dropped_plan_is_described(client: Client, code: str) -> None:
    ann, _bob, match = two_at_a_table(client)
    plan = json.dumps({"branches": []})
    with client.app.services.store.transaction(commit=True) as sql:  # type: ignore[attr-defined]
        row = (match["id"], 0, ann.id, match["version"], plan, code)
        sql.run(
            "INSERT INTO {0}plans (match, seat, player, version, plan, dropped)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            *row,
        )
    path = f"/matches/{match['id']}/plan?seat=0"
    english = ann.get(f"/matches/{match['id']}/plan", seat=0).json()["dropped"]
    assert english == english_messages("service")[f"plan.{code}"]
    assert in_french(client, ann, path)["dropped"] not in (f"plan.{code}", english)


@pytest.mark.parametrize(
    ("name", "message_id"),
    [
        ("", "device.unknown"),
        ("A program", "device.api_client"),
        ("Firefox on Android", "device.browser_on_system"),
    ],
)
def test_stored_name_of_a_device_is_described(client: Client, name: str, message_id: str) -> None:
    ann = Person(client)
    with client.app.services.store.transaction(commit=True) as sql:  # type: ignore[attr-defined]
        sql.run(
            "UPDATE {0}device_notes SET name = ?"
            " WHERE token IN (SELECT token FROM {0}devices WHERE player = ?)",
            name,
            ann.id,
        )
    (device,) = ann.get("/players/devices").json()["items"]
    parts = {"browser": "Firefox", "system": "Android"}
    assert device["name"] == ENGLISH.format_message("service", message_id, parts)
    (french,) = in_french(client, ann, "/players/devices")["items"]
    assert french["name"] not in (message_id, device["name"])
