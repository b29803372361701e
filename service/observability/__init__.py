"""Observability: metrics, traces and logs with request ids."""
