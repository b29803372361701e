"""Who has which match open before them: they see for themselves what happens.

Each worker knows its own live streams; where Redis is there, all workers know of all.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from redis.asyncio import Redis
from redis.exceptions import RedisError

_PREFIX = "caravanserai:open:"
_PAUSE = 8.0
_LASTS = 20
"""Seconds for which Redis remembers what a worker said."""

log = logging.getLogger("caravanserai")


class Presence:
    """People before their matches."""

    def __init__(self, redis: "Redis | None") -> None:
        self._redis = redis
        self._open: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def at(self, player: str, match: str) -> Iterator[None]:
        """The person looks at the match while the block runs."""
        self._open[player, match] += 1
        try:
            yield
        finally:
            self._open[player, match] -= 1
            if not self._open[player, match]:
                del self._open[player, match]

    async def is_at(self, player: str, match: str) -> bool:
        """Whether the person looks at the match, in whichever worker."""
        if (player, match) in self._open:
            return True
        if self._redis is None:
            return False
        try:
            return bool(await self._redis.exists(_name(player, match)))
        except (RedisError, OSError):
            return False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Tells the other workers while the block runs."""
        task = asyncio.create_task(self._tell())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _tell(self) -> None:
        while self._redis is not None:
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    for player, match in self._open:
                        pipe.set(_name(player, match), b"1", ex=_LASTS)
                    await pipe.execute()
            except (RedisError, OSError) as error:
                log.warning("presence: %s", type(error).__name__)
            await asyncio.sleep(_PAUSE)


def _name(player: str, match: str) -> str:
    return f"{_PREFIX}{player}:{match}"
