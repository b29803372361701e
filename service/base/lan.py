"""The address under which other devices on this network reach the service."""

import ipaddress
import socket

EVERYWHERE = ("0.0.0.0", "::")


def lan_address() -> str:
    """This machine's address on its network, "localhost" without one; nothing is sent to find
    it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "localhost"


def is_loopback(host: str) -> bool:
    """Whether a host name leads every device to itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
