"""The routes of players' personal data."""
