"""Settings for a fresh store on each supported database."""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from service.settings import Settings
from tests.service import servers

DATABASES = ("sqlite", "postgresql")


def address_of(server: Callable[[], str]) -> str:
    """Return the server's address; skip the test, or fail in CI, if it is unavailable."""
    try:
        return server()
    except servers.Missing as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@contextmanager
def fresh(kind: str, folder: Path, **more: object) -> Iterator[Settings]:
    """Yield settings of an empty store that is deleted after the block."""
    limits = {"play_limit": 0, "create_limit": 0, "draw_limit": 0}
    # Tests that are not about bots want them to finish, on a busy machine too.
    common = {"data": str(folder), **limits, "heartbeat": 0.2, "bot_patience": 30.0, **more}
    if kind == "sqlite":
        yield Settings(**common)  # type: ignore[arg-type]
        return
    url = address_of(servers.postgres)
    schema = f"test_{uuid.uuid4().hex[:12]}"
    connection = psycopg.connect(url, autocommit=True, connect_timeout=servers.PATIENCE)
    with connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        try:
            yield Settings(**common, database_url=f"{url}?schema={schema}")  # type: ignore[arg-type]
        finally:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")
