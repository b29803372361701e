"""What handlers can be given of recovery: see `service.base.injected`."""

from litestar.di import Provide

from service.base.injected import given
from service.recovery.recoveries import Recoveries
from service.services import Services


def dependencies(services: Services) -> dict[str, Provide]:
    """``recoveries``."""

    async def recoveries() -> Recoveries:
        return services.recoveries

    return {"recoveries": given(recoveries)}
