"""The keys of outbox rows stay the same from release to release.

A row is identified by player, match, kind and turn. If a release computed other keys or arguments,
players would be notified again of what they know, or not of what is new. Recorded matches never
change, so neither do the hashes.
"""

import hashlib
from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

from domain.contract.registry import TITLES
from domain.match.events import MatchOpened
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from service.notifications.triggers import NotificationBatch, notifications_for
from tests.game_contract.recorded_matches import FOLDER, timeline_of

ROWS = {
    "caravanserai": "ab7ad4de6902",
    "caravanserail": "f3e54e642429",
    "caravane": "9d8320d38afb",
    "courtyard": "7dbeb760ffba",
    "conquest": "9096805a7c79",
}
"""For each game, the beginning of the SHA-256 of all rows and withdrawals of one recorded match."""


def with_people(slug: str) -> Timeline:
    """Return a recorded match of a game with a person on each seat."""
    document = msgspec.json.decode((FOLDER / f"{slug}-signed-v1.json").read_bytes())
    timeline = timeline_of(document)
    opening, *others = timeline.decisions
    opened = opening.events[0]
    assert isinstance(opened, MatchOpened)
    seats = tuple(Seat("human", f"P{n}", f"p{n}") for n in range(len(opened.seats)))
    events = (replace(opened, seats=seats), *opening.events[1:])
    return Timeline(timeline.rules, [replace(opening, events=events), *others])


def batches(timeline: Timeline) -> list[NotificationBatch]:
    """Return the notifications of a match of which each decision is a commit."""
    found, before = [], None
    for decision in timeline.decisions:
        after = timeline.branch_until(decision.last_version)
        found.append(notifications_for("m", before, after))
        before = after
    return found


@pytest.mark.parametrize("slug", TITLES)
def test_rows_of_a_recorded_match_are_unchanged(slug: str) -> None:
    found = batches(with_people(slug))
    kinds = Counter(row.kind for batch in found for row in batch.notifications)
    assert {*kinds} == {"turn", "word", "over"}
    assert hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:12] == ROWS[slug]
