"""Live updates: server-sent events that carry only the version a match has reached.

Every worker receives every change over one Litestar channel (in memory, or Redis where there are
several workers) and wakes its own listeners. A version frame has no other content, so it is the
same for everyone who may see the match. A second kind of frame, sent at most every `BEAT` seconds,
has the watchers of the match (`service.live.watchers`): seats and a count, never a name.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from contextlib import asynccontextmanager
from functools import lru_cache

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from redis.asyncio import Redis

from service.live import watchers
from service.live.redis_channels import PREFIX, SteadyRedis
from service.live.watchers import Crowd, Looking
from service.observability import metrics

_CHANNEL = PREFIX + "matches"
_CROWD = PREFIX + "looking"
SLOW = 3.0
"""Seconds between two polls of the store for changes of which no message arrived."""
Reached = Callable[[dict[str, int]], Awaitable[dict[str, int]]]
"""Takes known versions by match id; returns the matches that have a higher version."""
SeatsToFollow = Callable[[str, int, str | None, str | None], Awaitable[frozenset[int] | None]]
"""Takes ``(match, version, player, code)``; returns the seats that this caller holds in the match
at that version or later, or None where they may not see it."""
_RECHECK_S = 30.0
"""Seconds between access checks of a match without events: a block is not an event."""
_RETRY_S = 1.0
"""Seconds before an access check is retried that failed because the database is unavailable."""
_LOOK = 2.0
"""Seconds between two checks whether listening devices are still signed in."""
_AGAIN = (100, 1000)
"""Milliseconds after which clients of a stopping worker reconnect, to another worker."""
BEAT = 2.0
"""Seconds between two frames with the watchers of a match."""

log = logging.getLogger("caravanserai")


class _Change(msgspec.Struct, frozen=True, array_like=True):
    """A change of a match, as workers publish it.

    ``beside``: something outside the log changed. ``lost_by``: the player whose ``seat`` has moved
    to another device; empty and -1 for any other change.
    """

    match: str
    version: int
    beside: bool = False
    lost_by: str = ""
    seat: int = -1


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Change).decode


@lru_cache(4096)
def frame(version: int) -> bytes:
    """Return the frame that announces a version of a match.

    Cached, because up to 2000 streams are sent the same bytes.
    """
    return b'id: %d\r\ndata: {"version":%d}\r\n\r\n' % (version, version)


def closing_frame(reason: str) -> bytes:
    """Return the last frame of a stream that the service ends for good; see `Listener.end`."""
    return b"event: closed\r\ndata: %b\r\n\r\n" % _encode({"reason": reason})


@lru_cache(1024)
def looking_frame(looked: Looking | None) -> bytes:
    """Return the frame with the watchers of a match."""
    return b"event: looking\r\ndata: %b\r\n\r\n" % _encode(looked)


class Listener:
    """One open stream; ``version`` is the latest version it was notified of.

    ``device``: digest of the secret of the listening device; ``player``: its player, who holds the
    ``seats``. Both are None for a visitor who is not signed in. ``code``: the invite or share code
    of the request. ``who``: the player, or an id of this stream without one. ``told``: the latest
    watchers; ``beside``: something outside the log changed; ``closed_for``: why the service ends
    the stream, empty while it goes on. ``changed`` is set whenever there is something to send.
    """

    __slots__ = (
        "beside",
        "changed",
        "closed_for",
        "code",
        "device",
        "player",
        "seats",
        "told",
        "version",
        "who",
    )

    def __init__(
        self,
        device: str | None = None,
        player: str | None = None,
        seats: Iterable[int] = (),
        code: str | None = None,
    ) -> None:
        self.version = 0
        self.player = player
        self.code = code
        self.who: Hashable = player or id(self)
        self.seats = frozenset(seats)
        self.told: Looking | None = None
        self.device = device
        self.closed_for = ""
        self.beside = False
        self.changed = asyncio.Event()

    def hear(self, version: int) -> None:
        """Set the latest version and wake the stream; ignore an older version that arrives late."""
        if version > self.version:
            self.version = version
            self.changed.set()

    def look(self, seen: Looking) -> None:
        """Set the watchers of the match and wake the stream."""
        self.told = seen
        self.changed.set()

    def look_beside(self) -> None:
        """Send the version again, because something outside the log has changed."""
        self.beside = True
        self.changed.set()

    def end(self, reason: str) -> None:
        """End the stream: ``signed_out``, or ``no_access`` where the caller has lost access."""
        self.closed_for = reason
        self.changed.set()


class _Silence:
    """Heartbeat timer that wakes a listener to whom nothing was sent for some seconds.

    Sending a frame only notes the time; the timer is rescheduled when it fires. There may be
    thousands of streams with many frames, so a timer per frame would be expensive.
    """

    def __init__(self, listener: Listener, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = listener
        self._seconds = seconds
        self.broken()
        self._timer = self._loop.call_later(seconds, self._ring)

    def broken(self) -> None:
        """Note that a frame is being sent."""
        self.too_long = False
        self._since = self._loop.time()

    def _ring(self) -> None:
        left = self._since + self._seconds - self._loop.time()
        if left <= 0:
            self.too_long, left = True, self._seconds
            self._listener.changed.set()
        self._timer = self._loop.call_later(left, self._ring)

    def end(self) -> None:
        """Cancel the timer."""
        self._timer.cancel()


class Hub:
    """The listeners of this process, by match.

    ``heartbeat``: seconds without a frame after which a comment is sent. ``signed_out`` returns
    which of some devices are signed out; their streams end. ``reached`` asks the store for the
    versions of matches; None where no other worker writes. It is needed because messages between
    workers may be lost. ``seats_to_follow`` checks access, and which seats the listener holds by
    then, before each version is sent and every `_RECHECK_S` seconds. ``dropped``: number of
    messages that could not be decoded.
    """

    def __init__(
        self,
        redis: "Redis | None",
        heartbeat: float,
        signed_out: Callable[[set[str]], Awaitable[set[str]]] | None = None,
        reached: Reached | None = None,
        seats_to_follow: SeatsToFollow | None = None,
    ) -> None:
        self._signed_out = signed_out
        self._seats_to_follow = seats_to_follow
        self._reached = reached
        self.dropped = 0
        self._redis = redis
        self._heartbeat = heartbeat
        self._listeners: dict[str, set[Listener]] = {}
        self._channels: ChannelsPlugin | None = None
        self._stopping = False
        self._crowd = Crowd()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Exchange changes with the other workers while the block runs.

        The channels are created here each time, because a Redis backend cannot be started twice.
        """
        backend: ChannelsBackend = (
            SteadyRedis(self._redis) if self._redis else MemoryChannelsBackend()
        )
        self._stopping = False
        try:
            async with ChannelsPlugin(backend, channels=[_CHANNEL, _CROWD]) as self._channels:
                subscriber = await self._channels.subscribe(_CHANNEL)
                crowd = await self._channels.subscribe(_CROWD)
                async with (
                    subscriber.run_in_background(self._heard, join=False),
                    crowd.run_in_background(self._heard_of_others, join=False),
                ):
                    tasks = [
                        asyncio.create_task(each()) for each in (self._look, self._beat, self._poll)
                    ]
                    try:
                        yield
                    finally:
                        for task in tasks:
                            task.cancel()
                await self._channels.unsubscribe(subscriber)
                await self._channels.unsubscribe(crowd)
        finally:
            self.stop()
            self._channels = None

    async def _heard(self, data: bytes) -> None:
        try:
            change = _decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._drop()
            return
        if change.lost_by:
            self._lose_seat(change.match, change.lost_by, change.seat)
        elif change.beside:
            self._look_beside(change.match)
        else:
            self._tell(change.match, change.version)

    async def _heard_of_others(self, data: bytes) -> None:
        try:
            others = watchers.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._drop()
            return
        self._crowd.hear(others, time.monotonic())

    def _drop(self) -> None:
        """Count and log a message that cannot be decoded.

        It comes from another program on the same channel, or from another version of this one.
        """
        self.dropped += 1
        metrics.dropped.inc()
        log.warning("streams: a message that cannot be read was dropped")

    async def _poll(self) -> None:
        """Poll the store for changes whose message was lost or came before a listener did."""
        while self._reached is not None:
            await asyncio.sleep(SLOW)
            known = {
                match: min(each.version for each in listeners)
                for match, listeners in self._listeners.items()
                if listeners
            }
            await self._ask(known)

    async def _ask(self, known: dict[str, int]) -> None:
        if not known or self._reached is None:
            return
        try:
            found = await self._reached(known)
        except Exception as error:
            # The database is unavailable: keep the streams open and try again later.
            log.warning("streams: %s", type(error).__name__)
            return
        for match, version in found.items():
            self._tell(match, version)

    async def _beat(self) -> None:
        """Send watchers to all streams, and the watchers of this worker to the other workers."""
        while True:
            await asyncio.sleep(BEAT)
            news = self._crowd.beat(self._listeners, time.monotonic())
            if news is not None and self._redis is not None and self._channels is not None:
                self._channels.publish(news, _CROWD)

    def _tell(self, match: str, version: int) -> None:
        for listener in self._listeners.get(match, ()):
            listener.hear(version)

    def _look_beside(self, match: str) -> None:
        for listener in self._listeners.get(match, ()):
            listener.look_beside()

    def beside(self, match: str) -> None:
        """Tell all workers that something about a match has changed outside its log."""
        self._look_beside(match)
        self._pass_on(_Change(match, 0, True))

    def lose_seat(self, match: str, player: str, seat: int) -> None:
        """Tell all workers that a seat has moved from a player to another device.

        The player's streams lose the seat, and end where they may not see the match without it.
        """
        self._lose_seat(match, player, seat)
        self._pass_on(_Change(match, 0, lost_by=player, seat=seat))

    def _lose_seat(self, match: str, player: str, seat: int) -> None:
        for listener in self._listeners.get(match, ()):
            if listener.who == player:
                listener.seats -= {seat}
                listener.look_beside()

    def follows(self, match: str, player: str, seat: int) -> bool:
        """Whether a player has a stream of a match open.

        Of other workers only the seats are known, so there this seat of theirs is looked up.
        """
        here = any(each.who == player for each in self._listeners.get(match, ()))
        return here or seat in self._crowd.everywhere(match).seats

    def announce(self, match: str, version: int) -> None:
        """Tell all workers that a match has reached a version; own listeners are woken at once."""
        self._tell(match, version)
        self._pass_on(_Change(match, version))

    def _pass_on(self, change: _Change) -> None:
        """Publish a change to the other workers; does nothing without Redis."""
        if self._redis is not None and self._channels is not None:
            self._channels.publish(_encode(change), _CHANNEL)

    async def _look(self) -> None:
        """End the streams of devices that were signed out, whichever worker handled that."""
        while self._signed_out is not None:
            await asyncio.sleep(_LOOK)
            listeners = [each for some in self._listeners.values() for each in some]
            devices = {each.device for each in listeners if each.device is not None}
            if not devices:
                continue
            try:
                ended = await self._signed_out(devices)
            except Exception as error:
                # The database is unavailable: keep the streams open and try again later.
                log.warning("streams: %s", type(error).__name__)
                continue
            for listener in listeners:
                if listener.device in ended:
                    listener.end("signed_out")

    def stop(self) -> None:
        """End all streams; the server waits for them when it shuts down."""
        self._stopping = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.changed.set()

    def listen(
        self,
        match: str,
        device: str | None = None,
        player: str | None = None,
        seats: Iterable[int] = (),
        code: str | None = None,
    ) -> Listener:
        """Add a listener to a match and return it; it misses no change from now on."""
        listener = Listener(device, player, seats, code)
        self._listeners.setdefault(match, set()).add(listener)
        return listener

    def leave(self, match: str, listener: Listener) -> None:
        """Remove a listener."""
        listeners = self._listeners.get(match, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(match, None)

    async def _check(self, match: str, listener: Listener) -> None:
        """End the stream of a listener who has lost access, or update the listener's seats.

        Seats change because people join and leave while their stream is open.
        """
        while self._seats_to_follow is not None:
            caller = (listener.player, listener.code)
            try:
                seats = await self._seats_to_follow(match, listener.version, *caller)
                if seats is None:
                    listener.end("no_access")
                else:
                    listener.seats = seats
                return
            except Exception as error:
                # The database is unavailable: send nothing until access can be checked.
                log.warning("streams: %s", type(error).__name__)
                await asyncio.sleep(_RETRY_S)

    async def frames(self, match: str, listener: Listener, seen: int) -> AsyncIterator[bytes]:
        """Yield the frames for a listener whose client has version ``seen`` already."""
        looked: Looking | None = None
        silence = _Silence(listener, min(self._heartbeat, _RECHECK_S))
        loop = asyncio.get_running_loop()
        # The request that opened the stream was checked at the version it begins with.
        checked, checked_at = listener.version, loop.time()
        try:
            yield b": welcome\r\nretry: 2000\r\n\r\n"
            # Another worker may have announced a move just before this listener was added.
            await self._ask({match: listener.version})
            while not self._stopping:
                # Clear first: a change that arrives while a frame is sent wakes the loop again.
                listener.changed.clear()
                is_due = loop.time() - checked_at >= _RECHECK_S
                if is_due or listener.beside or listener.version > checked:
                    checked, checked_at = listener.version, loop.time()
                    await self._check(match, listener)
                if listener.closed_for:
                    yield closing_frame(listener.closed_for)
                    return
                if listener.version > seen or listener.beside:
                    seen, listener.beside = max(seen, listener.version), False
                    silence.broken()
                    yield frame(seen)
                if listener.told != looked:
                    looked = listener.told
                    silence.broken()
                    yield looking_frame(looked)
                if silence.too_long:
                    silence.broken()
                    yield b": still here\r\n\r\n"
                await listener.changed.wait()
        finally:
            silence.end()
            self.leave(match, listener)
