"""What handlers can be given of recovery: see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.recovery.recoveries import Recoveries


class RecoveryParts(Protocol):
    """Parts of the service that these dependencies come from."""

    recoveries: Recoveries


def dependencies(services: RecoveryParts) -> dict[str, Provide]:
    """``recoveries``."""

    async def recoveries() -> Recoveries:
        return services.recoveries

    return {"recoveries": given(recoveries)}
