"""The notification routes."""
