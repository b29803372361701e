"""The games, one package per game."""
