"""Dependencies of the recovery route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide_part
from service.recovery.recoveries import SeatRecoveries


class RecoveryParts(Protocol):
    """The services that provide these dependencies."""

    recoveries: SeatRecoveries


def dependencies(services: RecoveryParts) -> dict[str, Provide]:
    """Return the provider of ``recoveries``, the `SeatRecoveries`."""
    return {"recoveries": provide_part(lambda: services.recoveries)}
