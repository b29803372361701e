"""Fixtures: the service in this process on a fresh store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from service.app import create_app
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with fresh("sqlite", tmp_path) as settings, TestClient(create_app(settings)) as running:
        yield running


@pytest.fixture(params=DATABASES)
def any_client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    """Yield a client of a service on each database."""
    with fresh(request.param, tmp_path) as settings, TestClient(create_app(settings)) as running:
        yield running
