"""The interface of a game, and helpers that games share."""
