"""Replacement for ``msgspec.structs`` in the browser."""

from _native import replace

__all__ = ["replace"]
