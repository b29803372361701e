"""Requests and matches are logged without secrets, whatever is requested."""

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.observability.logs import configure_logging
from service.settings import InvalidSetting, Settings
from tests.game_contract.ports import free_port
from tests.security.process import ROOT, wait_for

Lines = list[dict[str, Any]]
KEYS = {"p256dh": "B" * 87, "auth": "A" * 22}


@contextmanager
def logged(folder: Path, **settings: object) -> Iterator[tuple[str, Path]]:
    """Run the service in its own process; yield its address and its log file."""
    port, file = free_port(), folder / "log"
    given = {"HOST": "127.0.0.1", "PORT": port, "DATA": folder, "LOG_LEVEL": "debug", **settings}
    with file.open("wb") as errors:
        running = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "serve"],
            env={**os.environ, **{name: str(value) for name, value in given.items()}},
            stdout=subprocess.DEVNULL,
            stderr=errors,
            cwd=ROOT,
        )
        try:
            wait_for(port)
            yield f"http://127.0.0.1:{port}", file
        finally:
            running.terminate()
            running.wait(20)


def lines(file: Path) -> Lines:
    return [json.loads(line) for line in file.read_text().splitlines()]


def requests_of(told: Lines, request: str) -> Lines:
    return [line for line in told if line.get("request") == request]


@pytest.mark.slow
def test_each_request_is_logged_with_its_id_and_match(tmp_path: Path) -> None:
    with logged(tmp_path, LOG_FORMAT="json", ACCESS_LOG=1) as (address, file):
        own = {"X-Request-ID": "from-the-proxy.1"}
        person = httpx.post(f"{address}/api/players", json={"name": "Ann"}, headers=own)
        assert person.headers["x-request-id"] == "from-the-proxy.1"
        bearer = {"Authorization": f"Bearer {person.json()['token']}"}
        body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
        match = httpx.post(f"{address}/api/matches", json=body, headers=bearer).json()["id"]
        looked = httpx.get(f"{address}/api/matches/{match}", headers=bearer)
        lost = httpx.get(f"{address}/api/matches/my-secret-word", headers=bearer)
        refused = httpx.post(f"{address}/api/players", content=b"{")
    told = lines(file)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00", line["time"]) for line in told)
    assert {"info"} <= {line["level"] for line in told}
    [first] = requests_of(told, "from-the-proxy.1")
    assert (first["method"], first["route"], first["status"]) == ("POST", "/api/players", 201)
    assert first["ms"] > 0
    [line] = requests_of(told, looked.headers["x-request-id"])
    assert (line["match"], line["route"]) == (match, "/api/matches/{match_id}")
    [line] = requests_of(told, lost.headers["x-request-id"])
    assert ("match" in line, line["status"]) == (False, 404)
    assert requests_of(told, refused.headers["x-request-id"])[0]["status"] == 400


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", ["x" * 65, "two words", 'quo"te', "a\u00e9", "", "a{b}"], ids=range(6)
)
def test_invalid_request_id_is_replaced(given: str, proxied: str) -> None:
    headers = {"X-Request-ID": given.encode("latin-1")}
    answer = httpx.get(f"{proxied}/health/live", headers=headers)  # type: ignore[arg-type]
    assert re.fullmatch("[0-9a-f]{16}", answer.headers["x-request-id"])


def test_two_requests_have_two_ids(proxied: str) -> None:
    answers = [httpx.get(f"{proxied}/{path}") for path in ("health/live", "nowhere/at/all")]
    assert len({answer.headers["x-request-id"] for answer in answers}) == 2


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with logged(tmp_path_factory.mktemp("proxied")) as (address, _):
        yield address


@pytest.mark.slow
def test_only_a_trusted_proxy_sets_request_ids(tmp_path: Path) -> None:
    with logged(tmp_path, TRUSTED_PROXIES="10.9.8.7") as (address, _):
        answer = httpx.get(f"{address}/health/live", headers={"X-Request-ID": "mine"})
        assert answer.headers["x-request-id"] != "mine"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "text"])
def test_no_secret_is_logged(tmp_path: Path, form: str) -> None:
    """Tokens; invitation, share, recovery, calendar and notification codes; push endpoints."""
    with logged(tmp_path, LOG_FORMAT=form, ACCESS_LOG=1, METRICS_TOKEN="metrics-5") as (url, file):
        http = httpx.Client(base_url=url)
        ann = http.post("/api/players", json={"name": "Ann"}).json()
        http.cookies.clear()
        http.headers["Authorization"] = f"Bearer {ann['token']}"
        body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
        match = http.post("/api/matches", json=body).json()
        recovery = http.post("/api/players/recovery").json()["code"]
        calendar = http.post("/api/players/me/calendar").json()["url"].rpartition("/")[2]
        push = "https://push.example.org/send/secret-endpoint"
        asked = http.post("/api/notices/push", json={"endpoint": push, "keys": KEYS})
        assert asked.status_code in (200, 201, 422), asked.text
        share = match["share"]
        secrets = [
            *(ann["token"], match["invite"], share, recovery, calendar.removesuffix(".ics")),
            *("secret-endpoint", "metrics-5", "a-code-of-a-mail"),
        ]
        for secret in secrets:
            for path in (
                f"/calendar/{secret}",
                f"/calendar/{secret}.ics",
                f"/notices/confirm/{secret}",
                f"/notices/stop/{secret}",
                f"/api/matches/{match['id']}?invite={secret}",
                f"/api/matches/{match['id']}/feed.atom?share={secret}",
                f"/api/matches/{secret}",
                f"/api/notices/ways/{secret}",
                f"/{secret}/and/on?x={secret}",
                f"/join/{secret}",
                f"/metrics?token={secret}",
            ):
                bearer = {"Authorization": f"Bearer {secret}"}
                for more in ({}, bearer):
                    http.get(path, headers=more)
                    http.post(path, json={"code": secret}, headers=more)
                    http.request("OPTIONS", path, headers={"Origin": f"https://{secret}"})
            http.post("/api/players/recover", json={"code": secret, "more": secret})
            http.post(f"/api/matches/{match['id']}/join", json={"invite": secret})
    text = file.read_text()
    assert text.count("/calendar/{code}") >= 2 * len(secrets)
    assert [secret for secret in secrets if secret in text] == []


def test_text_format_is_readable_and_escapes_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with kept():
        configure_logging(Settings())
        logging.getLogger("caravanserai").warning("odd %s", "\x1b[2J\nINFO forged")
        try:
            raise ValueError("the seed is secret")
        except ValueError:
            logging.getLogger("some.library").exception("it broke")
        logging.getLogger("some.library").info("details")
    odd, broke = capsys.readouterr().err.splitlines()
    assert odd.endswith(r" WARNING odd \x1b[2J\nINFO forged")
    assert broke.endswith("ValueError")
    assert "secret" not in broke


@pytest.mark.parametrize("wrong", [{"log_format": "xml"}, {"log_level": "loud"}])
def test_invalid_setting_is_named(wrong: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting, match=r"LOG_(FORMAT|LEVEL)"):
        configure_logging(Settings(**wrong))  # type: ignore[arg-type]


@contextmanager
def kept() -> Iterator[None]:
    """Restore this process's logging configuration after the block."""
    loggers = [logging.getLogger(n) for n in ("", "caravanserai", "uvicorn", "caravanserai.access")]
    before = [(each, each.level, each.handlers[:]) for each in loggers]
    try:
        yield
    finally:
        for each, level, handlers in before:
            each.setLevel(level)
            each.handlers[:] = handlers
