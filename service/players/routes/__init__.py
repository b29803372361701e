"""The routes about players and their devices."""
