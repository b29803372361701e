"""Pebbles, the smallest game with secrets: it proves that a folder is all a new game needs."""
