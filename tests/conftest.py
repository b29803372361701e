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
WAITING = ("deploy", "resilience", "security")
"""Folders whose tests wait half of their time, for servers and time limits."""

RERUN_ENGINES = pytest.mark.flaky(reruns=1)
"""Other browser engines sometimes lose a tap or a page; every other test has one try."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if ENGINES in item.path.parents:
            item.add_marker(RERUN_ENGINES)
    places = _spread_waiting(list(dict.fromkeys(item.path for item in items)))
    items.sort(
        key=lambda item: (
            BROWSER in item.path.parents,
            ENGINES not in item.path.parents and item.path.name not in LONGEST,
            places[item.path],
        )
    )


def _spread_waiting(paths: list[Path]) -> dict[Path, float]:
    """Return a place for each file that spreads those which wait evenly among the others.

    Otherwise all processes wait at the same time, which leaves half of two cores idle for minutes.
    """
    waiting = [path for path in paths if path.relative_to(TESTS).parts[0] in WAITING]
    others = [path for path in paths if path not in waiting and BROWSER not in path.parents]
    browser = [path for path in paths if BROWSER in path.parents]
    return {
        path: (number + 0.5) / len(group)
        for group in (waiting, others, browser)
        for number, path in enumerate(group)
    }


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many reruns the run needed."""
    reruns = len(terminalreporter.getreports("rerun"))
    terminalreporter.write_line(f"{reruns} reruns were needed.")
