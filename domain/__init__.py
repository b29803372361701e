"""The rules: one folder a game, and a small kernel that knows no game."""
