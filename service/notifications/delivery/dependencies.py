"""Dependencies of the notification route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide_part
from service.notifications.delivery.subscriptions import Subscriptions


class NotificationParts(Protocol):
    """The services that provide these dependencies."""

    subscriptions: Subscriptions


def dependencies(services: NotificationParts) -> dict[str, Provide]:
    """Return the provider of ``notices``, the `Subscriptions`."""
    return {"notices": provide_part(lambda: services.subscriptions)}
