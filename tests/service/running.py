"""A real server on a free port, in a thread."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from service.settings import Settings
from tests.service.apps import borrow_app


@contextmanager
def server(
    settings: Settings, made: Callable[[Any], None] | None = None, port: int = 0
) -> Iterator[str]:
    """Serve while the block runs; yield the address without a trailing slash.

    ``made`` is called with the application; ``port`` 0 is any free one.
    """
    with (
        borrow_app(settings) as app,
        socket.create_server(("127.0.0.1", port)) as listening,
    ):
        if made:
            made(app)
        config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=3)
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            deadline = time.monotonic() + 20
            while not running.started:
                assert thread.is_alive(), "the server did not start"
                assert time.monotonic() < deadline, "the server did not start in time"
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            app.services.hub.end_streams()
            running.should_exit = True
            thread.join(20)
            assert not thread.is_alive(), "the server did not stop"
