"""One Chromium for all browser tests of a run."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import chromium

PATIENCE = 15_000  # milliseconds; as long as the phone waits for what it looks for
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        missing = "Chromium is not installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    with chromium() as started:
        yield started
