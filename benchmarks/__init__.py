"""Benchmarks that print the tables of docs/PERFORMANCE.md; `make bench` runs them all."""
