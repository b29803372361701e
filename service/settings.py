"""Settings of the service, parsed from environment variables."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

_FILE_SUFFIXES = (".sqlite", ".sqlite3", ".db")


class InvalidSetting(Exception):
    """Error about an environment variable with an invalid value; the message names the variable."""


class Settings(Struct, frozen=True):
    """Settings of one process; each field is read from the environment variable in capitals.

    Storage and addresses:
    - ``host``, ``port``: address and port to listen on.
    - ``data``: folder (or ``*.sqlite`` file) of the SQLite store.
    - ``database_url``: address ``postgresql://user:password@host:port/name?schema=public`` of a
      PostgreSQL store, which replaces SQLite if set.
    - ``redis_url``: Redis that shares live updates and rate limits between workers.
    - ``public_url``: the public address of the service, if it is behind a proxy.
    - ``allowed_hosts``: other host names of the service, comma-separated (see
      `service.http.hosts`).

    Limits on requests; 0 turns a limit off:
    - ``play_limit``: units per minute for one player; most requests cost 1, expensive ones
      (animations, pictures, imports, forks, reviews) up to 100.
    - ``address_players``: the limit for one client address, as a multiple of that for a player.
    - ``create_limit``: units per minute for one client address on requests that create something
      (a player, a match or a taken seat: 1; a fork: 2; an import: 5).
    - ``draw_limit``: units per minute for one client address on pictures (1; an animation: 5).
    - ``talk_limit``: chat messages per minute from one seat.
    - ``ask_pause``: seconds before a declined undo may be requested again without a move in
      between.
    - ``propose_limit``: undo requests and withdrawals per minute by one player in one match.
    - ``stranger_limit``: seats per hour that players at one client address may take in one public
      match without an invitation.
    - ``fork_limit``: forks per hour from one client address.
    - ``hold_limit``: seats per hour that may be reserved for the same other player from one client
      address.
    - ``max_streams``, ``address_streams``: live streams open in one process, in total and for one
      client address.
    - ``max_body``: size of a request body in bytes.

    Limits on outgoing requests; 0 turns a limit off:
    - ``notice_connections``: concurrent connections of one process to push services, to chats and
      to webhooks, each.
    - ``player_connections``, ``target_connections``: the same for one player, and to one address.
    - ``address_tests``: concurrent test messages requested by one client address.
    - ``test_limit``, ``address_test_limit``, ``target_test_limit``: test messages per hour for one
      player, from one client address and to one target (host and port; for a chat, the exact
      address).
    - ``mail_limit``: confirmation mails per hour for one player, or to one mailbox.
    - ``address_mail_limit``, ``all_mail_limit``: confirmation mails per hour from one client
      address, and in total.
    - ``pause_after``: consecutive failures after which a webhook is paused.

    Behaviour and operation:
    - ``head_timeout``: seconds within which the head of a request must arrive.
    - ``body_timeout``, ``answer_timeout``: intervals in seconds in each of which the client must
      send some of the request body, or read some of the response (see
      `service.http.slow_clients`).
    - ``bot_patience``: seconds that the response to a move waits for the bots that are next to
      move.
    - ``receipt_days``: days for which a request with an Idempotency-Key may be repeated.
    - ``recovery_delay``, ``recovery_delay_live``: seconds between the consent of the other players
      to a player's return on another device and the transfer of the seat; the second setting
      applies to live matches.
    - ``cache_mb``: size of the match cache in megabytes; the cache keeps at least one match.
    - ``vacation_days``: days per year for which a player may stop their clocks.
    - ``heartbeat``: seconds of silence after which a live stream sends a comment.
    - ``trusted_proxies``: addresses whose X-Forwarded-* headers are trusted.
    - ``fonts``: font files for the text on pictures that is neither Latin, Greek nor Cyrillic (see
      `service.media.pictures.fonts`); "" for a suitable system font, "none" for none.
    - ``notice_delay``: seconds by which a turn notification is delayed, in case the move is undone
      or followed by another one.
    - ``vapid_key``: the key that identifies this service to push services, 32 bytes in base64url;
      generated and stored if not set.
    - ``vapid_subject``: ``mailto:`` or ``https:`` address at which push services reach the
      operator.
    - ``smtp_url``: ``smtp://USER:PASSWORD@HOST:PORT`` (or ``smtps:``) of the mail server,
      ``mail_from``: the sender; without both no mail is sent.
    - ``notice_hosts``: comma-separated "host:port" of push servers and webhooks that may be in a
      private network and without TLS.
    - ``metrics_token``: bearer token for /metrics, which is disabled without it.
    - ``otel_exporter_otlp_endpoint``: URL to which traces are sent by OTLP over HTTP; "" for none.
    - ``log_level``: lowest level that is logged.
    - ``log_format``: "text" or "json", one line per event on standard error.
    - ``access_log``: 1 to log a line for each request.
    - ``drain``: seconds for which a stopping worker continues to serve requests while its health
      checks return 503, so that a proxy stops sending requests before the worker closes.
    - ``frontend``: folder of the built frontend and message catalogues, if it is not in this
      checkout.
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
        """Folder of the built frontend, with the compiled message catalogues of every language."""
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
        """The SQLite file of the read models, which can be rebuilt from the event store."""
        return self.data_file.with_name(self.data_file.stem + ".views.sqlite")


def frontend_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder of the built frontend: ``FRONTEND`` if set, or that in this checkout."""
    own = Path(__file__).parent.parent / "frontend" / "build"
    return Path(environment.get("FRONTEND") or own)


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings from environment variables, by default those of this process.

    An empty variable counts as not set. Raises `InvalidSetting` if a number is invalid.
    """
    environment = os.environ if environment is None else environment
    given = {}
    for field, kind in Settings.__annotations__.items():
        text = environment.get(field.upper(), "")
        if text == "":
            continue
        try:
            given[field] = kind(text)
        except ValueError:
            raise InvalidSetting(f"{field.upper()} must be a number, not {text!r}") from None
    return Settings(**given)
