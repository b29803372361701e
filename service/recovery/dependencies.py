"""Injected dependencies of the recovery handlers; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import given
from service.recovery.recoveries import Recoveries


class RecoveryParts(Protocol):
    """The services that these dependencies are taken from."""

    recoveries: Recoveries


def dependencies(services: RecoveryParts) -> dict[str, Provide]:
    """Return the provider of ``recoveries``."""

    async def recoveries() -> Recoveries:
        return services.recoveries

    return {"recoveries": given(recoveries)}
