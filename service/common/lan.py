"""Lookup of this machine's address on the local network."""

import ipaddress
import socket

ANY_ADDRESS_HOSTS = ("0.0.0.0", "::")


def lan_address() -> str:
    """Return this machine's address on its network, or "localhost" if it has none.

    Connects a UDP socket to a documentation address (RFC 5737), which sends no packet.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback name or address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
