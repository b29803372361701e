"""The routes of players and their devices."""
