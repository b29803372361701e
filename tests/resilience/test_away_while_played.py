"""PostgreSQL and Redis die, freeze and are locked repeatedly while people play on two workers.

The same must hold as after workers are killed: no acknowledged move is lost or doubled, the lists
agree with the log, and every stream has the latest version.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.settings import Settings
from tests.resilience.disposable_servers import Postgres, Redis, started
from tests.resilience.test_killed import PLAYERS, check_lists
from tests.resilience.test_postgres_locked import LOG, holding
from tests.resilience.test_rolling import check_nothing_lost, count_acknowledged, playing
from tests.resilience.workers import Client, Proxy, Worker

PATIENCE = 60.0


class Patient(Client):
    """Retries as the page does: the same request with the same key."""

    def ask(
        self, method: str, path: str, json: object = None, key: str | None = None
    ) -> httpx.Response:
        """Return the first response that is not 503."""
        until = time.monotonic() + PATIENCE
        while True:
            answer = super().ask(method, path, json, key)
            if answer.status_code != 503:
                return answer
            assert time.monotonic() < until
            time.sleep(0.1)


@contextmanager
def two_workers(settings: Settings, folder: Path) -> Iterator[tuple[list[Worker], Proxy]]:
    workers = [Worker(settings, folder / f"{name}.log") for name in ("one", "two")]
    try:
        for worker in workers:
            worker.start()
        proxy = Proxy(workers, drops=False)
        try:
            yield workers, proxy
        finally:
            proxy.close()
    finally:
        for worker in workers:
            worker.close()


def dies(server: Any) -> None:
    server.kill()
    time.sleep(0.5)
    server.start()


def freezes(server: Any) -> None:
    server.freeze()
    time.sleep(1.5)
    server.thaw()


def is_locked(postgres: Any) -> None:
    with holding(postgres, LOG):
        time.sleep(1.5)


@pytest.mark.parametrize(
    "times",
    [
        pytest.param(1, marks=pytest.mark.timeout(300)),
        pytest.param(20, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
def test_databases_fail_while_people_play(times: int, tmp_path: Path) -> None:
    with started(Postgres) as postgres, started(Redis) as redis:
        settings = Settings(
            data=str(tmp_path),
            database_url=postgres.url,
            redis_url=redis.url,
            play_limit=0,
            create_limit=0,
            draw_limit=0,
            log_level="info",
        )
        faults: list[Callable[[], None]] = [
            lambda: dies(postgres),
            lambda: freezes(postgres),
            lambda: is_locked(postgres),
            lambda: dies(redis),
            lambda: freezes(redis),
        ] * times
        random.Random(times).shuffle(faults)
        with two_workers(settings, tmp_path) as (workers, proxy):
            with playing(proxy, PLAYERS, Patient) as (players, _streams):
                for fault in faults:
                    time.sleep(1)
                    fault()
            seen = {status for player in players for status in player.client.statuses}
            assert {200, 503} <= seen <= {200, 201, 503}, seen
            acknowledged = count_acknowledged(players)
            print(f"{len(faults)} faults; {acknowledged} decisions acknowledged")
            for worker in workers:
                assert "Traceback" not in worker.log.read_text()
        check_nothing_lost(settings, players)
        check_lists(settings)
