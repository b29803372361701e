"""A PostgreSQL dump taken during play is consistent: no decision is torn."""

import shutil
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo

from projections.database.postgres import split_address
from service.matches.match_cache import fold_decisions
from service.settings import Settings
from service.store import Store, StoredDecision
from service.store_setup import open_store
from tests.service.databases import fresh
from tests.service.running import server
from tests.service.test_live import Caller

PLAYERS = 3
MOVES = 15
"""Acknowledged moves of all players before the dump begins, and again after it has ended."""


class Player(threading.Thread):
    """Plays one match after another, each request with its own key.

    ``acknowledged``: the newest version of each match.
    """

    def __init__(self, base: str) -> None:
        super().__init__(daemon=True)
        self.caller = Caller(base)
        self.acknowledged: dict[str, int] = {}
        self.moves = 0
        self.stopping = False
        self.failed: BaseException | None = None

    def _ask(self, path: str, body: Any) -> Any:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        answer = self.caller.http.post(path, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def run(self) -> None:
        try:
            while not self.stopping:
                self._play()
        except BaseException as error:
            self.failed = error

    def _play(self) -> None:
        body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "me"}]}
        match = self._ask("/matches", body)
        path = f"/matches/{match['id']}"
        self.acknowledged[match["id"]] = match["version"]
        for _ in range(12):
            if self.stopping or match["status"] != "playing":
                return
            seat = match["to_act"][0]
            choices = self.caller.http.get(f"{path}/choices", params={"seat": seat}).json()
            commands = [choices["choices"][0]["command"]]
            body = {"seat": seat, "expected_version": match["version"], "commands": commands}
            match = self._ask(f"{path}/commands", body)["match"]
            self.acknowledged[match["id"]] = match["version"]
            self.moves += 1


def wait_for_moves(players: list[Player]) -> None:
    """Wait until this many more moves were acknowledged."""
    upto = sum(player.moves for player in players) + MOVES
    deadline = time.monotonic() + 60
    while sum(player.moves for player in players) < upto:
        assert [player.failed for player in players] == [None] * PLAYERS
        assert time.monotonic() < deadline
        time.sleep(0.02)


@contextmanager
def brought_back(settings: Settings, dump: Path) -> Iterator[Settings]:
    """Restore the dump into a new database that is dropped after the block."""
    conninfo, _ = split_address(settings.database_url)
    name = f"dumped_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            there = make_conninfo(conninfo, dbname=name)
            command = ["pg_restore", "--no-owner", "--exit-on-error", f"--dbname={there}"]
            subprocess.run([*command, dump], check=True, timeout=60)
            before, _, schema = settings.database_url.rpartition("/")
            yield replace(settings, database_url=f"{before}/{name}?{schema.partition('?')[2]}")
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def log_of(store: Store) -> dict[str, list[StoredDecision]]:
    """Return the decisions of every match."""
    matches = {notice.match for notice in store.read_entries(0, 100_000)}
    return {str(match): store.decisions(match) for match in matches}


def receipts_of(settings: Settings) -> dict[str, list[int]]:
    """Return for each match the versions up to which requests with a key were answered."""
    conninfo, schema = split_address(settings.database_url)
    found: dict[str, list[int]] = {}
    with psycopg.connect(conninfo) as connection:
        for match, last in connection.execute(f'SELECT match, last FROM "{schema}".receipts'):
            found.setdefault(str(match), []).append(abs(last))
    return found


@pytest.mark.skipif(shutil.which("pg_dump") is None, reason="pg_dump is not installed")
def test_a_dump_under_load_is_of_one_moment(tmp_path: Path) -> None:
    """It contains everything acknowledged before it, each move with its receipt; every match folds
    to an earlier state, and the lists agree."""
    with fresh("postgresql", tmp_path) as settings:
        conninfo, schema = split_address(settings.database_url)
        dump = tmp_path / "store.dump"
        with server(settings) as base:
            players = [Player(base) for _ in range(PLAYERS)]
            for player in players:
                player.start()
            wait_for_moves(players)
            before = {m: v for player in players for m, v in list(player.acknowledged.items())}
            command = ["pg_dump", "--format=custom", "--no-owner", f"--schema={schema}"]
            subprocess.run([*command, f"--file={dump}", conninfo], check=True, timeout=60)
            wait_for_moves(players)
            for player in players:
                player.stopping = True
            for player in players:
                player.join(30)
            assert [player.failed for player in players] == [None] * PLAYERS
        live = open_store(settings)
        whole = log_of(live)
        live.close()
        with brought_back(settings, dump) as there:
            copy = open_store(there)
            dumped = log_of(copy)
            copy.close()
            assert set(before) <= set(dumped) <= set(whole)
            assert sum(map(len, dumped.values())) < sum(map(len, whole.values()))
            receipts = receipts_of(there)
            for match, decisions in dumped.items():
                assert decisions == whole[match][: len(decisions)]
                assert fold_decisions(decisions).version >= before.get(match, 0)
                # Opening a match and starting its game are two decisions of one request.
                _opened, *ends = [recorded.decision.last_version for recorded in decisions]
                assert sorted(receipts[match]) == ends, "a move and its receipt are one"
            check_lists(there, players, dumped)


def check_lists(
    settings: Settings, players: list[Player], dumped: dict[str, list[StoredDecision]]
) -> None:
    """Check that a service on the restored database lists every match as in the log."""
    with server(settings) as base:
        for player in players:
            mine = Caller(base, player.caller.token)
            items = mine.http.get("/matches", params={"limit": 100}).json()["items"]
            assert items
            for item in items:
                assert item["version"] == dumped[item["id"]][-1].decision.last_version
