"""Opening version k of a match of 1,000 decisions over HTTP: from memory, and from the store.

Two such matches are brought into a service that keeps one match in memory. Warm: the same match
is asked for again and again. Cold: the two are asked for in turn, so each time the match is read
from SQLite and folded whole.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator

import httpx

from benchmarks.process import service
from benchmarks.timeline import long_match
from domain.matchfile import export

VERSIONS = (10, 500, 1000)
TIMES = 40


def milliseconds(client: httpx.Client, paths: Iterator[str]) -> list[float]:
    """What each request took."""
    found = []
    for path in paths:
        began = time.perf_counter()
        answer = client.get(path)
        found.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.text
    return found


def told(found: list[float]) -> str:
    worst = statistics.quantiles(found, n=20)[18]
    return f"{statistics.median(found):6.2f} ms median {worst:6.2f} ms p95"


def main() -> None:
    timeline = long_match(1000)
    print(f"{len(timeline.decisions)} decisions, {timeline.version} versions")
    document = export("bench", timeline, None)
    with (
        tempfile.TemporaryDirectory() as data,
        service(data, CACHE_SIZE="1") as base,
        httpx.Client(base_url=base, timeout=60) as client,
    ):
        token = client.post("/api/players", json={"name": "Bench"}).json()["token"]
        client.cookies.clear()
        client.headers["Authorization"] = f"Bearer {token}"
        ids = [client.post("/api/matches/import", json=document).json()["id"] for _ in "ab"]
        for version in VERSIONS:
            paths = [f"/api/matches/{each}?at={version}" for each in ids]
            milliseconds(client, iter(paths[:1] * 5))
            warm = milliseconds(client, iter(paths[:1] * TIMES))
            cold = milliseconds(client, iter(paths * (TIMES // 2)))
            print(f"version {version:5}: warm {told(warm)}; cold {told(cold)}")
        warm = milliseconds(client, iter([f"/api/matches/{ids[0]}"] * TIMES))
        print(f"now          : warm {told(warm)}")


if __name__ == "__main__":
    main()
