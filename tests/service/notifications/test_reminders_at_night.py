"""A deadline within quiet hours: its reminder is sent before them, and never after the deadline."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.common.clock import now_ms
from service.notifications.channels import QuietHours, quiet_hours, quiet_until
from service.notifications.triggers import Notification, turn_id
from tests.service.notifications.receivers import Receiver, wait_until_sent
from tests.service.notifications.test_reminders import Pass, at_a_table, kinds, passes
from tests.service.notifications.test_sending import put, told_by, until_turn_of
from tests.service.people import Client, Person

__all__ = ["passes"]

HOUR = 3_600_000
MINUTE = 60_000


def waits_for_bob(client: Client, taking: Receiver) -> tuple[Person, Any, int]:
    """Return Bob, a match with a day per turn where he is to move and has been notified, and his
    deadline."""
    ann, bob, match = at_a_table(client, days=1)
    told_by(bob, taking)
    match = until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    assert taking.wait()[0].json["type"] == "turn"
    ends = bob.get(f"/matches/{match['id']}").json()["clock"]["seats"][1]["ends"]
    return bob, match, int(datetime.fromisoformat(ends).timestamp() * 1000)


def sleeps(bob: Person, begins: int, ends: int) -> None:
    """Set Bob's quiet hours to the minutes of these instants."""
    minutes = [at // MINUTE % 1440 for at in (begins, ends)]
    quiet = {"start": minutes[0], "end": minutes[1], "zone": "UTC"}
    answer = put(bob, "/notices", {"kinds": ["turn", "reminder"], "quiet": quiet})
    assert answer.status_code == 200, answer.text


def test_a_deadline_in_quiet_hours_is_reminded_of_before_they_begin(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    """The reminder at a quarter of the day would fall into the quiet hours."""
    bob, _, deadline = waits_for_bob(client, taking)
    quiet = deadline - 8 * HOUR
    sleeps(bob, quiet, deadline + HOUR)
    passes(quiet - 3 * HOUR - now_ms())
    wait_until_sent(client)
    assert kinds(taking) == ["turn"]
    passes(quiet - 10 * MINUTE - now_ms())
    assert taking.wait(2)[1].json["type"] == "reminder"
    for hours in (-7, -5, -1):
        passes(deadline + hours * HOUR - now_ms())
    wait_until_sent(client)
    assert kinds(taking) == ["turn", "reminder"], "once per turn"


def test_a_reminder_is_not_held_until_after_its_deadline(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    """The service was down in the evening: better at night than too late."""
    bob, _, deadline = waits_for_bob(client, taking)
    sleeps(bob, deadline - 8 * HOUR, deadline + HOUR)
    passes(deadline - 5 * HOUR - now_ms())
    assert taking.wait(2)[1].json["type"] == "reminder"


def test_a_reminder_whose_deadline_is_after_the_quiet_hours_waits_for_their_end(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    bob, _, deadline = waits_for_bob(client, taking)
    quiet_ends = deadline - 3 * HOUR
    sleeps(bob, deadline - 9 * HOUR, quiet_ends)
    for at in (-10, -5, -4):
        passes(deadline + at * HOUR - now_ms())
        wait_until_sent(client)
    assert kinds(taking) == ["turn"]
    passes(quiet_ends + MINUTE - now_ms())
    assert taking.wait(2)[1].json["type"] == "reminder"


def test_a_reminder_that_comes_too_late_is_not_sent(
    client: Client, taking: Receiver, passes: Pass
) -> None:
    bob, match, deadline = waits_for_bob(client, taking)
    passes(deadline + MINUTE - now_ms())
    notice = Notification(bob.id, match["id"], "reminder", turn_id(99, 1), match["version"])
    client.blocking_portal.call(client.app.services.subscriptions.queue, notice)
    wait_until_sent(client)
    assert "reminder" not in kinds(taking)


NIGHT = QuietHours(22 * 60, 8 * 60, "Europe/Paris")
LUNCH = QuietHours(12 * 60, 13 * 60, "UTC")


@pytest.mark.parametrize(
    ("quiet", "now", "begins", "hours"),
    [
        (NIGHT, "2026-01-10T12:00", "2026-01-10T21:00", 10),
        (NIGHT, "2026-01-10T23:30", "2026-01-10T21:00", 10),
        (NIGHT, "2026-01-11T06:30", "2026-01-10T21:00", 10),
        (NIGHT, "2026-01-11T07:30", "2026-01-11T21:00", 10),
        (NIGHT, "2026-03-28T23:30", "2026-03-28T21:00", 9),  # clocks are put forward
        (NIGHT, "2026-10-24T23:30", "2026-10-24T20:00", 11),  # and back
        (LUNCH, "2026-01-10T11:59", "2026-01-10T12:00", 1),
        (LUNCH, "2026-01-10T12:00", "2026-01-10T12:00", 1),
        (LUNCH, "2026-01-10T13:00", "2026-01-11T12:00", 1),
    ],
)
def test_current_or_next_quiet_hours(quiet: QuietHours, now: str, begins: str, hours: int) -> None:
    def instant(text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)

    at = int(instant(now).timestamp() * 1000)
    start = instant(begins)
    found = [int(each.timestamp() * 1000) for each in (start, start + timedelta(hours=hours))]
    assert [*quiet_hours(quiet, at)] == found
    assert quiet_until(quiet, at) == (found[1] if start <= instant(now) else None)
