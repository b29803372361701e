"""The rules of each game, and the kernel and other code common to all games."""
