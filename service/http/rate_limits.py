"""Rate limits per player and per client address, and limits on live streams.

Each request costs some of the units that its player, and its client address, may use in a minute.
Anyone can create any number of players, so the limit per address is the effective one; an IPv6
address counts as its /64, the usual range of one internet connection. Requests that create
something, and those that draw pictures, have separate limits per address.

With Redis, the `limits` library counts requests of all workers. Without Redis, each worker counts
its own requests in `MemoryCounter`, because the library's memory store scans all its keys at each
count. `MemoryCounter` removes the oldest windows first and holds a bounded number of keys. It
bypasses the layers of the library, since every request is counted twice (player and address).
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic
from time import time as seconds
from typing import Protocol

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.problems import ApiProblem
from service.http.tokens import request_token
from service.settings import Settings

_KEY_PREFIX = "caravanserai:limit"
_MAX_KEYS = 50_000
REDIS_TIMEOUT_S = 0.25
"""Timeout of a call to Redis, in seconds."""
_REDIS_BACKOFF_S = 5.0
"""Seconds without calls to Redis after one has failed."""
_STREAM_RETRY_AFTER_S = 10
"""Value of ``Retry-After``, in seconds, when there are too many live streams."""


class MemoryCounter:
    """Fixed-window counters in this process.

    Windows of one length end in the order they began, so expired ones are at the front. If there
    are ``max_keys`` windows of one length, the oldest is removed for a new one, so that a client
    with very many addresses cannot exhaust the memory.
    """

    def __init__(self, max_keys: int = _MAX_KEYS) -> None:
        self._max_keys = max_keys
        self._windows: dict[int, dict[str, tuple[float, int]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._windows.values()))

    def add(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add ``amount`` to the count of a key in its current window and return the new count.

        A window begins when the key is first used and lasts ``expiry`` seconds.
        """
        now = seconds()
        windows = self._windows.setdefault(expiry, {})
        ends, count = windows.get(key, (0.0, 0))
        if ends <= now:
            windows.pop(key, None)
            ends, count = now + expiry, 0
            self._evict(windows, now)
        windows[key] = (ends, count + amount)
        return count + amount

    def _evict(self, windows: dict[str, tuple[float, int]], now: float) -> None:
        while windows:
            oldest = next(iter(windows))
            if windows[oldest][0] > now and len(windows) < self._max_keys:
                return
            del windows[oldest]

    def window_end(self, key: str, expiry: int) -> float:
        """Return when a key's window ends, in seconds since 1970; if it has none, the time now."""
        return self._windows.get(expiry, {}).get(key, (0.0, 0))[0] or seconds()


class Limiter:
    """Counter of the units used of each rate limit.

    ``redis_url``: address of the Redis in which all workers count; "" to count only in this
    process. While Redis is unavailable, this process counts for itself.
    """

    def __init__(self, redis_url: str) -> None:
        self.local_counter = MemoryCounter()
        self._shared_limiter: FixedWindowRateLimiter | None = None
        self._redis_retry_at = 0.0
        if redis_url:
            storage = RedisStorage(
                f"async+{redis_url}",
                wrap_exceptions=True,
                implementation="redispy",
                key_prefix=_KEY_PREFIX,
            )
            self._shared_limiter = FixedWindowRateLimiter(storage)

    async def hit(self, item: RateLimitItem, *subject: str, cost: int = 1) -> bool:
        """Consume ``cost`` units of a limit; return False if too few are left.

        ``subject``: the key parts that identify who or what is limited.
        """
        if self._shared_limiter is not None and monotonic() >= self._redis_retry_at:
            try:
                async with asyncio.timeout(REDIS_TIMEOUT_S):
                    return await self._shared_limiter.hit(item, *subject, cost=cost)
            except (StorageError, OSError, TimeoutError):
                self._redis_retry_at = monotonic() + _REDIS_BACKOFF_S
        return (
            self.local_counter.add(_counter_key(item, subject), item.get_expiry(), cost)
            <= item.amount
        )

    async def seconds_until_reset(self, item: RateLimitItem, *subject: str) -> int:
        """Return the seconds until the limit resets, rounded up and at least 1.

        If Redis fails, return the length of the limit's window.
        """
        if self._shared_limiter is not None and monotonic() >= self._redis_retry_at:
            try:
                async with asyncio.timeout(REDIS_TIMEOUT_S):
                    ends = (await self._shared_limiter.get_window_stats(item, *subject)).reset_time
            except (StorageError, OSError, TimeoutError):
                return item.get_expiry()
        else:
            ends = self.local_counter.window_end(_counter_key(item, subject), item.get_expiry())
        return min(max(int(ends - seconds()) + 1, 1), item.get_expiry())

    async def aclose(self) -> None:
        """Close the connections to Redis."""
        if self._shared_limiter is not None:
            await self._shared_limiter.storage.bridge.storage.aclose()  # type: ignore[attr-defined]


def _counter_key(item: RateLimitItem, subject: Sequence[str]) -> str:
    """Return the counter's key for a limit and its subject."""
    return f"{item.amount}/{'/'.join(subject)}"


class LimitSettings:
    """The rate limits from the settings; None for a limit of 0, which is turned off."""

    def __init__(self, settings: Settings) -> None:
        self.player = _per_minute(settings.play_limit)
        self.address = _per_minute(settings.play_limit * settings.address_players)
        self.creations = _per_minute(settings.create_limit)
        self.drawings = _per_minute(settings.draw_limit)
        self.chat = _per_minute(settings.talk_limit)
        self.proposals = _per_minute(settings.propose_limit)
        self.uninvited_seats = _per_hour(settings.stranger_limit)
        self.forks = _per_hour(settings.fork_limit)
        self.reservations = _per_hour(settings.hold_limit)
        self.tests = _per_hour(settings.test_limit)
        self.address_tests = _per_hour(settings.address_test_limit)
        self.target_tests = _per_hour(settings.target_test_limit)
        self.mails = _per_hour(settings.mail_limit)
        self.address_mails = _per_hour(settings.address_mail_limit)
        self.all_mails = _per_hour(settings.all_mail_limit)


def _per_minute(amount: int) -> RateLimitItem | None:
    return RateLimitItemPerMinute(amount) if amount else None


def _per_hour(amount: int) -> RateLimitItem | None:
    return RateLimitItemPerHour(amount) if amount else None


class SocialLimits:
    """Rate limits on actions that affect other players.

    ``ask_pause_s``: seconds before a declined undo may be requested again, 0 for none.
    """

    def __init__(self, limiter: Limiter, rates: LimitSettings, ask_pause_s: int) -> None:
        self._limiter = limiter
        self._rates = rates
        self.ask_pause_s = ask_pause_s

    async def count_chat_message(self, match: str, seat: int) -> None:
        """Count a chat message of a seat; raises `ApiProblem` 429 if there are too many."""
        await consume(self._limiter, self._rates.chat, f"talk:{match}:{seat}", 1)

    async def count_proposal(self, match: str, player: str) -> None:
        """Count an undo request of a player in a match, or the withdrawal of one.

        Raises `ApiProblem` 429 if there are too many.
        """
        await consume(self._limiter, self._rates.proposals, f"propose:{match}:{player}", 1)

    async def count_fork(self, address: str) -> None:
        """Count a fork from a client address; raises `ApiProblem` 429 if there are too many."""
        await consume(self._limiter, self._rates.forks, f"fork:{address}", 1)

    async def count_reservations(self, address: str, players: Collection[str]) -> None:
        """Count seats reserved for these players from a client address.

        Raises `ApiProblem` 429 if there are too many for one of them.
        """
        for player in players:
            await consume(self._limiter, self._rates.reservations, f"hold:{address}:{player}", 1)

    async def count_uninvited_seat(self, match: str, address: str) -> None:
        """Count a seat of a public match taken without an invitation.

        Raises `ApiProblem` 403 ``too_many_from_here`` if there are too many from the address.
        """
        item = self._rates.uninvited_seats
        if item is not None and not await self._limiter.hit(item, f"sit:{match}:{address}"):
            raise ApiProblem(403, "too_many_from_here", "error.too_many_from_here")


@contextmanager
def _counted(counter: Counter[str], address: str) -> Iterator[None]:
    """Count an address in the counter while the block runs."""
    counter[address] += 1
    try:
        yield
    finally:
        counter[address] -= 1
        if not counter[address]:
            del counter[address]


class ConcurrencyLimit:
    """Limit on concurrent calls of one kind in this process, per client address.

    ``max_per_address``: maximum number of calls from one address, 0 for no limit.
    """

    def __init__(self, max_per_address: int) -> None:
        self._max_per_address = max_per_address
        self.active: Counter[str] = Counter()

    @contextmanager
    def slot(self, address: str) -> Iterator[None]:
        """Count a call while the block runs; raises `ApiProblem` 429 if there are too many."""
        if self._max_per_address and self.active[address] >= self._max_per_address:
            raise too_many_requests(_STREAM_RETRY_AFTER_S)
        with _counted(self.active, address):
            yield


class StreamSlots:
    """Limits on the live streams in this process, in total and per client address."""

    def __init__(self, settings: Settings) -> None:
        self._max_total = settings.max_streams
        self._max_per_address = settings.address_streams
        self.open: Counter[str] = Counter()

    @contextmanager
    def slot(self, address: str) -> Iterator[None]:
        """Count a stream while the block runs.

        Raises `ApiProblem` 429 ``too_many_streams`` if the address has too many, and 503
        ``streams_full`` if the process has too many.
        """
        headers = {"Retry-After": str(_STREAM_RETRY_AFTER_S)}
        if self._max_per_address and self.open[address] >= self._max_per_address:
            raise ApiProblem(429, "too_many_streams", "error.too_many_streams", headers)
        if self._max_total and self.open.total() >= self._max_total:
            raise ApiProblem(503, "streams_full", "error.streams_full", headers)
        with _counted(self.open, address):
            yield


class _KnownPlayer(Protocol):
    """A cached player."""

    @property
    def id(self) -> str: ...


class _Players(Protocol):
    def cached_player(self, token: str) -> _KnownPlayer | None: ...


class RateLimitParts(Protocol):
    """Parts of `Services` that the limits use; available once the application has started."""

    @property
    def limiter(self) -> Limiter: ...

    @property
    def rates(self) -> LimitSettings: ...

    @property
    def streams(self) -> StreamSlots: ...

    @property
    def players(self) -> _Players: ...


class RateLimitMiddleware(ASGIMiddleware):
    """Middleware that rejects requests beyond the configured limits.

    Handlers declare their cost in ``opt``: ``cost`` (default 1) in units of the player's and the
    address's limit; ``creates`` and ``draws`` in units of the address's limits on creations and
    pictures; ``streams`` for a live stream; ``unlimited`` to be exempt.
    """

    scopes = (ScopeType.HTTP,)
    exclude_opt_key = "unlimited"

    def __init__(self, parts: RateLimitParts) -> None:
        self._parts = parts

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request and pass it on.

        Raises `ApiProblem` 429 or 503 if it exceeds a limit.
        """
        state = self._parts
        opt = scope["route_handler"].opt
        rates = state.rates
        address = await self._count(scope, opt.get("cost", 1))
        if creates := opt.get("creates"):
            await consume(state.limiter, rates.creations, f"new:{address}", creates)
        if draws := opt.get("draws"):
            await consume(state.limiter, rates.drawings, f"draw:{address}", draws)
        if "streams" not in opt:
            await next_app(scope, receive, send)
            return
        with state.streams.slot(address):
            await next_app(scope, receive, send)

    async def _count(self, scope: Scope, cost: int) -> str:
        """Count a request for its player and client address, and return the address.

        Raises `ApiProblem` 429 if it exceeds the limit of either.
        """
        state = self._parts
        address = client_address(scope)
        token = request_token(scope)
        player = state.players.cached_player(token) if token else None
        # Count the player first: a rejected player must not use up the limit of the address.
        if player is not None:
            await consume(state.limiter, state.rates.player, f"player:{player.id}", cost)
        await consume(state.limiter, state.rates.address, f"address:{address}", cost)
        return address


async def consume(limiter: Limiter, item: RateLimitItem | None, subject: str, cost: int) -> None:
    """Consume units of a limit; raises `ApiProblem` 429 if too few are left.

    Does nothing if ``item`` is None.
    """
    if item is not None and not await limiter.hit(item, subject, cost=cost):
        raise too_many_requests(await limiter.seconds_until_reset(item, subject))


def too_many_requests(retry_after_s: int) -> ApiProblem:
    """Return `ApiProblem` 429 ``too_many_requests`` with ``Retry-After`` as given, in seconds."""
    headers = {"Retry-After": str(retry_after_s)}
    return ApiProblem(429, "too_many_requests", "error.too_many_requests", headers)


def client_address(scope: Scope) -> str:
    """Return the client address as counted by the limits, or "unknown" if there is none.

    The address behind a trusted proxy has already been resolved. See `client_network`.
    """
    client = scope["client"]  # Litestar's `request.client` builds an object each time.
    return client_network(client[0]) if client else "unknown"


@lru_cache(4096)
def client_network(host: str) -> str:
    """Return the /64 prefix of an IPv6 address; return an IPv4 address unchanged.

    An IPv4-mapped IPv6 address is returned as IPv4, anything else unchanged.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(IPv6Address(int(address) >> 64 << 64))
        address = address.ipv4_mapped
    return str(address)
