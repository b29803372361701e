"""Live streams are limited per address and in total; closed ones free their slots."""

import contextlib
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.settings import Settings
from tests.security.process import process

FEW = 4


class Watcher:
    """A player with a match, who opens streams."""

    def __init__(self, base: str) -> None:
        made = httpx.post(f"{base}/api/players", json={"name": "Ann"}).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        self.http = httpx.Client(base_url=f"{base}/api", headers=headers, timeout=30)
        body = {"game": "caravanserai", "seats": [{"kind": "me"}]}
        self.path = f"/matches/{self.http.post('/matches', json=body).json()['id']}/live"

    def stream(self, address: str = "127.0.0.1") -> Any:
        return self.http.stream("GET", self.path, headers={"X-Forwarded-For": address})


@pytest.fixture
def watcher(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watcher]:
    with process(tmp_path, **request.param) as base:
        yield Watcher(base)


def refused(answer: httpx.Response, status: int, code: str) -> bool:
    answer.read()
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    return int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize("watcher", [{"address_streams": FEW}], indirect=True)
def test_streams_of_one_address_are_bounded(watcher: Watcher) -> None:
    with ExitStack() as stack:
        for _ in range(FEW):
            assert stack.enter_context(watcher.stream()).status_code == 200
        for _ in range(3):
            assert refused(stack.enter_context(watcher.stream()), 429, "too_many_streams")
        assert stack.enter_context(watcher.stream("192.0.2.1")).status_code == 200
    again(watcher)


@pytest.mark.parametrize("watcher", [{"max_streams": FEW}], indirect=True)
def test_streams_in_all_are_bounded(watcher: Watcher) -> None:
    with ExitStack() as stack:
        for number in range(FEW):
            stream = stack.enter_context(watcher.stream(f"192.0.2.{number}"))
            assert stream.status_code == 200
        assert refused(stack.enter_context(watcher.stream("192.0.2.99")), 503, "streams_full")
    again(watcher)


@pytest.mark.parametrize("watcher", [{"address_streams": FEW, "heartbeat": 60}], indirect=True)
def test_streams_that_are_dropped_at_once_make_room(watcher: Watcher) -> None:
    """Including those whose client disconnected before the first line was sent."""
    for _ in range(40):
        with contextlib.suppress(httpx.TimeoutException):
            watcher.http.get(watcher.path, timeout=0.02)
    again(watcher)


def again(watcher: Watcher) -> None:
    """Wait until all slots are free again."""
    deadline = time.monotonic() + 20
    while True:
        with ExitStack() as stack:
            streams = [stack.enter_context(watcher.stream()) for _ in range(FEW)]
            if all(stream.status_code == 200 for stream in streams):
                return
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_ten_phones_with_three_tabs_are_far_from_the_bound() -> None:
    settings = Settings()
    assert 10 * 3 * 4 < settings.address_streams < settings.max_streams
