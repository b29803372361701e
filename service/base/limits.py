"""How often a caller may ask, and how many live streams may be open.

Each call costs some units of what its player, and the address it comes from, may use in a
minute. New players are free, so the address is what holds; an IPv6 address counts as its /64,
which is what one connection to the internet gets. What creates something, and what draws, has
limits of its own by address.

The counting is the `limits` library's, in Redis when several workers share the work. Without
Redis each worker counts for itself. The library's store in memory looks through all its keys at
each count, so one of ours takes its place: it forgets from the oldest end, and never holds more
than so many. Every call is counted twice, so the library's layers are not put around it either.
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

from service.base.problems import Fault
from service.base.tokens import token_of
from service.settings import Settings

_KEY_PREFIX = "caravanserai:limit"
_MOST_KEYS = 50_000
RAISED = "raised"
"""In the state of a request: what went wrong when it was carried out, which is yet to be told."""
PATIENCE = 0.25
"""Seconds a request waits for Redis at most."""
_SULK = 5.0
"""Seconds for which Redis is left alone after it has failed."""
_STREAM_PAUSE = 10
"""Seconds after which to try again for a live stream."""


class Memory:
    """Counts in this process, for windows of one length each.

    Windows of one length end in the order they began, so those that are over are at the front.
    When there is no room the oldest goes: a caller with very many addresses cannot fill the
    memory.
    """

    def __init__(self, most: int = _MOST_KEYS) -> None:
        self._most = most
        self._windows: dict[int, dict[str, tuple[float, int]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._windows.values()))

    def add(self, key: str, expiry: int, amount: int = 1) -> int:
        """Adds to a key's window, which begins with the first time and lasts ``expiry``."""
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
        """When a key's window of that length ends; now where there is none."""
        return self._windows.get(expiry, {}).get(key, (0.0, 0))[0] or seconds()


class Limiter:
    """Counts uses of a limit. ``redis_url``: where all workers count together, "" for alone."""

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
        """Uses up some of a limit; False when there is not so much left."""
        if self._together is not None and monotonic() >= self._redis_again:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await self._together.hit(item, *who, cost=cost)
            except (StorageError, OSError, TimeoutError):
                self._redis_again = monotonic() + _SULK
        return self.memory.add(_key(item, who), item.get_expiry(), cost) <= item.amount

    async def wait(self, item: RateLimitItem, *who: str) -> int:
        """The seconds, rounded up, until the limit begins anew; at least 1."""
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
        """Lets go of the connections."""
        if self._together is not None:
            await self._together.storage.bridge.storage.aclose()  # type: ignore[attr-defined]


def _key(item: RateLimitItem, who: Sequence[str]) -> str:
    """Whose use of which limit is counted here."""
    return f"{item.amount}/{'/'.join(who)}"


class Rates:
    """The limits that the settings ask for; a limit of 0 is none."""

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
    """How fast people may press each other. ``ask_pause``: seconds, 0 for none."""

    def __init__(self, limiter: Limiter, rates: Rates, ask_pause: int) -> None:
        self._limiter = limiter
        self._rates = rates
        self.ask_pause = ask_pause

    async def talk(self, match: str, seat: int) -> None:
        """Counts a word of a seat; `Fault` 429 when there were too many."""
        await use(self._limiter, self._rates.talk, f"talk:{match}:{seat}", 1)

    async def propose(self, match: str, player: str) -> None:
        """Count an undo request or its withdrawal; `Fault` 429 when there were too many."""
        await use(self._limiter, self._rates.proposals, f"propose:{match}:{player}", 1)

    async def fork(self, address: str) -> None:
        """Counts a fork; `Fault` 429 when there were too many."""
        await use(self._limiter, self._rates.forks, f"fork:{address}", 1)

    async def hold(self, address: str, players: Collection[str]) -> None:
        """Counts seats that are held for these players; `Fault` 429 when they got too many."""
        for player in players:
            await use(self._limiter, self._rates.held, f"hold:{address}:{player}", 1)

    async def stranger(self, match: str, address: str) -> None:
        """Counts a seat of a public table that a stranger takes; `Fault` 403 for too many."""
        item = self._rates.strangers
        if item is not None and not await self._limiter.hit(item, f"sit:{match}:{address}"):
            detail = "Others from where you are sit here already; ask the host for the invitation."
            raise Fault(403, "too_many_from_here", detail)


class AtOnce:
    """Calls of one kind that are under way in this process. ``most``: of one address, 0 for any
    number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.under_way: Counter[str] = Counter()

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Count a call while the block runs; `Fault` 429 when there are too many."""
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
    """The live streams that are open in this process."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.max_streams
        self._most_of_one = settings.address_streams
        self.open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """Counts a stream while the block runs; `Fault` 429 or 503 when there are too many."""
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
    """A player whom this process knows."""

    @property
    def id(self) -> str: ...


class _Players(Protocol):
    def known(self, token: str) -> _Known | None: ...


class Counting(Protocol):
    """What the limits count with, from the start of the application on."""

    @property
    def limiter(self) -> Limiter: ...

    @property
    def rates(self) -> Rates: ...

    @property
    def streams(self) -> Streams: ...

    @property
    def players(self) -> _Players: ...


class Limit(ASGIMiddleware):
    """Turns callers away who ask more often than the settings allow.

    What a call costs its handler says in ``opt``: ``cost`` (1 when left out) of what the player
    and the address may use; ``creates`` and ``draws`` of those limits. ``streams``: it is a live
    stream. ``unlimited``: it is not counted.
    """

    scopes = (ScopeType.HTTP,)
    exclude_opt_key = "unlimited"

    def __init__(self, counting: Counting) -> None:
        self._counting = counting

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Counts, then passes on or raises `Fault` 429 or 503."""
        if RAISED in scope["state"]:
            await next_app(scope, receive, send)  # It has been counted.
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
        """Counts what every call costs; gives the address it comes from, or raises `Fault` 429."""
        state = self._counting
        address = address_of(request)
        token = token_of(request)
        player = state.players.known(token) if token else None
        # The player first: who is told to wait does not use up what others need at the address.
        if player is not None:
            await use(state.limiter, state.rates.player, f"player:{player.id}", cost)
        await use(state.limiter, state.rates.address, f"address:{address}", cost)
        return address


async def use(limiter: Limiter, item: RateLimitItem | None, who: str, cost: int) -> None:
    """Uses up some of a limit; `Fault` 429 when there is not so much left."""
    if item is not None and not await limiter.hit(item, who, cost=cost):
        raise too_many(await limiter.wait(item, who))


def too_many(wait: int) -> Fault:
    """Come back in so many seconds."""
    headers = {"Retry-After": str(wait)}
    return Fault(429, "too_many_requests", "Too many requests; wait a little.", headers)


def address_of(request: Request[Any, Any, Any]) -> str:
    """Where the request comes from, as limits count it.

    The server has looked behind trusted proxies already.
    """
    client = request.scope["client"]  # The library would make an object of it each time.
    return network_of(client[0]) if client else "unknown"


@lru_cache(4096)
def network_of(host: str) -> str:
    """An IPv4 address as it is, also when it is written as an IPv6 one; of others the /64."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is None:
            return str(IPv6Address(int(address) >> 64 << 64))
        address = address.ipv4_mapped
    return str(address)
