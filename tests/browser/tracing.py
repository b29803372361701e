"""CPU time of a page's main thread, from a Chromium trace, independent of other processes."""

import json
from typing import Any

from playwright.sync_api import Browser

CATEGORIES = ["devtools.timeline", "toplevel", "blink.user_timing", "__metadata"]
TASK = "ThreadControllerImpl::RunTask"


def events_of_the_page(browser: Browser, *names: str) -> list[dict[str, Any]]:
    """Stop tracing and return the main thread's events with these names."""
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    return [
        each for each in events if each["name"] in names and (each["pid"], each["tid"]) in threads
    ]


def worked(task: dict[str, Any]) -> float:
    """Return the milliseconds of CPU time of a task, excluding waiting."""
    return float(task.get("tdur", 0)) / 1000
