"""What handlers can be given of media: see `service.base.injected`."""

from litestar.di import Provide

from service.base.injected import given
from service.media.pages import Pages
from service.media.renderer import Renderer
from service.services import Services


def dependencies(services: Services) -> dict[str, Provide]:
    """``renderer``, ``pages``."""

    async def renderer() -> Renderer:
        return services.renderer

    async def pages() -> Pages:
        return services.pages

    return {"renderer": given(renderer), "pages": given(pages)}
