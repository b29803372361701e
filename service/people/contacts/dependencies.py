"""Dependencies of route handlers about personal data (`service.base.injected`)."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.people.contacts.company import Company


class PeopleParts(Protocol):
    """The services that these dependencies are taken from."""

    company: Company


def dependencies(services: PeopleParts) -> dict[str, Provide]:
    """Return the provider of ``company``."""

    async def company() -> Company:
        return services.company

    return {"company": given(company)}
