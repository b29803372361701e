"""Workers are killed at arbitrary moments during play and restarted.

No acknowledged move is lost or doubled, the lists agree with the log, and every stream has the
latest version.
"""

import random
import time
from pathlib import Path

import pytest

from service.settings import Settings
from tests.projections.test_views import World
from tests.resilience.test_rolling import check_nothing_lost, count_acknowledged, house, playing
from tests.resilience.workers import Worker

PLAYERS = 4
PATIENCE = 90.0
"""Seconds in which a worker must be back on a busy machine."""


def kill_over_and_over(workers: list[Worker], times: int, seed: int) -> None:
    """Kill one worker after another, with a moment of play before each."""
    rng = random.Random(seed)
    for _ in range(times):
        time.sleep(rng.uniform(0.1, 1.5))
        worker = rng.choice(workers)
        worker.kill()
        time.sleep(rng.choice([0.0, 0.5]))
        worker.start()


def check_lists(settings: Settings) -> None:
    """Check that the read models, once caught up, equal a rebuild."""
    world = World(settings)
    try:
        world.projector.catch_up()
        followed = world.views.dump()
        world.projector.rebuild()
        assert world.views.dump() == followed
    finally:
        world.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    "times",
    [
        pytest.param(3, marks=pytest.mark.timeout(300)),
        pytest.param(60, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
def test_workers_are_killed_while_people_play(kind: str, times: int, tmp_path: Path) -> None:
    with house(tmp_path, 0.0, kind, PATIENCE) as (settings, workers, proxy):
        with playing(proxy, PLAYERS) as (players, streams):
            kill_over_and_over(workers, times, seed=times)
        assert {s for player in players for s in player.client.statuses} <= {200, 201}
        acknowledged = count_acknowledged(players)
        print(f"killed {times} times; {acknowledged} decisions acknowledged")
        assert acknowledged > PLAYERS * times
        assert all(stream.ends for stream in streams) or len(workers) > 1
        for worker in workers:
            worker.close()
        check_nothing_lost(settings, players)
        check_lists(settings)
        for worker in workers:
            assert "Traceback" not in worker.log.read_text()
