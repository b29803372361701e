"""A player short of time is reminded once per turn; moves made by the clock do not count as
theirs."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain.match.time_control import DAY_MS
from service.common.clock import override_clock as clock_told_by
from tests.service.notifications.receivers import Receiver, wait_until_sent
from tests.service.notifications.test_sending import told_by, until_turn_of
from tests.service.people import Client, Person

Pass = Callable[[int], None]


@pytest.fixture
def passes(client: Client) -> Iterator[Pass]:
    """Return a function that lets milliseconds pass and then runs the scheduler."""
    ahead = [0]

    def passed(milliseconds: int) -> None:
        ahead[0] += milliseconds
        services = client.app.services
        services.vacations.projector.catch_up()
        with client.portal() as portal:
            portal.call(services.scheduler.tick)

    with clock_told_by(lambda: time.time_ns() // 1_000_000 + ahead[0]):
        yield passed


def at_a_table(client: Client, **pace: Any) -> tuple[Person, Person, Any]:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = ann.open("me", "open", pace={"kind": "days", "days": 4, **pace})
    joined = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return ann, bob, joined.json()


def kinds(taking: Receiver) -> list[str]:
    return [got.json["type"] for got in taking.got]


def test_reminder_is_sent_at_a_quarter_of_the_time(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    ann, bob, match = at_a_table(client)
    told_by(bob, taking)
    until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    taking.wait()
    passes(3 * DAY_MS - 60_000)
    wait_until_sent(client)
    assert kinds(taking) == ["turn"]
    passes(120_000)
    taking.wait(2)
    passes(DAY_MS // 2)
    wait_until_sent(client)
    assert kinds(taking) == ["turn", "reminder"], "once per turn"


def test_player_out_of_time_is_notified_of_the_next_turn(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    """A bot moved for Bob: he has not moved himself, and has seen nothing."""
    ann, bob, match = at_a_table(client, on_end="bot_moves")
    match = until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    told_by(bob, taking)
    passes(4 * DAY_MS)
    enough = time.monotonic() + 20
    while ann.get(f"/matches/{match['id']}").json()["to_act"] != [0]:
        assert time.monotonic() < enough
        time.sleep(0.05)
    until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    taking.wait(2)
    wait_until_sent(client)
    assert [kind for kind in kinds(taking) if kind != "time"] == ["turn"]


def test_the_others_are_asked_to_vote(client: Client, taking: Receiver, passes: Pass) -> None:
    """Once; the player concerned is told that their time is up; withdrawn when it is decided."""
    ann, bob, match = at_a_table(client, on_end="vote")
    until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    for person in (ann, bob):
        told_by(person, taking)
    passes(4 * DAY_MS)
    taking.wait(2)
    got, own = sorted(taking.got, key=lambda got: got.path)
    assert (got.path, got.json["type"]) == ("/Ann", "proposal")
    assert (own.path, own.json["type"]) == ("/Bob", "time")
    assert got.json["text"] == "Bob has run out of time. Give the seat to a bot?"
    passes(DAY_MS)
    wait_until_sent(client)
    assert sorted(kinds(taking)) == ["proposal", "time"]
    body = {"seat": 0, "about": 1, "bot": True}
    answer = ann.post(f"/matches/{match['id']}/vote", body)
    assert answer.json()["seats"][1]["kind"] == "bot"
    with client.app.services.store.transaction(commit=False) as sql:
        rows = sql.all("SELECT state FROM {0}notices WHERE kind = 'proposal'")
    assert [row["state"] for row in rows] in (["withdrawn"], ["done"])
