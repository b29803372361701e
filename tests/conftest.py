"""The order of the tests: those with a browser come last, and get more tries.

Playwright keeps an event loop running in the main thread as long as its browser lives, and
``asyncio.run`` refuses to work beside it.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
BROWSER = HERE / "browser"
LONGEST = ("test_sweep.py", "test_touch.py", "test_play.py", "test_lessons.py", "test_engines.py")
"""Files that take minutes begin first, so that no process waits for another at the end."""

BROWSER_AGAIN = pytest.mark.flaky(reruns=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(BROWSER_AGAIN)
    items.sort(key=lambda item: (BROWSER in item.path.parents, item.path.name not in LONGEST))
