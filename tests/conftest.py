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

BY_THE_RULES = ("domain", "frontend", "matches", "pebbles", "words")
"""Folders whose tests depend on nothing but the code: what fails there fails."""

AGAIN = pytest.mark.flaky(reruns=1)
"""Real servers beside others on two cores now and then stall for longer than a test waits. A
further try is no secret: pytest names it and its closing line counts it. What properties find is
found again by it, for in CI their examples are the same in every try."""
BROWSER_AGAIN = pytest.mark.flaky(reruns=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROWSER in item.path.parents:
            item.add_marker(BROWSER_AGAIN)
        elif item.path.relative_to(HERE).parts[0] not in BY_THE_RULES:
            item.add_marker(AGAIN)
    items.sort(key=lambda item: (BROWSER in item.path.parents, item.path.name not in LONGEST))
