"""Redis channels between workers, which tolerate an unavailable or unresponsive Redis.

All operations time out, so requests never wait long for Redis. Changes whose message is lost are
found by polling the store (see `service.live.hub`).
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from time import monotonic
from typing import Any

from litestar.channels.backends.redis import RedisChannelsPubSubBackend
from redis.asyncio import Redis
from redis.exceptions import RedisError

log = logging.getLogger("caravanserai")

CHANNEL_PREFIX = "caravanserai:"
"""Prefix of our channel names, because other programs may use the same Redis."""
_RECONNECT_INTERVAL_S = 0.5
_PUBLISH_TIMEOUT_S = 0.5
"""Timeout of publishing a message, in seconds."""
_PUBLISH_BACKOFF_S = 2.0
"""Seconds for which nothing is published after a failure."""


def redis_client(url: str) -> "Redis":
    """Return a Redis client with timeouts and health checks."""
    return Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2, health_check_interval=5)


class ResilientRedisBackend(RedisChannelsPubSubBackend):
    """Channels backend that can start without Redis and survives outages of Redis.

    With Litestar's own backend an outage would end the background tasks.
    """

    def __init__(self, redis: "Redis") -> None:
        super().__init__(redis=redis, key_prefix=CHANNEL_PREFIX)
        self._unsubscribed: set[str] = set()
        self._publish_after = 0.0
        self._subscribe_lock = asyncio.Lock()

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        if monotonic() < self._publish_after:
            return
        try:
            async with asyncio.timeout(_PUBLISH_TIMEOUT_S):
                await super().publish(data, channels)
        except (RedisError, OSError) as error:
            self._publish_after = monotonic() + _PUBLISH_BACKOFF_S
            log.warning("redis: %s", type(error).__name__)

    async def subscribe(self, channels: Iterable[str]) -> None:
        self._unsubscribed |= set(channels)
        await self._subscribe_missing()
        self._has_subscribed.set()

    async def _subscribe_missing(self) -> None:
        async with self._subscribe_lock:
            requested = frozenset(self._unsubscribed)
            if not requested:
                return
            try:
                async with asyncio.timeout(2 * _PUBLISH_TIMEOUT_S):
                    await super().subscribe(requested)
            except (RedisError, OSError) as error:
                log.warning("redis: %s", type(error).__name__)
            else:
                self._unsubscribed -= requested

    async def unsubscribe(self, channels: Iterable[str]) -> None:
        try:
            async with asyncio.timeout(_PUBLISH_TIMEOUT_S):
                await super().unsubscribe(channels)
        except (RedisError, OSError) as error:
            log.warning("redis: %s", type(error).__name__)

    async def on_shutdown(self) -> None:
        try:
            async with asyncio.timeout(_PUBLISH_TIMEOUT_S):
                await super().on_shutdown()
        except (RedisError, OSError) as error:
            log.warning("redis: %s", type(error).__name__)

    async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
        while True:
            await self._subscribe_missing()
            if not self._unsubscribed:
                try:
                    async for event in super().stream_events():
                        yield event
                except (RedisError, OSError) as error:
                    # The next iteration connects and subscribes again.
                    log.warning("redis: %s", type(error).__name__)
            await asyncio.sleep(_RECONNECT_INTERVAL_S)
