"""Where time goes, for those who look at traces: `span` around what is worth seeing.

Without a setting it is one comparison and the library is not even imported; with one,
`service.seeing.tracing` puts its tracer here.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from projections.renewal import Notice


class Tracer(Protocol):
    """Begins spans below the one that is open where it is called."""

    def span(self, name: str, known: dict[str, Any]) -> AbstractContextManager[None]:
        """A span that ends with the block."""


_tracer: Tracer | None = None
_NOTHING = nullcontext()
_NAMED = 20
"""Matches that are named of a batch."""


def use(tracer: Tracer | None) -> None:
    """From now on spans of this process go there; None: nowhere."""
    global _tracer
    _tracer = tracer


def current() -> Tracer | None:
    """Where spans go now."""
    return _tracer


def span(name: str, **known: Any) -> AbstractContextManager[None]:
    """Times a block. ``known``: ids, games, counts; never what a person said or may keep secret."""
    return _NOTHING if _tracer is None else _tracer.span(name, known)


def batch(notices: Sequence[Notice]) -> AbstractContextManager[None]:
    """Times what the read models make of some decisions."""
    if _tracer is None:
        return _NOTHING
    matches = list({str(notice.match): None for notice in notices})[:_NAMED]
    return _tracer.span("projection", {"decisions": len(notices), "matches": matches})
