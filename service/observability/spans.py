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

    def span(self, name: str, known: dict[str, Any]) -> AbstractContextManager[None]:
        """Open a span that ends with the block."""


_tracer: Tracer | None = None
_NOTHING = nullcontext()
_NAMED = 20
"""Maximum number of matches listed for a batch."""


def use(tracer: Tracer | None) -> None:
    """Install the tracer of this process; None turns tracing off."""
    global _tracer
    _tracer = tracer


def current() -> Tracer | None:
    """Return the installed tracer."""
    return _tracer


def span(name: str, **known: Any) -> AbstractContextManager[None]:
    """Time a block; ``known``: ids, games, counts, never user input or secrets."""
    return _NOTHING if _tracer is None else _tracer.span(name, known)


def batch(notices: Sequence[LogEntry]) -> AbstractContextManager[None]:
    """Time the projection of a batch of decisions into the read models."""
    if _tracer is None:
        return _NOTHING
    matches = list({str(notice.match): None for notice in notices})[:_NAMED]
    return _tracer.span("projection", {"decisions": len(notices), "matches": matches})
