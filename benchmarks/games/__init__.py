"""Benchmarks of features of a single game."""
