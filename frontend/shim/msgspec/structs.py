"""Replacement for ``msgspec.structs`` in the browser: ``replace`` only."""

from _native import replace

__all__ = ["replace"]
