"""Helpers that know nothing of HTTP: clock, coalescing, log-safe text, local addresses."""
