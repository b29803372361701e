"""Registry of the API modules with their routes, dependencies and documentation."""

from collections.abc import Callable
from types import ModuleType

from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from service.bootstrap import Services
from service.http import common_problems as base_errors
from service.http import dependencies as base_dependencies
from service.http import examples as base_examples
from service.http import health
from service.live import dependencies as live_dependencies
from service.live import examples as live_examples
from service.live import problems as live_problems
from service.live import routes as live_routes
from service.matches import dependencies as match_dependencies
from service.matches import examples as match_examples
from service.matches import problems as match_problems
from service.matches import schema as match_schema
from service.matches.routes import actions, files, games, matches, plans, reading, review, vacation
from service.media import dependencies as media_dependencies
from service.media import examples as media_examples
from service.media import problems as media_problems
from service.media import routes as media_routes
from service.notifications import examples as notice_examples
from service.notifications import problems as notice_problems
from service.notifications import schema as notice_schema
from service.notifications.delivery import dependencies as notice_dependencies
from service.notifications.routes import channels as notice_routes
from service.players import dependencies as player_dependencies
from service.players import examples as player_examples
from service.players import problems as player_problems
from service.players import schema as player_schema
from service.players.routes import devices, players
from service.recovery import dependencies as recovery_dependencies
from service.recovery import examples as recovery_examples
from service.recovery import problems as recovery_problems
from service.recovery import routes as recovery_routes
from service.recovery import schema as recovery_schema
from service.social import examples as people_examples
from service.social import problems as people_problems
from service.social import schema as people_schema
from service.social.contacts import dependencies as people_dependencies
from service.social.routes import contacts, feeds, personal


def route_handlers(module: ModuleType) -> tuple[HTTPRouteHandler, ...]:
    """Return the route handlers that a module defines, in order of definition."""
    return tuple(each for each in vars(module).values() if isinstance(each, HTTPRouteHandler))


class ApiModule(Struct, frozen=True):
    """One API module: the routes of a package such as `service.matches`, and their documentation.

    ``routes``: modules with route handlers. ``dependencies``: function that returns the dependency
    providers of the handlers. ``problems``: module with ``PROBLEMS`` by code and ``ERRORS`` by
    operation id. ``examples``: module with ``REQUESTS`` and ``ANSWERS`` by operation id.
    ``schema``: module with the structs of request and response bodies, None if there are none.
    """

    routes: tuple[ModuleType, ...]
    dependencies: Callable[[Services], dict[str, Provide]]
    problems: ModuleType
    examples: ModuleType
    schema: ModuleType | None = None

    @property
    def handlers(self) -> tuple[HTTPRouteHandler, ...]:
        """The documented route handlers of the module."""
        return tuple(handler for module in self.routes for handler in route_handlers(module))


API_MODULES = (
    ApiModule(
        (players, devices),
        player_dependencies.dependencies,
        player_problems,
        player_examples,
        player_schema,
    ),
    ApiModule(
        (games, matches, reading, actions, plans, files, review, vacation),
        match_dependencies.dependencies,
        match_problems,
        match_examples,
        match_schema,
    ),
    ApiModule(
        (personal, contacts, feeds),
        people_dependencies.dependencies,
        people_problems,
        people_examples,
        people_schema,
    ),
    ApiModule((media_routes,), media_dependencies.dependencies, media_problems, media_examples),
    ApiModule((live_routes,), live_dependencies.dependencies, live_problems, live_examples),
    ApiModule(
        (notice_routes,),
        notice_dependencies.dependencies,
        notice_problems,
        notice_examples,
        notice_schema,
    ),
    ApiModule(
        (recovery_routes,),
        recovery_dependencies.dependencies,
        recovery_problems,
        recovery_examples,
        recovery_schema,
    ),
    ApiModule((health,), base_dependencies.dependencies, base_errors, base_examples, health),
)
HANDLERS: tuple[HTTPRouteHandler, ...] = tuple(
    h for subject in API_MODULES for h in subject.handlers
)
"""All documented route handlers."""


def dependencies(services: Services) -> dict[str, Provide]:
    """Return the dependency providers of all API modules."""
    return {
        name: provide
        for subject in API_MODULES
        for name, provide in subject.dependencies(services).items()
    }
