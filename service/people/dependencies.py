"""What handlers can be given of what is a person's own: see `service.base.injected`."""

from litestar.di import Provide

from service.base.injected import given
from service.people.company import Company
from service.services import Services


def dependencies(services: Services) -> dict[str, Provide]:
    """``company``."""

    async def company() -> Company:
        return services.company

    return {"company": given(company)}
