"""Live updates: server-sent events that say only which version a match has reached.

Every worker hears of every change over one Litestar channel (in memory, or Redis when several
workers share the work) and wakes its own listeners. A frame holds nothing but the version, so
it is the same for everybody who may look at the match. Beside it, at most once in `BEAT` seconds, a
frame says who looks at the match (`service.live.looking`): seats and a number, never a name.
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

from service.live import looking
from service.live.carrier import PREFIX, SteadyRedis
from service.live.looking import Crowd, Looking
from service.seeing import meters

_CHANNEL = PREFIX + "matches"
_CROWD = PREFIX + "looking"
SLOW = 3.0
"""Seconds between two looks into the store for what no worker has told of."""
Reached = Callable[[dict[str, int]], Awaitable[dict[str, int]]]
"""Of some matches and the versions that are known of them, those that have come further."""
SeatsToFollow = Callable[[str, int, str | None, str | None], Awaitable[frozenset[int] | None]]
"""``(match, version, player, code)``: the seats that this caller holds in the match at that version
or later; None where they may not look at it."""
_RECHECK_S = 30.0
"""Seconds after which the right to follow a quiet match is checked again: blocks are not events."""
_RETRY_S = 1.0
"""Seconds before a check that failed for want of the database is tried again."""
_LOOK = 2.0
"""Seconds between two looks whether devices that listen are still signed in."""
_AGAIN = (100, 1000)
"""Milliseconds after which the listeners of a worker that stops come back, to another one."""
BEAT = 2.0
"""Seconds between two frames that say who looks at a match."""

log = logging.getLogger("caravanserai")


class _Change(msgspec.Struct, frozen=True, array_like=True):
    """``lost_by``: the player from whose device a ``seat`` has gone."""

    match: str
    version: int
    beside: bool = False
    lost_by: str = ""
    seat: int = -1


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Change).decode


@lru_cache(4096)
def frame(version: int) -> bytes:
    """What says that a match has reached a version. All who see the same are sent the same bytes:
    they are made once, for two thousand streams too."""
    return b'id: %d\r\ndata: {"version":%d}\r\n\r\n' % (version, version)


def closing_frame(reason: str) -> bytes:
    """The last frame of a stream that the service ends for good; see `Listener.end`."""
    return b"event: closed\r\ndata: %b\r\n\r\n" % _encode({"reason": reason})


@lru_cache(1024)
def looking_frame(looked: Looking | None) -> bytes:
    """What says who looks at a match."""
    return b"event: looking\r\ndata: %b\r\n\r\n" % _encode(looked)


class Listener:
    """One open stream; ``version`` is the newest it has heard of.

    ``device``: what is stored of the secret of the device that listens, None for a passer-by's.
    ``player`` listens, None for a passer-by, and holds the ``seats``; ``code`` is the invite or
    share code they came with. ``told`` is what the stream has heard last of who looks at the match;
    ``closed_for``: why the service ends the stream, empty while it does not.
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
        """Notes a new version; an older one that comes late is ignored."""
        if version > self.version:
            self.version = version
            self.changed.set()

    def look(self, looking: Looking) -> None:
        """Notes who looks at the match now."""
        self.told = looking
        self.changed.set()

    def look_beside(self) -> None:
        """Something beside the log has changed: the version is told once more."""
        self.beside = True
        self.changed.set()

    def end(self, reason: str) -> None:
        """Ends the stream: ``signed_out``, or ``no_access`` where the right to look has ended."""
        self.closed_for = reason
        self.changed.set()


class _Silence:
    """Wakes a listener who has been told nothing for so many seconds.

    Its one timer is put off only when it rings: there may be thousands, and much to tell.
    """

    def __init__(self, listener: Listener, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = listener
        self._seconds = seconds
        self.broken()
        self._timer = self._loop.call_later(seconds, self._ring)

    def broken(self) -> None:
        """Something is told now."""
        self.too_long = False
        self._since = self._loop.time()

    def _ring(self) -> None:
        left = self._since + self._seconds - self._loop.time()
        if left <= 0:
            self.too_long, left = True, self._seconds
            self._listener.changed.set()
        self._timer = self._loop.call_later(left, self._ring)

    def end(self) -> None:
        """Rings no more."""
        self._timer.cancel()


class Hub:
    """Who listens to which match in this process.

    ``signed_out`` tells which of some devices are signed out; their streams end. ``reached`` asks
    the store how far matches are, where other workers may have written: what they tell is a hint
    that may be lost. ``seats_to_follow`` checks the right to look, and which seats the listener has
    by then, before each version is sent and every `_RECHECK_S` seconds. ``dropped``: how many
    hints could not be read.
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
        """Carries changes between the workers while the block runs.

        The channels are made anew here each time: a Redis backend cannot be started twice.
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
            others = looking.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._drop()
            return
        self._crowd.hear(others, time.monotonic())

    def _drop(self) -> None:
        """Somebody else speaks on our channel, or another version of this program."""
        self.dropped += 1
        meters.dropped.inc()
        log.warning("streams: a message that cannot be read was dropped")

    async def _poll(self) -> None:
        """Finds what no worker has told of, or what was told while nobody listened."""
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
            # The database is away: look again, and let them listen until then.
            log.warning("streams: %s", type(error).__name__)
            return
        for match, version in found.items():
            self._tell(match, version)

    async def _beat(self) -> None:
        """Tells all streams who looks at their match, and the other workers who looks here."""
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
        """Tells every worker that something about a match has changed that is not in its log."""
        self._look_beside(match)
        self._pass_on(_Change(match, 0, True))

    def lose_seat(self, match: str, player: str, seat: int) -> None:
        """Note in every worker that a seat has gone from a player's device to another: its streams
        show it no more, and end where the player may not look without it."""
        self._lose_seat(match, player, seat)
        self._pass_on(_Change(match, 0, lost_by=player, seat=seat))

    def _lose_seat(self, match: str, player: str, seat: int) -> None:
        for listener in self._listeners.get(match, ()):
            if listener.who == player:
                listener.seats -= {seat}
                listener.look_beside()

    def follows(self, match: str, player: str, seat: int) -> bool:
        """Whether a player follows a match, here or, as far as it is known, in another worker:
        through this seat of theirs."""
        here = any(each.who == player for each in self._listeners.get(match, ()))
        return here or seat in self._crowd.everywhere(match).seats

    def announce(self, match: str, version: int) -> None:
        """Tells every worker that a match has reached a version; our own listeners at once."""
        self._tell(match, version)
        self._pass_on(_Change(match, version))

    def _pass_on(self, change: _Change) -> None:
        """Tells the other workers; there are none that could be told without Redis."""
        if self._redis is not None and self._channels is not None:
            self._channels.publish(_encode(change), _CHANNEL)

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
                    listener.end("signed_out")

    def stop(self) -> None:
        """Ends all streams; the server waits for them when it shuts down."""
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
        """A listener that misses nothing from now on."""
        listener = Listener(device, player, seats, code)
        self._listeners.setdefault(match, set()).add(listener)
        return listener

    def leave(self, match: str, listener: Listener) -> None:
        """Forgets a listener."""
        listeners = self._listeners.get(match, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(match, None)

    async def _check(self, match: str, listener: Listener) -> None:
        """Ends the stream of a listener who may not look at the match any more, and notes the seats
        of any other: people sit down and get up while their stream is open."""
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
                # The database is away: send nothing until the right can be checked.
                log.warning("streams: %s", type(error).__name__)
                await asyncio.sleep(_RETRY_S)

    async def frames(self, match: str, listener: Listener, seen: int) -> AsyncIterator[bytes]:
        """The stream of a listener whose client has seen version ``seen`` already."""
        looked: Looking | None = None
        silence = _Silence(listener, min(self._heartbeat, _RECHECK_S))
        loop = asyncio.get_running_loop()
        # Whoever opened the stream has just been checked at the version it begins with.
        checked, checked_at = listener.version, loop.time()
        try:
            yield b": welcome\r\nretry: 2000\r\n\r\n"
            # Another worker may have told of a move just before this one listened.
            await self._ask({match: listener.version})
            while not self._stopping:
                # Before looking: what is told while a frame is being taken wakes once more.
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
