"""Live updates by server-sent events: the version that a match has reached, and its watchers.

Every worker receives every change over one Litestar channel (through Redis if there are several
workers, otherwise in memory) and wakes its own listeners. A version frame has no other content, so
it is the same for everyone who may see the match. A second type of frame, sent at most every
`WATCHERS_INTERVAL_S` seconds, has the watchers of the match (`service.live.watchers`): seats and a
count, never a name.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.base import ChannelsBackend
from litestar.channels.backends.memory import MemoryChannelsBackend
from redis.asyncio import Redis

from service.live import watchers
from service.live.redis_channels import CHANNEL_PREFIX, ResilientRedisBackend
from service.live.watchers import WatcherRegistry, Watchers
from service.observability import metrics

_CHANGES_CHANNEL = CHANNEL_PREFIX + "matches"
_WATCHERS_CHANNEL = CHANNEL_PREFIX + "looking"
POLL_INTERVAL_S = 3.0
"""Seconds between two polls of the store for changes whose message was lost."""
FindNewerVersions = Callable[[dict[str, int]], Awaitable[dict[str, int]]]
"""Function that takes known versions by match id and returns the current versions of those matches
that have a higher one."""
FindAccessibleSeats = Callable[[str, int, str | None, str | None], Awaitable[frozenset[int] | None]]
"""Function that takes ``(match, version, player, code)`` and returns the seats that the player
holds in the match at that version or later, or None if the caller may not see the match."""
_ACCESS_CHECK_INTERVAL_S = 30.0
"""Seconds between access checks in a match without events, because blocking a player is no event of
the match."""
_ACCESS_RETRY_DELAY_S = 1.0
"""Seconds before retrying an access check that failed because the database is unavailable."""
_SIGN_OUT_CHECK_INTERVAL_S = 2.0
"""Seconds between two checks of whether listening devices are still signed in."""
WATCHERS_INTERVAL_S = 2.0
"""Minimum seconds between two frames with the watchers of a match."""

log = logging.getLogger("caravanserai")


class _Change(msgspec.Struct, frozen=True, array_like=True):
    """A change of a match, as published between workers.

    ``version``: the new version, 0 if the change is not in the log. ``is_touch``: whether something
    outside the log changed. ``lost_by``: the player whose ``seat`` has moved to another device; for
    any other change ``lost_by`` is empty and ``seat`` is -1.
    """

    match: str
    version: int
    is_touch: bool = False
    lost_by: str = ""
    seat: int = -1


_encode_json = msgspec.json.Encoder().encode
_decode_change = msgspec.json.Decoder(_Change).decode


@lru_cache(4096)
def version_frame(version: int) -> bytes:
    """Return the frame that announces a version of a match.

    Cached, because many streams get the same bytes.
    """
    return b'id: %d\r\ndata: {"version":%d}\r\n\r\n' % (version, version)


def closing_frame(reason: str) -> bytes:
    """Return the last frame of a stream that the service ends permanently.

    ``reason``: see `Listener.end`.
    """
    return b"event: closed\r\ndata: %b\r\n\r\n" % _encode_json({"reason": reason})


@lru_cache(1024)
def watchers_frame(watchers: Watchers | None) -> bytes:
    """Return the frame with the watchers of a match."""
    return b"event: looking\r\ndata: %b\r\n\r\n" % _encode_json(watchers)


@dataclass(slots=True, eq=False)
class Listener:
    """One open stream.

    ``version``: the latest version it was notified of. ``device_hash``: hash of the secret of the
    listening device; ``player``: its player, who holds the ``seats``. Both are None for a visitor
    who is not signed in. ``code``: the invite or share code of the request. ``watcher_id``: the
    player, or an id of this stream if there is none. ``last_sent``: the latest watchers passed to
    the stream; ``touched``: whether something outside the log changed; ``close_reason``: why the
    service ends the stream, empty while it is open. ``changed`` is set whenever there is something
    to send.
    """

    device_hash: str | None = None
    player: str | None = None
    seats: frozenset[int] = frozenset()
    code: str | None = None
    version: int = field(default=0, init=False)
    watcher_id: Hashable = field(init=False)
    last_sent: Watchers | None = field(default=None, init=False)
    close_reason: str = field(default="", init=False)
    touched: bool = field(default=False, init=False)
    changed: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    def __post_init__(self) -> None:
        self.watcher_id = self.player or id(self)

    def on_version(self, version: int) -> None:
        """Set the latest version and wake the stream; ignore a version that is not newer."""
        if version > self.version:
            self.version = version
            self.changed.set()

    def on_watchers(self, watchers: Watchers) -> None:
        """Set the watchers of the match and wake the stream."""
        self.last_sent = watchers
        self.changed.set()

    def touch(self) -> None:
        """Wake the stream to send the version again, because something outside the log changed."""
        self.touched = True
        self.changed.set()

    def end(self, reason: str) -> None:
        """End the stream.

        ``reason``: ``signed_out``, or ``no_access`` if the caller has lost access to the match.
        """
        self.close_reason = reason
        self.changed.set()


class _IdleTimer:
    """Heartbeat timer that wakes a listener after ``timeout_s`` seconds without a frame.

    Sending a frame only records the time; the timer is rescheduled when it fires. There may be
    thousands of streams with many frames, so a timer per frame would be expensive.
    """

    def __init__(self, listener: Listener, timeout_s: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._listener = listener
        self._timeout_s = timeout_s
        self.reset()
        self._timer = self._loop.call_later(timeout_s, self._on_timer)

    def reset(self) -> None:
        """Restart the idle time, because a frame is being sent."""
        self.is_expired = False
        self._last_sent_s = self._loop.time()

    def _on_timer(self) -> None:
        left = self._last_sent_s + self._timeout_s - self._loop.time()
        if left <= 0:
            self.is_expired, left = True, self._timeout_s
            self._listener.changed.set()
        self._timer = self._loop.call_later(left, self._on_timer)

    def cancel(self) -> None:
        """Cancel the timer."""
        self._timer.cancel()


@dataclass(eq=False)
class Hub:
    """The listeners of this process, by match.

    ``heartbeat_s``: seconds without a frame after which a comment is sent. ``find_signed_out``
    returns those of the given devices that have been signed out, whose streams are then ended.
    ``find_newer_versions`` reads versions of matches from the store, because messages between
    workers may be lost; None if no other worker writes. ``find_accessible_seats`` checks the
    listener's access and current seats before each version is sent and every
    `_ACCESS_CHECK_INTERVAL_S` seconds. ``dropped_messages``: number of messages that could not be
    decoded.
    """

    redis: "Redis | None"
    heartbeat_s: float
    find_signed_out: Callable[[set[str]], Awaitable[set[str]]] | None = None
    find_newer_versions: FindNewerVersions | None = None
    find_accessible_seats: FindAccessibleSeats | None = None
    dropped_messages: int = field(default=0, init=False)
    _listeners: dict[str, set[Listener]] = field(default_factory=dict, init=False)
    _channels: ChannelsPlugin | None = field(default=None, init=False)
    _stopping: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._watchers = WatcherRegistry()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Exchange changes with the other workers while the block runs.

        The channels are created here each time, because a Redis backend cannot be started twice.
        """
        backend: ChannelsBackend = (
            ResilientRedisBackend(self.redis) if self.redis else MemoryChannelsBackend()
        )
        self._stopping = False
        try:
            async with ChannelsPlugin(
                backend, channels=[_CHANGES_CHANNEL, _WATCHERS_CHANNEL]
            ) as self._channels:
                subscriber = await self._channels.subscribe(_CHANGES_CHANNEL)
                watchers_subscriber = await self._channels.subscribe(_WATCHERS_CHANNEL)
                async with (
                    subscriber.run_in_background(self._on_change, join=False),
                    watchers_subscriber.run_in_background(self._on_remote_watchers, join=False),
                ):
                    tasks = [
                        asyncio.create_task(each())
                        for each in (
                            self._end_signed_out,
                            self._broadcast_watchers,
                            self._poll_store,
                        )
                    ]
                    try:
                        yield
                    finally:
                        for task in tasks:
                            task.cancel()
                await self._channels.unsubscribe(subscriber)
                await self._channels.unsubscribe(watchers_subscriber)
        finally:
            self.end_streams()
            self._channels = None

    async def _on_change(self, data: bytes) -> None:
        try:
            change = _decode_change(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._count_dropped_message()
            return
        if change.lost_by:
            self._remove_seat(change.match, change.lost_by, change.seat)
        elif change.is_touch:
            self._touch_listeners(change.match)
        else:
            self._notify_version(change.match, change.version)

    async def _on_remote_watchers(self, data: bytes) -> None:
        try:
            others = watchers.decode_update(data)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            self._count_dropped_message()
            return
        self._watchers.apply_update(others, time.monotonic())

    def _count_dropped_message(self) -> None:
        """Count and log a message that cannot be decoded.

        Such a message comes from another program on the channel or another release of this one.
        """
        self.dropped_messages += 1
        metrics.dropped_messages.inc()
        log.warning("streams: dropped a message that cannot be decoded")

    async def _poll_store(self) -> None:
        """Poll the store for changes whose message was lost or sent before a listener was added."""
        while self.find_newer_versions is not None:
            await asyncio.sleep(POLL_INTERVAL_S)
            known = {
                match: min(each.version for each in listeners)
                for match, listeners in self._listeners.items()
                if listeners
            }
            await self._announce_newer_versions(known)

    async def _announce_newer_versions(self, known_versions: dict[str, int]) -> None:
        if not known_versions or self.find_newer_versions is None:
            return
        try:
            found = await self.find_newer_versions(known_versions)
        except Exception as error:
            # The database is unavailable: keep the streams open and try again later.
            log.warning("streams: %s", type(error).__name__)
            return
        for match, version in found.items():
            self._notify_version(match, version)

    async def _broadcast_watchers(self) -> None:
        """Send changed watchers to the streams, and this worker's watchers to other workers."""
        while True:
            await asyncio.sleep(WATCHERS_INTERVAL_S)
            news = self._watchers.broadcast(self._listeners, time.monotonic())
            if news is not None and self.redis is not None and self._channels is not None:
                self._channels.publish(news, _WATCHERS_CHANNEL)

    def _notify_version(self, match: str, version: int) -> None:
        for listener in self._listeners.get(match, ()):
            listener.on_version(version)

    def _touch_listeners(self, match: str) -> None:
        for listener in self._listeners.get(match, ()):
            listener.touch()

    def touch_match(self, match: str) -> None:
        """Announce to all workers that a match has changed outside its log."""
        self._touch_listeners(match)
        self._publish(_Change(match, 0, True))

    def announce_lost_seat(self, match: str, player: str, seat: int) -> None:
        """Announce to all workers that a seat has moved from a player to another device.

        The player's streams lose the seat, and end if the player has no access without it.
        """
        self._remove_seat(match, player, seat)
        self._publish(_Change(match, 0, lost_by=player, seat=seat))

    def _remove_seat(self, match: str, player: str, seat: int) -> None:
        for listener in self._listeners.get(match, ()):
            if listener.watcher_id == player:
                listener.seats -= {seat}
                listener.touch()

    def is_followed_by(self, match: str, player: str, seat: int) -> bool:
        """Return whether a player has a stream of a match open.

        Other workers publish only seats, so for their streams the player's ``seat`` is checked.
        """
        here = any(each.watcher_id == player for each in self._listeners.get(match, ()))
        return here or seat in self._watchers.total_watchers(match).seats

    def announce_version(self, match: str, version: int) -> None:
        """Announce a version of a match to all workers; wake this worker's listeners at once."""
        self._notify_version(match, version)
        self._publish(_Change(match, version))

    def _publish(self, change: _Change) -> None:
        """Publish a change to the other workers; does nothing without Redis."""
        if self.redis is not None and self._channels is not None:
            self._channels.publish(_encode_json(change), _CHANGES_CHANNEL)

    async def _end_signed_out(self) -> None:
        """End the streams of devices that have been signed out, through any worker."""
        while self.find_signed_out is not None:
            await asyncio.sleep(_SIGN_OUT_CHECK_INTERVAL_S)
            listeners = [each for some in self._listeners.values() for each in some]
            devices = {each.device_hash for each in listeners if each.device_hash is not None}
            if not devices:
                continue
            try:
                ended = await self.find_signed_out(devices)
            except Exception as error:
                # The database is unavailable: keep the streams open and try again later.
                log.warning("streams: %s", type(error).__name__)
                continue
            for listener in listeners:
                if listener.device_hash in ended:
                    listener.end("signed_out")

    def end_streams(self) -> None:
        """End all streams, because the server waits for them when it shuts down."""
        self._stopping = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.changed.set()

    def add_listener(
        self,
        match: str,
        device: str | None = None,
        player: str | None = None,
        seats: Iterable[int] = (),
        code: str | None = None,
    ) -> Listener:
        """Add a listener to a match and return it; it is notified of all changes from now on.

        ``device``: hash of the device's secret; other parameters as in `Listener`.
        """
        listener = Listener(device, player, frozenset(seats), code)
        self._listeners.setdefault(match, set()).add(listener)
        return listener

    def remove_listener(self, match: str, listener: Listener) -> None:
        """Remove a listener from a match; does nothing if it was removed already."""
        listeners = self._listeners.get(match, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(match, None)

    async def _check_access(self, match: str, listener: Listener) -> None:
        """End the stream if the listener has lost access, otherwise update the listener's seats.

        Seats change if players join or leave while their stream is open.
        """
        while self.find_accessible_seats is not None:
            caller = (listener.player, listener.code)
            try:
                seats = await self.find_accessible_seats(match, listener.version, *caller)
                if seats is None:
                    listener.end("no_access")
                else:
                    listener.seats = seats
                return
            except Exception as error:
                # The database is unavailable: send nothing until access can be checked.
                log.warning("streams: %s", type(error).__name__)
                await asyncio.sleep(_ACCESS_RETRY_DELAY_S)

    async def frames(
        self, match: str, listener: Listener, client_version: int
    ) -> AsyncIterator[bytes]:
        """Yield the frames for a listener until its stream ends.

        ``client_version``: the version that the client already has.
        """
        last_watchers: Watchers | None = None
        silence = _IdleTimer(listener, min(self.heartbeat_s, _ACCESS_CHECK_INTERVAL_S))
        loop = asyncio.get_running_loop()
        # Access was checked at this version when the stream was opened.
        checked, checked_at = listener.version, loop.time()
        try:
            yield b": welcome\r\nretry: 2000\r\n\r\n"
            # Another worker may have announced a move just before this listener was added.
            await self._announce_newer_versions({match: listener.version})
            while not self._stopping:
                # Clear first: a change that arrives while a frame is sent wakes the loop again.
                listener.changed.clear()
                is_due = loop.time() - checked_at >= _ACCESS_CHECK_INTERVAL_S
                if is_due or listener.touched or listener.version > checked:
                    checked, checked_at = listener.version, loop.time()
                    await self._check_access(match, listener)
                if listener.close_reason:
                    yield closing_frame(listener.close_reason)
                    return
                if listener.version > client_version or listener.touched:
                    client_version, listener.touched = max(client_version, listener.version), False
                    silence.reset()
                    yield version_frame(client_version)
                if listener.last_sent != last_watchers:
                    last_watchers = listener.last_sent
                    silence.reset()
                    yield watchers_frame(last_watchers)
                if silence.is_expired:
                    silence.reset()
                    yield b": still here\r\n\r\n"
                await listener.changed.wait()
        finally:
            silence.cancel()
            self.remove_listener(match, listener)
