"""The decisions a request reads on the event loop do not grow with the match.

Decisions are counted, not seconds.
"""

import random
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from domain.match.commands import AnswerUndo, Open, Say, Undo
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from projections import snapshots
from projections.runner import Projector
from service.bootstrap import Services
from service.http import offload
from service.matches import decision_quota
from service.social import personal_store
from service.store import StoredDecision
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Person
from tests.service.reading import counted

GAME = "caravanserai"
LONG = 800
SEED = bytes(range(32))


def grown(ann: str, bob: str, decisions: int) -> Timeline:
    """Return a match of two players with chat messages and undone moves."""
    timeline = Timeline(codec_of(GAME).rules)
    rng = random.Random(1)

    def do(seat: int | None, command: Any) -> None:
        timeline.play(seat, [command], 1_000 * len(timeline.decisions), draws_from_seed)

    seats = (Seat("human", "Ann", ann), Seat("human", "Bob", bob))
    do(
        None,
        Open(
            GAME, 1, {"begins": "host"}, seats, "private", ann, compute_commitment(SEED), SEED.hex()
        ),
    )
    while len(timeline.decisions) < decisions:
        begun = timeline.version
        for _ in range(12):
            seat = timeline.to_act(timeline.latest)[0]
            do(seat, rng.choice(timeline.rules.choices(timeline.latest.state, seat)))
        if begun > 80:  # so that it never ends
            do(seat, Undo(begun))
        if timeline.latest.proposal:
            do(1 - timeline.latest.proposal.seat, AnswerUndo(True))
        for _ in range(6):
            do(rng.randrange(2), Say("so"))
    return timeline


class Long(Struct):
    """A long match in a service; ``who`` is to act."""

    services: Services
    key: uuid.UUID
    timeline: Timeline
    who: Person
    other: Person
    seat: int

    def path(self, *parts: str) -> str:
        return "/".join(["/matches", str(self.key), *parts])

    def forget(self) -> None:
        """Empty the caches, as after a restart."""
        self.services.matches._matches.clear()


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Long]:
    monkeypatch.setattr(snapshots, "SNAPSHOT_INTERVAL", 50)
    monkeypatch.setattr(snapshots, "SNAPSHOT_LAG", 10)
    monkeypatch.setattr(decision_quota, "MAX_UNDO_DECISIONS", 400)
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as client:
        people = Person(client, "Ann"), Person(client, "Bob")
        services = client.app.services
        timeline = grown(people[0].id, people[1].id, LONG)
        key = uuid.uuid4()
        services.store.save_decisions(
            [StoredDecision(key, GAME, d) for d in timeline.decisions.tail(0)]
        )
        services.runner._projector.catch_up()
        numbers = snapshots.due_indexes(timeline, 0)
        snapshots.Snapshots(services.read_models).save(key, timeline, numbers)
        seat = timeline.to_act(timeline.latest)[0]
        yield Long(services, key, timeline, people[seat], people[1 - seat], seat)


def _at(version: Callable[[int], int]) -> Callable[[Long], Any]:
    return lambda long: long.who.get(long.path(), at=version(long.timeline.version))


def _undo(long: Long) -> Any:
    version = long.timeline.version
    body = {"seat": long.seat, "expected_version": version, "to_version": version // 2}
    return long.who.post(long.path("undo"), body)


def _redo(long: Long) -> Any:
    body = {"seat": 1 - long.seat, "expected_version": long.timeline.version}
    return long.other.post(long.path("redo"), body)


CALLS: dict[str, tuple[int, Callable[[Long], Any]]] = {
    "now": (200, lambda long: long.who.get(long.path())),
    "choices": (200, lambda long: long.who.get(long.path("choices"), seat=long.seat)),
    "half way": (200, _at(lambda version: version // 2)),
    "its beginning": (200, _at(lambda _: 5)),
    "lately": (200, _at(lambda version: version - 3)),
    "latest events": (
        200,
        lambda long: long.who.get(long.path("events"), after=long.timeline.version - 250),
    ),
    "all events": (200, lambda long: long.who.get(long.path("events"))),
    "review": (200, lambda long: long.who.get(long.path("review"))),
    "file": (200, lambda long: long.who.get(long.path("export"))),
    "board": (200, lambda long: long.who.get(long.path("board.svg"), at=60)),
    "feed": (200, lambda long: long.who.get(long.path("feed.atom"))),
    "list": (200, lambda long: long.who.get("/matches")),
    "fork": (201, lambda long: long.who.post(long.path("fork"), {"at": 300})),
    "word": (
        200,
        lambda long: long.who.post(long.path("say"), {"seat": long.seat, "text": "so"}),
    ),
    "move": (
        200,
        lambda long: long.who.play(
            {"id": str(long.key), "version": long.timeline.version},
            long.seat,
            long.who.choices({"id": str(long.key)}, long.seat)[0]["command"],
        ),
    ),
    "take-back": (202, _undo),
    "redo": (200, _redo),
    "vote": (
        409,
        lambda long: long.who.post(
            long.path("vote"), {"seat": long.seat, "about": 1 - long.seat, "bot": True}
        ),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_no_request_folds_a_long_match_on_the_event_loop(
    name: str, long: Long, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, call = CALLS[name]
    long.forget()
    with counted(monkeypatch) as found:
        answer = call(long)
    assert answer.status_code == status, answer.text
    assert found.log == 0
    assert found.here < offload.MAX_INLINE_EVENTS


def test_undo_limit_holds_across_workers(long: Long, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_quota, "MAX_UNDO_DECISIONS", 20)
    answer = _undo(long)
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_undos")
    monkeypatch.setattr(decision_quota, "MAX_VOTES", 0)
    body = {"seat": long.seat, "about": 1 - long.seat, "bot": True}
    assert long.who.post(long.path("vote"), body).json()["code"] == "too_many_votes"


def test_projector_starts_a_long_match_at_its_snapshot(long: Long) -> None:
    """Like the projector of another worker, which has not folded it."""
    read = []
    store, views = long.services.store, long.services.read_models

    class Log:
        read_entries, newest_entry_id, scan = store.read_entries, store.newest_entry_id, store.scan
        close = store.close

        def history(self, *values: Any) -> Any:
            found = store.history(*values)
            read.append(len(found))
            return found

    before = len(long.timeline.decisions)
    twin = long.timeline.branch()
    twin.play(long.seat, [Say("so")], 10**9, draws_from_seed)
    store.save_decisions([StoredDecision(long.key, GAME, d) for d in twin.decisions.tail(before)])
    assert Projector(Log(), views).catch_up() == 1  # type: ignore[arg-type]
    (row,) = views.player_matches(long.who.id, None, None, 5)
    assert row.version == twin.version
    # From its snapshot on, and one more page for each undo that goes behind one.
    assert sum(read) < LONG // 3


def test_unread_messages_are_counted_in_recent_events_only(
    long: Long, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(personal_store, "_MAX_EVENTS_READ", 100)
    long.services.personal.set_read_position(long.who.id, str(long.key), 5)
    read = []
    decisions = long.services.store.decisions

    def counting(*values: Any) -> Any:
        found = decisions(*values)
        read.append(len(found))
        return found

    monkeypatch.setattr(long.services.store, "decisions", counting)
    (item,) = long.who.get("/matches").json()["items"]
    assert 0 < item["unread"] < 50
    assert sum(read) <= 100


def test_reading_a_match_does_not_wait_for_the_projection(
    long: Long, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match list includes everything saved; a match and its forks do not need that."""
    lists = long.services.lists
    caught: list[bool] = []
    refresh = lists.projector.refresh

    def noted(patience: float) -> Any:
        found = refresh(patience)
        caught.append(found.has_written)
        return found

    monkeypatch.setattr(lists.projector, "refresh", noted)
    long.who.get("/matches")
    caught.clear()
    assert long.who.get(long.path()).json()["forks"] == []
    assert caught == []
    fork = long.who.post(long.path("fork"), {"at": long.timeline.version}).json()
    found = long.who.get(long.path()).json()["forks"]
    assert [each["match"] for each in found] == [fork["id"]]
    assert caught == [True]
    assert long.who.get(long.path()).json()["forks"] == found
    assert caught == [True]
