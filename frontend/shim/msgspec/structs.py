"""Stands in for ``msgspec.structs``."""

from _native import replace

__all__ = ["replace"]
