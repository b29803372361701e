"""PostgreSQL and Redis hang at the same time: health checks still answer in time."""

import time
from pathlib import Path

import httpx

from service.settings import Settings
from tests.resilience.disposable_servers import Postgres, Redis, started
from tests.resilience.test_postgres_away import TOLD
from tests.service.running import server

TOKEN = "a token"
SLACK = 0.5


def values(text: str) -> dict[str, float]:
    """Return the gauges of a metrics page by name."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {line[0]: float(line[1]) for line in lines if "{" not in line[0]}


def test_each_component_is_reported_in_time(tmp_path: Path) -> None:
    """Also by the metrics, and both recover."""
    with started(Postgres) as postgres, started(Redis) as redis:
        settings = Settings(
            data=str(tmp_path),
            database_url=postgres.url,
            redis_url=redis.url,
            metrics_token=TOKEN,
        )
        with server(settings) as base:
            operator = httpx.Client(base_url=base, timeout=20)
            operator.headers["Authorization"] = f"Bearer {TOKEN}"
            found = values(operator.get("/metrics").text)
            assert found["caravanserai_database_up"] == found["caravanserai_redis_up"] == 1
            postgres.freeze()
            redis.freeze()
            for _ in range(3):
                began = time.monotonic()
                told = operator.get("/health/ready?verbose")
                assert time.monotonic() - began < TOLD + SLACK
                assert told.status_code == 503
                parts = told.json()["parts"]
                assert not parts["redis"]["ok"]
                assert not parts["database"]["ok"]
            found = values(operator.get("/metrics").text)
            assert found["caravanserai_database_up"] == found["caravanserai_redis_up"] == 0
            postgres.thaw()
            redis.thaw()
            until = time.monotonic() + 5
            while operator.get("/health/ready?verbose").status_code != 200:
                assert time.monotonic() < until
                time.sleep(0.1)
            found = values(operator.get("/metrics").text)
            assert found["caravanserai_database_up"] == found["caravanserai_redis_up"] == 1


def test_a_service_begins_beside_a_redis_that_hangs(tmp_path: Path) -> None:
    """It starts in time and accepts moves; when Redis recovers the service reconnects."""
    with started(Redis) as redis:
        redis.freeze()
        settings = Settings(data=str(tmp_path), redis_url=redis.url, create_limit=0)
        began = time.monotonic()
        with server(settings) as base:
            assert time.monotonic() - began < 10
            ann = httpx.Client(base_url=base, timeout=20)
            token = ann.post("/api/players", json={"name": "Ann"}).json()["token"]
            ann.cookies.clear()
            ann.headers["Authorization"] = f"Bearer {token}"
            table = {"game": "caravanserai", "seats": [{"kind": "me"}]}
            began = time.monotonic()
            assert ann.post("/api/matches", json=table).status_code == 201
            assert time.monotonic() - began < TOLD + SLACK
            assert not ann.get("/health/ready?verbose").json()["parts"]["redis"]["ok"]
            redis.thaw()
            until = time.monotonic() + 10
            while not ann.get("/health/ready?verbose").json()["parts"]["redis"]["ok"]:
                assert time.monotonic() < until
                time.sleep(0.1)
