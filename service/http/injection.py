"""Helpers for dependency injection by name.

A parameter marked `Injected` receives the dependency of the same name. Litestar resolves several
independent dependencies of one handler in a task group, which costs more than most of the
dependencies themselves, so handlers of frequent requests should have only one.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

_T = TypeVar("_T")

AnyRequest = Request[Any, Any, Any]

# Dependencies are created by the service and need no validation.
Injected = NamedDependency[SkipValidation[_T]]


def provide_part(part: Callable[[], Any]) -> Provide:
    """Return a provider of a part of the service, which ``part()`` returns without blocking.

    It is called for each request, because the service creates its parts when it starts.
    """
    return Provide(part, sync_to_thread=False)
