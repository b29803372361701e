"""External programs that a test needs."""

import os
import shutil

import pytest


def program(name: str) -> str:
    """Return the path of the program; skip the test if it is missing, or fail in CI."""
    found = shutil.which(name)
    if found is None:
        missing = f"{name} is not installed"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    return found
