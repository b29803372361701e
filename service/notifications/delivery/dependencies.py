"""Dependencies of route handlers about notifications (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import given
from service.notifications.delivery.subscriptions import Notices


class NoticeParts(Protocol):
    """The services that these dependencies are taken from."""

    notices: Notices


def dependencies(services: NoticeParts) -> dict[str, Provide]:
    """Return the provider of ``notices``."""

    async def notices() -> Notices:
        return services.notices

    return {"notices": given(notices)}
