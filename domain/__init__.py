"""Rules and kernel: one package per game, and the code that does not depend on the game."""
