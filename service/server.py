"""Server that runs the application under uvicorn with graceful shutdown.

After SIGTERM the health checks return 503, and requests are still served for the number of seconds
in the setting ``drain``. Then live streams are ended, no more connections are accepted, and
requests in progress are completed. A second signal, or Ctrl-C, skips the wait.
"""

import asyncio
import faulthandler
import gc
import io
import signal
import socket
import sys
from importlib import import_module
from types import FrameType

import segno
import uvicorn

from service.app import App, create_app
from service.common.lan import ANY_ADDRESS_HOSTS, lan_address
from service.http.slow_clients import timeout_protocol
from service.media.pictures.fonts import find_extra_fonts
from service.observability.logs import configure_logging
from service.observability.request_log import trust_proxies
from service.settings import InvalidSetting, Settings

SHUTDOWN_TIMEOUT_S = 10
"""Seconds within which requests in progress must finish once no more connections are accepted."""
THREAD_SWITCH_INTERVAL_S = 0.001
"""Seconds after which a busy thread yields to others; see `sys.setswitchinterval`."""


class _Server(uvicorn.Server):
    _loop: asyncio.AbstractEventLoop | None = None

    def __init__(self, config: uvicorn.Config, app: App, drain_s: float) -> None:
        super().__init__(config)
        self._app = app
        self._drain_s = drain_s

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, then tune garbage collection and thread switching.

        The garbage collector runs less often, because folded matches consist of many small objects
        without cycles, and scanning them repeatedly took a quarter of the time under load.
        """
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        # With the default interval, a bot computing in its thread would delay the event loop by
        # 5 ms each time.
        sys.setswitchinterval(THREAD_SWITCH_INTERVAL_S)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the live streams and shut down; on the first SIGTERM, drain before that.

        Live streams have to end first, because uvicorn waits for every connection to finish.
        """
        services, loop = self._app.services, self._loop
        was_draining, services.is_draining = services.is_draining, True
        if sig == signal.SIGTERM and self._drain_s > 0 and loop is not None and not was_draining:
            loop.call_soon_threadsafe(loop.call_later, self._drain_s, self.handle_exit, sig, None)
            return
        hub = getattr(services, "hub", None)
        if hub is not None:
            hub.end_streams()
        super().handle_exit(sig, frame)


def run_server(settings: Settings) -> int:
    """Serve until stopped and return the exit status: 0, or 1 if the server could not start.

    Raises `InvalidSetting` if a configured font cannot be read, a logging setting is invalid, or
    the receiver of traces is invalid or the tracing dependencies are missing.
    """
    _check_fonts(settings.fonts)
    _check_traces(settings.otel_exporter_otlp_endpoint)
    configure_logging(settings)
    # If a C library crashes the process, standard error shows the Python traceback.
    faulthandler.enable()
    lan = lan_address() if settings.host in ANY_ADDRESS_HOSTS else "localhost"
    app = create_app(settings, lan)
    config = uvicorn.Config(
        trust_proxies(app, settings.trusted_proxies),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
        timeout_keep_alive=30,
        http=timeout_protocol(
            settings.head_timeout, settings.body_timeout, settings.answer_timeout
        ),
    )
    print_addresses(settings)
    server = _Server(config, app, settings.drain)
    try:
        server.run()
    except SystemExit:
        # uvicorn could not start and has logged the reason.
        return 1
    return 0 if server.started else 1


def _check_fonts(setting: str) -> None:
    try:
        find_extra_fonts(setting or "none")
    except (OSError, ValueError) as problem:
        raise InvalidSetting(f"FONTS: {problem}") from None


def _check_traces(endpoint: str) -> None:
    if not endpoint:
        return
    if not endpoint.startswith(("http://", "https://")):
        raise InvalidSetting("OTEL_EXPORTER_OTLP_ENDPOINT must be an http:// or https:// address")
    try:
        import_module("service.observability.tracing")
    except ImportError:
        raise InvalidSetting(
            "OTEL_EXPORTER_OTLP_ENDPOINT needs the extra `tracing` (requirements-tracing.lock)"
        ) from None


def print_addresses(settings: Settings) -> None:
    """Print the service's addresses and, in a terminal, a QR code of the one for other devices.

    Also prints a warning if that address does not use TLS.
    """
    local = f"http://localhost:{settings.port}"
    lan = settings.public_url or f"http://{lan_address()}:{settings.port}"
    print(f"Caravanserai on {local}", flush=True)
    if lan != local:
        print(f"On other devices: {lan}", flush=True)
    if sys.stdout.isatty():
        code = io.StringIO()
        segno.make(lan, error="m").terminal(code, compact=True)
        print(code.getvalue(), flush=True)
    if not lan.startswith("https:"):
        print("Over plain http, phones cannot install it or get notifications.", flush=True)
