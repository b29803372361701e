"""What handlers can be given of what is a person's own: see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.people.company import Company


class PeopleParts(Protocol):
    """Parts of the service that these dependencies come from."""

    company: Company


def dependencies(services: PeopleParts) -> dict[str, Provide]:
    """``company``."""

    async def company() -> Company:
        return services.company

    return {"company": given(company)}
