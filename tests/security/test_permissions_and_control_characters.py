"""Small holes: file permissions of the database, terminal output, invisible names."""

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.text.text_rules import sanitize
from service.common.log_safety import escape_controls
from tests.security.real_service import open_house

MATCHES = Path(__file__).parent.parent / "recorded_matches"
STEERING = "\x1b[2J\x9b2J\u202e\u2028"


@pytest.fixture
def wide_open() -> Iterator[None]:
    """A process with a permissive umask."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}


@pytest.mark.usefixtures("wide_open")
def test_only_its_user_reads_the_database(tmp_path: Path) -> None:
    """It holds the seeds of running matches."""
    folder = tmp_path / "new" / "data"
    with open_house(folder) as address:
        httpx.post(f"{address}/api/players", json={"name": "Ann"})
        found = modes(folder)
    assert {"caravanserai.sqlite", "caravanserai.sqlite-wal", "caravanserai.views.sqlite"} <= set(
        found
    )
    assert set(found.values()) == {"0o600"}
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.usefixtures("wide_open")
def test_a_database_that_all_could_read_is_tightened(tmp_path: Path) -> None:
    for name in ("caravanserai.sqlite", "caravanserai.sqlite-wal", "caravanserai.views.sqlite"):
        (tmp_path / name).touch(0o666)
    before = tmp_path.stat().st_mode
    with open_house(tmp_path) as address:
        httpx.post(f"{address}/api/players", json={"name": "Ann"})
        assert set(modes(tmp_path).values()) == {"0o600"}
    assert tmp_path.stat().st_mode == before, "the folder was its owner's"


def run(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "service.cli", *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize("command", ["replay", "verify", "import", "perft"])
def test_a_file_cannot_steer_the_terminal(command: str, tmp_path: Path) -> None:
    document = json.loads((MATCHES / "caravanserai-2-v1.json").read_text())
    opened = document["decisions"][0]
    for part in (opened["command"], *opened["events"]):
        for seat in part.get("seats", ()):
            seat["name"] = f"Ann{STEERING}"
    document["id"] = f"id{STEERING}"
    for name, content in (
        ("whole", document),
        ("status", {**document, "status": STEERING}),
        ("game", {**document, "game": STEERING}),
        ("format", {**document, "format": STEERING}),
        (f"name{STEERING}", None),
    ):
        file = tmp_path / f"{name}.json"
        if content is not None:
            file.write_text(json.dumps(content, ensure_ascii=False))
        done = run(command, str(file))
        for stream in (done.stdout, done.stderr):
            text = stream.decode()
            assert all(c == "\n" or c.isprintable() for c in text), text


def test_what_cannot_be_printed_is_written_out() -> None:
    assert escape_controls("Ann\x1b[2J Zoë 李 \U0001f42a\n") == r"Ann\x1b[2J Zoë 李 🐪\n"
    assert escape_controls("Manche\u00a03\u202f!") == "Manche\u00a03\u202f!"


BLANK = ["\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u034f", "\u17b4", "\u180b", "\ufe00"]
BLANK += ["\U000e0100", "\U0001d159", "\u00ad", "\u200d", "\u2066", "\u0301", "\u20dd", "\ufe0f"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with open_house(tmp_path_factory.mktemp("names")) as running:
        yield running


@pytest.mark.parametrize("blank", BLANK, ids=lambda c: f"U+{ord(c):04X}")
def test_a_name_that_shows_nothing_is_none(address: str, blank: str) -> None:
    for name in (blank, blank * 20, f" {blank} {blank}\u200b"):
        answer = httpx.post(f"{address}/api/players", json={"name": name})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_name")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("A\u3164nn", "Ann"),
        ("\u202eAnn\u2066", "Ann"),
        ("Z" + "\u0335" * 30 + "oe", "Z" + "\u0335" * 4 + "oe"),
        ("\u0301Ann", "Ann"),
        ("กำ้", "กำ้"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        ("मुन्नी", "मुन्नी"),
        ("\u2600\ufe0f", "\u2600\ufe0f"),
    ],
)
def test_names_people_have_stay_as_they_are(address: str, name: str, kept: str) -> None:
    kept = unicodedata.normalize("NFC", kept)
    assert httpx.post(f"{address}/api/players", json={"name": name}).json()["name"] == kept


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=12))
def test_what_is_visible_stays_visible(text: str) -> None:
    """Files use the same cleaning as input, so it must be idempotent."""
    once = sanitize(text)
    assert sanitize(once) == once
