"""Checks the pinned dependencies for known vulnerabilities; part of ``make check``.

Exits with status 1 if there are any. If no advisory source can be reached or it does not know the
packages, it prints a line and passes: a check must work without a network too.

Run: python -m tests.audit
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[1] / "requirements-build.lock"
PATIENCE = 30
"""Seconds the whole audit may take."""


def asked() -> str:
    """Return the output of the audit of the lock file, or "" without an answer in time."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    options = ["--format", "json", "--progress-spinner", "off", "--timeout", "5"]
    try:
        return subprocess.run(
            [*command, *options, "--requirement", str(LOCK)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        ).stdout
    except subprocess.TimeoutExpired:
        return ""


def judged(printed: str) -> tuple[int, str]:
    """Return the exit status and the message."""
    try:
        packages: list[dict[str, Any]] = json.loads(printed)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return 0, "audit: no source of advisories could be reached; nothing was audited"
    bad = [
        f"{package['name']} {package['version']}: {found['id']}"
        for package in packages
        for found in package.get("vulns", ())
    ]
    if bad:
        return 1, "audit: known vulnerabilities\n  " + "\n  ".join(bad)
    known = [package for package in packages if "vulns" in package]
    if len(known) < len(packages):
        missing = len(packages) - len(known)
        return 0, f"audit: the source of advisories does not know {missing} of {len(packages)}"
    return 0, f"audit: no known vulnerability in {len(packages)} dependencies"


def main() -> int:
    status, words = judged(asked())
    print(words)
    return status


if __name__ == "__main__":
    sys.exit(main())
