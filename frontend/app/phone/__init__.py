"""Matches that are played on this phone itself, without the service."""
