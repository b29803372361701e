"""Fixtures of the browser tests: one Chromium and one service per process, reproducible boards.

The board decides what a page shows, so randomness is seeded with the name of each test and
failures can be reproduced. A retry of a test gets different boards; ``CHANCE=3`` changes all.
"""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, expect

from service.common.clock import override_clock
from service.matches import bot_runner, seating
from tests.browser.chromium import chromium, executable
from tests.browser.phone import PATIENCE, Phone
from tests.browser.service import Pass, unlimited
from tests.service.running import server

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if executable() is None:
        missing = "Chromium is not installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service without request limits, shared by all tests of a process."""
    with server(unlimited(tmp_path_factory.mktemp("service"))) as address:
        yield address


@pytest.fixture(scope="module")
def public_base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service for the tests of a module that open public matches.

    The home pages of all players list these, so the shared service has none.
    """
    with server(unlimited(tmp_path_factory.mktemp("public"))) as address:
        yield address


def pytest_runtest_setup(item: pytest.Item) -> None:
    tries = getattr(item, "execution_count", 1)
    chance = random.Random(f"{os.environ.get('CHANCE', '')} {item.nodeid} {tries}")
    seating.secrets = SimpleNamespace(token_bytes=chance.randbytes)  # type: ignore[attr-defined]
    bot_runner.secrets = SimpleNamespace(  # type: ignore[attr-defined]
        randbelow=chance.randrange, choice=chance.choice
    )


@pytest.fixture
def service_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow service workers, so that phones cache the app for offline use."""
    monkeypatch.setattr(Phone, "service_workers", "allow")


@pytest.fixture
def timed_service(tmp_path: Path) -> Iterator[tuple[str, Pass]]:
    """The address of a service, and a function that advances its clock by milliseconds."""
    ahead = [0]

    def passes(milliseconds: int) -> None:
        ahead[0] += milliseconds

    with (
        override_clock(lambda: time.time_ns() // 1_000_000 + ahead[0]),
        server(unlimited(tmp_path)) as base,
    ):
        yield base, passes
