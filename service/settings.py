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
    ``public_url``: the address people use, when a proxy stands in front. ``allowed_hosts``:
    other names the service goes by, with commas between them (see `service.base.hosts`).

    Limits; 0 turns one off. ``play_limit``: what one player may use in a minute, in units; a call
    costs 1, dearer ones (films, pictures, imports, forks, reviews) up to 100. ``address_players``:
    how many players' worth one address may use. ``create_limit``: units a minute of one address
    for what creates something (a player, a match, a seat taken: 1; a fork 2; an import 5).
    ``draw_limit``: the same for pictures (1; a film 5). ``talk_limit``: words a minute of one
    seat. ``ask_pause``: seconds before a declined take-back may be asked for again without a
    move in between. ``stranger_limit``: seats an hour of one public table for one address
    without its invitation. ``fork_limit``: forks an hour of one address; ``hold_limit``: seats an
    hour that forks from one address hold for the same other player. ``max_streams``,
    ``address_streams``: live streams open in one process, of all and of one address.
    ``max_body``: bytes of a body.

    ``head_timeout``: seconds for the head of a request to arrive. ``body_timeout``,
    ``answer_timeout``: seconds in which a body, or the taking of an answer, must show progress.
    ``bot_patience``: seconds that the answer to a move waits for the bots it has woken.
    ``receipt_days``: how long a request with an Idempotency-Key may be repeated.
    ``trusted_proxies``: addresses whose X-Forwarded-* headers count. ``fonts``: files of fonts
    for letters on pictures that are neither Latin, Greek nor Cyrillic (see
    `service.media.pictures.lettering`); without it a known one of the machine, "none" for none.
    ``frontend``: folder of the built frontend and of the compiled words, if it is not the
    product's own.
    """

    host: str = "0.0.0.0"
    port: int = 8000
    data: str = "data"
    database_url: str = ""
    redis_url: str = ""
    public_url: str = ""
    allowed_hosts: str = ""
    play_limit: int = 12_000
    address_players: int = 5
    create_limit: int = 3_000
    draw_limit: int = 300
    talk_limit: int = 60
    ask_pause: int = 60
    stranger_limit: int = 2
    fork_limit: int = 600
    hold_limit: int = 30
    max_streams: int = 5_000
    address_streams: int = 300
    head_timeout: float = 15.0
    body_timeout: float = 20.0
    answer_timeout: float = 60.0
    bot_patience: float = 0.5
    max_body: int = 262_144
    receipt_days: int = 7
    cache_size: int = 1000
    heartbeat: float = 15.0
    trusted_proxies: str = "127.0.0.1"
    fonts: str = ""
    frontend: str = ""
    log_level: str = "info"

    @property
    def frontend_folder(self) -> Path:
        """The built frontend, with the compiled words of every language."""
        return frontend_folder({"FRONTEND": self.frontend})

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


def frontend_folder(environment: Mapping[str, str]) -> Path:
    """The built frontend: ``FRONTEND``, or the product's own."""
    own = Path(__file__).parent.parent / "frontend" / "build"
    return Path(environment.get("FRONTEND") or own)


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
