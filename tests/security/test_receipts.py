"""Concurrent requests with one Idempotency-Key act once; receipts expire."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from service.settings import Settings
from service.store import Receipt, VersionConflict
from service.store.conflicts import is_conflict
from service.store_setup import open_store
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Person
from tests.service.running import server

AT_ONCE = 6
DAY = 86_400_000
Deed = Callable[[httpx.Client, Any], tuple[str, Any]]


def creating(_http: httpx.Client, _match: Any) -> tuple[str, Any]:
    return "/matches", {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "bot"}],
        "options": {"begins": "host"},
    }


def forking(_http: httpx.Client, match: Any) -> tuple[str, Any]:
    return f"/matches/{match['id']}/fork", {"at": match["version"]}


def importing(http: httpx.Client, match: Any) -> tuple[str, Any]:
    return "/matches/import", http.get(f"/matches/{match['id']}/export").json()


def playing(http: httpx.Client, match: Any) -> tuple[str, Any]:
    path = f"/matches/{match['id']}"
    choices = http.get(f"{path}/choices", params={"seat": 0}).json()["choices"]
    body = {"seat": 0, "expected_version": match["version"], "commands": [choices[0]["command"]]}
    return f"{path}/commands", body


@contextmanager
def workers(kind: str, folder: Path) -> Iterator[list[str]]:
    """Yield the workers' addresses: two on PostgreSQL, one on SQLite."""
    with fresh(kind, folder) as settings, ExitStack() as stack:
        count = 2 if kind == "postgresql" else 1
        yield [stack.enter_context(server(settings)) for _ in range(count)]


async def at_once(addresses: list[str], token: str, path: str, body: Any) -> list[httpx.Response]:
    """Send the same request several times at once; return the responses."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
    async with httpx.AsyncClient(headers=headers, timeout=30) as http:
        sent = [
            http.post(f"{addresses[i % len(addresses)]}/api{path}", json=body)
            for i in range(AT_ONCE)
        ]
        return list(await asyncio.gather(*sent))


@pytest.mark.parametrize("deed", [creating, forking, importing, playing])
@pytest.mark.parametrize("kind", DATABASES)
def test_requests_with_one_key_at_once_are_one_deed(kind: str, deed: Deed, tmp_path: Path) -> None:
    with workers(kind, tmp_path) as addresses:
        made = httpx.post(f"{addresses[0]}/api/players", json={"name": "Ann"}).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        with httpx.Client(base_url=f"{addresses[0]}/api", headers=headers, timeout=30) as http:
            seats = [{"kind": "me"}, {"kind": "me"}]
            match = http.post(
                "/matches",
                json={"game": "caravanserai", "seats": seats, "options": {"begins": "host"}},
            ).json()
            path, body = deed(http, match)
            answers = asyncio.run(at_once(addresses, made["token"], path, body))
            assert {answer.status_code for answer in answers} <= {200, 201}
            assert len({answer.content for answer in answers}) == 1
            new = deed is not playing
            assert len(http.get("/matches").json()["items"]) == 1 + new
            other = http.post(path, json={**body, "extra": 1}, headers={"Idempotency-Key": "one"})
            assert other.status_code == 422


def test_who_was_first_is_found_where_psycopg_does_not_say_it(tmp_path: Path) -> None:
    body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
    with fresh("postgresql", tmp_path) as settings, run_service(settings) as client:
        match = Person(client).post("/matches", body, key="one").json()
        store = client.app.services.store
        (first, *_) = store.decisions(UUID(match["id"]))
        with store.transaction(commit=False) as sql:
            (key,) = [row["key"] for row in sql.all("SELECT key FROM {0}receipts")]
            version = first.originator_version
            assert is_conflict(sql, [], ["another", key])
            assert is_conflict(sql, [(first.originator_id, version)], ["another"])
            assert not is_conflict(sql, [(uuid4(), version)], ["another"])
        with pytest.raises(VersionConflict):
            store.save_decisions([first])


def test_a_running_service_forgets_receipts_that_are_a_week_old(tmp_path: Path) -> None:
    body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
    with fresh("sqlite", tmp_path) as settings:
        with run_service(settings) as client:
            ann = Person(client)
            made = {key: ann.post("/matches", body, key=key).json()["id"] for key in ("a", "b")}
        file = sqlite3.connect(settings.data_file, isolation_level=None)
        file.execute(f"UPDATE receipts SET created = created - {6 * DAY}")
        file.execute(f"UPDATE receipts SET created = created - {DAY} WHERE match = '{made['a']}'")
        with run_service(settings) as client:
            ann.client = client
            deadline = time.monotonic() + 20
            while len(file.execute("SELECT key FROM receipts").fetchall()) > 1:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert ann.post("/matches", body, key="b").json()["id"] == made["b"]
            assert ann.post("/matches", body, key="a").json()["id"] != made["a"]
        file.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_receipts_are_forgotten_in_small_batches(kind: str, tmp_path: Path) -> None:
    with fresh(kind, tmp_path) as settings:
        store = open_store(settings)
        old = [Receipt(f"old{i}", "b", "m", 0, 0, 1, 200, 1000) for i in range(1200)]
        store.save_decisions([], [*old, Receipt("new", "b", "m", 0, 0, 1, 200, 3000)])
        assert [store.prune_receipts(2000) for _ in range(4)] == [500, 500, 200, 0]
        assert store.find_receipt("new") is not None
        assert store.find_receipt("old0") is None
        store.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_a_database_without_dates_gets_them(kind: str, tmp_path: Path) -> None:
    """Receipts of an older version of the service count as made when the new one starts."""
    with fresh(kind, tmp_path) as settings:
        open_store(settings).close()
        _as_it_was(settings)
        before = time.time_ns() // 1_000_000
        for _ in range(2):  # a second start finds it done
            store = open_store(settings)
            receipt = store.find_receipt("old")
            assert receipt is not None
            assert receipt.created >= before
            assert store.prune_receipts(before) == 0
            store.close()


def _as_it_was(settings: Settings) -> None:
    """Restore the older schema: drop the column and the migration records, and add a receipt."""
    statements = (
        "DROP TABLE {0}migrations",
        "DROP INDEX {0}receipts_created",
        "ALTER TABLE {0}receipts DROP COLUMN created",
        "INSERT INTO {0}receipts VALUES ('old', 'b', 'm', 0, 0, 1, 200)",
    )
    if settings.database_url:
        url, _, schema = settings.database_url.partition("?schema=")
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.format(f"{schema}."))
        return
    with sqlite3.connect(settings.data_file) as file:
        for statement in statements:
            file.execute(statement.format(""))
    file.close()
