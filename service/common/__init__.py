"""Helpers that do not depend on HTTP: clock, coalescing, log-safe text, local addresses."""
