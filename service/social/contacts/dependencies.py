"""Dependencies of the personal data route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide_part
from service.social.contacts.contact_list import Contacts


class SocialParts(Protocol):
    """The services that provide these dependencies."""

    contacts: Contacts


def dependencies(services: SocialParts) -> dict[str, Provide]:
    """Return the provider of ``company``, the `Contacts`."""
    return {"company": provide_part(lambda: services.contacts)}
