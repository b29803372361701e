"""Unusual addresses of pages and files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.media import frontend_files
from service.media.frontend_files import FrontendFiles
from service.settings import Settings
from tests.security.real_service import open_house, raw
from tests.service.running import server


@pytest.fixture
def build(tmp_path: Path) -> Path:
    folder = tmp_path / "build"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><head></head>")
    (folder / "assets" / "app.0123abcd.js").write_text("let a = 1;" * 1000)
    return folder


@pytest.fixture
def house(build: Path, tmp_path: Path) -> Iterator[tuple[str, FrontendFiles]]:
    shelf = FrontendFiles(build)

    def made(app: Any) -> None:
        app.services.frontend_files = shelf

    with server(Settings(data=str(tmp_path / "data")), made) as address:
        yield address, shelf


def test_other_ways_to_write_an_address_are_neither_served_nor_kept(
    house: tuple[str, FrontendFiles], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty aliases cost 95 MB: each was read, compressed and cached for ever."""
    address, shelf = house
    packed: list[int] = []
    compress = frontend_files.gzip.compress

    def counted(body: bytes, *more: Any, **named: Any) -> bytes:
        packed.append(len(body))
        return compress(body, *more, **named)

    monkeypatch.setattr(frontend_files.gzip, "compress", counted)
    for count in range(40):
        for path in (
            f"/q{count}/../assets/app.0123abcd.js",
            f"/assets/./q{count}/../app.0123abcd.js",
        ):
            assert raw(address, f"GET {path} HTTP/1.1", "Host: localhost")[0] == 404
    for _ in range(20):
        assert httpx.get(f"{address}/assets/app.0123abcd.js").status_code == 200
        raw(address, "GET //assets//app.0123abcd.js HTTP/1.1", "Host: localhost")
    assert packed == [10_000]
    assert list(shelf._files) == ["assets/app.0123abcd.js"]


@pytest.mark.parametrize(
    "path",
    ["/assets/%00%0aX", "/%00", "/assets/" + "a/" * 2000, "/" + "x" * 5000, "/assets", "/.."],
)
def test_an_address_that_is_no_file(house: tuple[str, FrontendFiles], path: str) -> None:
    status, answer = raw(house[0], f"GET {path} HTTP/1.1", "Host: localhost")
    assert status == 404
    assert b'"not_found"' in answer


def test_a_frontend_that_was_built_anew_is_found_and_the_old_one_forgotten(
    house: tuple[str, FrontendFiles], build: Path
) -> None:
    address, shelf = house
    assert httpx.get(f"{address}/assets/app.0123abcd.js").status_code == 200
    assert httpx.get(f"{address}/assets/app.4567cdef.js").status_code == 404
    (build / "assets" / "app.0123abcd.js").unlink()
    (build / "assets" / "app.4567cdef.js").write_text("let b = 2;")
    assert httpx.get(f"{address}/assets/app.4567cdef.js").text == "let b = 2;"
    assert httpx.get(f"{address}/assets/app.0123abcd.js").status_code == 404
    assert list(shelf._files) == ["assets/app.4567cdef.js"]


def test_head_is_answered_like_get_without_the_body(tmp_path: Path) -> None:
    with open_house(tmp_path) as address, httpx.Client(base_url=address) as client:
        for path in ("/", "/sw.js", "/m/abc", "/api/games", "/health/live", "/schema/openapi.json"):
            asked = client.get(path)
            head = client.head(path)
            assert (head.status_code, head.content) == (asked.status_code, b""), path
            same = ("content-type", "content-length", "etag", "content-security-policy")
            assert [head.headers.get(n) for n in same] == [asked.headers.get(n) for n in same]
        for path, status in (("/nix", 404), ("/api/players/me", 401), ("/api/players", 405)):
            assert client.head(path).status_code == status
            assert client.head(path).content == b""


def test_head_of_a_stream_ends(tmp_path: Path) -> None:
    with open_house(tmp_path) as address, httpx.Client(base_url=address, timeout=5) as client:
        client.post("/api/players", json={"name": "Ann"})
        body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
        match = client.post("/api/matches", json=body).json()
        head = client.head(f"/api/matches/{match['id']}/live")
        assert head.status_code == 200
        assert head.headers["content-type"].startswith("text/event-stream")
        assert client.get("/health/live").status_code == 200
