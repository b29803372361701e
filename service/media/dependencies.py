"""Dependencies of the media route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide
from service.media.frontend_files import FrontendFiles
from service.media.pictures.board import Boards
from service.media.renderer import PictureCache


class MediaParts(Protocol):
    """The services that provide these dependencies."""

    renderer: PictureCache
    frontend_files: FrontendFiles


def dependencies(services: MediaParts) -> dict[str, Provide]:
    """Return the providers of ``renderer``, ``boards`` and ``pages``."""
    kept = Boards()

    async def renderer() -> PictureCache:
        return services.renderer

    async def boards() -> Boards:
        return kept

    async def pages() -> FrontendFiles:
        return services.frontend_files

    return {"renderer": provide(renderer), "boards": provide(boards), "pages": provide(pages)}
