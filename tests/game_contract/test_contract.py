"""Type checking of every game's rules against the contract, with proof that the check can fail."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from domain.contract.registry import TITLES

ROOT = Path(__file__).parents[2]

CHANGES = {
    "turn": (r"(def turn\(.*\)) -> int:", r"\1 -> str:"),
    "outcome": (
        r"(def outcome\(.*\)) -> tuple\[Standing, \.\.\.\] \| None:",
        r"\1 -> list[Event]:",
    ),
    "to_act": (r"def to_act\(state: State\)", "def to_act(state: State, seat: int)"),
}


def faults(path: Path, source: str) -> str:
    """Return the type checker's errors for a module, or "" if there are none."""
    path.write_text(source)
    checker = [sys.executable, "-m", "mypy", "--strict", "--implicit-reexport"]
    command = [*checker, "--no-error-summary", str(path)]
    run = subprocess.run(
        command, cwd=ROOT, env={"MYPYPATH": f"{ROOT}:{path.parent}"}, capture_output=True, text=True
    )
    return run.stdout + run.stderr


def copied(slug: str, name: str) -> str:
    """Return the source of a game's rules as a module of another name."""
    source = (ROOT / "domain" / "games" / slug / "rules.py").read_text()
    itself = f"from domain.games.{slug} import rules as _this"
    assert source.count(itself) == 1, "the rules say at their end that they are a game's"
    return source.replace(itself, f"import {name} as _this")


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_rules_of_another_shape_are_found(slug: str, tmp_path: Path) -> None:
    """A copy passes, and with one function changed it breaks the contract."""
    assert faults(tmp_path / "copy_of.py", copied(slug, "copy_of")) == ""
    for name, (pattern, instead) in CHANGES.items():
        changed, times = re.subn(pattern, instead, copied(slug, name))
        assert times == 1
        found = faults(tmp_path / f"{name}.py", changed)
        assert 'has type Module, variable has type "Rules[' in found, name
