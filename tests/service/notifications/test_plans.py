"""A dropped plan is notified to its player once, without its content.

Requirement: conditional moves are dropped with a notification when they do not fit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from service.matches.plans import PLAY_DELAY_MS
from service.notifications.outbox import Outbox
from service.notifications.outbox_sql import WAITING, OutboxRow
from service.notifications.triggers import turn_id
from tests.service.notifications.receivers import Receiver, wait_until_sent
from tests.service.notifications.test_reminders import Pass, kinds, passes
from tests.service.notifications.test_sending import told_by, until_turn_of
from tests.service.people import Client, Person, two_at_a_table
from tests.service.test_plans import of, plan

__all__ = ["passes"]

UNFIT = {"type": "MarketEmptied", "seat": 0, "data": {}}


def planned(client: Client, taking: Receiver) -> tuple[Person, Person, Any, Any]:
    """Return Ann, who is to move, Bob, who plans, the match and a command Bob will have.

    Both have a webhook.
    """
    ann, bob, match = two_at_a_table(client)
    before = match["version"]
    match = until_turn_of(ann, match, 1)
    command = bob.choices(match, 1)[0]["command"]
    assert ann.undo(match, 0, before).status_code == 200
    told_by(ann, taking)
    told_by(bob, taking)
    return ann, bob, ann.get(f"/matches/{match['id']}").json(), command


@pytest.mark.parametrize("why", ["misfit", "illegal"])
def test_dropped_plan_is_notified_once_without_its_content(
    client: Client, taking: Receiver, passes: Pass, why: str
) -> None:
    ann, bob, match, command = planned(client, taking)
    branch: Any = {"commands": [command] * 5} if why == "illegal" else {"commands": [command]}
    if why == "misfit":
        branch["when"] = [UNFIT]
    laid = plan(bob, match, 1, branch)
    assert laid.status_code == 200, laid.text
    until_turn_of(ann, match, 1)
    for _ in range(3):
        passes(PLAY_DELAY_MS)
    assert of(bob, match, 1)["dropped"]
    (got,) = taking.wait()
    assert got.path == "/Bob"
    assert got.json["text"] == "Your plan no longer applies. It’s your turn."
    assert command["type"].encode() not in got.body
    assert b"MarketEmptied" not in got.body
    wait_until_sent(client)
    assert kinds(taking) == ["plan"], "one notification, not one of the turn as well"


def test_plan_that_fits_sends_no_notification(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    ann, bob, match, command = planned(client, taking)
    assert plan(bob, match, 1, {"commands": [command]}).status_code == 200
    match = until_turn_of(ann, match, 1)
    passes(PLAY_DELAY_MS)
    assert bob.get(f"/matches/{match['id']}").json()["version"] > match["version"]
    wait_until_sent(client)
    assert "plan" not in kinds(taking)


class DroppedInBetween:
    """A store whose plan is dropped, with its notification, right after the first query."""

    def __init__(self) -> None:
        self.queries = 0

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator["DroppedInBetween"]:
        assert not commit
        yield self

    def one(self, query: str, *_values: Any) -> dict[str, int] | None:
        self.queries += 1
        is_dropped = self.queries > 1
        return {"one": 1} if ("plans" in query) != is_dropped else None


def test_plan_dropped_while_it_is_looked_for_is_not_overlooked() -> None:
    """READ COMMITTED: each query of the transaction sees what was committed before it."""
    row = OutboxRow(
        player="bob",
        match="m",
        kind="turn",
        turn=turn_id(3, 1),
        version=3,
        args={},
        created=0,
        state=WAITING,
        tries=0,
        tried=0,
        sent=(),
        tags=(),
    )
    store: Any = DroppedInBetween()
    assert Outbox(store).check_plan_at(row, 0) == -1
