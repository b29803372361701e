"""Matches loaded from snapshots equal matches loaded from their logs, byte for byte."""

import random
import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

import domain
from domain.contract.game import IllegalMove
from domain.contract.registry import TITLES
from domain.match.commands import AnswerUndo, Redo, Say, Undo
from domain.match.history import Decision
from domain.match.seats import Refused
from domain.match.time_control import Pace
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.writer import export_match
from projections import snapshots
from projections.read_models import ReadModels, row_of
from projections.snapshots import Snapshots, due_indexes, resume_from_snapshot
from service.matches.presenters import Viewer, match_answer
from service.store import Store, StoredDecision, library_settings
from service.store_setup import open_store
from tests.game_contract.play import Table, opened, play, random_steps
from tests.service.databases import DATABASES, fresh

PACES = (None, Pace("live", bank=600, increment=5, minimum=20))
KEY = uuid.UUID(int=7)


class World:
    """A store with one match, its snapshots, and a record of what was read from the log."""

    def __init__(self, store: Store, views: ReadModels) -> None:
        self.store, self.views = store, views
        self.snapshots = Snapshots(views)
        self.read = 0

    def save(self, timeline: Timeline, after: int = 0) -> None:
        game = timeline.latest.opened.game
        self.store.save_decisions(
            [StoredDecision(KEY, game, d) for d in timeline.decisions.tail(after)]
        )

    def log(self, after: int, upto: int | None = None) -> list[Decision]:
        found = self.store.history(KEY, after, upto)
        self.read += len(found)
        return found

    def resumed(self) -> Timeline | None:
        return resume_from_snapshot(self.snapshots, KEY, self.log)

    def whole(self) -> Timeline:
        found = self.store.history(KEY, 0)
        return Timeline(codec_of(found[0].events[0].game).rules, found)

    def change(self, statement: str, *values: object) -> None:
        with self.views.transaction(commit=True) as sql:
            sql.run(statement, *values)


@contextmanager
def world_on(kind: str, folder: Path) -> Iterator[World]:
    with (
        fresh(kind, folder) as settings,
        closing(open_store(settings)) as store,
        closing(ReadModels(library_settings(settings, views=True))) as views,
    ):
        yield World(store, views)


@pytest.fixture(params=DATABASES)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    with world_on(request.param, tmp_path) as made:
        yield made


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_INTERVAL", 12)
    monkeypatch.setattr(snapshots, "SNAPSHOT_LAG", 5)


def go_on(timeline: Timeline, rng: random.Random, steps: int) -> None:
    """Play random moves and messages; some moves are undone, recent and old ones."""
    for _ in range(steps):
        seat = rng.randrange(len(timeline.latest.seats))
        far = rng.randrange(1, timeline.version + 1)
        odd = [Undo(), Undo(far), AnswerUndo(True), AnswerUndo(False), Redo(), Say("so")]
        if rng.random() < 0.35:
            with suppress(Refused, IllegalMove):
                play(timeline, seat, rng.choice(odd))
        else:
            for _ in random_steps(timeline, rng, 1):
                pass


def told(timeline: Timeline) -> bytes:
    """Return everything the kernel and the responses say of a match now."""
    seats = range(len(timeline.latest.seats))
    return msgspec.msgpack.encode(
        (
            [
                match_answer("m", Viewer(timeline, timeline.latest.seats[seat].player, seat))
                for seat in seats
            ],
            [timeline.undo_kind(seat) for seat in seats],
            [timeline.turn_start(seat) for seat in seats],
            row_of("m", timeline),
        )
    )


def filed(timeline: Timeline) -> bytes:
    return msgspec.json.encode(export_match("m", timeline, None))


def check_same(found: Timeline, right: Timeline, rng: random.Random) -> None:
    """Compare in random order, so that the lazy parts are read in any order."""
    assert found.latest == right.latest
    assert told(found) == told(right)
    for version in rng.choices(range(1, right.version + 1), k=6):
        assert found.index(version) == right.index(version)
        assert found.at(version) == right.at(version)
        early, then = found.branch_until(version), right.branch_until(version)
        assert (early.version, len(early.decisions)) == (then.version, len(then.decisions))
        if then.decisions:
            assert early.latest == then.latest
    on, again = found.branch(), right.branch()
    for twin in (on, again):
        go_on(twin, random.Random(3), 12)
    assert on.decisions.tail(len(found.decisions)) == again.decisions.tail(len(right.decisions))
    assert told(on) == told(again)
    assert found.undone_indexes() == right.undone_indexes()
    assert filed(found) == filed(right)
    assert found.moments.tail(0) == right.moments.tail(0)


TABLES: list[Table] = [(slug, seats, {}) for slug, t in TITLES.items() for seats in t.seats[-1:]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table[0])
def test_match_from_a_snapshot_equals_its_log(table: Table, seed: int, tmp_path: Path) -> None:
    with world_on("sqlite", tmp_path) as world:
        play_and_compare(table, seed, world)


def play_and_compare(table: Table, seed: int, world: World) -> None:
    rng = random.Random(f"{table}/{seed}")
    timeline = opened(table, seed, people=seed, pace=PACES[seed - 1])
    world.save(timeline)
    kept, some = 0, 0
    for _ in range(5):
        before = len(timeline.decisions)
        go_on(timeline, rng, rng.randrange(10, 40))
        world.save(timeline, before)
        if numbers := due_indexes(timeline, kept):
            kept = numbers[-1]
            world.snapshots.save(KEY, timeline, numbers)
        found = world.resumed()
        assert (found is None) == (kept == 0)
        if found is not None:
            assert found.decisions.unloaded == kept
            check_same(found, world.whole(), rng)
            some += 1
    assert some >= 2


def long_match(world: World, steps: int = 200) -> Timeline:
    timeline = opened(("caravanserai", 2, {}), 1, people=1)
    begun = timeline.version
    while len(timeline.decisions) < steps:
        for _ in random_steps(timeline, random.Random(len(timeline.decisions)), 20):
            pass
        play(timeline, 0, Undo(begun))
    world.save(timeline)
    world.snapshots.save(KEY, timeline, due_indexes(timeline, 0))
    return timeline


def test_reads_do_not_grow_with_the_match(world: World) -> None:
    timeline = long_match(world)
    found = world.resumed()
    assert found is not None
    play(found, 0, Undo(10))  # the first moves
    told(found)
    found.at(timeline.version // 2)
    assert world.read < 5 * snapshots.SNAPSHOT_INTERVAL
    assert found.loaded_count < len(found.decisions) // 2
    filed(found)
    assert found.loaded_count == len(found.decisions)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoiled",
    [
        ("UPDATE {0}snapshots SET body = ?", b"garbled"),
        ("UPDATE {0}snapshots SET print = ?", "0"),
        ("UPDATE {0}snapshots SET made_by = ?", "caravanserai/another program"),
        ("UPDATE {0}snapshots SET made_by = ?", "a game that is gone/1"),
    ],
    ids=["garbled", "changed", "other program", "other game"],
)
def test_invalid_snapshot_is_ignored(spoiled: tuple[str, object], world: World) -> None:
    timeline = long_match(world)
    statement, value = spoiled
    newest = due_indexes(timeline, 0)[-1]
    rng = random.Random(1)
    # Of those in between: the page continues from the one before.
    world.change(f"{statement} WHERE number <> ? AND number BETWEEN 60 AND 100", value, newest)
    found = world.resumed()
    assert found is not None
    check_same(found, timeline, rng)
    world.change(statement, value)
    assert world.resumed() is None
    # A program with a different fold replaces them with its own.
    world.snapshots.save(KEY, timeline, due_indexes(timeline, 0))
    again = world.resumed()
    assert again is not None
    check_same(again, timeline, rng)


def test_the_hash_of_a_program_covers_all_that_its_fold_may_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every module of `domain` except other games, however deeply nested."""
    root = tmp_path / "domain"
    shutil.copytree(Path(domain.__file__).parent, root)
    monkeypatch.setattr(domain, "__file__", str(root / "__init__.py"))
    shared = root / "deep" / "down" / "shared.py"
    shared.parent.mkdir(parents=True)
    shared.write_text("ONE = 1\n")

    def marks() -> list[str]:
        return [
            snapshots.source_fingerprint.__wrapped__(slug) for slug in ("caravane", "courtyard")
        ]

    before = marks()
    assert marks() == before
    for path in (shared, root / "matchfile" / "codec.py", root / "match" / "timeline.py"):
        path.write_text(path.read_text() + "\n# edited\n")
        after = marks()
        assert all(old != new for old, new in zip(before, after, strict=True)), path
        before = after
    path = root / "games" / "courtyard" / "state.py"
    path.write_text(path.read_text() + "\n# edited\n")
    after = marks()
    assert after[0] == before[0], "another game"
    assert after[1] != before[1]


def test_snapshot_of_another_log_is_ignored(world: World) -> None:
    """As after a backup was restored and play continued differently."""
    timeline = long_match(world)
    newest = due_indexes(timeline, 0)[-1]
    other = timeline.branch_until(timeline.moments[newest - 3].version)
    go_on(other, random.Random(5), 40)
    with world.store.transaction(commit=True) as sql:
        sql.run("DELETE FROM {0}stored_events")
    world.save(other)
    assert world.resumed() is None


def test_deleting_all_snapshots_loses_nothing(world: World) -> None:
    timeline = long_match(world)
    found = world.resumed()
    assert found is not None
    world.change("DELETE FROM {0}snapshots")
    check_same(found, timeline, random.Random(2))
    assert world.resumed() is None


def test_thousands_of_undos_do_not_nest_snapshots_too_deeply(world: World) -> None:
    timeline = opened(("caravanserai", 2, {}), 1, people=1)
    begun = timeline.version
    for _ in random_steps(timeline, random.Random(1), 3):
        pass
    top = timeline.version
    for _ in range(1_500):
        play(timeline, 0, Undo(begun))
        play(timeline, 0, Undo(top))
    world.save(timeline)
    number = due_indexes(timeline, 0)[-1]
    world.snapshots.save(KEY, timeline, [number])
    found = world.resumed()
    assert found is not None
    assert found.decisions.unloaded == number
    play(found, 0, Redo())
    play(timeline, 0, Redo())
    assert found.latest.version == timeline.latest.version
    assert found.latest.state == timeline.latest.state
