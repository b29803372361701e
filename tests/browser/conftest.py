"""One Chromium for all browser tests of a run, and boards that fall the same each time.

How a board falls decides what a page shows, so each test has chance of its own, by its name: what
fails can be tried again. A second try of a test gets other boards, ``CHANCE=3`` gives all others.
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
from service.settings import Settings
from tests.browser.chromium import chromium, executable
from tests.browser.phone import PATIENCE, Phone
from tests.browser.service import Pass
from tests.service.running import server

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if executable() is None:
        missing = "Chromium is not installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with chromium() as started:
        yield started


def pytest_runtest_setup(item: pytest.Item) -> None:
    tries = getattr(item, "execution_count", 1)
    chance = random.Random(f"{os.environ.get('CHANCE', '')} {item.nodeid} {tries}")
    seating.secrets = SimpleNamespace(token_bytes=chance.randbytes)  # type: ignore[attr-defined]
    bot_runner.secrets = SimpleNamespace(  # type: ignore[attr-defined]
        randbelow=chance.randrange, choice=chance.choice
    )


@pytest.fixture
def service_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones keep the app for when there is no network."""
    monkeypatch.setattr(Phone, "service_workers", "allow")


@pytest.fixture
def timed_service(tmp_path: Path) -> Iterator[tuple[str, Pass]]:
    """The address of a service, and what lets time pass for it."""
    ahead = [0]

    def passes(milliseconds: int) -> None:
        ahead[0] += milliseconds

    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0)
    with (
        override_clock(lambda: time.time_ns() // 1_000_000 + ahead[0]),
        server(settings) as base,
    ):
        yield base, passes
