"""Addresses on the internet that strangers give: how they are written, and which are public.

A URL is normalised once, when it is given: its host becomes what a resolver is asked for (UTS 46
and IDNA 2008, by `idna`), so full-width digits and look-alike letters are the digits and letters
they stand for. A host is then either an IP address or a name. A name is resolved when it is
called, and every address it has is looked at.
"""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Literal
from urllib.parse import SplitResult, quote, urlsplit

import dns.asyncresolver
import dns.exception
import dns.name
import dns.resolver
import idna
from msgspec import Struct

_LOOKUP_SECONDS = 4.0
_MOST_ADDRESSES = 3
"""Addresses of one name that are tried, one after the other."""
_UNICAST = ipaddress.ip_network("2000::/3")
"""What IANA gives out of IPv6; all that is public and means one machine lies within."""
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_RESERVED = tuple(
    map(ipaddress.ip_network, ("192.88.99.0/24", "2001:20::/28", "2001:db8::/32", "3fff::/20"))
)
"""Not of the public internet, though older versions of `ipaddress` do not know all of them."""
_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_LONGEST_NAME = 253
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SAFE_IN_PATH = "/:@!$&'()*+,;=~-._%"
_SAFE_IN_QUERY = _SAFE_IN_PATH + "?"


class Refused(Exception):
    """An address that is not to be called."""


class Target(Struct, frozen=True):
    """Where a URL leads. ``host``: in ASCII, an IPv6 address without brackets; ``is_own``: the
    settings name it, so it may be private and without TLS."""

    url: str
    scheme: str
    host: str
    port: int
    is_own: bool

    @property
    def place(self) -> str:
        """Host and port, as settings and limits name them."""
        return f"{self.host}:{self.port}"


def is_public(text: str) -> bool:
    """Tell whether an IP address is one of the public internet, whatever it is wrapped in."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.teredo is not None or address not in _UNICAST:
            return False
    if any(address in network for network in _RESERVED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def is_ip(host: str) -> bool:
    """Tell whether a host is an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def target_of(url: str, own: frozenset[str]) -> Target | None:
    """Normalise a URL; None for what is no URL of http or https. `Refused` for one that is not
    on the public internet by its host alone."""
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https"):
        return None
    host = _host(parts.hostname or "")
    if not host or parts.username is not None or parts.password is not None:
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    is_own = f"{host}:{port}" in own
    if parts.scheme == "http" and not is_own:
        return None
    if not is_own and not (is_public(host) if is_ip(host) else _is_name(host)):
        raise Refused
    shown = f"[{host}]" if ":" in host else host
    netloc = shown if parts.port is None else f"{shown}:{port}"
    path = quote(parts.path or "/", safe=_SAFE_IN_PATH)
    query = quote(parts.query, safe=_SAFE_IN_QUERY)
    normal = SplitResult(parts.scheme, netloc, path, query, "").geturl()
    return Target(normal, parts.scheme, host, port, is_own)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        is_future = "[" in parts.netloc and ":" not in (parts.hostname or "")
        return None if parts.port == 0 or is_future else parts
    except ValueError:
        return None


def _host(text: str) -> str:
    """A host in ASCII: an address in its shortest form, or a name; "" for neither."""
    try:
        if ":" in text:
            return "" if "%" in text else str(ipaddress.IPv6Address(text))
        plain = idna.uts46_remap(text, std3_rules=False, transitional=False).rstrip(".")
        name = plain if plain.isascii() else idna.encode(plain).decode()
    except (idna.IDNAError, ValueError):
        return ""
    return name if _NAME.fullmatch(name) and len(name) <= _LONGEST_NAME else ""


def _is_name(host: str) -> bool:
    """Tell whether a name can be one of the public DNS; "0x7f.1" and "127.1" are numbers, which
    some resolvers read as addresses."""
    return "." in host and not _NUMBER.fullmatch(host.rpartition(".")[2])


class Resolver:
    """Asks the DNS for addresses of strangers' names. ``nameservers``: (address, port) of those
    to ask; without them those of the machine.

    The question goes out without a thread, so a name server that keeps silent holds nothing up,
    and without the machine's own search list or hosts file, which strangers need not know.
    """

    def __init__(self, nameservers: Iterable[tuple[str, int]] = ()) -> None:
        self._nameservers = tuple(nameservers)
        self._resolver: dns.asyncresolver.Resolver | None = None

    async def addresses(self, target: Target) -> list[str]:
        """Give the addresses to call, the best first; `Refused` if one of all is not public."""
        if is_ip(target.host):
            found = [target.host]
        elif target.is_own:
            found = await _by_machine(target.host, target.port)
        else:
            both = await asyncio.gather(self._ask(target.host, "A"), self._ask(target.host, "AAAA"))
            found = [address for pair in _alternating(*both) for address in pair]
        if not target.is_own and not all(map(is_public, found)):
            raise Refused
        return found[:_MOST_ADDRESSES]

    async def _ask(self, host: str, kind: Literal["A", "AAAA"]) -> list[str]:
        try:
            answer = await self._asking().resolve(
                dns.name.from_text(host),
                kind,
                lifetime=_LOOKUP_SECONDS,
                search=False,
                raise_on_no_answer=False,
            )
        except (dns.exception.DNSException, UnicodeError):
            return []
        return [record.address for record in answer]

    def _asking(self) -> dns.asyncresolver.Resolver:
        if self._resolver is None:
            self._resolver = dns.asyncresolver.Resolver(configure=not self._nameservers)
            if self._nameservers:
                self._resolver.nameservers = [
                    dns.nameserver.Do53Nameserver(host, port) for host, port in self._nameservers
                ]
        return self._resolver


async def _by_machine(host: str, port: int) -> list[str]:
    """The addresses of a host that the settings name, as the machine knows them."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _alternating(first: list[str], second: list[str]) -> Iterable[tuple[str, ...]]:
    """One of each in turn: where one family leads nowhere the other is tried next."""
    for index in range(max(len(first), len(second))):
        yield (*first[index : index + 1], *second[index : index + 1])
