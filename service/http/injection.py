"""Helpers for dependency injection by name.

A parameter marked `Injected` gets the dependency of the same name. Litestar resolves several
independent dependencies of one handler in a task group, which costs more than most of the
dependencies themselves: handlers of frequent requests request only one.
"""

from typing import Any, TypeVar

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

_T = TypeVar("_T")

AnyRequest = Request[Any, Any, Any]

# Dependencies are built by the service and need no validation.
Injected = NamedDependency[SkipValidation[_T]]


def provide(factory: Any) -> Provide:
    """Return a dependency made by ``factory``, a quick function or a coroutine function."""
    return Provide(factory)
