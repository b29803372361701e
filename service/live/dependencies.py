"""What handlers can be given of live updates: see `service.base.injected`."""

from litestar.di import Provide

from service.base.injected import given
from service.live.hub import Hub
from service.notices.presence import Presence
from service.services import Services


def dependencies(services: Services) -> dict[str, Provide]:
    """``hub``, ``presence``."""

    async def hub() -> Hub:
        return services.hub

    async def presence() -> Presence:
        return services.presence

    return {"hub": given(hub), "presence": given(presence)}
