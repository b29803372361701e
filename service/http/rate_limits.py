"""Rate limits per player and per client address, and limits of live streams.

Each request costs some units of what its player, and the address it comes from, may use in a
minute. New players are free, so the address is the limit that holds; an IPv6 address counts as its
/64, which is what one internet connection gets. Requests that create something, and those that draw
pictures, have limits of their own by address.

Counting is done by the `limits` library, in Redis when several workers share the load. Without
Redis each worker counts for itself. The library's memory store scans all its keys at each count, so
`Memory` replaces it: it removes the oldest windows first and holds a bounded number of keys. Every
request is counted twice (player and address), so the library's own layers are bypassed too.
"""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic
from time import time as seconds
from typing import Any, Protocol

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.aio.storage import RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from litestar import Request
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.problems import Fault
from service.http.tokens import token_of
from service.settings import Settings

_KEY_PREFIX = "caravanserai:limit"
_MOST_KEYS = 50_000
RAISED = "raised"
"""Key in the state of a request: the exception of a request that failed on the fast path and is
still to be answered.
"""
PATIENCE = 0.25
"""Timeout in seconds of a call to Redis."""
_SULK = 5.0
"""Seconds without calls to Redis after one has failed."""
_STREAM_PAUSE = 10
"""Value of ``Retry-After``, in seconds, when there are too many live streams."""


class Memory:
    """Fixed-window counters in this process.

    Windows of one length end in the order they began, so expired ones are at the front. When there
    is no room the oldest is removed, so a caller with very many addresses cannot fill the memory.
    """

    def __init__(self, most: int = _MOST_KEYS) -> None:
        self._most = most
        self._windows: dict[int, dict[str, tuple[float, int]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._windows.values()))

    def add(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to the count of a key and return it.

        The window of a key begins with its first use and lasts ``expiry`` seconds.
        """
        now = seconds()
        windows = self._windows.setdefault(expiry, {})
        ends, count = windows.get(key, (0.0, 0))
        if ends <= now:
            windows.pop(key, None)
            ends, count = now + expiry, 0
            self._make_room(windows, now)
        windows[key] = (ends, count + amount)
        return count + amount

    def _make_room(self, windows: dict[str, tuple[float, int]], now: float) -> None:
        while windows:
            oldest = next(iter(windows))
            if windows[oldest][0] > now and len(windows) < self._most:
                return
            del windows[oldest]

    def ends(self, key: str, expiry: int) -> float:
        """Return when a key's window ends, in seconds since 1970; the present without a window."""
        return self._windows.get(expiry, {}).get(key, (0.0, 0))[0] or seconds()


class Limiter:
    """Counter of uses of rate limits.

    ``redis_url``: where all workers count together; "" to count in this process only.
    """

    def __init__(self, redis_url: str) -> None:
        self.memory = Memory()
        self._together: FixedWindowRateLimiter | None = None
        self._redis_again = 0.0
        if redis_url:
            storage = RedisStorage(
                f"async+{redis_url}",
                wrap_exceptions=True,
                implementation="redispy",
                key_prefix=_KEY_PREFIX,
            )
            self._together = FixedWindowRateLimiter(storage)

    async def hit(self, item: RateLimitItem, *who: str, cost: int = 1) -> bool:
        """Consume units of a limit; return False when too few are left."""
        if self._together is not None and monotonic() >= self._redis_again:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await self._together.hit(item, *who, cost=cost)
            except (StorageError, OSError, TimeoutError):
                self._redis_again = monotonic() + _SULK
        return self.memory.add(_key(item, who), item.get_expiry(), cost) <= item.amount

    async def wait(self, item: RateLimitItem, *who: str) -> int:
        """Return the seconds until the limit resets, rounded up and at least 1."""
        if self._together is not None and monotonic() >= self._redis_again:
            try:
                async with asyncio.timeout(PATIENCE):
                    ends = (await self._together.get_window_stats(item, *who)).reset_time
            except (StorageError, OSError, TimeoutError):
                return item.get_expiry()
        else:
            ends = self.memory.ends(_key(item, who), item.get_expiry())
        return min(max(int(ends - seconds()) + 1, 1), item.get_expiry())

    async def aclose(self) -> None:
        """Close the connections to Redis."""
        if self._together is not None:
            await self._together.storage.bridge.storage.aclose()  # type: ignore[attr-defined]


def _key(item: RateLimitItem, who: Sequence[str]) -> str:
    """Return the counter's key for a limit and its subject."""
    return f"{item.amount}/{'/'.join(who)}"


class Rates:
    """The rate limits of the settings; None for a limit of 0, which is off."""

    def __init__(self, settings: Settings) -> None:
        self.player = _a_minute(settings.play_limit)
        self.address = _a_minute(settings.play_limit * settings.address_players)
        self.creating = _a_minute(settings.create_limit)
        self.drawing = _a_minute(settings.draw_limit)
        self.talk = _a_minute(settings.talk_limit)
        self.proposals = _a_minute(settings.propose_limit)
        self.strangers = _an_hour(settings.stranger_limit)
        self.forks = _an_hour(settings.fork_limit)
        self.held = _an_hour(settings.hold_limit)
        self.tests = _an_hour(settings.test_limit)
        self.address_tests = _an_hour(settings.address_test_limit)
        self.target_tests = _an_hour(settings.target_test_limit)
        self.mails = _an_hour(settings.mail_limit)
        self.address_mails = _an_hour(settings.address_mail_limit)
        self.all_mails = _an_hour(settings.all_mail_limit)


def _a_minute(amount: int) -> RateLimitItem | None:
    return RateLimitItemPerMinute(amount) if amount else None


def _an_hour(amount: int) -> RateLimitItem | None:
    return RateLimitItemPerHour(amount) if amount else None


class Pace:
    """Limits on what players can do to each other.

    ``ask_pause``: seconds before a declined undo may be requested again, 0 for none.
    """

    def __init__(self, limiter: Limiter, rates: Rates, ask_pause: int) -> None:
        self._limiter = limiter
        self._rates = rates
        self.ask_pause = ask_pause

    async def talk(self, match: str, seat: int) -> None:
        """Count a chat message of a seat; raises `Fault` 429 when there were too many."""
        await use(self._limiter, self._rates.talk, f"talk:{match}:{seat}", 1)

    async def propose(self, match: str, player: str) -> None:
        """Count an undo request or its withdrawal; raises `Fault` 429 when there were too many."""
        await use(self._limiter, self._rates.proposals, f"propose:{match}:{player}", 1)

    async def fork(self, address: str) -> None:
        """Count a fork; raises `Fault` 429 when there were too many."""
        await use(self._limiter, self._rates.forks, f"fork:{address}", 1)

    async def hold(self, address: str, players: Collection[str]) -> None:
        """Count seats reserved for these players; raises `Fault` 429 when there were too many."""
        for player in players:
            await use(self._limiter, self._rates.held, f"hold:{address}:{player}", 1)

    async def stranger(self, match: str, address: str) -> None:
        """Count a seat of a public match taken without invitation.

        Raises `Fault` 403 ``too_many_from_here`` when there were too many from the address.
        """
        item = self._rates.strangers
        if item is not None and not await self._limiter.hit(item, f"sit:{match}:{address}"):
            detail = "Others from where you are sit here already; ask the host for the invitation."
            raise Fault(403, "too_many_from_here", detail)


class AtOnce:
    """Concurrent calls of one kind in this process.

    ``most``: maximum of one address, 0 for any number.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.under_way: Counter[str] = Counter()

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Count a call while the block runs; raises `Fault` 429 when there are too many."""
        if self._most and self.under_way[address] >= self._most:
            raise too_many(_STREAM_PAUSE)
        self.under_way[address] += 1
        try:
            yield
        finally:
            self.under_way[address] -= 1
            if not self.under_way[address]:
                del self.under_way[address]


class Streams:
    """Slots for live streams in this process."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.max_streams
        self._most_of_one = settings.address_streams
        self.open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Count a stream while the block runs.

        Raises `Fault` 429 ``too_many_streams`` when the address has too many, 503 ``streams_full``
        when the process has.
        """
        headers = {"Retry-After": str(_STREAM_PAUSE)}
        if self._most_of_one and self.open[address] >= self._most_of_one:
            raise Fault(429, "too_many_streams", "Too many live streams from here.", headers)
        if self._most and self.open.total() >= self._most:
            raise Fault(503, "streams_full", "All live streams are in use.", headers)
        self.open[address] += 1
        try:
            yield
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]


class _Known(Protocol):
    """A player in the memory of this process."""

    @property
    def id(self) -> str: ...


class _Players(Protocol):
    def known(self, token: str) -> _Known | None: ...


class Counting(Protocol):
    """Parts of `Services` that the limits use; available once the application has started."""

    @property
    def limiter(self) -> Limiter: ...

    @property
    def rates(self) -> Rates: ...

    @property
    def streams(self) -> Streams: ...

    @property
    def players(self) -> _Players: ...


class Limit(ASGIMiddleware):
    """Middleware that rejects callers who exceed the configured limits.

    Handlers declare their cost in ``opt``: ``cost`` (default 1) in units of the player and the
    address; ``creates`` and ``draws`` in units of those limits; ``streams`` for a live stream;
    ``unlimited`` to be exempt.
    """

    scopes = (ScopeType.HTTP,)
    exclude_opt_key = "unlimited"

    def __init__(self, counting: Counting) -> None:
        self._counting = counting

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request and pass it on; raises `Fault` 429 or 503 when it exceeds a limit."""
        if RAISED in scope["state"]:
            await next_app(scope, receive, send)  # Already counted.
            return
        state = self._counting
        opt = scope["route_handler"].opt
        rates = state.rates
        address = await self.count(Request(scope), opt.get("cost", 1))
        if creates := opt.get("creates"):
            await use(state.limiter, rates.creating, f"new:{address}", creates)
        if draws := opt.get("draws"):
            await use(state.limiter, rates.drawing, f"draw:{address}", draws)
        if "streams" not in opt:
            await next_app(scope, receive, send)
            return
        with state.streams.one_more(address):
            await next_app(scope, receive, send)

    async def count(self, request: Request[Any, Any, Any], cost: int = 1) -> str:
        """Count a request for its player and address; return the address.

        Raises `Fault` 429 when either exceeds its limit.
        """
        state = self._counting
        address = address_of(request)
        token = token_of(request)
        player = state.players.known(token) if token else None
        # The player first: a rejected player must not use up the limit of others at the address.
        if player is not None:
            await use(state.limiter, state.rates.player, f"player:{player.id}", cost)
        await use(state.limiter, state.rates.address, f"address:{address}", cost)
        return address


async def use(limiter: Limiter, item: RateLimitItem | None, who: str, cost: int) -> None:
    """Consume units of a limit; raises `Fault` 429 when too few are left."""
    if item is not None and not await limiter.hit(item, who, cost=cost):
        raise too_many(await limiter.wait(item, who))


def too_many(wait: int) -> Fault:
    """Return `Fault` 429 ``too_many_requests`` with ``Retry-After`` set to ``wait`` seconds."""
    headers = {"Retry-After": str(wait)}
    return Fault(429, "too_many_requests", "Too many requests; wait a little.", headers)


def address_of(request: Request[Any, Any, Any]) -> str:
    """Return the client address as limits count it, "unknown" without one.

    The server has resolved trusted proxies already.
    """
    client = request.scope["client"]  # Litestar's `request.client` builds an object each time.
    return network_of(client[0]) if client else "unknown"


@lru_cache(4096)
def network_of(host: str) -> str:
    """Return an IPv4 address as it is, also an IPv4-mapped one; the /64 of an IPv6 address.

    Anything else is returned unchanged.
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
