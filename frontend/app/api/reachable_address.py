"""The address at which other devices reach the service."""

from collections.abc import Callable
from typing import Any

from _native import origin

from frontend.app.api import client
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Node

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def loopback_warning(url: Any) -> Node | None:
    """Return a warning node if an address is reachable only from this device, otherwise None."""
    host = url.partition("://")[2].partition("/")[0]
    if not (host in LOOPBACK_HOSTS or host.rpartition(":")[0] in LOOPBACK_HOSTS):
        return None
    return el("p", {"class": "notice-line"}, t("error.only_this_device"))


def find_reachable_address(then: Callable[..., object]) -> None:
    """Call ``then(address)`` with the address at which other devices reach this service.

    This is the origin of the page, unless that is a loopback address and the service returns
    another one.
    """
    here = origin()
    if loopback_warning(here) is None:
        then(here)
    else:
        client.get("/api/address", lambda found: then(found["url"]), lambda _problem: then(here))
