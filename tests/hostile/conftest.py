"""The real service on a fresh store, as in the tests of the service."""

import pytest

from service.notifications.delivery import sender
from tests.service.conftest import any_client, client

__all__ = ["any_client", "at_once", "client"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for minutes."""
    monkeypatch.setattr(sender, "PAUSE", 0.05)
    monkeypatch.setattr(sender, "MOVED", 0)
    monkeypatch.setattr(sender, "APART", 0)
    monkeypatch.setattr(sender, "_FIRST", 100)
