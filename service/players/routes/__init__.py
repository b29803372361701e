"""The calls about players and their devices."""
