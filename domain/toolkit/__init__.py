"""Helpers for games: decks, hexagonal grids and verifiable random draws."""
