"""How handlers are given what they work with: Litestar's dependencies by name.

A parameter marked `Injected` gets the dependency of its own name. Dependencies that a handler
asks for beside each other are made in a task group, which costs more than most of them: calls that
are made often ask for one only.
"""

from typing import Any, TypeVar

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

_T = TypeVar("_T")

Req = Request[Any, Any, Any]

# What is made here has its type already.
Injected = NamedDependency[SkipValidation[_T]]


def given(make: Any) -> Provide:
    """A dependency that ``make`` gives, a quick function or a coroutine function."""
    return Provide(make)
