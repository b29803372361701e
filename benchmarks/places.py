"""Stores for benchmarks: a fresh SQLite file, or a fresh schema of PostgreSQL.

PostgreSQL is the server on the standard port of this machine, if any; otherwise one is started from
the installed programs, and it does not wait for its disk.
"""

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from service.settings import Settings
from tests.service import servers


@contextmanager
def empty_store(kind: str) -> Iterator[Settings]:
    """Provide the settings of an empty store on "SQLite" or "PostgreSQL".

    Raises `servers.Missing` if PostgreSQL is not available.
    """
    with tempfile.TemporaryDirectory() as folder:
        if kind == "SQLite":
            yield Settings(data=folder)
            return
        url = servers.postgres()
        schema = f"bench_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
            try:
                yield Settings(data=folder, database_url=f"{url}?schema={schema}")
            finally:
                connection.execute(f"DROP SCHEMA {schema} CASCADE")
