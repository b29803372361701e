"""Dependencies of route handlers about personal data (`service.base.injected`)."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.people.contacts.company import Company


class PeopleParts(Protocol):
    """The parts of `Services` that these dependencies need."""

    company: Company


def dependencies(services: PeopleParts) -> dict[str, Provide]:
    """Return the provider of ``company``."""

    async def company() -> Company:
        return services.company

    return {"company": given(company)}
