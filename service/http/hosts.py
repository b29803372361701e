"""Host names of the service, and the check for DNS rebinding.

A page may call any server under the host name it was loaded from, so the owner of a domain can
point the name at a machine in somebody's home network (DNS rebinding). The browser then calls the
service with that name as both Host and Origin. Host names are therefore checked: a name belongs to
the service if it is configured (``PUBLIC_URL``, ``ALLOWED_HOSTS``), is the machine's own, or cannot
be registered in public DNS (without a dot, ``.local``, ``.localhost``, ``.lan``, ``.home.arpa``,
``.internal``). IP addresses cannot be rebound. A container with a mapped port can be reached as
``laptop.local:8080`` or ``192.168.1.5:8080`` without any setting.

Links in responses contain ``PUBLIC_URL`` if it is set, otherwise the host of the request if it is
known, otherwise the machine's own address.
"""

import ipaddress
import re
import socket
from urllib.parse import urlsplit

from litestar.types import Scope

from service.common.lan import is_loopback, lan_address
from service.http.problems import ApiProblem, log
from service.settings import Settings

_HOST_PATTERN = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?", re.IGNORECASE)
_LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".home.arpa", ".internal")
_PRIVATE_NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
"""Loopback and private networks, through which a mapped container port can be reached too."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


def host_of(scope: Scope) -> str:
    """Return the Host header in lower case, or "" if there is none.

    Raises `ApiProblem` 400 ``bad_host`` if it is not a host with an optional port.
    """
    for name, value in scope["headers"]:
        if name == b"host":
            host = value.decode("latin-1").strip()
            found = _HOST_PATTERN.fullmatch(host)
            if found is None or int(found[2] or 0) > 65535:
                raise ApiProblem(400, "bad_host", "error.bad_host")
            return host.lower()
    return ""


def host_name(host: str) -> str:
    """Return the name or address in a host, without port, brackets and trailing dot."""
    return host.rpartition("]")[0].lstrip("[") or host.partition(":")[0].rstrip(".")


class Hosts:
    """The hosts that belong to the service, according to the settings and this machine."""

    def __init__(self, settings: Settings) -> None:
        self._public = settings.public_url.rstrip("/")
        self._port = settings.port
        public = urlsplit(self._public)
        self.origin = f"{public.scheme}://{public.netloc}".lower()
        allowed = [host_name(name.strip().lower()) for name in settings.allowed_hosts.split(",")]
        names = {*allowed, host_name(public.netloc.lower()), socket.gethostname().lower()}
        self._names = frozenset(names - {""})
        self._warned_hosts = False

    def is_own(self, scope: Scope, host: str, origin: str) -> bool:
        """Return whether an Origin is that of ``PUBLIC_URL`` or of the request's ``host``.

        An https origin is accepted even for an http request, because a proxy may have terminated
        TLS without reporting it. An http origin is never accepted for an https request.
        """
        scheme, _, place = origin.lower().partition("://")
        default = f":{_DEFAULT_PORTS.get(scheme)}"
        if scheme not in _DEFAULT_PORTS or (scope["scheme"] == "https" and scheme == "http"):
            return False
        near = place.removesuffix(default) == host.removesuffix(default)
        return near or origin.lower() == self.origin

    def is_public(self, host: str) -> bool:
        """Return whether the host, including its port, is that of ``PUBLIC_URL``."""
        return bool(self._public) and self.origin.partition("//")[2] == host

    def is_known(self, scope: Scope, host: str) -> bool:
        """Return whether links may contain the host.

        True for the service's own names, addresses in private networks, and the address at which
        the request was received.
        """
        address = _parse_ip(host)
        if address is None:
            return self._is_ours(host)
        server = scope.get("server")
        near = any(address in network for network in _PRIVATE_NETWORKS)
        return near or (server is not None and host_name(host) == server[0])

    def is_rebindable(self, host: str) -> bool:
        """Return whether DNS rebinding is possible with this host name."""
        return host != "" and _parse_ip(host) is None and not self._is_ours(host)

    def _is_ours(self, host: str) -> bool:
        name = host_name(host)
        return name in self._names or "." not in name or name.endswith(_LOCAL_SUFFIXES)

    def notice_base(self, scope: Scope) -> str:
        """Return the base address for links in messages to others, without a trailing slash.

        The host of the request is used only if it is configured or the name of this machine.
        """
        if self._public:
            return self._public
        host = host_of(scope)
        if host_name(host) in self._names:
            return f"{scope['scheme']}://{host}"
        return f"http://{lan_address()}:{self._port}"

    def base_url(self, scope: Scope, lan_host: str) -> str:
        """Return the service's base address for links in responses, without a trailing slash.

        ``lan_host``: this machine's address on its network, which replaces a loopback address
        because other devices cannot use that; "localhost" if the service does not listen there.
        """
        if self._public:
            return self._public
        host = host_of(scope)
        if host and self.is_known(scope, host):
            if is_loopback(host_name(host)) and not is_loopback(lan_host):
                _, colon, port = host.rpartition("]")[2].partition(":")
                host = lan_host + colon + port
            return f"{scope['scheme']}://{host}"
        if not self._warned_hosts:
            # Log only once, because anyone can send any number of names.
            self._warned_hosts = True
            log.warning("links do not name the unknown host %s: see ALLOWED_HOSTS", host)
        return f"http://{lan_address()}:{self._port}"


def _parse_ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host_name(host))
    except ValueError:
        return None
