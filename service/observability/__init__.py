"""Observability: metrics, traces, and a log whose lines contain the request id."""
