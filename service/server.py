"""Runs the application under uvicorn so that open live streams do not hold up a shutdown."""

import gc
import io
import socket
import sys
from types import FrameType

import segno
import uvicorn

from service.app import App, create_app
from service.base.lan import EVERYWHERE, lan_address
from service.base.patience import patient
from service.media.pictures.lettering import further
from service.settings import BadSetting, Settings

SWITCH = 0.001
"""Seconds after which a thread that computes lets another one go on."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self._app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts, then lets the garbage collector rest more.

        Folded matches are many small values without cycles; looking through them again and
        again took a quarter of the time under load.
        """
        await super().startup(sockets)
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        # A bot that thinks in its thread would keep the event loop waiting for 5 ms each time.
        sys.setswitchinterval(SWITCH)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ends the live streams first: uvicorn waits for every connection to finish."""
        hub = getattr(self._app.services, "hub", None)
        if hub is not None:
            hub.stop()
        super().handle_exit(sig, frame)


def serve(settings: Settings) -> int:
    """Serves until told to stop; gives the exit status. `BadSetting` when a named font cannot be
    read."""
    _check_fonts(settings.fonts)
    lan = lan_address() if settings.host in EVERYWHERE else "localhost"
    app = create_app(settings, lan)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_level=settings.log_level,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=30,
        http=patient(settings.head_timeout, settings.body_timeout, settings.answer_timeout),
    )
    announce(settings)
    server = _Server(config, app)
    try:
        server.run()
    except SystemExit:
        # uvicorn's way to say that it could not start; it has logged why.
        return 1
    return 0 if server.started else 1


def _check_fonts(named: str) -> None:
    try:
        further(named or "none")
    except (OSError, ValueError) as problem:
        raise BadSetting(f"FONTS: {problem}") from None


def announce(settings: Settings) -> None:
    """Prints where the service is, with a QR code of the LAN address in a terminal."""
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
