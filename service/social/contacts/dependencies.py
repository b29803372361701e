"""Dependencies of route handlers about personal data (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import given
from service.social.contacts.contact_list import Company


class PeopleParts(Protocol):
    """The services that these dependencies are taken from."""

    company: Company


def dependencies(services: PeopleParts) -> dict[str, Provide]:
    """Return the provider of ``company``."""

    async def company() -> Company:
        return services.company

    return {"company": given(company)}
