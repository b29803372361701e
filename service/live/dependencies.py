"""Injected dependencies of the live-update handlers; see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.live.hub import Hub
from service.notices.presence import Presence


class LiveParts(Protocol):
    """The services that these dependencies are taken from."""

    hub: Hub
    presence: Presence


def dependencies(services: LiveParts) -> dict[str, Provide]:
    """Return the providers of ``hub`` and ``presence``."""

    async def hub() -> Hub:
        return services.hub

    async def presence() -> Presence:
        return services.presence

    return {"hub": given(hub), "presence": given(presence)}
