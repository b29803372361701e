"""Matches: opening, joining, reading and playing them, and everything stored about them."""
