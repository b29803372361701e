"""The line above every table, with the machine and the versions of the software."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("litestar", "msgspec", "eventsourcing", "brython", "chess")


def describe_machine() -> str:
    """Return the processor, its cores, and the versions of Python and the main libraries."""
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
