"""The order of the tests: those with a browser come last, and get a second try.

Playwright keeps an event loop running in the main thread as long as its browser lives, and
``asyncio.run`` refuses to work beside it.
"""

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"
LONGEST = ("test_touch.py", "test_layout.py", "test_engines.py")
"""Files that take minutes begin first, so that no process waits for another at the end."""

AGAIN = pytest.mark.flaky(reruns=1)
"""A browser beside others on two cores now and then stalls for longer than a test waits. The second
try is no secret: pytest names it and its closing line counts it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(AGAIN)
    items.sort(key=lambda item: (BROWSER in item.path.parents, item.path.name not in LONGEST))
