"""What handlers of every subject can be given: see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.health import Vitals
from service.base.hosts import Hosts
from service.base.injected import Req, given


class BaseParts(Protocol):
    """Parts of the service that these dependencies come from."""

    hosts: Hosts
    lan: str

    def vitals(self) -> Vitals:
        """What health is asked about."""
        ...


def dependencies(services: BaseParts) -> dict[str, Provide]:
    """``base_url``: the address people use, without a slash at the end; ``notice_base``: the one
    that messages to others name; ``vitals``.

    Who asks by a loopback address wants to show others the way: they get that of the network, if
    the service listens there.
    """

    async def base_url(request: Req) -> str:
        return services.hosts.base(request.scope, services.lan)

    async def notice_base(request: Req) -> str:
        return services.hosts.notice_base(request.scope)

    async def vitals() -> Vitals:
        return services.vitals()

    return {"base_url": given(base_url), "notice_base": given(notice_base), "vitals": given(vitals)}
