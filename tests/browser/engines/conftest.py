"""A phone of each engine, new for every test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from frontend.build import build
from tests.browser.engines import firefox, webkit
from tests.browser.engines.engine import Engine, need

Starts = Callable[[], Engine]


@pytest.fixture(scope="session")
def started() -> Iterator[Callable[[str], Starts]]:
    """What starts a phone of the engine of that name; the browser is started at the first."""
    with ExitStack() as running:
        ways: dict[str, Starts] = {}

        def way(name: str) -> Starts:
            if name not in ways:
                build()
                ways[name] = _webkit(running) if name == "webkit" else _firefox(running)
            return ways[name]

        yield way


def _webkit(running: ExitStack) -> Starts:
    need(webkit.missing())
    address = running.enter_context(webkit.webkit())
    return lambda: webkit.WebKit(address)


def _firefox(running: ExitStack) -> Starts:
    need(firefox.missing())
    connection = running.enter_context(firefox.firefox())
    return lambda: firefox.Firefox(connection)


@pytest.fixture(params=["webkit", "firefox"])
def engine(request: pytest.FixtureRequest, started: Callable[[str], Starts]) -> Iterator[Engine]:
    """A phone; its page must not have complained of anything."""
    phone = started(request.param)()
    try:
        yield phone
        assert phone.errors() == []
    finally:
        phone.close()
