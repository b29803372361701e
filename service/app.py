"""The ASGI application: routes, middleware, and the headers of all responses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import InternalServerException
from litestar.types import ASGIApp, Message, Scope

from service import openapi
from service.api_modules import HANDLERS, dependencies, route_handlers
from service.bootstrap import Services
from service.http.i18n import language_middleware
from service.http.origin_guard import OriginGuard, head_middleware
from service.http.problems import answer_unexpected, problem_details_plugin
from service.http.rate_limits import RateLimitMiddleware
from service.http.read_throttle import ReadThrottleMiddleware
from service.http.strict_json import StrictRequest, reject_null_parameters
from service.matches.fast_path import FastPath
from service.media.frontend_files import SECURITY_HEADERS, serve_home, serve_page
from service.media.match_page import serve_match_page
from service.notifications.routes import mail_links
from service.observability.request_log import RequestLog, request_log_middleware
from service.observability.routes import serve_metrics
from service.settings import Settings


class App(Litestar):
    """The Litestar application with its `Services`."""

    services: Services


def create_app(settings: Settings, lan_host: str = "localhost") -> App:
    """Create the application, which opens its databases at startup and closes them at shutdown.

    ``lan_host``: this machine's address on its network, or "localhost" if the service does not
    listen there.
    """
    app = register_routes(Services(settings, lan_host))
    app.asgi_handler = wrap_handler(app.asgi_handler, app.services)
    return app


def register_routes(services: Services) -> App:
    """Create an application that is not yet wrapped in the middleware of `wrap_handler`.

    Routes and middleware take the parts of ``services`` at each request.
    """
    app = App(
        route_handlers=[
            *HANDLERS,
            *route_handlers(mail_links),
            serve_match_page,
            serve_schema,
            serve_metrics,
            serve_home,
            serve_page,
        ],
        dependencies=dependencies(services),
        lifespan=[partial(_running, services)],
        request_class=StrictRequest,
        before_request=reject_null_parameters,
        before_send=[complete_headers],
        plugins=[problem_details_plugin()],
        exception_handlers={
            Exception: answer_unexpected,
            InternalServerException: answer_unexpected,
        },
        middleware=[
            OriginGuard(services),
            RateLimitMiddleware(services),
            ReadThrottleMiddleware(services),
            FastPath(services, _COMPRESSION),
        ],
        compression_config=_COMPRESSION,
        request_max_body_size=services.settings.max_body,
        openapi_config=None,
        logging_config=None,
    )
    app.services = services
    return app


def wrap_handler(handler: ASGIApp, services: Services) -> ASGIApp:
    """Wrap the handler of an application in the middleware that also sees unrouted requests."""
    settings = services.settings
    notes = RequestLog(
        access_log=bool(settings.access_log), is_draining=lambda: services.is_draining
    )
    handler = head_middleware(request_log_middleware(handler, notes))
    handler = language_middleware(handler, services.languages)
    if settings.otel_exporter_otlp_endpoint:
        from service.observability.tracing import tracing_middleware

        handler = tracing_middleware(handler)
    return handler


@asynccontextmanager
async def _running(services: Services, app: Litestar) -> AsyncIterator[None]:
    async with services.running():
        yield


def _methods_by_path() -> dict[str, bytes]:
    """Return the value of the ``Allow`` header of each path, for responses to OPTIONS.

    Paths are templates without parameter types, as in the scope of a routed request.
    """
    methods: dict[str, set[str]] = {}
    for handler in HANDLERS:
        for path in handler.paths:
            bare = path.replace(":str}", "}")
            methods.setdefault(bare, {"OPTIONS"}).update(handler.http_methods)
    return {path: ", ".join(sorted(allowed)).encode() for path, allowed in methods.items()}


_ALLOW_HEADERS = _methods_by_path()
_COMPRESSION = CompressionConfig(
    backend="gzip",
    gzip_compress_level=5,
    minimum_size=1024,
    # Responses of handlers with `packed` in `opt` are not compressed here: pages and long JSON,
    # which are compressed already; streams, which must not be buffered; pictures; and responses
    # that contain both secrets of players and text that others can choose (BREACH).
    exclude_opt_key="packed",
)
_HSTS_HEADER = (b"strict-transport-security", b"max-age=31536000")
"""Header of responses over TLS: browsers use TLS only, for a year."""
_SECURITY_HEADERS = [
    (name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()
]


async def complete_headers(message: Message, scope: Scope) -> None:
    """Add security headers and pending cookies to every response, including errors.

    Also corrects the ``Allow`` header of responses to OPTIONS: if several handlers share a path,
    Litestar lists only the methods of the one registered first.
    """
    if message["type"] != "http.response.start":
        return
    headers = [*message["headers"], *_SECURITY_HEADERS]
    if scope["scheme"] == "https":
        headers.append(_HSTS_HEADER)
    if scope.get("method") == "OPTIONS":
        allowed = _ALLOW_HEADERS.get(scope.get("path_template", ""))
        if allowed is not None:
            headers = [pair for pair in headers if pair[0].lower() != b"allow"]
            headers.append((b"allow", allowed))
    headers += [cookie.to_encoded_header() for cookie in scope["state"].get("cookies", ())]
    message["headers"] = headers


@get("/schema/openapi.json", include_in_schema=False, sync_to_thread=False)
def serve_schema() -> Response[bytes]:
    """Serve the OpenAPI document, identical to the committed file."""
    return Response(openapi.render_document(), media_type="application/json")
