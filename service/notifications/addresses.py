"""Internet addresses that users supply: normalisation, and the check that they are public.

A URL is normalised once, when it is supplied: its host is converted to the name that is passed to
a resolver (UTS 46 and IDNA 2008, by `idna`), so full-width digits and compatibility letters become
ordinary ones. A host is then either an IP address or a name. A name is resolved at each call, and
all its addresses are checked.
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

_LOOKUP_TIMEOUT_S = 4.0
_MAX_ADDRESSES = 3
"""Maximum addresses of one name that are tried, one after the other."""
_UNICAST_NETWORK = ipaddress.ip_network("2000::/3")
"""The IPv6 range that IANA allocates; all public unicast addresses are within it."""
_NAT64_NETWORK = ipaddress.ip_network("64:ff9b::/96")
_RESERVED_NETWORKS = tuple(
    map(ipaddress.ip_network, ("192.88.99.0/24", "2001:20::/28", "2001:db8::/32", "3fff::/20"))
)
"""Ranges outside the public internet that older versions of `ipaddress` do not all know."""
_NAME_PATTERN = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_MAX_NAME_CHARS = 253
_NUMBER_PATTERN = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SAFE_IN_PATH = "/:@!$&'()*+,;=~-._%"
_SAFE_IN_QUERY = _SAFE_IN_PATH + "?"


class AddressRefused(Exception):
    """An address must not be called because it is not public."""


class Target(Struct, frozen=True):
    """The target of a URL.

    ``url``: its normal form; ``host``: in ASCII, an IPv6 address without brackets; ``is_own``: the
    settings name it, so it may be private and without TLS.
    """

    url: str
    scheme: str
    host: str
    port: int
    is_own: bool

    @property
    def host_and_port(self) -> str:
        """The target as "host:port", as settings and rate limits name it."""
        return f"{self.host}:{self.port}"


def is_public(text: str) -> bool:
    """Return whether an IP address is public, also inside IPv4-mapped, 6to4 and NAT64 addresses."""
    address = ipaddress.ip_address(text)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64_NETWORK:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if address.teredo is not None or address not in _UNICAST_NETWORK:
            return False
    if any(address in network for network in _RESERVED_NETWORKS):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def is_ip(host: str) -> bool:
    """Return whether a host is an IP address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def parse_target(url: str, own_targets: frozenset[str]) -> Target | None:
    """Normalise a URL; return None if it is not a valid https URL (own targets: also http).

    Raises `AddressRefused` if its host alone shows that it is not public.
    """
    parts = _split_url(url)
    if parts is None or parts.scheme not in ("http", "https"):
        return None
    host = _normalize_host(parts.hostname or "")
    if not host or parts.username is not None or parts.password is not None:
        return None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    is_own = f"{host}:{port}" in own_targets
    if parts.scheme == "http" and not is_own:
        return None
    if not is_own and not (is_public(host) if is_ip(host) else _is_name(host)):
        raise AddressRefused
    shown = f"[{host}]" if ":" in host else host
    netloc = shown if parts.port is None else f"{shown}:{port}"
    path = quote(parts.path or "/", safe=_SAFE_IN_PATH)
    query = quote(parts.query, safe=_SAFE_IN_QUERY)
    normal = SplitResult(parts.scheme, netloc, path, query, "").geturl()
    return Target(normal, parts.scheme, host, port, is_own)


def _split_url(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        is_future = "[" in parts.netloc and ":" not in (parts.hostname or "")
        return None if parts.port == 0 or is_future else parts
    except ValueError:
        return None


def _normalize_host(text: str) -> str:
    """Return a host in ASCII: an IP address in its shortest form, or a name; "" for neither."""
    try:
        if ":" in text:
            return "" if "%" in text else str(ipaddress.IPv6Address(text))
        plain = idna.uts46_remap(text, std3_rules=False, transitional=False).rstrip(".")
        name = plain if plain.isascii() else idna.encode(plain).decode()
    except (idna.IDNAError, ValueError):
        return ""
    return name if _NAME_PATTERN.fullmatch(name) and len(name) <= _MAX_NAME_CHARS else ""


def _is_name(host: str) -> bool:
    """Return whether a name can be in the public DNS.

    Names whose last label is a number ("0x7f.1", "127.1") cannot: some resolvers read them as
    addresses.
    """
    return "." in host and not _NUMBER_PATTERN.fullmatch(host.rpartition(".")[2])


class Resolver:
    """A DNS resolver for names that users supply.

    ``nameservers``: (address, port) of the servers to query; those of the machine if empty.
    Queries need no thread, so an unresponsive name server blocks nothing. The machine's search list
    and hosts file are not used, so that users learn nothing about them.
    """

    def __init__(self, nameservers: Iterable[tuple[str, int]] = ()) -> None:
        self._nameservers = tuple(nameservers)
        self._resolver: dns.asyncresolver.Resolver | None = None

    async def resolve(self, target: Target) -> list[str]:
        """Return the addresses to call, in order; `AddressRefused` if any of them is not public."""
        if is_ip(target.host):
            found = [target.host]
        elif target.is_own:
            found = await _resolve_by_system(target.host, target.port)
        else:
            both = await asyncio.gather(
                self._query(target.host, "A"), self._query(target.host, "AAAA")
            )
            found = [address for pair in _interleave(*both) for address in pair]
        if not target.is_own and not all(map(is_public, found)):
            raise AddressRefused
        return found[:_MAX_ADDRESSES]

    async def _query(self, host: str, kind: Literal["A", "AAAA"]) -> list[str]:
        try:
            answer = await self._ensure_resolver().resolve(
                dns.name.from_text(host),
                kind,
                lifetime=_LOOKUP_TIMEOUT_S,
                search=False,
                raise_on_no_answer=False,
            )
        except (dns.exception.DNSException, UnicodeError):
            return []
        return [record.address for record in answer]

    def _ensure_resolver(self) -> dns.asyncresolver.Resolver:
        if self._resolver is None:
            self._resolver = dns.asyncresolver.Resolver(configure=not self._nameservers)
            if self._nameservers:
                self._resolver.nameservers = [
                    dns.nameserver.Do53Nameserver(host, port) for host, port in self._nameservers
                ]
        return self._resolver


async def _resolve_by_system(host: str, port: int) -> list[str]:
    """Return the addresses of a host of the settings by the resolver of the machine."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _interleave(first: list[str], second: list[str]) -> Iterable[tuple[str, ...]]:
    """Alternate two lists, so that the other address family is tried next if one fails."""
    for index in range(max(len(first), len(second))):
        yield (*first[index : index + 1], *second[index : index + 1])
