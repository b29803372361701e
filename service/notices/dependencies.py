"""What handlers can be given of notices: see `service.base.injected`."""

from litestar.di import Provide

from service.base.injected import given
from service.notices.notices import Notices
from service.services import Services


def dependencies(services: Services) -> dict[str, Provide]:
    """``notices``."""

    async def notices() -> Notices:
        return services.notices

    return {"notices": given(notices)}
