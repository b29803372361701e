"""Local matches: played on this device itself, without the service."""
