"""Services in this process that share applications whose routes are already registered.

Litestar takes 0.1 to 0.2 s of processor time to register all routes, six times as much as the start
of the service behind them. `borrow_app` therefore keeps the application of a service that has
ended, and the next one uses it again with new `Services`: routes, middleware and dependencies take
the parts of the service from that one object at each request.

A test about the start of the application itself calls `service.app.create_app`.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from litestar.testing import TestClient
from litestar.types import ASGIApp

from service.app import App, register_routes, wrap_handler
from service.bootstrap import Services
from service.settings import Settings
from tests.service.people import Client

_idle_apps: dict[int, list[tuple[App, ASGIApp]]] = defaultdict(list)
"""Applications without a service and their unwrapped handlers, by the maximum size of a body.

Litestar keeps that size with each route; everything else of the settings is in the services.
"""


@contextmanager
def borrow_app(settings: Settings) -> Iterator[App]:
    """Yield an application of a service that has not started, for one start within the block.

    Blocks may be nested: each has an application of its own. If a block raises an exception, its
    application is not used again.
    """
    app, handler = _take_app(settings)
    app.asgi_handler = wrap_handler(handler, app.services)
    yield app
    app.asgi_handler = handler
    vars(app.services).clear()
    _idle_apps[settings.max_body].append((app, handler))


@contextmanager
def run_service(settings: Settings) -> Iterator[Client]:
    """Yield a client of a service that runs while the block does."""
    with borrow_app(settings) as app, TestClient(app) as client:
        yield client


def _take_app(settings: Settings) -> tuple[App, ASGIApp]:
    """Return an application with new services, and its unwrapped handler."""
    services = Services(settings)
    idle = _idle_apps[settings.max_body]
    if not idle:
        app = register_routes(services)
        return app, app.asgi_handler
    app, handler = idle.pop()
    # Routes and middleware refer to the services object, so it is filled anew, not replaced.
    vars(app.services).update(vars(services))
    return app, handler
