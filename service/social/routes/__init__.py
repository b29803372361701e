"""The routes about personal data."""
