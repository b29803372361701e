"""The HTTP client for URLs supplied by users, with protection against SSRF.

For each call, a name is resolved once, all its addresses are checked, and the connection is made to
a checked address, which defeats DNS rebinding. Private networks, this machine and everything else
outside the public internet are refused. Redirects are not followed, and response bodies are
ignored.

Each call uses its own connection, which is closed when the call ends for whatever reason. The pool
of `httpcore` is not used, because it leaks slots when a call is cancelled while waiting for one.
Connections are limited by bulkheads instead (`service.notifications.bulkheads`): there is one pool
each for push services, chat services and webhooks, and each player and webhook target has a few
slots.
"""

import asyncio
import logging
import ssl
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, Literal

import httpcore
from msgspec import Struct

from domain.text.i18n import N_
from service.common.clock import now_ms
from service.http.problems import ApiProblem
from service.http.rate_limits import client_network
from service.notifications.addresses import (
    AddressRefused,
    Resolver,
    Target,
    is_public,
    parse_target,
)
from service.notifications.bulkheads import Bulkhead, BulkheadRegistry

__all__ = ["AddressRefused", "DeliveryResult", "Pool", "SafeHttpClient", "bad_address", "is_public"]

log = logging.getLogger("caravanserai")

_DELIVERY_TIMEOUT_S = 10.0
"""Timeout in seconds of one delivery, including the wait for a slot."""
_CONNECT_TIMEOUT_S = 4.0
"""Timeout in seconds for connecting to one address of a name before trying the next."""
_MAX_ANSWER_BYTES = 16_384
"""Maximum bytes of a response, including headers and interim responses; more is an error."""
_MAX_RETRY_AFTER_S = 6 * 3600
"""Maximum delay in seconds accepted from a Retry-After header; longer delays are reduced to it."""
_MAX_DATE_CHARS = 64
"""Maximum characters of a date in a Retry-After header; longer values are ignored."""

Pool = Literal["push", "chat", "webhook"]
"""The connection pool of a call: "push" for well-known push services and own targets of push
channels, "chat" for chat services (`service.notifications.webhooks`), and "webhook" for all other
addresses."""

_PUSH_SERVICES = (
    "fcm.googleapis.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)

NOT_PUBLIC = N_("error.not_public")
INVALID_URL = N_("error.bad_url")


class DeliveryResult(Struct, frozen=True):
    """The result of a delivery.

    ``status``: the HTTP status, 0 if there was no response; ``retry_after_s``: the seconds in the
    Retry-After header, if any; ``refused``: whether the address was not called because it is not
    allowed.
    """

    status: int
    retry_after_s: int | None = None
    refused: bool = False

    @property
    def is_success(self) -> bool:
        """Whether the message was accepted."""
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the address no longer exists (404, 410)."""
        return self.status in (404, 410)

    @property
    def is_temporary(self) -> bool:
        """Whether the delivery failed temporarily, so that a retry makes sense."""
        return not self.refused and (self.status in (0, 408, 425, 429) or self.status >= 500)

    @property
    def is_throttled(self) -> bool:
        """Whether the server responded that the request should be sent later (408, 425, 429)."""
        return self.status in (408, 425, 429)


class _BoundedStream(httpcore.AsyncNetworkStream):
    """A connection from which at most `_MAX_ANSWER_BYTES` can be read."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner
        self._remaining_bytes = _MAX_ANSWER_BYTES

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._remaining_bytes <= 0:
            raise httpcore.RemoteProtocolError("the answer is too long")
        data = await self._inner.read(min(max_bytes, self._remaining_bytes), timeout)
        self._remaining_bytes -= len(data)
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
        return _BoundedStream(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _PinnedBackend(httpcore.AsyncNetworkBackend):
    """A network backend that connects only to checked addresses, whatever host is requested.

    It keeps track of its connections, so that `aclose` can close them.
    """

    def __init__(self, addresses: Iterable[str]) -> None:
        self._addresses = tuple(addresses)
        self._inner = httpcore.AnyIOBackend()
        self._open_streams: list[httpcore.AsyncNetworkStream] = []

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *more: Any, **named: Any
    ) -> httpcore.AsyncNetworkStream:
        error: Exception = httpcore.ConnectError()
        for address in self._addresses:
            try:
                found = await self._inner.connect_tcp(
                    address, port, _CONNECT_TIMEOUT_S, *more, **named
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
                continue
            self._open_streams.append(found)
            return _BoundedStream(found)
        raise error

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)

    async def aclose(self) -> None:
        """Close all connections.

        `httpcore` would leave one open if it is cancelled during a TLS handshake.
        """
        for stream in self._open_streams:
            try:
                await stream.aclose()
            except (httpcore.NetworkError, OSError):
                log.debug("a connection was closed by the other side already")


_load_tls_context = cache(httpcore.default_ssl_context)
"""Loads the certificate authorities, once per process: that takes 25 to 50 ms."""


class SafeHttpClient:
    """The HTTP client for URLs supplied by users.

    ``own_targets``: "host:port" of targets that may be private and use plain HTTP, such as test
    servers. The other arguments limit concurrent calls, with 0 for no limit. ``max_connections``:
    per pool; ``max_per_player``: per player; ``max_per_target``: per network of the target (for own
    targets, per host and port), for the pool "webhook" only.
    """

    def __init__(
        self,
        own_targets: Iterable[str] = (),
        *,
        max_connections: int = 256,
        max_per_player: int = 4,
        max_per_target: int = 8,
        resolver: Resolver | None = None,
    ) -> None:
        trimmed = (each.strip().lower() for each in own_targets)
        self._own_targets = frozenset(
            each.replace("[", "").replace("]", "") for each in trimmed if each
        )
        self._resolver = resolver or Resolver()
        self._pools: dict[Pool, Bulkhead] = {
            pool: Bulkhead(max_connections, shortens_deadlines=True)
            for pool in ("push", "chat", "webhook")
        }
        # A player's waiting calls do not shorten the deadlines of the same player's other calls.
        self._players = BulkheadRegistry(max_per_player, shortens_deadlines=False)
        self._targets = BulkheadRegistry(max_per_target)
        self._tls = _load_tls_context()

    def check_url(self, url: str) -> str:
        """Return a URL normalised; raise `ApiProblem` 422 ``bad_address`` if it is not allowed.

        An IP address is checked here; the addresses of a name are checked at each call.
        """
        return self._parse_target(url).url

    def _parse_target(self, url: str) -> Target:
        try:
            target = parse_target(url, self._own_targets)
        except AddressRefused:
            raise bad_address(NOT_PUBLIC) from None
        if target is None:
            raise bad_address(INVALID_URL)
        return target

    def host_and_port(self, url: str) -> str:
        """Return "host:port" of a URL; raise `ApiProblem` as `check_url` does."""
        return self._parse_target(url).host_and_port

    def push_pool(self, url: str) -> Pool:
        """Return the connection pool for the URL of a push subscription.

        Users can supply any URL, so only well-known push services and the targets listed in the
        settings use the pool "push"; all others, including invalid URLs, use "webhook".
        """
        try:
            target = self._parse_target(url)
        except ApiProblem:
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
    ) -> DeliveryResult:
        """Send a request with a body to a URL, and return the result.

        Disallowed URLs, timeouts and network errors are reported in the result, not raised.
        ``player``: the id by which calls are limited, by default the URL.
        """
        try:
            target = self._parse_target(url)
            async with asyncio.timeout(_DELIVERY_TIMEOUT_S) as deadline, AsyncExitStack() as stack:
                await stack.enter_async_context(self._players.slot(player or url, deadline))
                await stack.enter_async_context(self._pools[pool].slot(deadline))
                addresses = await self._resolver.resolve(target)
                if pool == "webhook" and addresses:
                    key = target.host_and_port if target.is_own else client_network(addresses[0])
                    await stack.enter_async_context(self._targets.slot(key, deadline))
                return await self._call(target, addresses, headers, body, method)
        except (AddressRefused, ApiProblem):
            return DeliveryResult(0, refused=True)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
            return DeliveryResult(0)
        except (OSError, TimeoutError, ValueError):
            return DeliveryResult(0)

    async def _call(
        self,
        target: Target,
        addresses: Iterable[str],
        headers: Mapping[str, str],
        body: bytes,
        method: str,
    ) -> DeliveryResult:
        given = {"User-Agent": "Caravanserai", **headers, "Connection": "close"}
        backend = _PinnedBackend(addresses)
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
            headers_by_name = {name.lower(): value for name, value in answer.headers}
            wait = headers_by_name.get(b"retry-after", b"").decode("latin-1")
            return DeliveryResult(answer.status, parse_retry_after(wait))
        finally:
            await backend.aclose()


def _host_header(target: Target) -> str:
    """Return the value of the Host header, with the port unless it is the scheme's default."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = {"https": 443, "http": 80}[target.scheme]
    return host if target.port == usual else f"{host}:{target.port}"


def parse_retry_after(value: str) -> int | None:
    """Parse a Retry-After header, a number of seconds or a date; return the seconds from now.

    The result is limited to `_MAX_RETRY_AFTER_S`, and None if the header is missing or invalid.
    """
    if value.isascii() and value.isdecimal():
        return min(int(value[:9]), _MAX_RETRY_AFTER_S)
    if not value or len(value) > _MAX_DATE_CHARS:
        return None
    try:
        seconds = int(parsedate_to_datetime(value).timestamp() - now_ms() / 1000)
    except (ValueError, TypeError, ArithmeticError, LookupError, OSError):
        return None
    return min(max(seconds, 0), _MAX_RETRY_AFTER_S)


def bad_address(reason: str) -> ApiProblem:
    return ApiProblem(422, "bad_address", reason, field="address")
