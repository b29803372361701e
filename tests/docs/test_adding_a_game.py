"""The game that docs/ADDING_A_GAME.md builds fulfils the contract of games."""

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "ADDING_A_GAME.md"
COPIED_FOLDERS = ("domain", "service", "projections", "frontend", "tests/game_contract")
IGNORED = shutil.ignore_patterns("build", "__pycache__", "*.egg-info")


def game_files() -> dict[str, str]:
    """Return the source of each file of the game; several blocks of one file are joined in
    order."""
    blocks = re.findall(r"^```\w+ ([\w/]+\.\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    files: dict[str, list[str]] = defaultdict(list)
    for name, source in blocks:
        files[name].append(source)
    return {name: "\n\n".join(sources) for name, sources in files.items()}


def test_tutorial_game_passes_contract_tests(tmp_path: Path) -> None:
    for name in COPIED_FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=IGNORED)
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    game = tmp_path / "domain" / "games" / "pebbles"
    game.mkdir()
    for name, source in game_files().items():
        (game / name).parent.mkdir(exist_ok=True)
        (game / name).write_text(source)
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/game_contract", "-k", "pebbles", "-vv"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr
    for test in (
        "test_two_worlds_look_the_same",
        "test_choices_are_exactly",
        "only_reviewable_games_have_a_review",
    ):
        assert test in result.stdout
