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
    move in between. ``propose_limit``: undo requests and withdrawals that one player may make in
    one match in a minute. ``stranger_limit``: seats an hour of one public table for one address
    without its invitation. ``fork_limit``: forks an hour of one address; ``hold_limit``: seats an
    hour that forks from one address hold for the same other player. ``max_streams``,
    ``address_streams``: live streams open in one process, of all and of one address.
    ``max_body``: bytes of a body.

    Limits of what goes out; 0 turns one off. ``notice_connections``: at once from one process to
    push services, to chats and to webhooks, each; ``player_connections``, ``target_connections``:
    of those, for one player and to one address; ``address_tests``: test messages under way at once
    that one client address asked for. ``test_limit``, ``address_test_limit``,
    ``target_test_limit``: test messages an hour of one player, of one client address and to one
    target (host and port; of a chat, the very address). ``mail_limit``: mails an hour that ask one
    player, or at one mailbox, whether it is theirs; ``address_mail_limit``, ``all_mail_limit``:
    the same of one client address and of all. ``pause_after``: failures in a row after which a
    webhook is paused.

    ``head_timeout``: seconds for the head of a request to arrive. ``body_timeout``,
    ``answer_timeout``: seconds in which a body, or the taking of an answer, must show progress.
    ``bot_patience``: seconds that the answer to a move waits for the bots it has woken.
    ``receipt_days``: how long a request with an Idempotency-Key may be repeated.
    ``recovery_delay``, ``recovery_delay_live``: seconds between the agreement of the others to let
    somebody back in on another device and the move of the seat; the second one at live tables.
    ``cache_mb``: megabytes that matches in memory may take; one stays in any case.
    ``vacation_days``: days of each year in which a player may let all own clocks stand.
    ``trusted_proxies``: addresses whose X-Forwarded-* headers count. ``fonts``: files of fonts
    for letters on pictures that are neither Latin, Greek nor Cyrillic (see
    `service.media.pictures.lettering`); without it a known one of the machine, "none" for none.
    ``notice_delay``: seconds that a turn notice waits, for a move taken back or one played on.
    ``vapid_key``: the key that push services know this one by, 32 bytes in base64url; made and
    kept without it. ``vapid_subject``: ``mailto:`` or ``https:`` address at which they reach who
    runs this. ``smtp_url``: ``smtp://USER:PASSWORD@HOST:PORT`` (or ``smtps:``) of the server that
    takes mails, ``mail_from``: whom they are from; without both there are none. ``notice_hosts``:
    "host:port" with commas between them of push servers and webhooks that may be in a private
    network and without TLS.
    ``metrics_token``: who shows it as bearer token reads /metrics; without it nobody does.
    ``otel_exporter_otlp_endpoint``: where traces go, by OpenTelemetry's protocol over HTTP.
    ``log_format``: "text" or "json", one line an event on standard error; ``access_log``: 1 for
    a line about each request.
    ``drain``: seconds for which a worker that is told to stop goes on answering while its health
    says 503, so that a proxy that looks at it sends nothing new here when it closes.
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
    propose_limit: int = 12
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
    notice_connections: int = 256
    player_connections: int = 4
    target_connections: int = 8
    address_tests: int = 8
    test_limit: int = 30
    address_test_limit: int = 100
    target_test_limit: int = 60
    mail_limit: int = 5
    address_mail_limit: int = 20
    all_mail_limit: int = 500
    pause_after: int = 5
    receipt_days: int = 7
    vacation_days: int = 28
    recovery_delay: int = 86_400
    recovery_delay_live: int = 600
    cache_mb: int = 256
    heartbeat: float = 15.0
    trusted_proxies: str = "127.0.0.1"
    fonts: str = ""
    notice_delay: float = 10.0
    vapid_key: str = ""
    vapid_subject: str = ""
    smtp_url: str = ""
    mail_from: str = ""
    notice_hosts: str = ""
    drain: float = 0.0
    frontend: str = ""
    metrics_token: str = ""
    otel_exporter_otlp_endpoint: str = ""
    log_level: str = "info"
    log_format: str = "text"
    access_log: int = 0

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
