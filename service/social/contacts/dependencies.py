"""Dependencies of the personal data route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide
from service.social.contacts.contact_list import Contacts


class SocialParts(Protocol):
    """The services that provide these dependencies."""

    contacts: Contacts


def dependencies(services: SocialParts) -> dict[str, Provide]:
    """Return the provider of ``company``, the `Contacts`."""

    async def company() -> Contacts:
        return services.contacts

    return {"company": provide(company)}
