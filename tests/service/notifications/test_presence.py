"""Presence holds notifications back while a player is active.

A live stream and real input within the last minutes count as presence; an open tab alone does not.
Held notifications are sent when presence ends, if they still apply.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from service.live.redis_channels import redis_client
from service.notifications import presence
from service.notifications.presence import ACTIVE_MS, Presence
from service.notifications.triggers import Notification, turn_id
from tests.service.databases import address_of
from tests.service.notifications.receivers import Receiver, wait_until_sent
from tests.service.notifications.test_reminders import Pass, kinds, passes
from tests.service.notifications.test_sending import put, told_by, until_turn_of
from tests.service.people import Client, Person, two_at_a_table
from tests.service.servers import redis_url

__all__ = ["passes"]


def report(person: Person, match: Any, **query: Any) -> Any:
    """Report activity on the match page."""
    path = f"/api/matches/{match['id']}/presence"
    return person.client.put(path, headers=person.headers, params=query)


@contextmanager
def stream(client: Client, person: Person, match: Any) -> Iterator[None]:
    """Keep a live stream of the player's page open."""
    with client.app.services.presence.track_stream(person.id, match["id"]):
        yield


def present(client: Client, taking: Receiver) -> tuple[Person, Person, Any]:
    """Return Ann, Bob, who has a webhook and has just used the match page, and the match."""
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    assert report(bob, match).status_code == 204
    return ann, bob, match


@pytest.mark.slow
def test_an_open_stream_without_input_holds_nothing(client: Client, taking: Receiver) -> None:
    ann, bob, match = two_at_a_table(client)
    told_by(bob, taking)
    with stream(client, bob, match):
        until_turn_of(ann, match, 1)
        assert taking.wait()[0].json["type"] == "turn"
        ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "hello?"})
        assert taking.wait(2)[1].json["type"] == "word"


@pytest.mark.slow
def test_input_without_a_stream_holds_nothing(client: Client, taking: Receiver) -> None:
    ann, _bob, match = present(client, taking)
    until_turn_of(ann, match, 1)
    assert taking.wait()[0].json["type"] == "turn"


def test_missed_notification_is_sent_when_presence_ends(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    """Also chat messages and the end of a match."""
    ann, bob, match = present(client, taking)
    with stream(client, bob, match):
        ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "look here"})
        until_turn_of(ann, match, 1)
        wait_until_sent(client)
        assert taking.got == []
        passes(ACTIVE_MS + 1000)
        taking.wait(2)
    assert sorted(kinds(taking)) == ["turn", "word"]


def test_notification_seen_meanwhile_is_not_sent(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    ann, bob, match = present(client, taking)
    with stream(client, bob, match):
        said = ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "look here"}).json()
        put(bob, f"/matches/{match['id']}/seen", {"version": said["version"]})
    passes(ACTIVE_MS + 1000)
    wait_until_sent(client)
    assert taking.got == []
    ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "and here"})
    assert "and here" in taking.wait()[0].json["text"]


def test_a_message_after_one_that_was_seen_is_sent(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    """Both are one outbox row, since a turn is notified once."""
    ann, bob, match = present(client, taking)
    with stream(client, bob, match):
        said = ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "first"}).json()
        put(bob, f"/matches/{match['id']}/seen", {"version": said["version"]})
        ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "second"})
    assert taking.wait()[0].json["type"] == "word"


@pytest.mark.slow
def test_a_reminder_is_not_held_by_presence(client: Client, taking: Receiver) -> None:
    ann, bob, match = present(client, taking)
    with stream(client, bob, match):
        until_turn_of(ann, match, 1)
        notice = Notification(bob.id, match["id"], "reminder", turn_id(9, 1), match["version"])
        client.blocking_portal.call(client.app.services.subscriptions.queue, notice)
        assert taking.wait()[0].json["type"] == "reminder"


@pytest.mark.slow
def test_who_may_report(client: Client) -> None:
    """Nobody can report for others, and strangers learn nothing of private matches."""
    ann, bob, match = two_at_a_table(client)
    assert report(ann, match).status_code == 204
    assert report(Person(client, "Eve"), match).status_code == 404
    with stream(client, bob, match):
        is_at = client.app.services.presence.is_present
        assert not client.blocking_portal.call(is_at, bob.id, match["id"])


async def until(check: Callable[[], Any], wanted: bool) -> None:
    while await check() != wanted:
        await asyncio.sleep(0.05)


@pytest.mark.slow
def test_workers_share_presence_and_a_killed_one_leaves_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Far longer than the interval, so that a busy machine shares presence before it expires.
    monkeypatch.setattr(presence, "_OPEN_EXPIRY_S", 6)
    monkeypatch.setattr(presence, "_SHARE_INTERVAL_S", 0.2)
    key = ("bob", f"match-{time.time_ns()}")
    address = address_of(redis_url)

    async def scenario() -> None:
        streaming, other, asking = (Presence(redis_client(address)) for _ in range(3))

        async def noted() -> bool:
            await other.note_input(*key)
            return await asking.is_present(*key)

        with ExitStack() as open_stream:
            open_stream.enter_context(streaming.track_stream(*key))
            async with streaming.running():
                await asyncio.sleep(0.5)
                assert not await asking.is_present(*key), "no input yet"
                await until(noted, True)
                await until(lambda: streaming.is_present(*key), True)
                assert not await asking.is_present("bob", "elsewhere")
            # Its process is killed: it reports nothing any more, not even the end of the stream.
            await until(lambda: asking.is_present(*key), False)

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_input_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "ACTIVE_MS", 300)

    async def scenario() -> None:
        here = Presence(None)
        with here.track_stream("bob", "match"):
            assert not await here.is_present("bob", "match")
            await here.note_input("bob", "match")
            assert await here.is_present("bob", "match")
            await until(lambda: here.is_present("bob", "match"), False)
            await here.note_input("bob", "match")
        assert not await here.is_present("bob", "match"), "the stream has ended"

    asyncio.run(asyncio.wait_for(scenario(), 120))
