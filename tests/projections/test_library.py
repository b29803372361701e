"""Hashes of the private library methods that `projections.database.eventsourcing_adapters`
overrides or calls.

If this fails after an update, read what has changed in the method, check that the classes in
`projections.database.eventsourcing_adapters` still do what they say, and update the hash here.
"""

import hashlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresTrackingRecorder
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteTrackingRecorder

ROOT = Path(__file__).parents[2]
PRINTS = {
    "SQLiteApplicationRecorder._insert_events": "413cdf219c7bae63",
    "SQLiteApplicationRecorder._create_table": "718ab44ba1382717",
    "SQLiteApplicationRecorder.create_table": "b743852309de6731",
    "PostgresApplicationRecorder._insert_events": "319d1ce6f3f9c865",
    "PostgresApplicationRecorder._create_table": "2a02b9fe6d23ddc9",
    "PostgresApplicationRecorder.create_table": "112d77b968e2da3c",
    "SQLiteTrackingRecorder._insert_tracking": "53bc4ea300388e7c",
    "SQLiteTrackingRecorder._create_table": "bceaf483518aead0",
    "SQLiteTrackingRecorder.create_table": "c19c59ebffa7ccf1",
    "PostgresTrackingRecorder._insert_tracking": "a16a7c53b4468a46",
    "PostgresTrackingRecorder._create_table": "7536342e1142eb49",
    "PostgresTrackingRecorder.create_table": "38ba141a63c47c6e",
}
"""SHA-256 of the source of each, its first 16 digits; eventsourcing 9.5.6."""


def used() -> dict[str, Any]:
    found = {}
    for kind in (SQLiteApplicationRecorder, PostgresApplicationRecorder):
        for name in ("_insert_events", "_create_table", "create_table"):
            found[f"{kind.__name__}.{name}"] = getattr(kind, name)
    for tracker in (SQLiteTrackingRecorder, PostgresTrackingRecorder):
        for name in ("_insert_tracking", "_create_table", "create_table"):
            found[f"{tracker.__name__}.{name}"] = getattr(tracker, name)
    return found


def print_of(method: Any) -> str:
    return hashlib.sha256(inspect.getsource(method).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", used())
def test_method_is_unchanged(name: str) -> None:
    assert print_of(used()[name]) == PRINTS[name]


def test_no_other_module_uses_private_library_names() -> None:
    private = re.compile(r"\b_(insert_events|insert_tracking|create_table)\(")
    files = [p for room in ("service", "projections") for p in (ROOT / room).rglob("*.py")]
    reaching = {p.relative_to(ROOT).as_posix() for p in files if private.search(p.read_text())}
    assert reaching == {"projections/database/eventsourcing_adapters.py"}
