"""What handlers can be given of notices: see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import given
from service.notices.notices import Notices


class NoticeParts(Protocol):
    """Parts of the service that these dependencies come from."""

    notices: Notices


def dependencies(services: NoticeParts) -> dict[str, Provide]:
    """``notices``."""

    async def notices() -> Notices:
        return services.notices

    return {"notices": given(notices)}
