"""Live updates: server-sent events that say only which version a match has reached.

Every worker hears of every change over one Litestar channel (in memory, or Redis when several
workers share the work) and wakes its own listeners. A frame holds nothing but the version, so
it is the same for everybody who may look at the match.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.channels.backends.redis import RedisChannelsPubSubBackend
from redis.asyncio import Redis
from redis.exceptions import RedisError

_CHANNEL = "matches"
_KEY_PREFIX = "CARAVANSERAI"
_PAUSE = 0.5
_LOOK = 2.0
"""Seconds between two looks whether devices that listen are still signed in."""

log = logging.getLogger("caravanserai")


class _Change(msgspec.Struct, frozen=True, array_like=True):
    match: str
    version: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Change).decode


class _SteadyRedis(RedisChannelsPubSubBackend):
    """Goes on when Redis was away; the library's workers would end with the first error."""

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        try:
            await super().publish(data, channels)
        except (RedisError, OSError) as error:
            log.warning("redis: %s", type(error).__name__)

    async def stream_events(self) -> AsyncGenerator[tuple[str, Any], None]:
        while True:
            try:
                async for event in super().stream_events():
                    yield event
            except (RedisError, OSError) as error:
                # The next read connects and subscribes again.
                log.warning("redis: %s", type(error).__name__)
                await asyncio.sleep(_PAUSE)


class Listener:
    """One open stream; ``version`` is the newest it has heard of.

    ``device``: what is stored of the secret of the device that listens, None for a passer-by's.
    """

    __slots__ = ("changed", "device", "ended", "version")

    def __init__(self, device: str | None = None) -> None:
        self.version = 0
        self.device = device
        self.ended = False
        self.changed = asyncio.Event()

    def hear(self, version: int) -> None:
        """Notes a new version; an older one that comes late is ignored."""
        if version > self.version:
            self.version = version
            self.changed.set()

    def end(self) -> None:
        """Ends the stream."""
        self.ended = True
        self.changed.set()


class Hub:
    """Who listens to which match in this process.

    ``signed_out`` tells which of some devices are signed out; their streams end.
    """

    def __init__(
        self,
        redis: "Redis | None",
        heartbeat: float,
        signed_out: Callable[[set[str]], Awaitable[set[str]]] | None = None,
    ) -> None:
        self._signed_out = signed_out
        self._redis = redis
        self._heartbeat = heartbeat
        self._listeners: dict[str, set[Listener]] = {}
        self._channels: ChannelsPlugin | None = None
        self._stopping = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carries changes between the workers while the block runs.

        The channels are made anew here each time: a Redis backend cannot be started twice.
        """
        backend: ChannelsBackend = (
            _SteadyRedis(redis=self._redis, key_prefix=_KEY_PREFIX)
            if self._redis
            else MemoryChannelsBackend()
        )
        self._stopping = False
        try:
            async with ChannelsPlugin(backend, channels=[_CHANNEL]) as self._channels:
                subscriber = await self._channels.subscribe(_CHANNEL)
                async with subscriber.run_in_background(self._heard, join=False):
                    looking = asyncio.create_task(self._look())
                    try:
                        yield
                    finally:
                        looking.cancel()
                await self._channels.unsubscribe(subscriber)
        finally:
            self.stop()
            self._channels = None

    async def _heard(self, data: bytes) -> None:
        change = _decode(data)
        self._tell(change.match, change.version)

    def _tell(self, match: str, version: int) -> None:
        for listener in self._listeners.get(match, ()):
            listener.hear(version)

    def announce(self, match: str, version: int) -> None:
        """Tells every worker that a match has reached a version; our own listeners at once."""
        self._tell(match, version)
        if self._channels is not None:
            self._channels.publish(_encode(_Change(match, version)), _CHANNEL)

    async def _look(self) -> None:
        """Ends the streams of devices that were signed out, in whichever worker it was."""
        while self._signed_out is not None:
            await asyncio.sleep(_LOOK)
            listeners = [each for some in self._listeners.values() for each in some]
            devices = {each.device for each in listeners if each.device is not None}
            if not devices:
                continue
            try:
                ended = await self._signed_out(devices)
            except Exception as error:
                # The database is away: look again, and let them listen until then.
                log.warning("streams: %s", type(error).__name__)
                continue
            for listener in listeners:
                if listener.device in ended:
                    listener.end()

    def stop(self) -> None:
        """Ends all streams; the server waits for them when it shuts down."""
        self._stopping = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.changed.set()

    def listen(self, match: str, device: str | None = None) -> Listener:
        """A listener that misses nothing from now on."""
        listener = Listener(device)
        self._listeners.setdefault(match, set()).add(listener)
        return listener

    def leave(self, match: str, listener: Listener) -> None:
        """Forgets a listener."""
        listeners = self._listeners.get(match, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(match, None)

    async def frames(self, match: str, listener: Listener, seen: int) -> AsyncIterator[bytes]:
        """The stream of a listener whose client has seen version ``seen`` already."""
        try:
            yield b": welcome\r\nretry: 2000\r\n\r\n"
            while not (self._stopping or listener.ended):
                if listener.version > seen:
                    seen = listener.version
                    yield b'id: %d\r\ndata: {"version":%d}\r\n\r\n' % (seen, seen)
                listener.changed.clear()
                try:
                    async with asyncio.timeout(self._heartbeat):
                        await listener.changed.wait()
                except TimeoutError:
                    yield b": still here\r\n\r\n"
        finally:
            self.leave(match, listener)
