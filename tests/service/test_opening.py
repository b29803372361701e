"""A long match evicted from memory is loaded from its snapshot, and its past from the log."""

import asyncio
import random
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.match.commands import Undo
from domain.match.timeline import Timeline
from projections import snapshots
from projections.read_models import ReadModels
from projections.snapshots import Snapshots
from service.http.problems import ApiProblem
from service.matches.match_cache import LoadedMatch, MatchCache
from service.settings import Settings
from service.store import Store, StoredDecision, library_settings
from service.store.group_commit import GroupCommitWriter
from service.store_setup import open_store
from tests.game_contract.play import opened, play, random_steps

KEY = uuid.UUID(int=3)


class Place:
    """A store with a long match."""

    def __init__(self, store: Store, views: ReadModels) -> None:
        self.store, self.views = store, views
        self.saver = GroupCommitWriter(store, lambda: None)
        self.timeline = opened(("caravanserai", 2, {}), 1, people=1)
        begun = self.timeline.version
        while len(self.timeline.decisions) < 150:
            for _ in random_steps(self.timeline, random.Random(len(self.timeline.decisions)), 20):
                pass
            play(self.timeline, 0, Undo(begun))
        store.save_decisions(
            [StoredDecision(KEY, "caravanserai", d) for d in self.timeline.decisions]
        )

    def cold(self) -> LoadedMatch:
        """Load the match with an empty cache; snapshots are made."""
        tables = MatchCache(self.store, self.saver, Snapshots(self.views), 10_000_000)
        table = asyncio.run(tables.find(KEY, fresh=True))
        tables.close()
        assert table is not None
        return table


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setattr(snapshots, "SNAPSHOT_INTERVAL", 40)
    monkeypatch.setattr(snapshots, "SNAPSHOT_LAG", 8)
    settings = Settings(data=str(tmp_path))
    with (
        closing(open_store(settings)) as store,
        closing(ReadModels(library_settings(settings, views=True))) as views,
    ):
        made = Place(store, views)
        yield made
        made.saver.close()


def test_second_load_uses_the_snapshot(place: Place) -> None:
    whole = place.timeline
    assert place.cold().timeline.decisions.unloaded == 0
    found: Timeline = place.cold().timeline
    assert found.decisions.unloaded == 160
    # Undoing since then reads the first page and no other.
    assert found.loaded_count == len(whole.decisions) - 160 + 40
    assert found.latest == whole.latest
    assert found.at(30) == whole.at(30)
    assert found.decisions.tail(0) == whole.decisions.tail(0)


def test_unreadable_past_is_reported_when_requested(place: Place) -> None:
    place.cold()
    with place.store.transaction(commit=True) as sql:
        statement = (
            "UPDATE {0}stored_events SET state = ? WHERE originator_version BETWEEN 100 AND 110"
        )
        sql.run(statement, b"x")
    timeline = place.cold().timeline
    assert timeline.latest == place.timeline.latest
    with pytest.raises(ApiProblem) as refused:
        timeline.at(105)
    assert refused.value.code == "match_set_aside"
