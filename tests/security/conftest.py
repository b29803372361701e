"""Fixtures: the real service as in the service tests."""

import pytest

from service.notifications.delivery import sender
from tests.service.conftest import (
    any_client,
    any_fresh_client,
    any_module_client,
    client,
    fresh_client,
    module_client,
)

__all__ = [
    "any_client",
    "any_fresh_client",
    "any_module_client",
    "at_once",
    "client",
    "fresh_client",
    "module_client",
]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove all delays."""
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 0.05)
    monkeypatch.setattr(sender, "ACTIVE_AFTER_MOVE_MS", 0)
    monkeypatch.setattr(sender, "MIN_GAP_MS", 0)
    monkeypatch.setattr(sender, "_FIRST_RETRY_DELAY_MS", 100)
