"""How often a caller may ask.

Counts requests in windows of a minute: in memory, or in Redis when several workers share the
work. Litestar's own middleware reads, adds and writes back in separate steps, so that workers
lose counts to each other, and under load it took a quarter of the time of a request; counting
here is one step.
"""

import asyncio
from time import time as seconds
from typing import Any, Protocol

from litestar import Request
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from redis.asyncio import Redis
from redis.exceptions import RedisError

from service.callers import token_of
from service.problems import Fault

WINDOW = 60
_KEY_PREFIX = "caravanserai:limit:"
_MOST_CALLERS = 50_000
_PATIENCE = 0.25
"""Seconds a request waits for Redis at most."""


class Counter(Protocol):
    """Counts up and gives the number in the present window."""

    async def count(self, key: str, window: int) -> int:
        """How often the key was counted in the window, this time included."""


class MemoryCounter:
    """Counts in this process."""

    def __init__(self) -> None:
        self._window = 0
        self._counts: dict[str, int] = {}

    async def count(self, key: str, window: int) -> int:
        if window != self._window or len(self._counts) > _MOST_CALLERS:
            self._window = window
            self._counts = {}
        number = self._counts[key] = self._counts.get(key, 0) + 1
        return number


class RedisCounter:
    """Counts for all workers. Without Redis nobody is turned away."""

    def __init__(self, redis: "Redis") -> None:
        self._redis = redis

    async def count(self, key: str, window: int) -> int:
        name = f"{_KEY_PREFIX}{key}:{window}"
        try:
            async with asyncio.timeout(_PATIENCE), self._redis.pipeline(transaction=False) as pipe:
                pipe.incr(name)
                pipe.expire(name, 2 * WINDOW)
                number, _ = await pipe.execute()
        except (RedisError, OSError, TimeoutError):
            return 0
        return int(number)


class Limit(ASGIMiddleware):
    """Turns callers away who ask more often than the settings allow.

    All calls of one player (or address, while the player is unknown) count together; what
    creates players and matches counts apart, by address: a new player costs nothing. Pictures
    take long to draw and count apart too.
    """

    scopes = (ScopeType.HTTP,)
    exclude_opt_key = "unlimited"

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Counts, then passes on or raises `Fault` 429."""
        state = scope["litestar_app"].state
        request: Request[Any, Any, Any] = Request(scope)
        now = seconds()
        window = int(now) // WINDOW
        settings = state.settings
        wait = WINDOW - int(now) % WINDOW
        if settings.play_limit:
            number = await state.counter.count(_caller(request), window)
            _refuse(number > settings.play_limit, wait)
        if settings.create_limit and "creates" in scope["route_handler"].opt:
            number = await state.counter.count(f"new:{_address(request)}", window)
            _refuse(number > settings.create_limit, wait)
        if settings.draw_limit and "draws" in scope["route_handler"].opt:
            number = await state.counter.count(f"draw:{_caller(request)}", window)
            _refuse(number > settings.draw_limit, wait)
        await next_app(scope, receive, send)


def _refuse(too_many: bool, wait: int) -> None:
    if too_many:
        headers = {"Retry-After": str(wait)}
        raise Fault(429, "too_many_requests", "Too many requests; wait a little.", headers)


def _address(request: Request[Any, Any, Any]) -> str:
    """Where the request comes from; the server has looked behind trusted proxies already."""
    return request.client.host if request.client else "unknown"


def _caller(request: Request[Any, Any, Any]) -> str:
    token = token_of(request)
    player = request.app.state.players.known(token) if token else None
    return player.id if player else _address(request)
