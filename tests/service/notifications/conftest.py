"""Fixtures: a service whose notifications leave at once, and a receiver."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.notifications.delivery import sender
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.notifications.receivers import Receiver, receiver
from tests.service.people import Client


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the delays; tests of the delays restore them."""
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 0.05)
    monkeypatch.setattr(sender, "ACTIVE_AFTER_MOVE_MS", 0)
    monkeypatch.setattr(sender, "MIN_GAP_MS", 0)
    monkeypatch.setattr(sender, "PRESENCE_RECHECK_MS", 100)
    monkeypatch.setattr(sender, "_FIRST_RETRY_DELAY_MS", 100)


@pytest.fixture
def taking() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture(params=DATABASES)
def settings(
    request: pytest.FixtureRequest, tmp_path: Path, taking: Receiver
) -> Iterator[Settings]:
    """Return settings of a store on each database, with notifications allowed to the receiver."""
    with fresh(request.param, tmp_path, notice_delay=0.0, notice_hosts=taking.place) as made:
        yield made


@pytest.fixture
def client(settings: Settings) -> Iterator[Client]:
    with run_service(settings) as running:
        yield running
