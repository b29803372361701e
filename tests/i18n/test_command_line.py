"""The command line in the pseudo-language."""

import argparse
import os
import subprocess
import sys
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path

import pytest

from domain.contract.registry import TITLES
from domain.games.caravanserail.board import BOARDS
from service.cli import main
from tests.i18n.pseudo import TAG, folder, plain_words

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "recorded_matches"
COMMANDS = (
    "serve perft verify replay export import rebuild migrate backup restore move-store rotate-key"
    " openapi"
)
SETTINGS = ("PORT", "DATA", "DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "MATCH", "POSITION", "json")
MORE = (
    "language",
    "TAG",
    "TARGET",
    "postgresql",
    "COMMAND",
    "version",
    "help",
    "key",
    "FILE",
    "HEX",
    "OR",
    "URL",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder(tmp_path_factory.mktemp("pseudo"))


def run(built: Path, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "FRONTEND": str(built), **environment},
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        *((command, "--help") for command in COMMANDS.split()),
        ("verify",),
        ("nonsense",),
        ("verify", str(KEPT / "none.json")),
        ("verify", str(KEPT / "caravane-5-v1.json")),
        *(("replay", str(KEPT / f"{slug}-{max(TITLES[slug].seats)}-v1.json")) for slug in TITLES),
        ("perft", str(KEPT / "caravane-5-v1.json")),
        ("replay", "pyproject.toml"),
        ("import", "pyproject.toml"),
        ("export", "nonsense"),
        ("verify", str(KEPT / "caravane-5-v1.json"), "--key", "pyproject.toml"),
    ],
    ids=" ".join,
)
def test_output_is_translated(
    built: Path,
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FRONTEND", str(built))
    monkeypatch.setattr(argparse, "_", str)  # `main` sets it; restored after the test
    with suppress(SystemExit):
        copy_context().run(main, ["--language", TAG, *arguments])
    said = "".join(capsys.readouterr())
    places = (place.name for board in BOARDS.values() for place in board.places)
    names = (COMMANDS, *places, *SETTINGS, *MORE, *arguments, str(KEPT), "position", "Errno")
    assert plain_words(said, *names, "Seat expert solo cells standing market players") == []


def test_locale_selects_the_language(built: Path) -> None:
    path = str(KEPT / "caravane-5-v1.json")
    english = run(built, "verify", path, LC_ALL="C.UTF-8")
    assert english.startswith("valid: caravane, ")
    strange = run(built, "verify", path, LC_ALL="qps_XX.UTF-8")
    assert plain_words(strange) == []
    assert run(built, "--language", "en", "verify", path, LC_ALL="qps") == english
