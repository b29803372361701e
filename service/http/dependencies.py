"""Dependencies that handlers of every API module can request; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.health import HealthSources
from service.http.hosts import Hosts
from service.http.injection import AnyRequest, provide_part


class HttpParts(Protocol):
    """The parts of `Services` that these dependencies use."""

    hosts: Hosts
    lan: str

    def health_sources(self) -> HealthSources:
        """Return the parts of the service that the health checks inspect."""
        ...


def dependencies(services: HttpParts) -> dict[str, Provide]:
    """Return the providers of ``base_url``, ``notice_base`` and ``vitals``.

    ``base_url`` is the service's address for links in responses, without a trailing slash;
    ``notice_base`` is its address for links in messages to others; ``vitals`` contains the parts
    that the health checks inspect. A request to a loopback address gets the service's LAN address
    as ``base_url``, if the service listens there, because the link is usually meant for another
    device.
    """

    async def base_url(request: AnyRequest) -> str:
        return services.hosts.base_url(request.scope, services.lan)

    async def notice_base(request: AnyRequest) -> str:
        return services.hosts.notice_base(request.scope)

    return {
        "base_url": Provide(base_url),
        "notice_base": Provide(notice_base),
        "vitals": provide_part(services.health_sources),
    }
