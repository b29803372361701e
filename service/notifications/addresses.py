"""Internet addresses supplied by users: normalisation, and a check that they are public.

`parse_target` converts the host of a URL to the form that resolvers expect (UTS 46 and IDNA 2008,
by `idna`), so full-width digits and compatibility letters become ordinary ones. The host is then
either an IP address or a name. A name is resolved again for every call, and all its addresses are
checked.
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
"""Maximum number of addresses of one name to try, one after the other."""
_UNICAST_NETWORK = ipaddress.ip_network("2000::/3")
"""The IPv6 range from which IANA allocates global unicast addresses."""
_NAT64_NETWORK = ipaddress.ip_network("64:ff9b::/96")
_RESERVED_NETWORKS = tuple(
    map(ipaddress.ip_network, ("192.88.99.0/24", "2001:20::/28", "2001:db8::/32", "3fff::/20"))
)
"""Non-public ranges, some of which older versions of `ipaddress` report as global."""
_NAME_PATTERN = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_MAX_NAME_CHARS = 253
_NUMBER_PATTERN = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SAFE_IN_PATH = "/:@!$&'()*+,;=~-._%"
_SAFE_IN_QUERY = _SAFE_IN_PATH + "?"


class AddressRefused(Exception):
    """Error for an address that must not be called because it is not public."""


class Target(Struct, frozen=True):
    """The target of a URL.

    ``url``: the normalised URL; ``host``: the host in ASCII, IPv6 addresses without brackets;
    ``is_own``: whether the settings list this target, so that it may be private and use plain HTTP.
    """

    url: str
    scheme: str
    host: str
    port: int
    is_own: bool

    @property
    def host_and_port(self) -> str:
        """The target as "host:port", the form used in the settings and as a rate limit key."""
        return f"{self.host}:{self.port}"


def is_public(text: str) -> bool:
    """Return whether an IP address is public.

    For IPv4-mapped, 6to4 and NAT64 addresses, the embedded IPv4 address is checked. Raises
    ValueError if ``text`` is not an IP address.
    """
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
    """Normalise a URL; return None if it is not a valid https URL or contains credentials.

    ``own_targets``: "host:port" of the targets listed in the settings, for which http is accepted
    too. Raises `AddressRefused` for any other host that is a non-public IP address or a name that
    cannot exist in the public DNS.
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
    """Return a host in ASCII, with IPv6 addresses in their shortest form; "" if it is invalid."""
    try:
        if ":" in text:
            return "" if "%" in text else str(ipaddress.IPv6Address(text))
        plain = idna.uts46_remap(text, std3_rules=False, transitional=False).rstrip(".")
        name = plain if plain.isascii() else idna.encode(plain).decode()
    except (idna.IDNAError, ValueError):
        return ""
    return name if _NAME_PATTERN.fullmatch(name) and len(name) <= _MAX_NAME_CHARS else ""


def _is_name(host: str) -> bool:
    """Return whether a name can exist in the public DNS.

    Names without a dot cannot. Nor can names whose last label is a number ("0x7f.1", "127.1"),
    which some resolvers read as addresses.
    """
    return "." in host and not _NUMBER_PATTERN.fullmatch(host.rpartition(".")[2])


class Resolver:
    """A DNS resolver for names supplied by users.

    ``nameservers``: (address, port) of the servers to query; if empty, those configured on the
    machine. Queries need no thread, so an unresponsive name server does not exhaust a thread pool.
    The machine's search list and hosts file are not used, so users cannot probe them.
    """

    def __init__(self, nameservers: Iterable[tuple[str, int]] = ()) -> None:
        self._nameservers = tuple(nameservers)
        self._resolver: dns.asyncresolver.Resolver | None = None

    async def resolve(self, target: Target) -> list[str]:
        """Return up to `_MAX_ADDRESSES` addresses in the order to try them.

        The list is empty if the name cannot be resolved. Raises `AddressRefused` if any address is
        not public. Own targets are resolved by the machine and may be private; for them, OSError
        is raised if resolution fails.
        """
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
    """Resolve a host listed in the settings with the machine's own resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _interleave(first: list[str], second: list[str]) -> Iterable[tuple[str, ...]]:
    """Yield the items of two lists in pairs, so that IPv4 and IPv6 addresses alternate.

    Once the shorter list is used up, the tuples have one item.
    """
    for index in range(max(len(first), len(second))):
        yield (*first[index : index + 1], *second[index : index + 1])
