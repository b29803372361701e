"""Databases of earlier releases, stored as SQL in `releases`.

In each Ann and Bob play a hex game that was forked once, and Bob has finished another alone.
Release 1 is the last one before migrations were numbered.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psycopg

from service.settings import Settings

FOLDER = Path(__file__).parent / "releases"


def restore(settings: Settings, release: int = 1) -> dict[str, str]:
    """Restore a release's database at the place given by the settings.

    Returns the tokens of ``ann`` and ``bob`` and the ids of the ``match`` and the ``finished`` one.
    """
    if not settings.database_url:
        for name, file in (("store", settings.data_file), ("views", settings.views_file)):
            file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(file)) as database:
                database.executescript((FOLDER / f"{release}.{name}.sql").read_text())
        return _known(release, "sqlite")
    schema = parse_qs(urlsplit(settings.database_url).query)["schema"][0]
    statements = (FOLDER / f"{release}.postgresql.sql").read_text().replace("@schema@", schema)
    address = settings.database_url.partition("?")[0]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statements.encode())
    return _known(release, "postgresql")


def _known(release: int, kind: str) -> dict[str, str]:
    known: dict[str, Any] = json.loads((FOLDER / f"{release}.json").read_text())
    return known[kind]
