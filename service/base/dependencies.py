"""What handlers of every subject can be given: see `service.base.injected`."""

from litestar.di import Provide

from service.base.health import Vitals
from service.base.injected import Req, given
from service.services import Services


def dependencies(services: Services) -> dict[str, Provide]:
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
        return Vitals(
            services.store,
            services.views,
            services.runner,
            services.streams,
            services.outbox,
            services.saver,
            services.leaving,
            services.redis,
            services.settings.metrics_token,
        )

    return {"base_url": given(base_url), "notice_base": given(notice_base), "vitals": given(vitals)}
