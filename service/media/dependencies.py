"""Dependencies of the media route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import provide_part
from service.media.frontend_files import FrontendFiles
from service.media.pictures.board import Boards
from service.media.renderer import PictureCache


class MediaParts(Protocol):
    """The services that provide these dependencies."""

    renderer: PictureCache
    boards: Boards
    frontend_files: FrontendFiles


def dependencies(services: MediaParts) -> dict[str, Provide]:
    """Return the providers of ``renderer``, ``boards`` and ``pages``."""
    return {
        "renderer": provide_part(lambda: services.renderer),
        "boards": provide_part(lambda: services.boards),
        "pages": provide_part(lambda: services.frontend_files),
    }
