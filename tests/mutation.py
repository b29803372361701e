"""Mutation testing: which small faults of the product do the tests find?

    python -m tests.mutation now.jsonl --count 100
    python -m tests.mutation before.jsonl --count 100 --tests REVISION --missed-in now.jsonl
    python -m tests.mutation now.jsonl --compare before.jsonl

Each result is added to the file at once, and a run leaves out mutants whose results are there, so
that one that was stopped can be continued.

A mutant is this checkout with one changed expression or statement in a function of `domain`,
`service` or `projections`. The same seed chooses the same mutants of the same product, so that two
sets of tests can be compared; a smaller count is the beginning of a larger one. Mutants run in a
temporary copy. A test that also fails without the mutation finds nothing and is left out.
`--missed-in` runs only the mutants that the tests of another run did not catch.
"""

import argparse
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.mutants import ROOT, Mutant, choose_mutants

MAX_CPU_S = 60
"""Seconds of processor time after which the tests of a mutant are stopped: unlike seconds of a
clock, they are the same on a busy machine."""
MAX_WAIT_S = 300
"""Seconds after which the tests of a mutant are stopped in any case, as it may wait for ever."""
TESTS = (
    ("domain/games/", ("tests/domain/{2}", "tests/game_contract")),
    ("domain/drawing/", ("tests/domain/caravane/test_picture.py", "tests/service/test_p*.py")),
    ("domain/text/", ("tests/domain/test_*.py", "tests/i18n")),
    ("domain/", ("tests/domain/test_*.py", "tests/game_contract")),
    ("projections/", ("tests/projections", "tests/service/test_history.py", "tests/resilience")),
    ("service/notifications/", ("tests/service/notifications", "tests/security/test_outgoing.py")),
    ("service/media/", ("tests/service/test_p*.py", "tests/service/test_render*.py")),
    ("service/cli/", ("tests/service/test_cli.py", "tests/i18n/test_command_line.py")),
    ("service/", ("tests/service/test_*.py", "tests/security")),
)
"""Tests of the modules whose path begins with the first item; ``{2}`` is the third folder.
They run after the tests that import the module."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.M)


class Copy:
    """A copy of the checkout, with the tests of a revision if one is given."""

    def __init__(self, folder: Path, revision: str, broken: list[str]) -> None:
        """``broken``: tests that fail without a mutation, which is added to."""
        self.folder = folder
        self.broken = broken
        # Tests of another revision often fail without a mutation: find many of them at a time.
        self.max_failures = 20 if revision else 1
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
        for name in filter(None, tracked.split("\0")):
            if not (revision and name.startswith("tests/")):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        if revision:
            archive = subprocess.check_output(["git", "archive", revision, "tests"], cwd=ROOT)
            subprocess.run(["tar", "-x"], input=archive, cwd=folder, check=True)
        shutil.copytree(ROOT / "frontend/build", folder / "frontend/build", dirs_exist_ok=True)

    def tests_of(self, file: str) -> list[str]:
        """Return the tests of a module: first those that import it, then those of its package."""
        name = re.escape(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        parent, _, stem = name.rpartition(r"\.")
        importing = re.compile(rf"^(from|import) {name}\b|^from {parent} import .*\b{stem}\b", re.M)
        package: list[Path] = []
        for pattern in next(tests for start, tests in TESTS if file.startswith(start)):
            for path in sorted(self.folder.glob(pattern.format(*file.split("/")))):
                package += sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        tests = sorted((self.folder / "tests").rglob("test_*.py"))
        every = [*package, *(path for path in tests if "browser" not in path.parts)]
        first = [path for path in every if importing.search(path.read_text())]
        return list(dict.fromkeys(str(path.relative_to(self.folder)) for path in first + package))

    def failing_tests(self, tests: list[str], max_failures: int) -> list[str] | None:
        """Return the first tests that fail, at most about that many; None if the time is over."""
        left_out = [f"--deselect={test}" for test in self.broken]
        tests = [test for test in tests if test not in self.broken]  # files that cannot be imported
        command = [sys.executable, "-m", "pytest", f"--maxfail={max_failures}", "-q"]
        running = subprocess.Popen(
            [*command, "-p", "no:rerunfailures", "-p", "no:xdist", *left_out, *tests],
            cwd=self.folder,
            # In CI Hypothesis chooses the same examples in every run.
            env={**os.environ, "CI": "true", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        # One second more in the hard limit, so that the soft one sends SIGXCPU instead of SIGKILL.
        resource.prlimit(running.pid, resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S + 1))
        try:
            printed, _ = running.communicate(timeout=MAX_WAIT_S)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)  # let it stop its servers
            try:
                running.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                running.communicate()
            return None
        if -running.returncode in (signal.SIGXCPU, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)  # its servers
            return None
        failed = _FAILED.findall(printed)
        assert running.returncode in (0, 5) or failed, printed
        return failed

    def run(self, mutant: Mutant) -> Mutant:
        """Return the mutant with its result: caught, survived or timed out."""
        began = time.monotonic()
        path = self.folder / mutant.file
        original = path.read_bytes()
        changed = original[: mutant.start] + mutant.after.encode() + original[mutant.end :]
        tests = self.tests_of(mutant.file)
        found_by = ""
        while not found_by:
            path.write_bytes(changed)
            failed = self.failing_tests(tests, self.max_failures)
            path.write_bytes(original)
            if not failed:
                break
            broken = self.failing_tests(failed, len(failed))
            self.broken.extend(failed if broken is None else broken)
            found_by = next((test for test in failed if test not in self.broken), "")
        result = "caught" if found_by else "survived" if failed == [] else "timed out"
        seconds = round(time.monotonic() - began, 1)
        return replace(mutant, result=result, found_by=found_by, seconds=seconds)


def read_results(path: Path) -> dict[tuple[str, int, str], dict[str, Any]]:
    """Return the results of a run, by file, place and new text of the mutant."""
    results = map(json.loads, path.read_text().splitlines() if path.exists() else ())
    return {(each["file"], each["start"], each["after"]): each for each in results}


def run_mutants(mutants: list[Mutant], revision: str, workers: int) -> Iterator[Mutant]:
    """Yield the mutants with their results as these come in, from several copies at a time."""
    copies: SimpleQueue[Copy] = SimpleQueue()
    broken: list[str] = []

    def run(mutant: Mutant) -> Mutant:
        copy = copies.get()
        try:
            return copy.run(mutant)
        finally:
            copies.put(copy)

    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        ThreadPoolExecutor(workers) as pool,
    ):
        Path(folder).chmod(0o755)  # the user of a database server reads it too
        for number in range(workers):
            copies.put(Copy(Path(folder) / str(number), revision, broken))
        for future in as_completed([pool.submit(run, mutant) for mutant in mutants]):
            yield future.result()


def compare(before: Path, now: Path) -> str:
    """Return a line for each mutant of the first run with another result, and the totals."""
    old, new = read_results(before), read_results(now)
    lines = []
    for key, was in old.items():
        if was["result"] != new[key]["result"]:
            found_by = was["found_by"] or new[key]["found_by"]
            change = f"{was['before']!r} → {was['after']!r}, {found_by}"
            lines.append(
                f"{was['result']} → {new[key]['result']}: {was['file']}:{was['line']} {change}"
            )
    totals = [Counter(each["result"] for each in run.values()) for run in (old, new)]
    return "\n".join([*lines, f"before: {dict(totals[0])}", f"now: {dict(totals[1])}"])


def main() -> None:
    """Run mutants and write their results to a file, or compare two such files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20261125)
    parser.add_argument("--tests", default="", metavar="REVISION", help="use its tests")
    parser.add_argument("--missed-in", type=Path, metavar="RESULTS")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--compare", type=Path, metavar="BEFORE")
    given = parser.parse_args()
    if given.compare:
        print(compare(given.compare, given.results))
        return
    left_out = set(read_results(given.results))
    if given.missed_in:
        known = read_results(given.missed_in).items()
        left_out |= {key for key, each in known if each["result"] == "caught"}
    mutants = [
        each
        for each in choose_mutants(given.count, given.seed)
        if (each.file, each.start, each.after) not in left_out
    ]
    with given.results.open("a") as file:
        for mutant in run_mutants(mutants, given.tests, given.workers):
            print(json.dumps(asdict(mutant)), file=file, flush=True)
            print(f"{mutant.result}: {mutant.file}:{mutant.line}", flush=True)


if __name__ == "__main__":
    main()
