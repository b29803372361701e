"""The one client for addresses that strangers give: push services, webhooks, chats.

A name is resolved once, every address it has is looked at, and the connection goes to one that
was looked at: a name that points elsewhere a moment later gains nothing. Private networks, this
machine and whatever else is not the public internet are refused, redirects are not followed, and
of an answer only its head counts.

Each call has a connection of its own, which is closed when the call ends, however it ends. The
pool of `httpcore` is not used: it loses places when a call is cancelled while it waits for one.
What bounds connections instead are lanes (`bulkheads`): push services, chats and strangers'
webhooks have pools of their own, and one person and one target a few places each.
"""

import asyncio
import logging
import ssl
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import httpcore
from msgspec import Struct

from domain.words import N_
from service.base.limits import network_of
from service.base.now import clock
from service.base.problems import Fault
from service.notices.addresses import Refused, Resolver, Target, is_public, target_of
from service.notices.bulkheads import Lane, Lanes

__all__ = ["Answer", "Outside", "Pool", "Refused", "bad_address", "is_public"]

log = logging.getLogger("caravanserai")

_SECONDS = 10.0
"""How long one delivery may take in all, with the time that it waits for a place."""
_CONNECT_SECONDS = 4.0
"""How long one address of a name is tried before the next one."""
_MOST_ANSWER_BYTES = 16_384
"""Of an answer, headers and interim responses; whoever sends more is not listened to."""
_LONGEST_WAIT = 6 * 3600
_LONGEST_DATE = 64
"""Letters of a date in a Retry-After."""

Pool = Literal["push", "chat", "webhook"]
"""Which of the pools a call belongs to: a service for push messages that everybody knows, a chat
of `hooks`, or any other address."""

_PUSH_SERVICES = (
    "fcm.googleapis.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)

REFUSED = N_("This address is not on the public internet.")
BAD_URL = N_("This is no https address.")


class Answer(Struct, frozen=True):
    """What the other side said: a status, 0 when nobody answered; ``wait``: in how many seconds
    to come back, if it said so; ``refused``: the address was not even called."""

    status: int
    wait: int | None = None
    refused: bool = False

    @property
    def good(self) -> bool:
        """Whether it was taken."""
        return 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether it will never be taken again."""
        return self.status in (404, 410)

    @property
    def passing(self) -> bool:
        """Whether another try may do better."""
        return not self.refused and (self.status in (0, 408, 425, 429) or self.status >= 500)

    @property
    def busy(self) -> bool:
        """Whether the other side works and only wants fewer messages."""
        return self.status in (408, 425, 429)


class _Bounded(httpcore.AsyncNetworkStream):
    """A connection from which no more than `_MOST_ANSWER_BYTES` are read."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner
        self._left = _MOST_ANSWER_BYTES

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._left <= 0:
            raise httpcore.RemoteProtocolError("the answer is too long")
        data = await self._inner.read(min(max_bytes, self._left), timeout)
        self._left -= len(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return _Bounded(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Pinned(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were looked at, whatever the host, and closes what it opened."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._addresses = tuple(addresses)
        self._inner = httpcore.AnyIOBackend()
        self._opened: list[httpcore.AsyncNetworkStream] = []

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *more: Any, **named: Any
    ) -> httpcore.AsyncNetworkStream:
        error: Exception = httpcore.ConnectError()
        for address in self._addresses:
            try:
                found = await self._inner.connect_tcp(
                    address, port, _CONNECT_SECONDS, *more, **named
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
                continue
            self._opened.append(found)
            return _Bounded(found)
        raise error

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)

    async def aclose(self) -> None:
        """Close the sockets. A call that is cancelled amid a TLS handshake leaves its own open."""
        for stream in self._opened:
            try:
                await stream.aclose()
            except (httpcore.NetworkError, OSError):
                log.debug("a connection was closed by the other side already")


class Outside:
    """The client. ``own``: "host:port" of test servers and the like that may be private and
    without TLS. ``connections``: at once in each pool; ``per_player``, ``per_target``: of those,
    for one person and to one address of the internet (own ones: host and port). 0: any number."""

    def __init__(
        self,
        own: Iterable[str] = (),
        *,
        connections: int = 256,
        per_player: int = 4,
        per_target: int = 8,
        resolver: Resolver | None = None,
    ) -> None:
        trimmed = (each.strip().lower() for each in own)
        self._own = frozenset(each.replace("[", "").replace("]", "") for each in trimmed if each)
        self._resolver = resolver or Resolver()
        self._pools: dict[Pool, Lane] = {
            pool: Lane(connections, hurries=True) for pool in ("push", "chat", "webhook")
        }
        # A person who waits for oneself hurries nobody.
        self._players = Lanes(per_player, hurries=False)
        self._targets = Lanes(per_target)
        self._tls = httpcore.default_ssl_context()

    def under_way(self, pool: Pool) -> int:
        """Calls that have a place in a pool now."""
        return self._pools[pool].under_way

    @property
    def lanes(self) -> int:
        """Players and targets that have or want a connection now."""
        return len(self._players) + len(self._targets)

    def check(self, url: str) -> str:
        """The address as it is called; `Fault` 422 ``bad_address`` for one that never will be.

        A host in digits is looked at here already; a name whenever it is called.
        """
        return self._target(url).url

    def _target(self, url: str) -> Target:
        try:
            target = target_of(url, self._own)
        except Refused:
            raise bad_address(REFUSED) from None
        if target is None:
            raise bad_address(BAD_URL)
        return target

    def place_of(self, url: str) -> str:
        """Host and port of an address; `Fault` 422 as in `check`."""
        return self._target(url).place

    def pool_of_push(self, url: str) -> Pool:
        """The pool of a subscription's address. Anybody may give any address as one, so only
        services that everybody knows, and what the settings name, share the pool of push."""
        try:
            target = self._target(url)
        except Fault:
            return "webhook"
        known = any(
            target.host == name.lstrip(".") or (name[0] == "." and target.host.endswith(name))
            for name in _PUSH_SERVICES
        )
        return "push" if known or target.is_own else "webhook"

    async def send(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        method: str = "POST",
        *,
        player: str = "",
        pool: Pool = "webhook",
    ) -> Answer:
        """Send a body to an address for a person; never raises for what the other side does."""
        try:
            target = self._target(url)
            async with asyncio.timeout(_SECONDS) as deadline, AsyncExitStack() as stack:
                await stack.enter_async_context(self._players.place(player or url, deadline))
                await stack.enter_async_context(self._pools[pool].place(deadline))
                addresses = await self._resolver.addresses(target)
                if pool == "webhook" and addresses:
                    key = target.place if target.is_own else network_of(addresses[0])
                    await stack.enter_async_context(self._targets.place(key, deadline))
                return await self._call(target, addresses, headers, body, method)
        except (Refused, Fault):
            return Answer(0, refused=True)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
            return Answer(0)
        except (OSError, TimeoutError, ValueError):
            return Answer(0)

    async def _call(
        self,
        target: Target,
        addresses: Iterable[str],
        headers: Mapping[str, str],
        body: bytes,
        method: str,
    ) -> Answer:
        given = {"User-Agent": "Caravanserai", **headers, "Connection": "close"}
        backend = _Pinned(addresses)
        request = httpcore.Request(
            method,
            target.url,
            headers=[
                ("Host", _host_header(target)),
                *given.items(),
                ("Content-Length", str(len(body))),
            ],
            content=body,
        )
        connection = httpcore.AsyncHTTPConnection(
            request.url.origin, ssl_context=self._tls, network_backend=backend
        )
        try:
            answer = await connection.handle_async_request(request)
            said = {name.lower(): value for name, value in answer.headers}
            wait = said.get(b"retry-after", b"").decode("latin-1")
            return Answer(answer.status, retry_seconds(wait))
        finally:
            await backend.aclose()


def _host_header(target: Target) -> str:
    """Host, and port where it is not the scheme's own."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = {"https": 443, "http": 80}[target.scheme]
    return host if target.port == usual else f"{host}:{target.port}"


def retry_seconds(said: str) -> int | None:
    """Seconds of a Retry-After, whether it is a number or a date; None for what is neither."""
    if said.isascii() and said.isdecimal():
        return min(int(said[:9]), _LONGEST_WAIT)
    if not said or len(said) > _LONGEST_DATE:
        return None
    try:
        seconds = int(parsedate_to_datetime(said).timestamp() - clock() / 1000)
    except (ValueError, TypeError, ArithmeticError, LookupError, OSError):
        return None
    return min(max(seconds, 0), _LONGEST_WAIT)


def bad_address(why: str) -> Fault:
    return Fault(422, "bad_address", why, field="address")
