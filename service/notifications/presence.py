"""Presence: which players are using which match and therefore need no notifications about it.

A player is present while they have a live stream of the match open and their page has reported
input (touch, keyboard or wheel) within `ACTIVE_MS`. An open tab alone is not enough. Each worker
tracks its own streams and input reports; with Redis, workers share them.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager

from redis.asyncio import Redis
from redis.exceptions import RedisError

from service.common.background import background_task
from service.common.clock import now_ms

_OPEN_PREFIX = "caravanserai:open:"
_INPUT_PREFIX = "caravanserai:input:"
_SHARE_INTERVAL_S = 8.0
_OPEN_EXPIRY_S = 20
"""Expiry in seconds of the Redis entry for an open stream, which is renewed while it is open."""
ACTIVE_MS = 180_000
"""Milliseconds for which reported input counts. Pages report input at most once a minute."""

log = logging.getLogger("caravanserai")

_Key = tuple[str, str]
"""The ids of a player and a match."""


class Presence:
    """The players who are using their matches.

    ``redis``: the connection for sharing this between workers, None with a single worker.
    """

    def __init__(self, redis: "Redis | None") -> None:
        self._redis = redis
        self._open: Counter[_Key] = Counter()
        self._input: dict[_Key, int] = {}

    @contextmanager
    def track_stream(self, player: str, match: str) -> Iterator[None]:
        """Count a live stream of a player's visible match page as open while the block runs."""
        self._open[player, match] += 1
        try:
            yield
        finally:
            self._open[player, match] -= 1
            if not self._open[player, match]:
                del self._open[player, match]

    async def note_input(self, player: str, match: str) -> None:
        """Record that the player has just used the page of the match."""
        now = now_ms()
        self._input[player, match] = now
        if self._redis is None:
            return
        try:
            await self._redis.set(_redis_key(_INPUT_PREFIX, (player, match)), now, px=ACTIVE_MS)
        except (RedisError, OSError) as error:
            log.warning("presence: %s", type(error).__name__)

    async def is_present(self, player: str, match: str) -> bool:
        """Return whether the player is using the match now, whichever worker serves them.

        Without Redis, or while it fails, only this worker's streams are considered.
        """
        key = player, match
        is_open = key in self._open
        input_at = self._input.get(key, 0)
        if self._redis is not None and not (is_open and _is_recent(input_at)):
            try:
                names = [_redis_key(_OPEN_PREFIX, key), _redis_key(_INPUT_PREFIX, key)]
                opened, reported = await self._redis.mget(names)
            except (RedisError, OSError):
                opened = reported = None
            is_open = is_open or opened is not None
            input_at = max(input_at, int(reported or 0))
        return is_open and _is_recent(input_at)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Regularly share open streams and forget old input while the block runs."""
        return background_task(self._run())

    async def _run(self) -> None:
        while True:
            self._input = {key: at for key, at in self._input.items() if _is_recent(at)}
            await self._share_open_streams()
            await asyncio.sleep(_SHARE_INTERVAL_S)

    async def _share_open_streams(self) -> None:
        if self._redis is None:
            return
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                for key in self._open:
                    pipe.set(_redis_key(_OPEN_PREFIX, key), b"1", ex=_OPEN_EXPIRY_S)
                await pipe.execute()
        except (RedisError, OSError) as error:
            log.warning("presence: %s", type(error).__name__)


def _is_recent(input_at: int) -> bool:
    return now_ms() - input_at < ACTIVE_MS


def _redis_key(prefix: str, key: _Key) -> str:
    return prefix + ":".join(key)
