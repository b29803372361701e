"""Read throttle: spaces read requests while moves are being saved.

Commands and reads share one event loop. A command takes about ten iterations of the loop from the
socket to its answer (`service.store.group_commit`), and each waiting read would run in each of
them, so a few clients that poll could take nearly all of the time. While moves are being saved,
reads therefore begin one at a time, `ITERATIONS_PER_READ` iterations apart. While the loop keeps
up, that is a fraction of a millisecond.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

ITERATIONS_PER_READ = 16
"""Iterations of the event loop between the beginnings of two reads while moves are being saved."""
RECENT_WRITE_S = 0.1
"""Seconds for which moves count as being saved after the latest save."""


class ReadThrottle:
    """Queue of reads; ``clock``: function that returns seconds since a fixed time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last_write_s = float("-inf")
        self._turn = asyncio.Lock()

    def note_write(self) -> None:
        """Record that a move was saved."""
        self._last_write_s = self._clock()

    async def wait_for_turn(self) -> None:
        """Wait until a read may begin, which is at once if no move was saved recently."""
        if self._clock() - self._last_write_s >= RECENT_WRITE_S:
            return
        async with self._turn:
            for _ in range(ITERATIONS_PER_READ):
                await asyncio.sleep(0)


class ReadThrottleParts(Protocol):
    """The parts of `Services` that the middleware uses."""

    read_throttle: ReadThrottle


class ReadThrottleMiddleware(ASGIMiddleware):
    """Middleware that makes read requests wait for their turn.

    Exempt are handlers with ``unlimited`` or ``streams`` in ``opt``: pages, health checks, and live
    streams.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, parts: ReadThrottleParts) -> None:
        self._parts = parts

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on GET requests when it is their turn, and other or exempt requests at once."""
        opt = scope["route_handler"].opt
        if scope.get("method") == "GET" and not opt.keys() & {"unlimited", "streams"}:
            await self._parts.read_throttle.wait_for_turn()
        await next_app(scope, receive, send)
