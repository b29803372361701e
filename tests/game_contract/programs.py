"""Programs that a test needs beside Python."""

import os
import shutil

import pytest


def program(name: str) -> str:
    """Where the program is; the test is skipped where it is not installed, and fails in CI."""
    found = shutil.which(name)
    if found is None:
        missing = f"{name} is not installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    return found
