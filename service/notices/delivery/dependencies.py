"""Dependencies of route handlers about notifications (`service.base.injected`)."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.notices.delivery.notices import Notices


class NoticeParts(Protocol):
    """The services that these dependencies are taken from."""

    notices: Notices


def dependencies(services: NoticeParts) -> dict[str, Provide]:
    """Return the provider of ``notices``."""

    async def notices() -> Notices:
        return services.notices

    return {"notices": given(notices)}
