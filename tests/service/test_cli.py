"""The command line as a person runs it: statuses, one-line errors, files in and out."""

import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from contextvars import copy_context
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import httpx
import pytest

from service.cli import main
from service.settings import InvalidSetting, Settings, read_settings
from tests.service.apps import run_service
from tests.service.people import Person

ROOT = Path(__file__).parent.parent.parent
COMMANDS = (
    "serve",
    "perft",
    "verify",
    "replay",
    "export",
    "import",
    "rebuild",
    "migrate",
    "backup",
    "restore",
    "move-store",
    "openapi",
)


class Done(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, **environment: str) -> Done:
    """Run a command to its end in this process; starting another takes most of a second."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, environment),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            status = copy_context().run(main, arguments)
        except SystemExit as wrong_usage:
            status = int(wrong_usage.code or 0)
    return Done(status, out.getvalue(), err.getvalue())


def run_process(*arguments: str, **environment: str) -> Done:
    """Run a command to its end as a person does."""
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def failed(done: Done, status: int = 1) -> str:
    """The one line of a failure."""
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("caravanserai: ")
    return lines[0]


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """A data folder, a finished match in it and its file."""
    with run_service(Settings(data=str(tmp_path), play_limit=0)) as client:
        ann = Person(client)
        match = ann.open("me")
        while match["status"] == "playing":
            match = ann.step(match, -1)
        document = ann.get(f"/matches/{match['id']}/export").json()
    return tmp_path, match, document


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0
    assert command in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("nix",), ("verify",), ("perft", "a", "b")])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_setting_that_is_no_number() -> None:
    assert "PORT" in failed(run_process("serve", PORT="many"), status=2)
    with pytest.raises(InvalidSetting):
        read_settings({"PORT": "many"})


@pytest.mark.slow
def test_a_font_that_cannot_be_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")
    for wrong in (broken, tmp_path / "missing.ttf"):
        answer = run_process("serve", FONTS=str(wrong), DATA=str(tmp_path))
        assert "FONTS" in (line := failed(answer, status=2))
        assert wrong.name in line


def test_settings_come_from_the_environment() -> None:
    found = read_settings({"PORT": "9000", "DATA": "/srv/x", "HEARTBEAT": "2.5", "HOST": ""})
    assert (found.port, found.data, found.heartbeat, found.host) == (9000, "/srv/x", 2.5, "0.0.0.0")
    assert found.data_file == Path("/srv/x/caravanserai.sqlite")
    assert Settings(data="a/b.sqlite").data_file == Path("a/b.sqlite")
    assert Settings(data="a/b.sqlite").views_file == Path("a/b.views.sqlite")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["perft", "verify", "replay", "import"])
@pytest.mark.parametrize("content", [None, b"{", b"[]", b"{}", b"\xff\xfe\x00", b"[" * 50_000])
def test_bad_files(command: str, content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    if content is not None:
        file.write_bytes(content)
    failed(run(command, str(file), DATA=str(tmp_path / "data")))
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_a_match_file_is_proved_told_and_stored(
    played: tuple[Path, dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    data, match, document = played
    file = tmp_path / "match.json"
    file.write_text(json.dumps(document))
    verified = run_process("verify", str(file))
    assert verified.returncode == 0, verified.stderr
    assert "valid: " in verified.stdout
    told = run("replay", str(file)).stdout.splitlines()
    assert len(told) == match["version"] + 1
    assert told[1].split() == ["1", "Table", "created."]
    stored = run("import", str(file), DATA=str(data))
    assert stored.returncode == 0, stored.stderr
    again = run("export", stored.stdout.strip(), DATA=str(data))
    exported = json.loads(again.stdout)
    assert exported["decisions"][2:] == document["decisions"][2:]
    file.write_text(again.stdout)
    assert run("verify", str(file)).returncode == 0
    with run_service(Settings(data=str(data))) as client:
        seen = client.get(f"/api/matches/{stored.stdout.strip()}").json()
        assert seen["standings"] == match["standings"]


@pytest.mark.slow
def test_a_changed_file_names_the_first_bad_decision(
    played: tuple[Path, dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    from domain.matchfile.writer import compute_digest

    _, _, document = played
    command = document["decisions"][5]["command"]
    field = next(name for name in command if name != "type")
    command[field] = [0, 0] if isinstance(command[field], list) else "white"
    document["digest"] = compute_digest({k: v for k, v in document.items() if k != "digest"})
    file = tmp_path / "match.json"
    file.write_text(json.dumps(document))
    assert "decision 5" in failed(run("verify", str(file)))
    assert "decision 5" in failed(run("import", str(file), DATA=str(tmp_path / "other")))


@pytest.mark.slow
def test_replay_of_a_seat_that_does_not_exist(
    played: tuple[Path, dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    """A transcript is not verified, so the seats of its events can have any number."""
    _, _, document = played
    del document["signature"]
    owner = document["decisions"][0]["events"][0]["owner"]
    taken = {"type": "SeatTaken", "seat": 99, "name": "Eve", "player": owner}
    document["decisions"][5]["events"] = [taken]
    file = tmp_path / "match.json"
    file.write_text(json.dumps(document))
    done = run("replay", str(file))
    assert done.returncode == 1
    problem = "not a game file: decision 5: the events don’t match the rules"
    assert done.stderr == f"caravanserai: {problem}\n"


@pytest.mark.slow
def test_export_of_what_is_not_there(played: Any, tmp_path: Path) -> None:
    data = str(played[0])
    assert "game not found" in failed(run("export", "0" * 32, DATA=data))
    assert "not a game id" in failed(run("export", "nonsense", DATA=data))
    nowhere = tmp_path / "nowhere"
    assert "no store" in failed(run("export", "0" * 32, DATA=str(nowhere)))
    assert "no store" in failed(run("rebuild", DATA=str(nowhere)))
    assert not nowhere.exists()


@pytest.mark.slow
def test_rebuild_gives_byte_equal_tables(played: Any) -> None:
    from projections.read_models import ReadModels
    from service.store import library_settings

    data = played[0]
    settings = Settings(data=str(data))

    def dump() -> bytes:
        views = ReadModels(library_settings(settings, views=True))
        content = views.dump()
        views.close()
        return content

    assert run("rebuild", DATA=str(data)).returncode == 0
    first = dump()
    assert played[1]["id"].encode() in first
    done = run("rebuild", DATA=str(data))
    assert "decisions" in done.stdout
    assert dump() == first
    settings.views_file.unlink()
    assert run("rebuild", DATA=str(data)).returncode == 0
    assert dump() == first


@pytest.mark.slow
def test_perft_prints_one_json_line(tmp_path: Path) -> None:
    position = {
        "expert": False,
        "solo": True,
        "cells": [[q, 0, None, "outer"] for q in range(6)],
        "standing": [],
        "market": {"white": 1, "black": 0, "purple": 0, "red": 0, "yellow": 0},
        "players": [{"camels": 3, "goods": {"white": 2}, "caravan": [[0, 0, "camel"]]}],
        "to_move": 0,
    }
    file = tmp_path / "position.json"
    file.write_text(json.dumps(position))
    done = run("perft", str(file))
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert set(json.loads(line)) == {"placements", "by_pieces", "omitted_total", "omitted_best"}
    del position["market"]
    file.write_text(json.dumps(position))
    assert "market" in failed(run("perft", str(file)))


@pytest.mark.slow
def test_serve_says_where_it_is_and_stops_though_somebody_listens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {"PORT": str(port), "DATA": str(tmp_path), "HOST": "127.0.0.1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "serve"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until_ready(address)
        made = httpx.post(f"{address}/api/players", json={"name": "Ann"}).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        body = {
            "game": "caravanserai",
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "options": {"begins": "host"},
        }
        match = httpx.post(f"{address}/api/matches", json=body, headers=headers).json()
        url = f"{address}/api/matches/{match['id']}/live"
        with httpx.stream("GET", url, headers=headers, timeout=20) as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith(":")
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) in (0, -signal.SIGTERM)
            assert time.monotonic() - began < 4
    finally:
        process.kill()
    output, errors = process.communicate()
    assert f"http://localhost:{port}" in output
    assert "plain http" in output
    assert "Traceback" not in errors
    assert made["token"] not in output + errors


def wait_until_ready(address: str) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            if httpx.get(f"{address}/health/ready").status_code == 200:
                return
        except httpx.TransportError:
            assert time.monotonic() < deadline, "the service did not start"
            time.sleep(0.05)


@pytest.mark.slow
def test_serve_on_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run_process("serve", PORT=port, DATA=str(tmp_path), HOST="127.0.0.1")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
