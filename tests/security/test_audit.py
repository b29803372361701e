"""The audit fails for a known vulnerability, and for nothing else."""

import json
import subprocess

import pytest

from tests import audit

FINE = {"name": "a", "version": "1", "vulns": []}
BAD = {"name": "b", "version": "2", "vulns": [{"id": "CVE-0000-1"}]}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "status", "words"),
    [
        ([FINE], 0, "no known vulnerability in 1"),
        ([FINE, BAD], 1, "b 2: CVE-0000-1"),
        ([UNKNOWN, BAD], 1, "b 2: CVE-0000-1"),
        ([FINE, UNKNOWN], 0, "does not know 1 of 2"),
    ],
)
def test_verdicts(packages: list[object], status: int, words: str) -> None:
    found = audit.judged(json.dumps({"dependencies": packages}))
    assert found[0] == status
    assert words in found[1]


@pytest.mark.parametrize("printed", ["", "no json", "[]"])
def test_without_an_answer_it_says_so_and_passes(printed: str) -> None:
    status, words = audit.judged(printed)
    assert status == 0
    assert "could be reached" in words


def test_it_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_args: object, **more: float) -> None:
        raise subprocess.TimeoutExpired("pip-audit", more["timeout"])

    monkeypatch.setattr(subprocess, "run", late)
    assert audit.main() == 0
