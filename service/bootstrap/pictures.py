"""The drawing of pictures."""

import asyncio
from contextlib import AsyncExitStack

from service.media.pictures.fonts import find_extra_fonts
from service.media.renderer import PictureCache
from service.settings import Settings


async def build_renderer(settings: Settings, stack: AsyncExitStack) -> PictureCache:
    """Build the renderer of pictures with the fonts of this machine; closed with the stack."""
    renderer = PictureCache(await asyncio.to_thread(find_extra_fonts, settings.fonts))
    stack.push_async_callback(renderer.aclose)
    return renderer
