"""The order of the tests: those with a browser come last.

Playwright keeps an event loop running in the main thread as long as its browser lives, and
``asyncio.run`` refuses to work beside it.
"""

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: BROWSER in item.path.parents)
