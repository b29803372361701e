"""Shutdown of the service: the order in which its parts end."""

import threading
import time
from pathlib import Path

import pytest

from service.matches.plans import PlanService
from service.settings import Settings
from tests.service.apps import run_service


def test_databases_are_closed_after_calls_in_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite crashes the process if a connection is closed while a thread uses it."""
    began, stopping = threading.Event(), threading.Event()
    errors: list[Exception | None] = []

    def find_due(plans: PlanService) -> list[tuple[str, int]]:
        if not began.is_set():
            began.set()
            assert stopping.wait(60)
            time.sleep(0.3)  # Without the wait for threads, the databases are closed by now.
            try:
                plans.read_models.unfinished_matches(["m"])
                errors.append(None)
            except Exception as error:
                errors.append(error)
        return []

    monkeypatch.setattr(PlanService, "_find_due", find_due)
    with run_service(Settings(data=str(tmp_path))):
        assert began.wait(60)
        stopping.set()
    assert errors == [None]
