"""Read models on each database: in step with the log, rebuildable, nothing lost or doubled."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from eventsourcing.persistence import IntegrityError

from domain.match.commands import Join, Open, Undo
from domain.match.seats import Seat, Visibility
from domain.match.time_control import Pace
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from projections.read_models import ReadModels, turn_position
from projections.runner import Projector, Runner
from projections.summary import PaceSummary
from service.settings import Settings
from service.store import StoredDecision, library_settings
from service.store_setup import open_store
from tests.service.databases import DATABASES, fresh

SEED = bytes(range(32))


class World:
    """A store, its read models and matches to play."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = open_store(settings)
        self.views = ReadModels(library_settings(settings, views=True))
        self.projector = Projector(self.store, self.views)
        self.at = 1_000

    def close(self) -> None:
        self.views.close()
        self.store.close()

    def open(
        self, *players: str, visibility: Visibility = "private", pace: Pace | None = None
    ) -> "Played":
        seats = tuple(
            Seat("human", p.title(), p) if p != "open" else Seat("open", "") for p in players
        )
        opening = Open(
            "caravanserai",
            1,
            {"expert": False},
            seats,
            visibility,
            players[0],
            compute_commitment(SEED),
            SEED.hex(),
            pace=pace,
        )
        return Played(self).act(None, opening)


class Played:
    """A match whose decisions are saved immediately."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.key = uuid.uuid4()
        self.timeline = Timeline(codec_of("caravanserai").rules)

    def act(self, seat: int | None, command: object) -> "Played":
        self.world.at += 1
        for decision in self.timeline.act(seat, [command], self.world.at, draws_from_seed):
            self.timeline.append(decision)
            self.world.store.save_decisions([StoredDecision(self.key, "caravanserai", decision)])
        return self

    def step(self) -> "Played":
        timeline = self.timeline
        seat = timeline.to_act(timeline.latest)[0]
        return self.act(seat, timeline.rules.choices(timeline.latest.state, seat)[-1])

    def finish(self) -> "Played":
        while self.timeline.latest.status == "playing":
            self.step()
        return self


@pytest.fixture(params=DATABASES)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    with fresh(request.param, tmp_path) as settings:
        made = World(settings)
        yield made
        made.close()


def test_lists_follow_the_log(world: World) -> None:
    private = world.open("ann", "bob")
    public = world.open("ann", "open", visibility="public")
    world.projector.catch_up()
    mine = world.views.player_matches("ann", None, None, 10)
    assert [s.id for s in mine] == [str(public.key), str(private.key)]
    assert [s.id for s in world.views.public_matches(None, None, 10)] == [str(public.key)]
    assert world.views.public_matches("playing", None, 10) == []
    public.act(1, Join("cid", "Cid"))
    assert world.projector.catch_up() == 2
    (listed,) = world.views.player_matches("cid", "playing", None, 10)
    assert listed.to_act == (0,)
    assert listed.version == public.timeline.version
    public.step()
    world.projector.catch_up()
    (listed,) = world.views.player_matches("cid", None, None, 10)
    assert listed.to_act == (1,)


def test_lists_have_time_controls(world: World) -> None:
    paces = (
        None,
        Pace("live", bank=600, increment=5),
        Pace("days", days=2, time_zone="Asia/Tokyo"),
    )
    matches = [world.open("ann", "open", pace=pace) for pace in paces]
    world.projector.catch_up()
    listed = {s.id: s.pace for s in world.views.player_matches("ann", None, None, 10)}
    assert [listed[str(match.key)] for match in matches] == [
        None,
        PaceSummary("live", 600, 5, 3),
        PaceSummary("days", 900, 0, 2),
    ]
    assert b"Tokyo" not in world.views.dump()
    before = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == before


def test_a_rebuild_gives_byte_equal_tables(world: World) -> None:
    for players in (("ann",), ("ann", "bob"), ("bob", "open"), ("ann", "ann", "cid")):
        match = world.open(*players)
        for _ in range(9 if "open" not in players else 0):
            match.step()
            world.projector.catch_up()
    world.open("ann").finish()
    world.projector.catch_up()
    before = world.views.dump()
    assert b'"rank":1' in before
    rebuilt = Projector(world.store, world.views)
    assert rebuilt.rebuild() == world.store.newest_entry_id()
    assert world.views.dump() == before


def test_undo_restores_the_lists(world: World) -> None:
    match = world.open("ann", "bob").step()
    world.projector.catch_up()
    (before,) = world.views.player_matches("ann", None, None, 10)
    match.step()
    seat = match.timeline.decisions[-1].seat
    match.act(seat, Undo())
    world.projector.catch_up()
    (after,) = world.views.player_matches("ann", None, None, 10)
    assert (after.to_act, after.turn, after.status) == (before.to_act, before.turn, before.status)


def test_nothing_secret_is_in_a_read_model(world: World) -> None:
    world.open("ann", "bob").step()
    world.projector.catch_up()
    assert SEED.hex().encode() not in world.views.dump()


def test_a_crash_between_rows_and_position_is_impossible(world: World) -> None:
    """A write that fails half-way leaves both unchanged, and the next pull repeats it."""
    world.open("ann", "bob")
    world.projector.catch_up()
    position, before = world.views.position(), world.views.dump()
    assert position is not None

    def breaks() -> Iterator[object]:
        raise RuntimeError("the process dies here")
        yield

    with pytest.raises(RuntimeError):
        world.views.write(breaks(), position + 1)  # type: ignore[arg-type]
    assert (world.views.position(), world.views.dump()) == (position, before)


def test_a_position_is_taken_only_once(world: World) -> None:
    world.open("ann")
    world.projector.catch_up()
    position = world.views.position()
    assert position is not None
    with pytest.raises(IntegrityError):
        world.views.write([], position)


def test_several_workers_fold_the_same_log_without_harm(world: World) -> None:
    matches = [world.open("ann", "bob") for _ in range(10)]
    for match in matches:
        match.step().step()
    workers = [Projector(world.store, world.views) for _ in range(4)]
    threads = [Thread(target=worker.catch_up) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.projector.catch_up()
    assert world.views.position() == world.store.newest_entry_id()
    folded = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == folded


def test_log_restored_to_an_older_state_is_folded_again(world: World) -> None:
    world.open("ann")
    world.projector.catch_up()
    world.views.write([], 10_000)
    world.projector.catch_up()
    assert world.views.position() == world.store.newest_entry_id()
    assert len(world.views.player_matches("ann", None, None, 10)) == 1


def test_runner_catches_up_and_stops(world: World) -> None:
    runner = Runner(world.projector, pause_s=0.01)
    runner.start()
    world.open("ann")
    runner.wake()
    for _ in range(500):
        if world.views.position() == world.store.newest_entry_id():
            break
        runner.wake()
        runner._stopping.wait(0.01)
    runner.stop()
    assert runner.last_error is None
    assert len(world.views.player_matches("ann", None, None, 10)) == 1


def test_order_by_turn_across_pages(
    world: World,
) -> None:
    """Matches among people come first, then all others, each longest waiting first.

    A player whose other seats are not taken yet is alone. Names that look like a seat of the stored
    row do not count.
    """
    finished = world.open("ann").finish()
    alone = [world.open("ann"), world.open('["human",')]
    waiting = [world.open("ann", "ann"), world.open("ann", "ann")]
    others = [world.open("ann", "open") for _ in range(4)]
    world.projector.catch_up()
    found: list[str] = []
    before = None
    while page := world.views.player_matches("ann", None, before, 2, by_turn=True):
        found.extend(summary.id for summary in page)
        before = turn_position(page[-1], "ann")
    expected = [*waiting, alone[0], *reversed(others), finished]
    assert found == [str(match.key) for match in expected]
    odd = alone[1]
    (summary,) = world.views.player_matches('["human",', None, None, 2, by_turn=True)
    assert summary.id == str(odd.key)
    first, *_ = turn_position(summary, '["human",')
    assert world.views.player_matches('["human",', None, (first, 0, ""), 2, by_turn=True) == []


def test_pages_do_not_overlap(world: World) -> None:
    keys = {str(world.open("ann").key) for _ in range(7)}
    world.projector.catch_up()
    first = world.views.player_matches("ann", None, None, 4)
    rest = world.views.player_matches("ann", None, (first[-1].updated, first[-1].id), 4)
    assert {s.id for s in first} | {s.id for s in rest} == keys
    assert len(first) + len(rest) == 7


@pytest.mark.slow
def test_a_match_played_on_is_written_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of its decisions are new; batches of many matches stay small."""
    written: list[int] = []
    write = world.views.write
    monkeypatch.setattr(
        world.views,
        "write",
        lambda rows, *more: (written.append(len(rows)), write(rows, *more)),
    )
    few = [world.open("ann", "bob") for _ in range(12)]
    for _ in range(20):
        for match in few:
            match.step()
    assert world.projector.catch_up() == world.store.newest_entry_id() > 240
    assert written == [12]
    before = world.views.dump()
    world.projector.rebuild()
    assert world.views.dump() == before
    for _ in range(220):
        world.open("ann", "bob")
    written.clear()
    world.projector.catch_up()
    assert written == [200, 20]
