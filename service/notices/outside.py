"""The one client for addresses that strangers give: push services, webhooks, chats.

A name is resolved once, every address it has is looked at, and the connection goes to one that
was looked at: a name that points elsewhere a moment later gains nothing. Private networks, this
machine and whatever else is not the public internet are refused, redirects are not followed, and
of an answer only its head counts.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult, urlsplit

import httpcore
from msgspec import Struct

from domain.words import N_
from service.base.now import clock
from service.base.problems import Fault

_SECONDS = 10.0
"""How long one delivery may take in all."""
_LONGEST_WAIT = 6 * 3600

REFUSED = N_("This address is not on the public internet.")
BAD_URL = N_("This is no https address.")


class Refused(Exception):
    """An address that is not to be called."""


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


def is_public(text: str) -> bool:
    """Whether an address in digits is one of the public internet, whatever it is wrapped in."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.teredo is not None:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


class _Pinned(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were looked at; ``own``: hosts with ports that may be private."""

    def __init__(self, own: frozenset[str]) -> None:
        self._own = own
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *more: Any, **named: Any) -> Any:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
        own = f"{host}:{port}" in self._own
        if not addresses or not (own or all(map(is_public, addresses))):
            raise Refused
        error: Exception = httpcore.ConnectError()
        for address in addresses[:2]:
            try:
                return await self._inner.connect_tcp(address, port, *more, **named)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failed:
                error = failed
        raise error

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class Outside:
    """The client. ``own``: "host:port" of test servers and the like that may be private and
    without TLS."""

    def __init__(self, own: Iterable[str] = ()) -> None:
        self._own = frozenset(each.strip().lower() for each in own if each.strip())
        self._pool = httpcore.AsyncConnectionPool(
            max_connections=20,
            max_keepalive_connections=5,
            keepalive_expiry=20,
            network_backend=_Pinned(self._own),
        )

    async def aclose(self) -> None:
        """Lets go of the connections."""
        await self._pool.aclose()

    def check(self, url: str) -> str:
        """The address as it is called; `Fault` 422 ``bad_address`` for one that never will be.

        A host in digits is looked at here already; a name whenever it is called.
        """
        parts = _parts(url)
        host = parts.hostname if parts else None
        own = parts is not None and _place(parts) in self._own
        if not parts or not host or parts.username is not None or parts.password is not None:
            raise bad_address(BAD_URL)
        if parts.scheme != "https" and not (own and parts.scheme == "http"):
            raise bad_address(BAD_URL)
        if not own and not (is_public(host) if _is_digits(host) else "." in host):
            raise bad_address(REFUSED)
        return parts._replace(fragment="").geturl()

    async def send(
        self, url: str, headers: Mapping[str, str], body: bytes, method: str = "POST"
    ) -> Answer:
        """Sends a body to an address; never raises for what the other side does."""
        try:
            self.check(url)
            async with asyncio.timeout(_SECONDS):
                return await self._sent(url, headers, body, method)
        except (Refused, Fault):
            return Answer(0, refused=True)
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError):
            return Answer(0)
        except (OSError, TimeoutError, UnicodeError):
            return Answer(0)

    async def _sent(self, url: str, headers: Mapping[str, str], body: bytes, method: str) -> Answer:
        given = {"User-Agent": "Caravanserai", **headers}
        async with self._pool.stream(
            method,
            url,
            headers=[(name.encode(), value.encode()) for name, value in given.items()],
            content=body,
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), _SECONDS)},
        ) as answer:
            said = {name.lower(): value for name, value in answer.headers}
            return Answer(answer.status, _wait(said.get(b"retry-after", b"").decode("latin-1")))


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        return parts if parts.port is None or parts.port else None
    except ValueError:
        return None


def _place(parts: SplitResult) -> str:
    return f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


def _is_digits(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _wait(said: str) -> int | None:
    """Seconds of a Retry-After, whether it is a number or a date."""
    if said.isascii() and said.isdecimal() and len(said) < 10:
        return min(int(said), _LONGEST_WAIT)
    try:
        seconds = int(parsedate_to_datetime(said).timestamp() - clock() / 1000)
    except (ValueError, TypeError):
        return None
    return min(max(seconds, 0), _LONGEST_WAIT)


def bad_address(why: str) -> Fault:
    return Fault(422, "bad_address", why, field="address")
