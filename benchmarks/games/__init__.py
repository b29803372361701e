"""Benchmarks of what one game alone has."""
