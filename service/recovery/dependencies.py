"""Injected dependencies of the recovery handlers; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide
from service.recovery.recoveries import SeatRecoveries


class RecoveryParts(Protocol):
    """The services that these dependencies are taken from."""

    recoveries: SeatRecoveries


def dependencies(services: RecoveryParts) -> dict[str, Provide]:
    """Return the provider of ``recoveries``."""

    async def recoveries() -> SeatRecoveries:
        return services.recoveries

    return {"recoveries": provide(recoveries)}
