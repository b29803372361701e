"""The one place where things are wired together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.types import Message, Scope
from redis.asyncio import Redis

from projections.runner import Projector, Runner
from projections.views import Views
from service import openapi, review
from service.clock import Clock
from service.handlers import HANDLERS
from service.identity import Players
from service.limits import Limit, MemoryCounter, RedisCounter
from service.lists import Lists
from service.live import Hub
from service.pages import BUILD, SECURITY_HEADERS, Pages, serve_home, serve_page
from service.play import Play
from service.problems import Fault, answer_exception
from service.saver import Saver
from service.settings import Settings
from service.store import Store, library_settings
from service.studio import Studio
from service.tables import Tables


def create_app(settings: Settings) -> Litestar:
    """The service. Its databases are opened when it starts and closed when it stops."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            store = await asyncio.to_thread(Store, settings)
            stack.callback(store.close)
            views = await asyncio.to_thread(Views, library_settings(settings, views=True))
            stack.callback(views.close)
            projector = Projector(store, views, lambda key: tables.peek(key))
            runner = Runner(projector)
            saver = Saver(store, runner.wake)
            tables = Tables(store, saver, settings.cache_size)
            redis = Redis.from_url(settings.redis_url) if settings.redis_url else None
            if redis is not None:
                stack.push_async_callback(redis.aclose)
            hub = Hub(redis, settings.heartbeat)
            play = Play(store, saver, tables, hub.announce)
            app.state.update(
                store=store,
                saver=saver,
                players=Players(store),
                play=play,
                hub=hub,
                counter=RedisCounter(redis) if redis is not None else MemoryCounter(),
                lists=Lists(projector, views),
                studio=Studio(),
            )
            runner.start()
            stack.callback(runner.stop)
            await stack.enter_async_context(hub.running())
            await stack.enter_async_context(Clock(play, tables, views).running())
            yield

    return Litestar(
        route_handlers=[
            *HANDLERS,
            *review.PAGES,
            serve_schema,
            serve_home,
            serve_page,
        ],
        lifespan=[lifespan],
        state=State({"settings": settings, "pages": Pages(BUILD)}),
        before_request=refuse_null,
        before_send=[complete_headers],
        exception_handlers={Exception: answer_exception},
        middleware=[Limit()],
        compression_config=_COMPRESSION,
        request_max_body_size=settings.max_body,
        openapi_config=None,
        logging_config=None,
    )


def _allowed() -> dict[str, bytes]:
    """The methods of each path, for answers to OPTIONS."""
    methods: dict[str, set[str]] = {}
    for handler in HANDLERS:
        for path in handler.paths:
            methods.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return {path: ", ".join(sorted(allowed)).encode() for path, allowed in methods.items()}


_ALLOWED = _allowed()
_COMPRESSION = CompressionConfig(
    backend="gzip",
    gzip_compress_level=5,
    minimum_size=1024,
    # Left alone by their handlers' `opt`: pages, which are packed already; streams, which must
    # not wait; pictures; and secrets of players, next to what others may choose.
    exclude_opt_key="packed",
)
_SECURITY = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]


async def complete_headers(message: Message, scope: Scope) -> None:
    """Security headers for every answer, errors too.

    Where several handlers share a path, Litestar's answer to OPTIONS names only the methods of
    the one that was registered first; it is put right here.
    """
    if message["type"] != "http.response.start":
        return
    headers = [*message["headers"], *_SECURITY]
    if scope.get("method") == "OPTIONS":
        allowed = _ALLOWED.get(scope.get("path_template", ""))
        if allowed is not None:
            headers = [pair for pair in headers if pair[0].lower() != b"allow"]
            headers.append((b"allow", allowed))
    message["headers"] = headers


async def refuse_null(request: Request[Any, Any, Any]) -> None:
    """The library would read ``?at=null`` as if it were absent; it is a mistake of the caller."""
    if b"=null" in request.scope["query_string"]:
        for name, value in request.query_params.multi_items():
            if value == "null":
                raise Fault(422, "invalid_request", "Leave it out instead.", field=name)


@get("/schema/openapi.json", include_in_schema=False, sync_to_thread=False)
def serve_schema() -> Response[bytes]:
    """The OpenAPI document, byte for byte the committed one."""
    return Response(openapi.rendered(), media_type="application/json")
