"""Serving of the built frontend."""

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import brotli
import pytest
from litestar.testing import TestClient

from service.media.frontend_files import FrontendFiles
from service.media.pictures.board import Boards
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.people import Person

STATIC = Path(__file__).parents[2] / "frontend" / "static"


@pytest.fixture
def build(tmp_path: Path) -> Path:
    folder = tmp_path / "build"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Caravanserai</title>")
    (folder / "sw.js").write_text("// service worker")
    (folder / "assets" / "app.0123abcd.js").write_text("let a = 1;" * 100)
    (folder / "manifest.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("outside")
    return folder


@pytest.fixture
def client(build: Path, tmp_path: Path) -> Iterator[TestClient[Any]]:
    with run_service(Settings(data=str(tmp_path / "data"))) as running:
        running.app.services.frontend_files = FrontendFiles(build)
        yield running


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/new", "/back", "/join/abc", "/m/abc", "/m/abc?at=3"])
def test_every_screen_is_the_same_page(client: TestClient[Any], path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "Caravanserai" in answer.text


def test_hashed_files_are_kept_for_ever_and_the_worker_is_not(client: TestClient[Any]) -> None:
    hashed = client.get("/assets/app.0123abcd.js")
    assert "immutable" in hashed.headers["cache-control"]
    assert hashed.headers["content-type"].startswith("text/javascript")
    worker = client.get("/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    manifest = client.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")


@pytest.mark.slow
def test_files_are_compressed_if_accepted(client: TestClient[Any], build: Path) -> None:
    plain = client.get("/assets/app.0123abcd.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    packed = client.get("/assets/app.0123abcd.js", headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text == (build / "assets" / "app.0123abcd.js").read_text()
    assert int(packed.headers["content-length"]) < len(gzip.compress(b"x" * 10)) + 100
    again = client.get("/sw.js", headers={"If-None-Match": client.get("/sw.js").headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=1.0, gzip", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip", "gzip"),
        ("brave", None),
    ],
)
def test_best_accepted_encoding_is_sent(
    client: TestClient[Any], build: Path, accepted: str, encoding: str | None
) -> None:
    script = build / "assets" / "app.0123abcd.js"
    script.with_name(script.name + ".br").write_bytes(brotli.compress(script.read_bytes()))
    answer = client.get(f"/assets/{script.name}", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.text == script.read_text()
    assert client.get(f"/assets/{script.name}.br").status_code == 404


def test_a_changed_file_is_read_again(client: TestClient[Any], build: Path) -> None:
    client.get("/sw.js")
    (build / "sw.js").write_text("// another service worker")
    assert "another" in client.get("/sw.js").text


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/nix.js", "/assets/", "/x"],
)
def test_nothing_outside_the_build_is_served(client: TestClient[Any], path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "outside" not in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/api/games", "/api/nix", "/health/live"])
def test_security_headers_are_on_every_answer(client: TestClient[Any], path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_missing_build_is_reported(tmp_path: Path) -> None:
    with run_service(Settings(data=str(tmp_path))) as client:
        client.app.services.frontend_files = FrontendFiles(tmp_path / "nowhere")
        answer = client.get("/")
        assert (answer.status_code, answer.json()["code"]) == (404, "no_frontend")
        assert client.get("/api/games").status_code == 200


def test_api_responses_are_compressed_too(client: TestClient[Any]) -> None:
    packed = client.get("/schema/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.json()["openapi"]
    plain = client.get("/schema/openapi.json", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    secret = client.post("/api/players", json={"name": "Ann"}, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in secret.headers


def test_match_page_preloads_its_files_for_permitted_viewers(
    client: TestClient[Any], build: Path
) -> None:
    """The file names reveal the game, so strangers get no more than for an unknown match."""
    names = (
        "game-caravane.01234567.js",
        "game-caravane-2.01234567.js",
        "look-caravane.89abcdef.css",
    )
    others = ("game-caravanserai.01234567.js", "guide-caravane.01234567.js")
    for name in (*names, *others):
        (build / "assets" / name).write_text("//")
    (build / "index.html").write_text("<!doctype html><head></head>")
    ann = Person(client)
    match = ann.open("me", "bot", game="caravane")
    address = f"/m/{match['id']}"

    def early(**given: Any) -> set[str]:
        page = client.get(given.pop("address", address), **given).text
        return set(re.findall(r'rel="preload" as="\w+" href="/assets/([^"]+)"', page))

    assert early(headers={"Cookie": f"player={ann.token}"}) == set(names)
    assert early(params={"share": match["share"]}) == set(names)
    assert early() == early(address="/m/no-such-match") == set()
    bob = Person(client, "Bob")
    assert early(headers={"Cookie": f"player={bob.token}"}) == set()


BOARD = re.compile(r'<div class="first-board">(<svg.*?</svg>)</div>', re.S)


def _board(client: TestClient[Any], path: str, who: Person | None = None, **query: str) -> str:
    """Return the board embedded in a page, or ""; a page with a board must not be cached by
    others."""
    headers = {"Cookie": f"player={who.token}"} if who else {}
    answer = client.get(path, headers=headers, params=query)
    found = BOARD.search(answer.text)
    assert bool(found) == ("data-match=" in answer.text) == ('class="page waits"' in answer.text)
    assert not found or answer.headers["cache-control"] == "private, no-cache"
    return found[1] if found else ""


def test_match_page_embeds_the_board_for_permitted_viewers(
    client: TestClient[Any], build: Path
) -> None:
    """Before any script and in the page's own colours.

    Strangers, past versions, other pages of the match and matches waiting for players have none.
    """
    shutil.copy(STATIC / "index.html", build)
    ann, bob = Person(client), Person(client, "Bob")
    match, waiting = ann.open("me", "bot"), ann.open("me", "open")
    address = f"/m/{match['id']}"
    own = _board(client, address, ann)
    assert own == _board(client, address, share=match["share"])
    assert "var(--" in own
    page = client.get(address, headers={"Cookie": f"player={ann.token}"}).text
    assert re.search(r'<div class="first-dock"><p><b>Caravanserai: .+</b><br>.+ to move</p>', page)
    assert ElementTree.fromstring(own).attrib["aria-hidden"] == "true"
    for path, who, query in (
        (address, None, {}),
        (address, bob, {}),
        (address, ann, {"v": "1"}),
        (f"{address}/review", ann, {}),
        (f"/m/{waiting['id']}", ann, {}),
        ("/m/no-such-match", ann, {}),
    ):
        assert _board(client, path, who, **query) == "", path


def test_a_board_that_cannot_be_drawn_is_left_out(
    client: TestClient[Any], build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match can be played without it."""
    shutil.copy(STATIC / "index.html", build)
    ann = Person(client)
    address = f"/m/{ann.open('me', 'bot')['id']}"
    assert _board(client, address, ann) != ""

    def torn(*_: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(Boards, "board_of_match", torn)
    assert _board(client, address, ann) == ""


def test_embedded_board_is_the_public_one(client: TestClient[Any], build: Path) -> None:
    """Not even a secret's owner has it in the page."""
    shutil.copy(STATIC / "index.html", build)
    ann, bob = Person(client), Person(client, "Bob")
    match = ann.open("me", "open", game="caravane", visibility="public")
    match = bob.post(f"/matches/{match['id']}/join", {}).json()
    answer = ann.play(match, 0, ann.choices(match, 0)[-1]["command"])
    assert answer.status_code == 200, answer.text
    boards = {_board(client, f"/m/{match['id']}", who) for who in (ann, bob, None)}
    assert len(boards) == 1
    assert len(boards.pop()) > 1_000
