"""Checks turn notifications against the log.

While time passes, players are notified through the real outbox, each by their own webhook; the log
says what should have been sent.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from domain.match.clocks import is_automatic
from domain.match.timeline import Timeline
from service.bootstrap import Services
from service.notifications.channels import Channel, new_channel_id
from service.notifications.delivery.sender import (
    ACTIVE_AFTER_MOVE_MS,
    MIN_GAP_MS,
    NotificationSender,
)
from service.notifications.outbox import LEASE_MS, Outbox
from service.notifications.outbox_sql import WITHDRAW_AFTER_MS
from tests.service.clock_oracle import Turn
from tests.service.notifications.receivers import Receiver

DELAY = 10_000
"""Milliseconds that a turn rests before it is told, as the settings have it."""
ENOUGH = 4 * (DELAY + ACTIVE_AFTER_MOVE_MS + MIN_GAP_MS + LEASE_MS)
"""Milliseconds after which somebody must have been told of a turn, whatever came between."""


class Sent(Struct, frozen=True):
    """A turn notification that was sent, and when."""

    player: str
    match: str
    at: int


async def send_batch(sender: NotificationSender) -> int:
    """Claim and send the due rows of some players; return the number of claimed rows."""
    count = await sender.start_batch()
    await asyncio.gather(*sender._sending.values())
    return count


class Noticing:
    """The notifications that left the outbox. ``taking``: the receiver they arrive at."""

    def __init__(self, taking: Receiver) -> None:
        self.taking = taking
        self.sent: dict[tuple[str, str, int, int], Sent] = {}
        self.orphans = 0
        self._latest = 0
        self._dying = False

    def enrol(self, services: Services, player: str, now: int) -> None:
        """Give the player a webhook."""
        way = Channel(
            id=new_channel_id(),
            player=player,
            way="webhook",
            address=f"{self.taking.url}/{player}",
            device="",
            name="",
            secret="whsec_c2VjcmV0",
            base="",
            language="en",
            created=now,
            confirmed=now,
            problem="",
        )
        services.subscriptions.channels.add(way)

    async def until(self, services: Services, when: int, goes_on: Callable[[int], None]) -> None:
        """Send what is due before an instant, each at its own time; ``goes_on`` moves the clock."""
        while (due := self._due(services)) is not None and due < when:
            goes_on(due)
            if self._dying:
                self._dying = False
                self.orphans += len(Outbox(services.store).claim(due))
            elif await send_batch(services.sender):
                self.note(services)

    def die(self) -> None:
        """Simulate a worker that claims what is due next and dies before sending it."""
        self._dying = True

    def _due(self, services: Services) -> int | None:
        with services.store.transaction(commit=False) as sql:
            row = sql.one(
                "SELECT MIN(MAX(due, claimed)) AS due FROM {0}notices WHERE due IS NOT NULL"
            )
        due: int | None = row["due"]
        return due

    def note(self, services: Services) -> None:
        """Record what was sent since the last call."""
        with services.store.transaction(commit=False) as sql:
            rows = sql.all(
                "SELECT player, match, turn, tried FROM {0}notices WHERE kind = 'turn'"
                " AND state = 'sent' AND tried >= ?",
                self._latest,
            )
        for row in rows:
            key = (row["player"], row["match"], row["turn"], row["tried"])
            self.sent[key] = Sent(row["player"], row["match"], row["tried"])
            self._latest = max(self._latest, row["tried"])

    def arrived(self) -> int:
        """Return how many turns the received notifications are about."""
        told = [got for got in self.taking.got if got.json["type"] == "turn"]
        keys = [got.headers["webhook-id"] for got in told]
        assert len(set(keys)) == len(keys), "no message comes twice"
        return sum(map(turns_in, keys))

    def check(self, turns: Iterable[tuple[str, Timeline, list[Turn]]], end: int) -> tuple[int, int]:
        """Check that each lasting turn was notified once and none twice.

        Returns how many notifications were required and how many of them were sent.
        """
        told: dict[tuple[str, str], list[int]] = defaultdict(list)
        for sent in self.sent.values():
            told[sent.match, sent.player].append(sent.at)
        due = within = 0
        for match, timeline, theirs in turns:
            before: dict[int, tuple[Turn, int]] = {}
            for turn in sorted(theirs, key=lambda turn: turn.began):
                until = end if turn.ended is None else turn.ended
                heard = told[match, turn.player]
                count = sum(turn.began <= at <= until for at in heard)
                assert count <= 1, f"{match}: {turn} was told {count} times"
                within += count
                carried = _carried(before.get(turn.seat), turn, timeline)
                there = _own(timeline, turn.seat, turn.began) or _alone(timeline, turn.began)
                if until - turn.began > ENOUGH and not there:
                    due += 1
                    assert count + carried == 1, f"{match}: {turn} was told {count}+{carried} times"
                before[turn.seat] = turn, count + carried
        return due, within


def turns_in(key: str) -> int:
    """Return how many turns a notification with this id is about."""
    kind, *_, count, _way = key.split("-")
    return int(count) if kind == "tables" else int(kind == "turn")


def _own(timeline: Timeline, seat: int, at: int) -> bool:
    """Return whether the seat acted at that instant, so that its player was present."""
    return any(d.at == at and d.seat == seat and not is_automatic(d) for d in timeline.decisions)


def _alone(timeline: Timeline, at: int) -> bool:
    """Return whether only bots played with one player: they answer at once, without
    notifications."""
    last = max(i for i, d in enumerate(timeline.decisions) if d.at <= at)
    return len(timeline.moments[last].people()) < 2


def _carried(before: Any, turn: Turn, timeline: Timeline) -> int:
    """Return how often the turn was notified before it was undone and immediately played again."""
    if before is None:
        return 0
    last, count = before
    gone = last.ended is not None and not _own(timeline, turn.seat, last.ended)
    return int(count) if gone and turn.began - last.ended < WITHDRAW_AFTER_MS else 0
