"""Injected dependencies of the live-update handlers; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide
from service.live.hub import Hub
from service.notifications.presence import Presence


class LiveParts(Protocol):
    """The parts of `Services` that these dependencies use."""

    hub: Hub
    presence: Presence


def dependencies(services: LiveParts) -> dict[str, Provide]:
    """Return the providers of ``hub`` and ``presence``."""

    async def hub() -> Hub:
        return services.hub

    async def presence() -> Presence:
        return services.presence

    return {"hub": provide(hub), "presence": provide(presence)}
