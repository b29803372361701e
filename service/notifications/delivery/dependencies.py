"""Dependencies of the notification route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide
from service.notifications.delivery.subscriptions import Subscriptions


class NotificationParts(Protocol):
    """The services that provide these dependencies."""

    subscriptions: Subscriptions


def dependencies(services: NotificationParts) -> dict[str, Provide]:
    """Return the provider of ``notices``, the `Subscriptions`."""

    async def notices() -> Subscriptions:
        return services.subscriptions

    return {"notices": provide(notices)}
