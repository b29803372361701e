"""All settings in one place; nothing else reads the environment."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

_FILE_SUFFIXES = (".sqlite", ".sqlite3", ".db")


class BadSetting(Exception):
    """An environment variable that cannot be used; the message names it."""


class Settings(Struct, frozen=True):
    """How one process of the service runs. Each field is an environment variable in capitals.

    ``data``: folder (or ``*.sqlite`` file) of the SQLite store. ``database_url``: a
    ``postgresql://user:password@host:port/name?schema=public`` address; the store is there
    instead when it is set. ``redis_url``: shares live updates and rate limits between workers.
    ``public_url``: the address people use, when a proxy stands in front. ``play_limit``,
    ``create_limit`` and ``draw_limit`` (pictures) are requests a minute of one caller; 0 turns a
    limit off.
    ``trusted_proxies``: addresses whose X-Forwarded-* headers count.
    """

    host: str = "0.0.0.0"
    port: int = 8000
    data: str = "data"
    database_url: str = ""
    redis_url: str = ""
    public_url: str = ""
    play_limit: int = 12_000
    create_limit: int = 600
    draw_limit: int = 120
    max_body: int = 262_144
    cache_size: int = 1000
    heartbeat: float = 15.0
    trusted_proxies: str = "127.0.0.1"
    log_level: str = "info"

    @property
    def data_file(self) -> Path:
        """The SQLite file of the event store."""
        path = Path(self.data)
        if path.suffix in _FILE_SUFFIXES or path.is_file():
            return path
        return path / "caravanserai.sqlite"

    @property
    def views_file(self) -> Path:
        """The SQLite file of the read models; may be deleted at any time."""
        return self.data_file.with_name(self.data_file.stem + ".views.sqlite")


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process; `BadSetting` when a number is none."""
    environment = os.environ if environment is None else environment
    given = {}
    for field, kind in Settings.__annotations__.items():
        text = environment.get(field.upper(), "")
        if text == "":
            continue
        try:
            given[field] = kind(text)
        except ValueError:
            raise BadSetting(f"{field.upper()} must be a number, not {text!r}") from None
    return Settings(**given)
