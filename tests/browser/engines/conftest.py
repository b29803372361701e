"""Fixtures: a new phone for every test, in WebKit and in Firefox."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from frontend.build import build
from tests.browser.engines import firefox, webkit
from tests.browser.engines.engine import Engine, need

Starts = Callable[[], Engine]


@pytest.fixture(scope="session")
def started() -> Iterator[Callable[[str], Starts]]:
    """Provide a function from an engine's name to a factory of its phones.

    The browser is started on the first call and stopped at the end of the session.
    """
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
    """Provide a phone; fail if its page has logged errors."""
    phone = started(request.param)()
    try:
        yield phone
        assert phone.errors() == []
    finally:
        phone.close()
