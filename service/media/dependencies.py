"""Dependencies of this API module; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import given
from service.media.frontend_files import Pages
from service.media.pictures.board import Boards
from service.media.renderer import Renderer


class MediaParts(Protocol):
    """The services that these dependencies are taken from."""

    renderer: Renderer
    pages: Pages


def dependencies(services: MediaParts) -> dict[str, Provide]:
    """Return the providers of ``renderer``, ``boards`` and ``pages``."""
    kept = Boards()

    async def renderer() -> Renderer:
        return services.renderer

    async def boards() -> Boards:
        return kept

    async def pages() -> Pages:
        return services.pages

    return {"renderer": given(renderer), "boards": given(boards), "pages": given(pages)}
