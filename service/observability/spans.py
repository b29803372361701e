"""Tracing hooks: functions that time a block of code as a span.

They use the tracer that `service.observability.tracing` installs here. Without one, a span costs
one comparison, and OpenTelemetry is not imported.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from projections.rebuild import LogEntry


class Tracer(Protocol):
    """A tracer, which opens spans as children of the current one."""

    def span(self, name: str, fields: dict[str, Any]) -> AbstractContextManager[None]:
        """Return a context manager that opens a span and ends it with the block.

        ``fields``: the attributes of the span.
        """


_tracer: Tracer | None = None
_NULL_SPAN = nullcontext()
_MAX_LISTED_MATCHES = 20
"""Maximum number of match ids listed in the span of a batch."""


def install_tracer(tracer: Tracer | None) -> None:
    """Install the tracer of this process; None disables tracing."""
    global _tracer
    _tracer = tracer


def current_tracer() -> Tracer | None:
    """Return the installed tracer, or None if tracing is disabled."""
    return _tracer


def span(name: str, **fields: Any) -> AbstractContextManager[None]:
    """Return a context manager that times a block as a span.

    ``fields``: attributes such as ids, games and counts, but never user input or secrets.
    """
    return _NULL_SPAN if _tracer is None else _tracer.span(name, fields)


def batch_span(entries: Sequence[LogEntry]) -> AbstractContextManager[None]:
    """Return a context manager that times the projection of a batch into the read models."""
    if _tracer is None:
        return _NULL_SPAN
    matches = list({str(notice.match): None for notice in entries})[:_MAX_LISTED_MATCHES]
    return _tracer.span("projection", {"decisions": len(entries), "matches": matches})
