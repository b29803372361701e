"""Injected dependencies of the live-update handlers; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide_part
from service.live.hub import Hub
from service.notifications.presence import Presence


class LiveParts(Protocol):
    """The parts of `Services` that these dependencies use."""

    hub: Hub
    presence: Presence


def dependencies(services: LiveParts) -> dict[str, Provide]:
    """Return the providers of ``hub`` and ``presence``."""
    return {
        "hub": provide_part(lambda: services.hub),
        "presence": provide_part(lambda: services.presence),
    }
