"""Fixtures: the service in this process, on one store for the tests of a module or on a fresh one.

Starting a service takes longer than most tests.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client


@pytest.fixture(scope="module")
def module_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Yield a client of a service that all tests of the module share."""
    folder = tmp_path_factory.mktemp("store")
    with fresh("sqlite", folder) as settings, run_service(settings) as running:
        yield running


@pytest.fixture
def client(module_client: Client) -> Client:
    """Return the client that the module shares, without cookies."""
    module_client.cookies.clear()
    return module_client


@pytest.fixture
def fresh_client(tmp_path: Path) -> Iterator[Client]:
    """Yield a client of a service on an empty store."""
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as running:
        yield running


@pytest.fixture(scope="module", params=DATABASES)
def any_module_client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """Yield a client of a service on each database that all tests of the module share."""
    folder = tmp_path_factory.mktemp("store")
    with fresh(request.param, folder) as settings, run_service(settings) as running:
        yield running


@pytest.fixture
def any_client(any_module_client: Client) -> Client:
    """Return the client on each database that the module shares, without cookies."""
    any_module_client.cookies.clear()
    return any_module_client


@pytest.fixture(params=DATABASES)
def any_fresh_client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    """Yield a client of a service on an empty store of each database."""
    with fresh(request.param, tmp_path) as settings, run_service(settings) as running:
        yield running
