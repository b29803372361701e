"""Tracing hooks: `span` around work worth timing.

Without a tracer it costs one comparison, and OpenTelemetry is not imported;
`service.observability.tracing` installs its tracer here.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from projections.rebuild import LogEntry


class Tracer(Protocol):
    """Opens spans as children of the current one."""

    def span(self, name: str, fields: dict[str, Any]) -> AbstractContextManager[None]:
        """Open a span that ends with the block."""


_tracer: Tracer | None = None
_NULL_SPAN = nullcontext()
_MAX_LISTED_MATCHES = 20
"""Maximum number of matches listed for a batch."""


def install_tracer(tracer: Tracer | None) -> None:
    """Install the tracer of this process; None turns tracing off."""
    global _tracer
    _tracer = tracer


def current_tracer() -> Tracer | None:
    """Return the installed tracer."""
    return _tracer


def span(name: str, **fields: Any) -> AbstractContextManager[None]:
    """Time a block; ``fields``: ids, games, counts, never user input or secrets."""
    return _NULL_SPAN if _tracer is None else _tracer.span(name, fields)


def batch_span(entries: Sequence[LogEntry]) -> AbstractContextManager[None]:
    """Time the projection of a batch of decisions into the read models."""
    if _tracer is None:
        return _NULL_SPAN
    matches = list({str(notice.match): None for notice in entries})[:_MAX_LISTED_MATCHES]
    return _tracer.span("projection", {"decisions": len(entries), "matches": matches})
