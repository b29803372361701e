"""The order of the tests, and the reruns of those in other browser engines.

Tests with a browser come last: Playwright keeps an event loop running in the main thread as long as
its browser lives, and ``asyncio.run`` refuses to work beside it.
"""

import os
import sys
from pathlib import Path

import pytest

# Otherwise every process of the tests compiles all modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

TESTS = Path(__file__).parent
BROWSER = TESTS / "browser"
ENGINES = BROWSER / "engines"
LONGEST = ("test_sweep.py", "test_touch.py", "test_by_keys.py", "test_lessons.py")
"""Files that take longest begin first, so that no process waits for another at the end."""

RERUN_ENGINES = pytest.mark.flaky(reruns=1)
"""Other browser engines sometimes lose a tap or a page; every other test has one try."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if ENGINES in item.path.parents:
            item.add_marker(RERUN_ENGINES)
    items.sort(
        key=lambda item: (
            BROWSER in item.path.parents,
            ENGINES not in item.path.parents and item.path.name not in LONGEST,
        )
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many reruns the run needed."""
    reruns = len(terminalreporter.getreports("rerun"))
    terminalreporter.write_line(f"{reruns} reruns were needed.")
