"""What a page's own thread did, from a trace of Chromium: its time, whoever else runs here."""

import json
from typing import Any

from playwright.sync_api import Browser

CATEGORIES = ["devtools.timeline", "toplevel", "blink.user_timing", "__metadata"]
TASK = "ThreadControllerImpl::RunTask"


def events_of_the_page(browser: Browser, *names: str) -> list[dict[str, Any]]:
    """What it did of these kinds since the tracing began; ends the tracing."""
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
    """Milliseconds that the thread worked in a task, those left out in which it had to wait."""
    return float(task.get("tdur", 0)) / 1000
